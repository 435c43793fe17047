// Package settingsfile reads and edits the files that tell Claude Code about its hooks:
// the settings files of every scope, and the plugins that are enabled
// (docs/reference/claude-code.md#configuration). This package never runs anything that
// these files name.
package settingsfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Scope says who may write a source.
type Scope string

// The scopes. A project's files come with the repository; the others are the
// user's or the machine's.
const (
	Managed Scope = "managed"
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local"
	Plugin  Scope = "plugin"
)

// Trusted reports whether the user or the machine's administrator wrote sources of this
// scope. Nothing that a repository names is ever run.
func (s Scope) Trusted() bool { return s == Managed || s == User || s == Plugin }

// Source is a file that may contain hook lines.
type Source struct {
	Path  string
	Scope Scope
	// Plugin is the name of the plugin, such as bridge@bridge, and Root is its directory.
	// Both are empty for settings files.
	Plugin, Root string
	// Gone is the directory of the plugin's marketplace if it is missing: the client does
	// not load the plugin then.
	Gone string
}

// MaxSize is the size in bytes above which a settings file is not read.
const MaxSize = 16 << 20

// Path is the settings file of a scope that a person edits; the files of project and
// local scope are those of dir. It is "" for other scopes and without a home directory.
func Path(scope Scope, dir string, getenv func(string) string) string {
	switch scope {
	case User:
		if home := claude.Home(getenv); home != "" {
			return filepath.Join(home, "settings.json")
		}
	case Project:
		return filepath.Join(dir, claude.Dir, "settings.json")
	case Local:
		return filepath.Join(dir, claude.Dir, "settings.local.json")
	case Managed, Plugin:
	}
	return ""
}

// managedDir holds the settings of the machine's administrator.
func managedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// Files lists the settings files of every scope; those of the project, in each of its
// directories. A later file overrides an earlier one. The files need not exist. A file
// that belongs to two scopes is listed for both, because the project's directory may be
// the user's home.
func Files(dirs []string, getenv func(string) string) []Source {
	all := []Source{{Path: filepath.Join(managedDir(), "managed-settings.json"), Scope: Managed}}
	parts, _ := filepath.Glob(filepath.Join(managedDir(), "managed-settings.d", "*.json"))
	for _, part := range parts {
		all = append(all, Source{Path: part, Scope: Managed})
	}
	if home := claude.Home(getenv); home != "" {
		all = append(all,
			// These are the settings that the user's organisation sends.
			Source{Path: filepath.Join(home, "remote-settings.json"), Scope: Managed},
			Source{Path: filepath.Join(home, "settings.json"), Scope: User},
			Source{Path: filepath.Join(home, "settings.local.json"), Scope: User})
	}
	for _, dir := range dirs {
		all = append(all, Source{Path: Path(Project, dir, getenv), Scope: Project}, Source{Path: Path(Local, dir, getenv), Scope: Local})
	}
	return all
}

// Named reports whether a path, with slashes, has the name of a file that may contain
// hook lines. Some file systems treat Settings.json as settings.json.
func Named(file string) bool {
	dir, base := path.Split(file)
	switch strings.ToLower(base) {
	case "settings.json", "settings.local.json", "managed-settings.json", "remote-settings.json":
		return true
	case "hooks.json":
		return path.Base(dir) == "hooks"
	}
	return path.Base(dir) == "managed-settings.d"
}

// Sources lists the existing sources of a project, each once: the settings files of every
// scope, and the hooks of the plugins that any of them enables. A file that cannot be
// read is listed, too; Read returns its error.
func Sources(root string, getenv func(string) string) []Source {
	var all []Source
	for _, source := range Files([]string{root}, getenv) {
		known := slices.ContainsFunc(all, func(s Source) bool { return s.Path == source.Path })
		if _, err := os.Lstat(source.Path); err == nil && !known {
			all = append(all, source)
		}
	}
	return append(all, plugins(all, getenv)...)
}

// Decode reads the members of the file into the fields of into, a pointer to a struct.
// Errors: fs.ErrNotExist, or what is wrong with the file.
func (s Source) Decode(into any) error {
	text, err := ReadFile(s.Path)
	if err != nil {
		return err
	}
	if err := decode(text, into); err != nil {
		return fmt.Errorf("read %s: %w", s.Path, err)
	}
	return nil
}

// Decode is Source.Decode for a text. A blank text has no members.
func Decode(text []byte, into any) error {
	if len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0 {
		return nil
	}
	return decode(text, into)
}

func decode(text []byte, into any) error {
	data, err := settings.Standardize(text)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// ReadFile reads a settings file of a reasonable size.
func ReadFile(path string) ([]byte, error) {
	data, err := statefile.ReadFile(path, MaxSize)
	if errors.Is(err, statefile.ErrNotRegular) || errors.Is(err, statefile.ErrTooLarge) {
		return nil, fmt.Errorf("read %w", err)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, err
}
