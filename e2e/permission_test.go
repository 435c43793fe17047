package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// reading is a command that bridge allows and about which the client itself asks.
const reading = "awk 'NR==1' a.txt"

// dialog is a question of the client's permission dialog.
const dialog = "Do you want to proceed?"

// gate describes a user's permissions, in bridge and in the client, and one command.
type gate struct {
	command string
	// config is bridge's configuration, repository is .claude/bridge.json; empty means that there is none.
	config, repository string
	// flag, project and user are ask rules of the client: of the settings that
	// --settings names, of the project's and of the user's settings file.
	flag, project, user []string
	// env are the environment variables of the project's settings, if any.
	env string
	// mode is the permission mode, default if empty.
	mode string
	// events are the events for which bridge has a hook; nil means PermissionRequest.
	events map[string]string
}

// client prepares the workspace and returns the client.
func (g gate) client(s *stage) Client {
	s.t.Helper()
	path := bridge(s.t)
	events := g.events
	if events == nil {
		events = map[string]string{"PermissionRequest": "permission-request"}
	}
	settings := Settings{Permissions: &Permissions{Ask: g.flag}}
	for event, hook := range events {
		settings = settings.On(event, Exec(path, "--hook="+hook))
	}
	s.put(filepath.Join(s.Project, "a.txt"), "first line\nsecond line\n")
	if g.config != "" {
		s.put(filepath.Join(s.Home, ".config", "bridge", "config.json"), g.config)
	}
	if g.repository != "" {
		s.put(filepath.Join(s.Project, ".claude", "bridge.json"), g.repository)
	}
	for dir, rules := range map[string][]string{s.Project: g.project, s.Home: g.user} {
		if rules != nil {
			s.put(filepath.Join(dir, ".claude", "settings.json"), `{"permissions": {"ask": ["`+strings.Join(rules, `", "`)+`"]}}`)
		}
	}
	if g.env != "" {
		s.put(filepath.Join(s.Project, ".claude", "settings.json"), `{"env": `+g.env+`}`)
	}
	mode := g.mode
	if mode == "" {
		mode = "default"
	}
	return Client{Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: settings, SessionID: sessionID(), PermissionMode: mode, Prompt: "look"}
}

