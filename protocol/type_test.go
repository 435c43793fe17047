package protocol_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// TestNamesOfHooks: the types that each value of --hook selects.
func TestNamesOfHooks(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"stop": "stop [ralph persistent-mode stop-continuation]", "Stop": "stop [ralph persistent-mode stop-continuation]",
		"setup": "setup [setup-init setup-maintenance]", "Setup": "setup [setup-init setup-maintenance]",
		"user-prompt-submit": "keyword-detector [keyword-detector]", "UserPromptSubmit": "keyword-detector [keyword-detector]",
		"post-tool-use-failure": "post-tool-use [post-tool-use]", "PostToolUse": "post-tool-use [post-tool-use]", "PostToolUseFailure": "post-tool-use [post-tool-use]",
		"SessionStart": "session-start [session-start]", "SessionEnd": "session-end [session-end]", "PreToolUse": "pre-tool-use [pre-tool-use]",
		"SubagentStart": "subagent-start [subagent-start]", "SubagentStop": "subagent-stop [subagent-stop]", "PreCompact": "pre-compact [pre-compact]",
		"PermissionRequest": "permission-request [permission-request]",
		"":                  " []", "STOP": " []", "ultrawork": " []", "Interrupt": " []",
	}
	kebab := regexp.MustCompile("([a-z])([A-Z])")
	for _, row := range protocol.AllRows() {
		if row.Duty != protocol.DutyStandard {
			// These are named by their event.
			name := strings.ToLower(kebab.ReplaceAllString(string(row.Events[0]), "$1-$2"))
			want[row.Aliases[0]] = fmt.Sprintf("%s [%[1]s]", name)
			if len(row.Events) != 1 || row.Aliases[0] != string(row.Events[0]) || string(row.Type) != name {
				t.Errorf("%s has the events %q and the aliases %q", row.Type, row.Events, row.Aliases)
			}
		}
		want[string(row.Type)] = fmt.Sprintf("%s [%[1]s]", row.Type)
		for _, alias := range row.Aliases {
			if _, ok := protocol.Lookup(protocol.Type(alias)); ok {
				t.Errorf("the alias %q of %s is a type", alias, row.Type)
			}
			if _, ok := protocol.ParseHook(alias); !ok {
				t.Errorf("the alias %q of %s is no hook", alias, row.Type)
			}
		}
		for _, event := range row.Events {
			if _, ok := protocol.ParseHook(string(event)); !ok {
				t.Errorf("the event %s of %s has no hook of its name", event, row.Type)
			}
			if event.Row().Event != event {
				t.Errorf("the event %s of %s has no row", event, row.Type)
			}
		}
	}
	for value, want := range want {
		hook, ok := protocol.ParseHook(value)
		if got := fmt.Sprint(hook.Name, " ", hook.Types); got != want || ok != (hook.Name != "") {
			t.Errorf("%q is %q, want %q", value, got, want)
		}
	}
}

// TestSkippedHooks: what each token of OMC_SKIP_HOOKS switches off.
func TestSkippedHooks(t *testing.T) {
	t.Parallel()
	steps := []protocol.StepName{protocol.StepRalph, protocol.StepAutopilot, protocol.StepUltrawork, protocol.StepStopContinuation}
	for skip, want := range map[string]string{
		"":                        "[] []",
		" , ,":                    "[] []",
		"no-such-hook":            "[] []",
		"ralph":                   "[ralph] [ralph]",
		"autopilot":               "[autopilot] [autopilot]",
		"ultrawork":               "[] [ultrawork]",
		"autopilot, ultrawork":    "[persistent-mode autopilot] [autopilot ultrawork]",
		"persistent-mode":         "[persistent-mode autopilot] [autopilot ultrawork]",
		"stop-continuation":       "[stop-continuation] [stop-continuation]",
		"stop":                    "[ralph persistent-mode stop-continuation autopilot] [ralph autopilot ultrawork stop-continuation]",
		"Stop":                    "[ralph persistent-mode stop-continuation autopilot] [ralph autopilot ultrawork stop-continuation]",
		"setup":                   "[setup-init setup-maintenance] []",
		"setup-init":              "[setup-init] []",
		"SubagentStop,PreToolUse": "[pre-tool-use subagent-stop] []",
		"user-prompt-submit":      "[keyword-detector] []",
	} {
		off := protocol.ParseKillSwitches("", skip)
		types, offSteps := []protocol.Type{}, slices.DeleteFunc(slices.Clone(steps), func(s protocol.StepName) bool { return !off.Step(s) })
		for _, row := range protocol.AllRows() {
			if off.Type(row.Type) {
				types = append(types, row.Type)
			}
		}
		if got := fmt.Sprint(types, offSteps); got != want {
			t.Errorf("%q switches off %s, want %s", skip, got, want)
		}
	}
}
