package e2e

import (
	"strings"
	"testing"
)

// TestAllowRuleForADialogTool: the client offers no rule to remember for the tools that
// talk to the user. A rule of the user that names such a tool is honoured; without one, the
// user sees the dialog.
func TestAllowRuleForADialogTool(t *testing.T) {
	plan := Call("ExitPlanMode", map[string]any{"plan": "Build the first part, then the second."})
	question := Call("AskUserQuestion", map[string]any{"questions": []any{map[string]any{
		"question": "Which part comes first?", "header": "Order", "multiSelect": false,
		"options": []any{map[string]any{"label": "The left one", "description": "left"}, map[string]any{"label": "The right one", "description": "right"}},
	}}})
	for name, test := range map[string]struct {
		mode, rule string
		call       Turn
		dialog     []string // the text that shows that the user is asked
	}{
		"a plan":              {"plan", "ExitPlanMode", plan, nil},
		"a plan, asked":       {"plan", "AskUserQuestion", plan, []string{"Exit plan mode?"}},
		"a question":          {"default", "AskUserQuestion", question, nil},
		"a question, all but": {"default", "*", question, []string{"Which part comes first?"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, Slowly(think, Turns(test.call, Say("THE END"))))
			s.configure(`{"permissions": {"allow": ["` + test.rule + `"]}}`)
			id := sessionID()
			c := Client{Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: wired(t), SessionID: id, PermissionMode: test.mode, Prompt: task}
			ctx := t.Context()
			term := openTerminal(t, c)
			defer closeTerminal(t, term)
			screen, err := term.WaitFor(ctx, append([]string{"THE END"}, test.dialog...)...)
			if err != nil {
				t.Fatal(err)
			}
			requests := s.model.Requests(id, Main)
			if test.dialog != nil {
				if len(requests) != 1 {
					t.Errorf("nobody was asked; the model has %+v\n%s", requests[len(requests)-1].ToolResults(), screen)
				}
				return
			}
			if len(requests) != 2 {
				t.Fatalf("the model was asked %d times, want 2\n%s", len(requests), screen)
			}
			results := requests[1].ToolResults()
			if len(results) != 1 || results[0].IsError || strings.Contains(string(results[0].Content), "rejected") {
				t.Errorf("the model was told %+v", results)
			}
		})
	}
}