func (s *stage) put(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// result is the tool result that the model got, and whether it is an error.
func (s *stage) result(session string) (text string, failed bool) {
	s.t.Helper()
	requests := s.model.Requests(session, Main)
	if len(requests) == 0 {
		s.t.Fatal("the model was not asked")
	}
	results := requests[len(requests)-1].ToolResults()
	if len(results) != 1 {
		s.t.Fatalf("%d tool results", len(results))
	}
	return string(results[0].Content), results[0].IsError
}

// The three possible results of a call.
const (
	runs     = "runs"
	isDenied = "is denied"
	asks     = "asks"
)

// broken is a configuration that does not parse.
const broken = `{"permissions": {"denied": []}}`

// gates are the decisions that an interactive client must follow. In print mode, where nobody can be asked, they are the
// same, except that the client denies the call instead of showing a dialog.
func gates() map[string]struct {
	gate gate
	want string
} {
	type row = struct {
		gate gate
		want string
	}
	return map[string]row{
		"a reading command runs":                {gate{command: reading}, runs},
		"a deny rule denies":                    {gate{command: reading, config: `{"permissions": {"deny": ["Bash(awk *)"]}}`}, isDenied},
		"a repository's deny rule denies":       {gate{command: reading, repository: `{"permissions": {"deny": ["Bash(awk *)"]}}`}, isDenied},
		"a broken configuration denies":         {gate{command: reading, config: broken}, isDenied},
		"a repository's broken rules deny":      {gate{command: reading, repository: `{"permissions": {"deny": ["Bash("]}}`}, isDenied},
		"a writing command asks":                {gate{command: "touch made"}, asks},
		"an ask rule of bridge asks":            {gate{command: reading, config: `{"permissions": {"ask": ["Bash(awk *)"]}}`}, asks},
		"a repository's allow rule is nothing":  {gate{command: "touch made", repository: `{"permissions": {"allow": ["Bash(touch *)"]}}`}, asks},
		"an allow rule of the user's runs":      {gate{command: "touch made", config: `{"permissions": {"allow": ["Bash(touch *)"]}}`}, runs},
		"an ask rule of --settings asks":        {gate{command: reading, flag: []string{"Bash(awk:*)"}}, asks},
		"an ask rule of the project asks":       {gate{command: reading, project: []string{"Bash(awk:*)"}}, asks},
		"an ask rule of the user asks":          {gate{command: reading, user: []string{"Bash(awk:*)"}}, asks},
		"an ask rule for all of Bash asks":      {gate{command: reading, flag: []string{"Bash"}}, asks},
		"an ask rule for a part asks":           {gate{command: reading + " | wc -l", flag: []string{"Bash(wc:*)"}}, asks},
		"a part that is not offered asks":       {gate{command: reading + " | wc -l"}, asks},
		"two parts that are offered run":        {gate{command: reading + " && awk 'NR==2' a.txt"}, runs},
		"rules in files only, a part runs":      {gate{command: reading + " | wc -l", config: `{"permissions": {"ask_rules_in_files": true}}`}, runs},
		"rules in files only, theirs ask":       {gate{command: reading + " | wc -l", config: `{"permissions": {"ask_rules_in_files": true}}`, project: []string{"Bash(wc:*)"}}, asks},
		"a variable of the project asks":        {gate{command: reading, env: `{"BASH_ENV": "/nowhere"}`}, asks},
		"it asks about what the user allows":    {gate{command: "touch made", env: `{"BASH_ENV": "/nowhere"}`, config: `{"permissions": {"allow": ["Bash(touch *)"]}}`}, asks},
		"a harmless variable of theirs runs":    {gate{command: reading, env: `{"NO_COLOR": "1"}`}, runs},
		"a kill switch of theirs, a deny rule":  {gate{command: reading, env: `{"DISABLE_OMC": "1"}`, config: `{"permissions": {"deny": ["Bash(awk *)"]}}`}, isDenied},
		"a kill switch of theirs, before tools": {gate{command: reading, env: `{"OMC_SKIP_HOOKS": "pre-tool-use"}`, config: `{"permissions": {"deny": ["Bash(awk *)"]}}`, events: map[string]string{"PreToolUse": "pre-tool-use"}}, isDenied},
		"a kill switch of theirs, no rule":      {gate{command: reading, env: `{"DISABLE_OMC": "1"}`}, asks},
		"an ask rule beats bridge's allow rule": {gate{command: "touch made", flag: []string{"Bash(touch:*)"}, config: `{"permissions": {"allow": ["Bash(touch *)"]}}`}, asks},
	}
}

// TestPermissionsInATerminal: allow shows no dialog, deny denies with a reason that
// the model reads, a broken configuration denies, everything else asks, and no ask
// rule of the user is overridden.
func TestPermissionsInATerminal(t *testing.T) {
	for name, test := range gates() {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, Slowly(think, Turns(CallBash(test.gate.command), Say("THE END"))))
			c := test.gate.client(s)
			ctx := t.Context()
			term := openTerminal(t, c)
			defer closeTerminal(t, term)
			if test.want == asks {
				if _, err := term.WaitFor(ctx, dialog); err != nil {
					t.Fatal(err)
				}
				// 2.1.197 shows the dialog while the hook still runs, and removes it when the hook decides: only a dialog
				// that stays is a question.
				if err := sleep(ctx, time.Second); err != nil {
					t.Fatal(err)
				}
				if screen, err := term.Screen(ctx); err != nil || !strings.Contains(screen, dialog) {
					t.Fatalf("no dialog is left, %v\n%s", err, screen)
				}
				confirm(t, term, "THE END")
			}
			// Nobody answers a dialog here, so no dialog may have blocked the other calls.
			if _, err := term.WaitFor(ctx, "THE END"); err != nil {
				t.Fatal(err)
			}
			s.wantCall(c.SessionID, test.want != isDenied)
		})
	}
}

// confirm answers a dialog with yes. The client ignores keys right after the dialog appears, so they are repeated.
func confirm(t *testing.T, term *Terminal, until string) {
	t.Helper()
	var err error
	for range 20 {
		if err = term.Press(t.Context(), "Enter"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err = term.WaitFor(ctx, until)
		cancel()
		if err == nil {
			return
		}
	}
	t.Fatal(err)
}

// wantCall checks the result that the model got for its only tool call.
func (s *stage) wantCall(session string, ran bool) {
	s.t.Helper()
	text, failed := s.result(session)
	if failed == ran {
		s.t.Errorf("the tool ran: %v, want %v: %s", !failed, ran, text)
	}
	if !ran && !strings.Contains(text, "bridge") {
		s.t.Errorf("the model does not learn who denied: %s", text)
	}
}

// printModeAsks reports whether the client fires PermissionRequest in print mode;
// 2.1.197 does not.
func (s *stage) printModeAsks() bool {
	s.t.Helper()
	out, err := exec.Command(s.client, "--version").Output()
	if err != nil {
		s.t.Fatal(err)
	}
	return !strings.HasPrefix(string(out), "2.1.197")
}

// TestPermissionsInPrintMode: nobody can be asked there, so the client denies every call that bridge neither allows nor
// denies.
func TestPermissionsInPrintMode(t *testing.T) {
	for name, test := range gates() {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, Turns(CallBash(test.gate.command), Say("THE END")))
			c := test.gate.client(s)
			s.run(c)
			text, failed := s.result(c.SessionID)
			ran := test.want == runs && s.printModeAsks()
			if failed == ran {
				t.Errorf("the tool ran: %v, want %v: %s", !failed, ran, text)
			}
			if byBridge := strings.Contains(text, "bridge"); s.printModeAsks() && byBridge != (test.want == isDenied) {
				t.Errorf("denied by bridge: %v, want that it %s: %s", byBridge, test.want, text)
			}
		})
	}
}

