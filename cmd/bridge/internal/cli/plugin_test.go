package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/cmd/bridge/internal/install"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/protocol"
)

func readJSON(t *testing.T, path string, to any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestPluginCarriesTheVersion: the manifest, the marketplace and the binary are one
// version.
func TestPluginCarriesTheVersion(t *testing.T) {
	t.Parallel()
	var manifest struct{ Name, Version string }
	readJSON(t, "plugin/.claude-plugin/plugin.json", &manifest)
	var marketplace struct {
		Plugins []struct{ Name, Version, Source string }
	}
	readJSON(t, ".claude-plugin/marketplace.json", &marketplace)
	if manifest.Version != self.Version || len(marketplace.Plugins) != 1 || marketplace.Plugins[0].Version != self.Version {
		t.Errorf("bridge is %s, the plugin %s, the marketplace %+v", self.Version, manifest.Version, marketplace.Plugins)
	}
	if marketplace.Plugins[0].Source != "./plugin" || marketplace.Plugins[0].Name != manifest.Name {
		t.Errorf("%+v", marketplace.Plugins[0])
	}
}

// TestPluginHooks: the plugin has the lines that install would write.
func TestPluginHooks(t *testing.T) {
	t.Parallel()
	var file struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command, OnFailure string
				Args                     []string
				Timeout                  int
			}
		}
	}
	readJSON(t, "plugin/hooks/hooks.json", &file)
	entries := install.Entries(settingsfile.User, protocol.Config{})
	for _, e := range entries {
		groups := file.Hooks[string(e.Event)]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 {
			t.Errorf("%s: %+v", e.Event, groups)
			continue
		}
		line := groups[0].Hooks[0]
		if line.Type != "command" || line.Command != "${CLAUDE_PLUGIN_ROOT}/bin/bridge" || !slices.Equal(line.Args, []string{"--hook=" + e.Hook}) ||
			line.Timeout != e.Timeout || (line.OnFailure == "block") != e.Block {
			t.Errorf("%s: the plugin has %+v, install writes %+v", e.Event, line, e)
		}
	}
	if len(file.Hooks) != len(entries) {
		t.Errorf("the plugin has %d events, install writes %d", len(file.Hooks), len(entries))
	}
}

// TestPluginCommands: what a person types after a slash command reaches bridge in
// a quoted heredoc and never passes through a shell.
func TestPluginCommands(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "plugin", "commands", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".md"))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "$ARGUMENTS") {
			continue
		}
		before, after, _ := strings.Cut(string(text), "$ARGUMENTS")
		if strings.Contains(after, "$ARGUMENTS") || !strings.HasSuffix(before, " --stdin <<'BRIDGE_ARGUMENTS_7f3a'\n") || !strings.HasPrefix(after, "\nBRIDGE_ARGUMENTS_7f3a\n") {
			t.Errorf("%s: the arguments are not in a quoted heredoc", path)
		}
	}
	slices.Sort(names)
	if want := "bridge-doctor bridge-log bridge-status cancel-mode cancel-ralph help ralph-clean ralph-config ralph-loop ralph-pause ralph-resume ralph-smart"; strings.Join(names, " ") != want {
		t.Errorf("the commands are %v", names)
	}
}
