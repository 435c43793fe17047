// Package settingsfile reads and edits the places in which Claude Code is told of its
// hooks: the settings files of every scope, and the plugins that are enabled (hook
// contract, section 2). Nothing that stands there is ever run by this package.
package settingsfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/project"
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

// Trusted reports whether a source of the scope was written by the user or the
// machine's administrator. What a repository brings is never run.
func (s Scope) Trusted() bool { return s == Managed || s == User || s == Plugin }

// Source is a file that may hold hook lines.
type Source struct {
	Path  string
	Scope Scope
	// Plugin is the name of the plugin, such as bridge@bridge, and Root its
	// directory; empty for settings files.
	Plugin, Root string
}

// maxSettings is the size above which a settings file is not read.
const maxSettings = 16 << 20

// Path is the settings file of a scope; project and local scope are the
// project root's. It is "" for a scope that has none and without a home.
func Path(scope Scope, root string, getenv func(string) string) string {
	switch scope {
	case Managed:
		return filepath.Join(managedDir(), "managed-settings.json")
	case User:
		if home := project.ClientHome(getenv); home != "" {
			return filepath.Join(home, "settings.json")
		}
	case Project:
		return filepath.Join(root, ".claude", "settings.json")
	case Local:
		return filepath.Join(root, ".claude", "settings.local.json")
	case Plugin:
	}
	return ""
}

func managedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// Sources lists the sources of a project that are there: managed settings, the
// user's, the project's, and the hooks of the plugins that any of them enables.
// A file that cannot be read is listed; Read says what is wrong with it.
func Sources(root string, getenv func(string) string) []Source {
	var all []Source
	add := func(path string, scope Scope) {
		if _, err := os.Lstat(path); path != "" && err == nil && !slices.ContainsFunc(all, func(s Source) bool { return s.Path == path }) {
			all = append(all, Source{Path: path, Scope: scope})
		}
	}
	add(Path(Managed, root, getenv), Managed)
	parts, _ := filepath.Glob(filepath.Join(managedDir(), "managed-settings.d", "*.json"))
	for _, part := range parts {
		add(part, Managed)
	}
	for _, scope := range []Scope{User, Project, Local} {
		add(Path(scope, root, getenv), scope)
	}
	return append(all, plugins(all, getenv)...)
}

// plugins lists the hook files of the enabled plugins.
func plugins(files []Source, getenv func(string) string) []Source {
	enabled := map[string]bool{}
	for _, source := range files {
		var s struct {
			EnabledPlugins map[string]jsontext.Value `json:"enabledPlugins"`
		}
		if data, err := ReadJSON(source.Path); err == nil && json.Unmarshal(data, &s) == nil {
			// A later scope has the last word.
			for name, value := range s.EnabledPlugins {
				enabled[name] = value.Kind() != 'f'
			}
		}
	}
	var installed struct {
		Plugins map[string][]struct {
			InstallPath string `json:"installPath"`
		} `json:"plugins"`
	}
	data, err := ReadJSON(filepath.Join(project.ClientHome(getenv), "plugins", "installed_plugins.json"))
	if err != nil || json.Unmarshal(data, &installed) != nil {
		return nil
	}
	var names []string
	for name := range installed.Plugins {
		names = append(names, name)
	}
	slices.Sort(names)
	var all []Source
	for _, name := range names {
		for _, at := range installed.Plugins[name] {
			path := filepath.Join(at.InstallPath, "hooks", "hooks.json")
			if _, err := os.Lstat(path); enabled[name] && err == nil {
				all = append(all, Source{Path: path, Scope: Plugin, Plugin: name, Root: at.InstallPath})
			}
		}
	}
	return all
}

// ReadJSON reads a file of JSON with comments and trailing commas and returns it
// as JSON. Errors: fs.ErrNotExist, or what is wrong with the file.
func ReadJSON(path string) ([]byte, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	data, err = settings.Standardize(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

// ReadFile reads a settings file of a sane size.
func ReadFile(path string) ([]byte, error) {
	data, err := statefile.ReadFile(path, maxSettings)
	if errors.Is(err, statefile.ErrNotRegular) || errors.Is(err, statefile.ErrTooLarge) {
		return nil, fmt.Errorf("read %w", err)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, err
}
