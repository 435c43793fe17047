package install

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

// TestShape: the written settings have the shape that the client documents for hooks
// (docs/reference/claude-code.md#configuration): existing events, groups of handlers,
// and members of a command handler with the right types.
func TestShape(t *testing.T) {
	t.Parallel()
	events := []string{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop",
		"SubagentStart", "SubagentStop", "PreCompact", "PermissionRequest", "Setup",
		"StopFailure", "PostCompact", "ConfigChange", "PermissionDenied", "TaskCompleted", "TeammateIdle",
	}
	type handler struct {
		Type      string   `json:"type"`
		Command   string   `json:"command"`
		Args      []string `json:"args"`
		Timeout   float64  `json:"timeout"`
		OnFailure string   `json:"onFailure"`
	}
	for name, text := range samples(t) {
		for _, scope := range []settingsfile.Scope{settingsfile.User, settingsfile.Project} {
			o := options(t)
			o.Entries = Entries(scope, protocol.Config{})
			plan, err := Install(text, o)
			if err != nil {
				t.Fatal(err)
			}
			data, err := settings.Standardize(plan.Text)
			if err != nil {
				t.Fatal(err)
			}
			var file struct {
				Hooks map[string][]struct {
					Matcher string `json:"matcher"`
					Hooks   []struct {
						URL string `json:"url"`
						handler
					} `json:"hooks"`
				} `json:"hooks"`
			}
			if err := json.Unmarshal(data, &file); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, plan.Text)
			}
			ours := 0
			for event, groups := range file.Hooks {
				for _, group := range groups {
					for _, h := range group.Hooks {
						if h.Command != o.Command {
							continue
						}
						ours++
						if !slices.Contains(events, event) || group.Matcher != "" || h.Type != "command" || len(h.Args) != 1 || h.Timeout < 0 || h.Timeout > 600 ||
							h.OnFailure != "" && h.OnFailure != "block" || h.OnFailure == "block" && scope == settingsfile.Project {
							t.Errorf("%s: %s: %+v", name, event, h)
						}
					}
				}
			}
			if ours != len(events) {
				t.Errorf("%s: %d lines", name, ours)
			}
			// Install writes no other members.
			value, err := o.Entries[0].handler(o.Command)
			if err != nil {
				t.Fatal(err)
			}
			var strict handler
			if err := json.Unmarshal(value, &strict, json.RejectUnknownMembers(true)); err != nil {
				t.Errorf("%s: %v", value, err)
			}
		}
	}
}
