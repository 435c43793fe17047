package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestPluginHooks: every event that bridge knows has one line, of a hook that
// answers it, with a timeout in seconds that leaves the hook its deadline. The
// client ends SessionEnd by itself.
func TestPluginHooks(t *testing.T) {
	t.Parallel()
	var file struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command, OnFailure string
				Args                     []string
				Timeout                  *int
			}
		}
	}
	readJSON(t, "plugin/hooks/hooks.json", &file)
	var events []protocol.Event
	for _, row := range protocol.WiredRows() {
		for _, event := range row.Events {
			if !slices.Contains(events, event) {
				events = append(events, event)
			}
		}
	}
	for _, event := range events {
		groups := file.Hooks[string(event)]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 {
			t.Errorf("%s: %+v", event, groups)
			continue
		}
		line := groups[0].Hooks[0]
		value, _ := strings.CutPrefix(strings.Join(line.Args, " "), "--hook=")
		hook, ok := protocol.ParseHook(value)
		answers := slices.ContainsFunc(hook.Types, func(h protocol.Type) bool {
			row, _ := protocol.Lookup(h)
			return slices.Contains(row.Events, event)
		})
		if !ok || !answers || line.Type != "command" || line.Command != "${CLAUDE_PLUGIN_ROOT}/bin/bridge" {
			t.Errorf("%s: %+v", event, line)
		}
		if (line.OnFailure == "block") != (event == protocol.EventPermissionRequest) {
			t.Errorf("%s: onFailure %q", event, line.OnFailure)
		}
		if event == protocol.EventSessionEnd {
			if line.Timeout != nil {
				t.Errorf("%s has a timeout", event)
			}
		} else if line.Timeout == nil || time.Duration(*line.Timeout)*time.Second < hook.Row().Deadline+5*time.Second || *line.Timeout > 60 {
			t.Errorf("%s: timeout %v, the deadline is %v", event, line.Timeout, hook.Row().Deadline)
		}
	}
	if len(file.Hooks) != len(events) {
		t.Errorf("%d events wired, %d known", len(file.Hooks), len(events))
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
	if want := "bridge-status cancel-mode cancel-ralph help ralph-clean ralph-config ralph-loop ralph-resume ralph-smart"; strings.Join(names, " ") != want {
		t.Errorf("the commands are %v", names)
	}
}
