package settingsfile

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
)

// EnabledPlugins returns the plugins that the files switch on or off, such as
// bridge@bridge. They need not be installed.
func EnabledPlugins(files []Source) map[string]bool {
	enabled := map[string]bool{}
	for _, source := range files {
		var s struct {
			EnabledPlugins map[string]jsontext.Value `json:"enabledPlugins"`
		}
		if source.Decode(&s) == nil {
			// A later scope overrides an earlier one.
			for name, value := range s.EnabledPlugins {
				enabled[name] = value.Kind() != 'f'
			}
		}
	}
	return enabled
}

// plugins lists the hook files of the enabled plugins that are installed.
func plugins(files []Source, getenv func(string) string) []Source {
	enabled := EnabledPlugins(files)
	var installed struct {
		Plugins map[string][]struct {
			InstallPath string `json:"installPath"`
		} `json:"plugins"`
	}
	dir := filepath.Join(claude.Home(getenv), "plugins")
	if (Source{Path: filepath.Join(dir, "installed_plugins.json")}).Decode(&installed) != nil {
		return nil
	}
	known := marketplaces(dir)
	var all []Source
	for _, name := range slices.Sorted(maps.Keys(installed.Plugins)) {
		if !enabled[name] {
			continue
		}
		_, market, _ := strings.Cut(name, "@")
		live, gone := known[market].plugin(name)
		for _, at := range installed.Plugins[name] {
			root := at.InstallPath
			if live != "" {
				root = live
			}
			path := filepath.Join(root, "hooks", "hooks.json")
			if _, err := os.Lstat(path); err == nil {
				all = append(all, Source{Path: path, Scope: Plugin, Plugin: name, Root: root, Gone: gone})
			}
		}
	}
	return all
}

// marketplace is one that the client knows.
type marketplace struct {
	Source struct {
		Source string `json:"source"`
	} `json:"source"`
	InstallLocation string `json:"installLocation"`
}

// marketplaces reads what the client knows below its directory for plugins.
func marketplaces(dir string) map[string]marketplace {
	var all map[string]jsontext.Value
	if (Source{Path: filepath.Join(dir, "known_marketplaces.json")}).Decode(&all) != nil {
		return nil
	}
	known := map[string]marketplace{}
	for name, value := range all {
		var m marketplace
		if json.Unmarshal(value, &m) == nil {
			known[name] = m
		}
	}
	return known
}

// plugin returns the directory from which the client reads a plugin of a local
// marketplace, "" for the installed copy, and the directory of the marketplace if it is
// gone (docs/reference/claude-code.md#plugins).
func (m marketplace) plugin(name string) (live, gone string) {
	if m.InstallLocation == "" {
		return "", ""
	}
	if _, err := os.Stat(m.InstallLocation); os.IsNotExist(err) {
		return "", m.InstallLocation
	}
	var list struct {
		Plugins []struct {
			Name   string         `json:"name"`
			Source jsontext.Value `json:"source"`
		} `json:"plugins"`
	}
	manifest := Source{Path: filepath.Join(m.InstallLocation, ".claude-plugin", "marketplace.json")}
	if m.Source.Source != "directory" || manifest.Decode(&list) != nil {
		return "", ""
	}
	plain, _, _ := strings.Cut(name, "@")
	for _, p := range list.Plugins {
		var below string
		if p.Name == plain && json.Unmarshal(p.Source, &below) == nil {
			root := filepath.Join(m.InstallLocation, filepath.FromSlash(below))
			if _, err := os.Stat(root); err == nil {
				return root, ""
			}
		}
	}
	return "", ""
}