// guarded are the events of a tool call for which bridge has a hook.
func guarded() map[string]string {
	return map[string]string{"PreToolUse": "pre-tool-use", "PermissionRequest": "permission-request", "PostToolUse": "post-tool-use", "PostToolUseFailure": "post-tool-use"}
}

// TestGuardInEveryMode: bridge's deny rules and built-in rules apply before the tool runs, even if no dialog appears, as
// in auto mode.
func TestGuardInEveryMode(t *testing.T) {
	for _, mode := range []string{"default", "acceptEdits", "auto"} {
		for name, command := range map[string]string{"rule of the user": "touch made", "rule of bridge": "pkill -f nothing-of-this-name"} {
			t.Run(mode+"/"+name, func(t *testing.T) {
				s := newStage(t, Turns(CallBash(command), Say("THE END")))
				c := gate{command: command, config: `{"permissions": {"deny": ["Bash(touch *)"]}}`, mode: mode, events: guarded()}.client(s)
				s.run(c)
				s.wantCall(c.SessionID, false)
				if _, err := os.Lstat(filepath.Join(s.Project, "made")); !os.IsNotExist(err) {
					t.Errorf("the command ran: %v", err)
				}
			})
		}
	}
}

// TestBackgroundTasksAreLimited: the client's transcript shows which tasks are running.
func TestBackgroundTasksAreLimited(t *testing.T) {
	inBackground := func(command string) Turn {
		return Call("Bash", map[string]any{"command": command, "description": "scripted", "run_in_background": true})
	}
	// The transcript is written late, so the model waits before each answer.
	s := newStage(t, Slowly(500*time.Millisecond, Turns(inBackground("sleep 4"), inBackground("sleep 5"), Say("THE END"))))
	c := gate{config: `{"permissions": {"max_background_tasks": 1, "allow": ["Bash(sleep *)"]}}`, events: guarded()}.client(s)
	c.Settings.Permissions.Allow = []string{"Bash(sleep *)"}
	s.run(c)
	results := s.lastResults(c.SessionID)
	if len(results) != 2 || results[0].IsError || !results[1].IsError || !strings.Contains(string(results[1].Content), "background-limit") {
		t.Errorf("%+v", results)
	}
}

// lastResults returns the tool results in the session's last request that contains any.
func (s *stage) lastResults(session string) (results []ContentBlock) {
	s.t.Helper()
	for _, r := range s.model.Requests(session, Main) {
		if got := r.ToolResults(); len(got) > len(results) {
			results = got
		}
	}
	return results
}

// TestToolErrorOfTheClient: a tool that fails twice is recorded with its retries, and
// its success clears the record.
func TestToolErrorOfTheClient(t *testing.T) {
	s := newStage(t, Turns(CallBash("cat nothing-there"), CallBash("cat nothing-there"), Say("THE END"), CallBash("cat a.txt"), Say("THE END")))
	c := gate{events: guarded()}.client(s)
	c.Settings.Permissions.Allow = []string{"Bash(cat *)"}
	s.run(c)
	record := s.records("last-tool-error-state.json")
	if len(record) != 1 || !strings.Contains(record[0], `"retry_count": 2`) || !strings.Contains(record[0], "No such file") {
		t.Errorf("%q", record)
	}
	c.Resume, c.SessionID = c.SessionID, ""
	s.run(c)
	if record := s.records("last-tool-error-state.json"); len(record) != 0 {
		t.Errorf("not cleared: %q", record)
	}
}

// records are the texts of bridge's files of this name.
func (s *stage) records(name string) (texts []string) {
	s.t.Helper()
	err := filepath.WalkDir(s.StateDir(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != name {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, string(text))
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return texts
}

// TestDotsBehindALinkAsk: after a link, ".." leads out of the project, although the path as written stays in it.
func TestDotsBehindALinkAsk(t *testing.T) {
	s := newStage(t, Turns(CallBash("awk 'NR==1' sub/link/../x"), Say("THE END")))
	c := gate{}.client(s)
	s.put(filepath.Join(s.Root, "outside", "x"), "of somebody else\n")
	s.put(filepath.Join(s.Root, "outside", "below", "y"), "")
	s.put(filepath.Join(s.Project, "sub", "y"), "")
	if err := os.Symlink(filepath.Join(s.Root, "outside", "below"), filepath.Join(s.Project, "sub", "link")); err != nil {
		t.Fatal(err)
	}
	s.run(c)
	if text, failed := s.result(c.SessionID); !failed || strings.Contains(text, "of somebody else") {
		t.Errorf("the command ran: %s", text)
	}
}
