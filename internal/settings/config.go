// Package settings reads the user's own configuration,
// $XDG_CONFIG_HOME/bridge/config.json: JSON with comments.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
	"github.com/tailscale/hujson"
)

// FileName is the name of the user's configuration below the configuration home.
const FileName = "config.json"

// Load reads the configuration below configHome. If configHome is empty or there is no
// file, the result is the zero Config. A file that cannot be read or parsed is an error,
// which permission-request must not ignore.
func Load(configHome string) (protocol.Config, error) {
	var config protocol.Config
	if configHome == "" {
		return config, nil
	}
	path := filepath.Join(configHome, FileName)
	dir, err := statefile.OpenDir(configHome)
	if errors.Is(err, fs.ErrNotExist) || belowAFile(configHome) {
		return config, nil
	}
	if err != nil {
		return config, fmt.Errorf("open the configuration directory: %w", err)
	}
	defer dir.Close()
	file, err := dir.Read(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil
	}
	if err != nil {
		return config, fmt.Errorf("read the configuration %s: %w", path, err)
	}
	standard, err := Standardize(file.Data)
	if err != nil {
		return config, invalid(path, Plain(err))
	}
	if err := NoNull(standard); err != nil {
		return config, invalid(path, Plain(err))
	}
	if err := json.Unmarshal(standard, &config, json.RejectUnknownMembers(true)); err != nil {
		return protocol.Config{}, invalid(path, Plain(err))
	}
	for t := range config.Deadlines {
		if _, ok := protocol.Lookup(t); !ok {
			return protocol.Config{}, invalid(path, fmt.Errorf("deadlines_ms has an unknown key %q; the keys are %s", t, hookTypes()))
		}
	}
	if v := config.Specum.Variant; v != "" && v != "specum" && v != "codex" {
		return protocol.Config{}, invalid(path, fmt.Errorf(`specum.variant must be "specum" or "codex", got: %q`, v))
	}
	if v := config.StopDelivery; v != "" && v != protocol.DeliverBlock && v != protocol.DeliverContext {
		return protocol.Config{}, invalid(path, fmt.Errorf(`stop_delivery must be "block" or "context", got: %q`, v))
	}
	return config, nil
}

// NoNull reports a null in a JSON text. No setting may be null: reading it as "not set"
// could drop a rule that the user meant to have.
func NoNull(text []byte) error {
	for d := jsontext.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if token.Kind() == 'n' {
			return fmt.Errorf("null is not allowed (at %q): remove it, or write the value", d.StackPointer())
		}
	}
}

// invalid says what is wrong with the configuration, and then where it is.
func invalid(path string, err error) error {
	return fmt.Errorf("the configuration is invalid: %w (in %s)", err, path)
}

// hookTypes lists the hook types for a message.
func hookTypes() string {
	var names []string
	for _, row := range protocol.AllRows() {
		names = append(names, string(row.Type))
	}
	return strings.Join(names, ", ")
}

// belowAFile reports whether nothing can exist at a path, because something above it is
// not a directory. HOME=/dev/null is a common way to say that there is no home.
func belowAFile(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, syscall.ENOTDIR)
}

// maxBrackets is how many objects and arrays a file may have that is not plain JSON.
const maxBrackets = 20_000

var errBrackets = errors.New("more than 20,000 brackets in a file that is not plain JSON")

// Standardize turns JSON with comments and trailing commas into JSON. A byte order
// mark is skipped, and the last line may be a comment without an end.
func Standardize(data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if jsontext.Value(data).IsValid() {
		return data, nil
	}
	// hujson goes down into every bracket, and a stack that overflows ends the
	// process with exit code 2.
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxBrackets {
		return nil, errBrackets
	}
	return hujson.Standardize(append(slices.Clip(data), '\n'))
}
