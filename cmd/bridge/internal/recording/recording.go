// Package recording stores the payloads and answers of hooks, if the user's configuration
// asks for it. Secrets are redacted as far as they can be recognised (package debuglog
// describes how far). Only the newest recordings are kept, and only the user can read
// them.
package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/debuglog"
	"github.com/hookbridge/bridge/internal/statefile"
)

const (
	// kept is how many of the newest recordings are kept; keptBytes limits their total
	// size.
	kept      = 500
	keptBytes = 50 << 20
	// keptTime is how long a recording is kept.
	keptTime = 14 * 24 * time.Hour
)

// Recording is one call of a hook.
type Recording struct {
	// Hook is the value of --hook.
	Hook    string    `json:"hook"`
	Time    time.Time `json:"time"`
	Version string    `json:"version"`
	Rule    string    `json:"rule,omitempty"`
	// Input is the redacted payload. If the payload is too large or not JSON, it is only
	// a note (see Kept). Output is what the hook printed; it is empty if the hook printed
	// nothing.
	Input  jsontext.Value `json:"input"`
	Output jsontext.Value `json:"output,omitempty"`
	// Path is the path of the recording; it is not part of the file.
	Path string `json:"-"`
}

// Kept reports whether the payload was stored, so that the call can be replayed.
// Otherwise Input is a string that says why not.
func (r Recording) Kept() bool { return r.Input.Kind() != '"' }

// Dir is the directory of the recordings, below our state directory.
func Dir(stateHome string) string { return filepath.Join(stateHome, "recordings") }

// Save writes a recording and removes the oldest ones. It redacts the input.
func Save(stateHome string, r Recording) error {
	if stateHome == "" {
		return nil
	}
	r.Input = jsontext.Value(debuglog.Redact(r.Input))
	r.Output = slices.Clip(r.Output)
	if len(r.Output) > 0 {
		r.Output = jsontext.Value(debuglog.Redact(r.Output))
	}
	text, err := json.Marshal(r, jsontext.AllowInvalidUTF8(true))
	if err == nil {
		err = statefile.Own(Dir(stateHome)).Write(func(dir *statefile.Dir) error {
			name := r.Time.UTC().Format("20060102T150405.000000000") + "-" + r.Hook + "-" + strconv.Itoa(os.Getpid()) + ".json"
			if err := dir.Create(name, append(text, '\n'), statefile.Volatile); err != nil {
				return err
			}
			return prune(dir, r.Time)
		})
	}
	if err != nil {
		return fmt.Errorf("record the call: %w", err)
	}
	return nil
}

// prune removes recordings that are too old, too many or too large. Two processes may do
// so at the same time.
func prune(dir *statefile.Dir, now time.Time) error {
	names, err := dir.Names(".")
	if err != nil {
		return err
	}
	names = recordings(names)
	total := int64(0)
	for i, name := range slices.Backward(names) {
		info, err := dir.Stat(name)
		if err != nil {
			continue
		}
		total += info.Size()
		if len(names)-i > kept || total > keptBytes || now.Sub(info.ModTime()) > keptTime {
			if err := dir.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordings lists the names of the recordings, oldest first.
func recordings(names []string) []string {
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, ".") || !strings.HasSuffix(n, ".json") })
	slices.Sort(names)
	return names
}

// ErrNone means that a hook has no recording.
var ErrNone = errors.New("no call is recorded")

// Newest returns the newest recording of a hook, by its value of --hook.
func Newest(stateHome, hook string) (Recording, error) {
	all, err := Load(Dir(stateHome))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Recording{}, err
	}
	for _, r := range slices.Backward(all) {
		if r.Hook == hook {
			return r, nil
		}
	}
	return Recording{}, ErrNone
}

// Load reads a recording, or all recordings in a directory, oldest first. A file with a
// bare payload counts as a recording without an output. Other files are an error if they
// are named, and are skipped in a directory.
func Load(path string) ([]Recording, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		r, err := read(path)
		return []Recording{r}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var all []Recording
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") || !strings.HasSuffix(entry.Name(), ".json") {
			continue
		}
		if r, err := read(filepath.Join(path, entry.Name())); err == nil {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b Recording) int { return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Path, b.Path)) })
	return all, nil
}

// maxSize is more than any payload that a hook reads.
const maxSize = 16 << 20

func read(path string) (Recording, error) {
	text, err := statefile.ReadFile(path, maxSize)
	if errors.Is(err, statefile.ErrNotRegular) || errors.Is(err, statefile.ErrTooLarge) {
		return Recording{}, fmt.Errorf("read %s: it is not a regular file, or it is too large for a recording", path)
	}
	if err != nil {
		return Recording{}, err
	}
	r := Recording{Path: path}
	var probe struct {
		Event string `json:"hook_event_name"`
	}
	if err := json.Unmarshal(text, &probe); err == nil && probe.Event != "" {
		r.Hook, r.Input = probe.Event, jsontext.Value(text)
		if info, err := os.Stat(path); err == nil {
			r.Time = info.ModTime()
		}
		return r, nil
	}
	if err := json.Unmarshal(text, &r); err != nil || r.Hook == "" || len(r.Input) == 0 {
		return Recording{}, fmt.Errorf("read %s: it is neither a recording nor a payload", path)
	}
	r.Path = path
	return r, nil
}
