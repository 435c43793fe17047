package settingsfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/tailscale/hujson"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Operation is one operation of RFC 6902 on a settings file.
type Operation struct {
	// Op is "add", "remove" or "replace".
	Op string `json:"op"`
	// Path is an RFC 6901 pointer.
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// BackupSuffix is appended to the name of a settings file to name the copy that an edit
// keeps.
const BackupSuffix = ".bridge.bak"

// Apply returns the text of a settings file after the operations. Everything else stays
// the same to the byte: comments, order, white space, a byte order mark, line ends. An
// empty text counts as an empty object.
func Apply(text []byte, ops []Operation) ([]byte, error) {
	mark := []byte("\ufeff")
	body, marked := bytes.CutPrefix(text, mark)
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}\n")
	}
	value, err := hujson.Parse(body)
	if err != nil {
		return nil, err
	}
	patch, err := json.Marshal(ops)
	if err != nil {
		return nil, err
	}
	if err := value.Patch(patch); err != nil {
		return nil, err
	}
	out := value.Pack()
	if marked {
		out = append(bytes.Clone(mark), out...)
	}
	return out, nil
}

// Edit applies the operations to a settings file. A copy of the old file is kept beside
// it, and the new file replaces it in one step. A link is followed, so it stays a link. A
// file that cannot be parsed is not touched.
func Edit(path string, ops []Operation) error {
	return Change(path, func(text []byte) ([]byte, error) { return Apply(text, ops) })
}

// Change is Edit with any change of the text.
func Change(path string, change func(text []byte) ([]byte, error)) error {
	old, err := ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := change(old)
	if err != nil {
		return fmt.Errorf("edit %s, which was left as it is: %w", path, err)
	}
	if old != nil {
		if err := Keep(path+BackupSuffix, old); err != nil {
			return fmt.Errorf("keep a copy of %s: %w", path, err)
		}
	}
	return Replace(path, text)
}

// ErrOutside means that a settings file is a link out of its scope, which may have come
// with a repository.
var ErrOutside = errors.New("it is a link that leads out of its scope")

// Inside returns ErrOutside for a settings file that leads out of the directories of its
// scope.
func Inside(path string, dirs ...string) error {
	var disk reach.Disk
	target, err := disk.Follow("", path)
	if err != nil {
		return fmt.Errorf("find out where %s leads: %w", path, err)
	}
	for _, dir := range dirs {
		if scope, err := disk.Follow("", dir); err == nil && reach.Within(scope.Path, target.Path) {
			return nil
		}
	}
	return fmt.Errorf("%s: %w (to %s)", path, ErrOutside, target.Path)
}

// ScopeDirs are the directories in which the settings of a scope may be; root is the root
// of the project. The user's settings may be a link to any place in the home directory.
func ScopeDirs(scope Scope, root string, getenv func(string) string) []string {
	switch scope {
	case Project, Local:
		return []string{root}
	case User, Managed, Plugin:
	}
	var dirs []string
	for _, dir := range []string{claude.Home(getenv), home.Dir(getenv)} {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Keep is Replace for a copy beside a settings file. A link in its place is replaced and
// not followed.
func Keep(path string, text []byte) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	return replace(path, text, mode)
}

// Replace replaces the text of a file in one step, or creates the file. A link is
// followed, so it stays a link.
func Replace(path string, text []byte) error {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return replace(path, text, mode)
}

func replace(path string, text []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := statefile.CreateTemp(path)
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
