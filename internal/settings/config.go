// Package settings reads the user's own configuration,
// $XDG_CONFIG_HOME/bridge/config.json: JSON with comments.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
	"github.com/tailscale/hujson"
)

// FileName is the name of the user's configuration below the configuration home.
const FileName = "config.json"

// Load reads the configuration in the directory of the environment. If there is no
// directory or no file, the result is the zero Config. A file that cannot be read or
// parsed is an error, which permission-request must not ignore.
func Load(env protocol.Env) (protocol.Config, error) {
	var config protocol.Config
	if env.ConfigHome == "" {
		return config, nil
	}
	place := home.Short(filepath.Join(env.ConfigHome, FileName), env.Getenv)
	dir, err := statefile.OpenDir(env.ConfigHome)
	if errors.Is(err, fs.ErrNotExist) && dangling(env.ConfigHome) != "" {
		return config, fmt.Errorf("%s is a link that leads nowhere, so the configuration below it is missing; restore what it leads to, or remove the link", home.Short(dangling(env.ConfigHome), env.Getenv))
	}
	if errors.Is(err, fs.ErrNotExist) || belowAFile(env.ConfigHome) {
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
		return config, fmt.Errorf("read the configuration %s: %w", place, err)
	}
	if len(bytes.TrimSpace(file.Data)) == 0 {
		return config, fmt.Errorf("%s is empty; write {} into it, or remove it", place)
	}
	text, err := Standardize(file.Data)
	if err != nil {
		return config, Wrong(place, nil, nil, err)
	}
	if err := errors.Join(NoNull(text), json.Unmarshal(text, &config, json.RejectUnknownMembers(true))); err != nil {
		return protocol.Config{}, Wrong(place, text, text, err)
	}
	if err := misfit(text, config); err != nil {
		return protocol.Config{}, Wrong(place, text, text, err)
	}
	return config, nil
}

// misfit finds a value that has the right type but is not valid.
func misfit(text []byte, config protocol.Config) error {
	for _, t := range slices.Sorted(maps.Keys(config.Deadlines)) {
		if _, ok := protocol.Lookup(t); !ok {
			more, err := unknown("deadlines_ms.", string(t), hookTypes())
			return at(text, jsontext.Pointer("/deadlines_ms").AppendToken(string(t)), err, more)
		}
	}
	if v := config.Specum.Variant; v != "" && v != "specum" && v != "codex" {
		return at(text, "/specum/variant", fmt.Errorf(`specum.variant must be "specum" or "codex", not %q`, v), "")
	}
	if v := config.StopDelivery; v != "" && v != protocol.DeliverBlock && v != protocol.DeliverContext {
		return at(text, "/stop_delivery", fmt.Errorf(`stop_delivery must be "block" or "context", not %q`, v), "")
	}
	return nil
}

// hookTypes lists the hook types.
func hookTypes() (names []string) {
	for _, row := range protocol.AllRows() {
		names = append(names, string(row.Type))
	}
	return names
}

// dangling is the link that leads nowhere on the way to a path that does not exist, or "".
// Its rules exist somewhere, but not now.
func dangling(path string) string {
	for {
		if info, err := os.Lstat(path); err == nil {
			if _, err := os.Stat(path); info.Mode()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist) {
				return path
			}
			return ""
		}
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		path = parent
	}
}

// belowAFile reports that nothing can exist at a path, because something above it is not a
// directory. HOME=/dev/null is a common way to say that there is no home.
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
	// hujson calls itself for every bracket, and a stack overflow ends the process with exit code 2.
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxBrackets {
		return nil, errBrackets
	}
	return hujson.Standardize(append(slices.Clip(data), '\n'))
}
