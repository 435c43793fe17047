package router_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/normalize/malformed"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// world is a home and a project for calls of the router in this process.
type world struct {
	t             *testing.T
	home, project string
	env           map[string]string
	handler       func(protocol.Type) protocol.Handler
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "project")}
	for _, dir := range []string{w.home, filepath.Join(w.project, ".git"), filepath.Join(w.project, ".claude")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.env = map[string]string{"HOME": w.home, "USERPROFILE": w.home, "LOCALAPPDATA": w.home}
	return w
}

// call runs a hook and validates what it printed.
func (w *world) call(hook, input string) (stdout, stderr string) {
	w.t.Helper()
	var out, errs bytes.Buffer
	code := router.Run(router.Process{
		Args: []string{"bridge", "--hook=" + hook}, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string { return w.env[name] }, Now: time.Now, Version: "test", Handler: w.handler,
	}, hook, nil)
	if code != 0 {
		w.t.Errorf("--hook=%s: exit code %d", hook, code)
	}
	if parsed, ok := protocol.ParseHook(hook); ok {
		schematest.ValidateStdout(w.t, parsed.Row().Events[0], out.Bytes())
	}
	return out.String(), errs.String()
}

// files lists every file below the world with its content.
func (w *world) files() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, dir := range []string{w.home, w.project} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return all
}

const continues = "{\"continue\": true}\n"

// wantFailed checks that a type ended in its fail policy.
func wantFailed(t *testing.T, row protocol.Row, stdout string) {
	t.Helper()
	switch row.Fail {
	case protocol.FailOpen:
		want := continues
		if row.Duty == protocol.DutySilent {
			want = ""
		}
		if stdout != want {
			t.Errorf("%s: %q, want %q", row.Type, stdout, want)
		}
	case protocol.FailClosed:
		if !strings.Contains(stdout, `"decision": {"behavior": "deny", "message": "`) || !strings.HasPrefix(stdout, `{"continue": false, "stopReason": "`) {
			t.Errorf("%s: %q, want a deny", row.Type, stdout)
		}
	}
}

// TestMalformedInputEndsInTheFailPolicy feeds every malformed shape to every
// type.
func TestMalformedInputEndsInTheFailPolicy(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: tries every input with every hook")
	}
	t.Parallel()
	shapes := malformed.Shapes()
	if len(shapes) < 36 {
		t.Fatalf("only %d shapes", len(shapes))
	}
	for _, row := range protocol.AllRows() {
		t.Run(string(row.Type), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, shape := range shapes {
				if !shape.MalformedFor(row.Type) {
					continue
				}
				stdout, stderr := w.call(string(row.Type), string(shape.Text))
				if wantFailed(t, row, stdout); t.Failed() {
					t.Fatalf("shape %s", shape.Name)
				}
				if !strings.HasPrefix(stderr, "bridge: --hook="+string(row.Type)+" failed: hook input ") || strings.Count(stderr, "\n") != 1 {
					t.Fatalf("shape %s: stderr %q", shape.Name, stderr)
				}
			}
		})
	}
}

// TestNoOpinionIsSilence: a well-formed permission-request about which nobody has
// an opinion goes to the dialog.
func TestNoOpinionIsSilence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	input := fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make deploy"},"permission_suggestions":[{"type":"setMode"}]}`, w.project)
	if stdout, stderr := w.call("permission-request", input); stdout != "" || stderr != "" {
		t.Errorf("%q %q", stdout, stderr)
	}
}

// loopState is a loop file with or without an owner.
func (w *world) loopState(session string) {
	w.t.Helper()
	text := "---\niteration: 1\nmax_iterations: 5\nsession_id: " + session + "\n---\n\nGo on.\n"
	if err := os.WriteFile(filepath.Join(w.project, ".claude", "ralph-loop.local.md"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// TestUnparsableInputKeepsTheLoop: an ancestor deletes the state then; bridge keeps it
// (docs/design.md#unparsable-input), with and without an id in it.
func TestUnparsableInputKeepsTheLoop(t *testing.T) {
	t.Parallel()
	for _, session := range []string{"", "s1"} {
		w := newWorld(t)
		w.loopState(session)
		before := w.files()
		stdout, stderr := w.call("stop", `{"session_id":"s1","cwd":"`)
		if stdout != continues || !strings.Contains(stderr, "ends before its JSON object is complete") {
			t.Errorf("%q %q", stdout, stderr)
		}
		for path, text := range before {
			if now := w.files()[path]; now != text {
				t.Errorf("%s changed to %q", path, now)
			}
		}
	}
}

// TestKillSwitches: the standard's and the user's command lines
// (docs/reference/hook-standard.md#kill-switches; docs/design.md#kill-switches). A call
// that is skipped changes no file.
func TestKillSwitches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env, hook string
		skipped   bool
	}{
		{"DISABLE_OMC=1", "stop", true},
		{"DISABLE_OMC=true", "permission-request", true},
		{"DISABLE_OMC=TRUE", "ralph", true},
		{"DISABLE_OMC=1", "worktree-create", true},
		{"DISABLE_OMC=0", "stop", false},
		{"DISABLE_OMC=yes", "stop", false},
		{"OMC_SKIP_HOOKS=ralph,autopilot", "ralph", true},
		{"OMC_SKIP_HOOKS=ralph,autopilot", "autopilot", true},
		{"OMC_SKIP_HOOKS=ralph,autopilot", "persistent-mode", false},
		{"OMC_SKIP_HOOKS=permission-request,setup-init", "permission-request", true},
		{"OMC_SKIP_HOOKS=permission-request,setup-init", "setup-init", true},
		{"OMC_SKIP_HOOKS=permission-request,setup-init", "stop", false},
		{"OMC_SKIP_HOOKS=ralph,persistent-mode,stop-continuation", "stop", true},
		{"OMC_SKIP_HOOKS=ralph,persistent-mode,stop-continuation", "ralph", true},
		{"OMC_SKIP_HOOKS=ralph,persistent-mode,stop-continuation", "autopilot", true},
		{"OMC_SKIP_HOOKS= autopilot , ultrawork ", "persistent-mode", true},
		{"OMC_SKIP_HOOKS=autopilot", "persistent-mode", false},
		{"OMC_SKIP_HOOKS=persistent-mode", "stop", false},
		{"OMC_SKIP_HOOKS=stop", "stop-continuation", true},
		{"OMC_SKIP_HOOKS=Stop", "stop", true},
		{"OMC_SKIP_HOOKS=setup", "setup", true},
		{"OMC_SKIP_HOOKS=setup", "setup-maintenance", true},
		{"OMC_SKIP_HOOKS=UserPromptSubmit", "keyword-detector", true},
		{"OMC_SKIP_HOOKS=,,", "stop", false},
		{"OMC_SKIP_HOOKS=ralphx", "ralph", false},
	} {
		w := newWorld(t)
		w.loopState("s1")
		name, value, _ := strings.Cut(test.env, "=")
		w.env[name] = value
		before := w.files()
		input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"tool_name":"Read"}`, w.project)
		stdout, stderr := w.call(test.hook, input)
		after := w.files()
		if !test.skipped {
			if stdout == continues {
				t.Errorf("%s --hook=%s was skipped: %q", test.env, test.hook, stderr)
			}
			continue
		}
		want := continues
		if test.hook == "worktree-create" {
			want = "" // the client would take it for the path of a work tree
		}
		if stdout != want || stderr != "" {
			t.Errorf("%s --hook=%s: %q %q", test.env, test.hook, stdout, stderr)
		}
		if len(after) != len(before) {
			t.Errorf("%s --hook=%s touched files: %v", test.env, test.hook, after)
		}
		for path, text := range before {
			if after[path] != text {
				t.Errorf("%s --hook=%s changed %s", test.env, test.hook, path)
			}
		}
	}
}

// TestSetupIsSkippedByTrigger: which of the two set-up types it is, the input
// says.
func TestSetupIsSkippedByTrigger(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["OMC_SKIP_HOOKS"] = "setup-maintenance"
	input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"trigger":"maintenance"}`, w.project)
	if stdout, _ := w.call("setup", input); stdout != continues {
		t.Errorf("maintenance: %q", stdout)
	}
}

// well is an input that every type accepts.
func (w *world) well() string {
	return fmt.Sprintf(`{"session_id":"s1","cwd":%q,"tool_name":"Bash","tool_input":{"command":"ls"}}`, w.project)
}

// TestFailingHandlers: whatever a handler does, its type ends in its policy.
func TestFailingHandlers(t *testing.T) {
	t.Parallel()
	faults := map[string]protocol.Handler{
		"error": func(context.Context, protocol.Request) (protocol.Outcome, error) {
			return protocol.Outcome{Output: protocol.AllowPermission(nil)}, errors.New("the policy could not be read")
		},
		"panic": func(context.Context, protocol.Request) (protocol.Outcome, error) { panic("no") },
		"write": func(context.Context, protocol.Request) (protocol.Outcome, error) {
			return protocol.Outcome{Output: protocol.AllowPermission(nil), Writes: []protocol.Write{
				{What: "save", Do: func() error { return errors.New("disk full") }},
			}}, nil
		},
		"panicking write": func(context.Context, protocol.Request) (protocol.Outcome, error) {
			return protocol.Outcome{Output: protocol.AllowPermission(nil), Writes: []protocol.Write{
				{What: "save", Do: func() error { panic("no") }},
			}}, nil
		},
	}
	for _, row := range protocol.AllRows() {
		for name, handler := range faults {
			w := newWorld(t)
			w.handler = func(protocol.Type) protocol.Handler { return handler }
			stdout, stderr := w.call(string(row.Type), w.well())
			wantFailed(t, row, stdout)
			if !strings.Contains(stderr, " failed: ") {
				t.Errorf("%s, %s: stderr %q", row.Type, name, stderr)
			}
		}
	}
}

// TestPanicOutsideOfTheHandler: a panic on the main goroutine would end in exit
// code 2, which blocks a stop. It ends in the fail policy, and after the answer
// was printed it adds nothing to it.
func TestPanicOutsideOfTheHandler(t *testing.T) {
	t.Parallel()
	for _, row := range protocol.AllRows() {
		for _, variable := range []string{"DISABLE_OMC", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "BRIDGE_LOG"} {
			w := newWorld(t)
			var out, errs bytes.Buffer
			code := router.Run(router.Process{
				Args: []string{"bridge"}, Stdin: strings.NewReader(w.well()), Stdout: &out, Stderr: &errs, Now: time.Now,
				Getenv: func(name string) string {
					if name == variable {
						panic("no " + name)
					}
					return w.env[name]
				},
			}, string(row.Type), nil)
			if code != 0 || !strings.Contains(errs.String(), "panicked: no "+variable) {
				t.Errorf("%s, %s: exit code %d, stderr %q", row.Type, variable, code, errs.String())
			}
			wantFailed(t, row, out.String())
			schematest.ValidateStdout(t, row.Events[0], out.Bytes())
		}
	}
	// After the answer: the clock is asked once more for the ledger.
	w := newWorld(t)
	w.loopState("s1")
	var out, errs bytes.Buffer
	calls := 0
	code := router.Run(router.Process{
		Args: []string{"bridge"}, Stdin: strings.NewReader(w.well()), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string { return w.env[name] },
		Now: func() time.Time {
			if calls++; calls > 1 {
				panic("no clock")
			}
			return time.Now()
		},
	}, "stop", nil)
	if code != 0 || strings.Count(out.String(), "\n") != 1 || !strings.Contains(out.String(), "Transcript file not found") || !strings.Contains(errs.String(), "no clock") {
		t.Errorf("exit code %d, stdout %q", code, out.String())
	}
}

// TestDeadline: a handler that hangs ends in the fail policy, and what it wants
// to write afterwards is not written.
func TestDeadline(t *testing.T) {
	t.Parallel()
	for _, row := range protocol.AllRows() {
		t.Run(string(row.Type), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			config := filepath.Join(w.home, ".config", "bridge")
			if err := os.MkdirAll(config, 0o700); err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf(`{"deadlines_ms": {%q: 30}} // short`, row.Type)
			if err := os.WriteFile(filepath.Join(config, "config.json"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			w.env["XDG_CONFIG_HOME"] = filepath.Join(w.home, ".config")
			wrote, closed := make(chan bool, 1), make(chan bool, 1)
			w.handler = func(protocol.Type) protocol.Handler {
				return func(ctx context.Context, _ protocol.Request) (protocol.Outcome, error) {
					<-ctx.Done()
					time.Sleep(20 * time.Millisecond)
					return protocol.Outcome{
						Writes: []protocol.Write{{What: "too late", Do: func() error { wrote <- true; return nil }}},
						Close:  func() { closed <- true },
					}, nil
				}
			}
			stdout, stderr := w.call(string(row.Type), w.well())
			wantFailed(t, row, stdout)
			if !strings.Contains(stderr, "it did not answer in time") {
				t.Errorf("stderr %q", stderr)
			}
			select {
			case <-closed:
			case <-time.After(10 * time.Second):
				t.Fatal("the handler was not closed")
			}
			select {
			case <-wrote:
				t.Error("a late handler wrote")
			default:
			}
		})
	}
}

// TestWriteErrorHasItsOwnAnswer: a handler may say what a failed write means.
func TestWriteErrorHasItsOwnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.handler = func(protocol.Type) protocol.Handler {
		return func(context.Context, protocol.Request) (protocol.Outcome, error) {
			return protocol.Outcome{
				Output:       protocol.Block("go on", ""),
				Writes:       []protocol.Write{{What: "save the counter", Do: func() error { return errors.New("disk full") }}},
				OnWriteError: func(err error) protocol.Output { return protocol.Notice("allowed: " + err.Error()) },
			}, nil
		}
	}
	stdout, stderr := w.call("stop", w.well())
	if stdout != "{\"systemMessage\": \"allowed: save the counter: disk full\"}\n" {
		t.Errorf("stdout %q", stdout)
	}
	if !strings.Contains(stderr, "could not save the counter: disk full. Nothing was lost;") {
		t.Errorf("stderr %q", stderr)
	}
}

// TestBrokenConfiguration: permission-request denies, the others use the defaults
// and say so once.
func TestBrokenConfiguration(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"permissions": {"deny": "all"}}`, `{"permisions": {}}`, `{`, ``} {
		w := newWorld(t)
		w.env["XDG_CONFIG_HOME"] = w.home
		if err := os.MkdirAll(filepath.Join(w.home, "bridge"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(w.home, "bridge", "config.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		row, _ := protocol.Lookup(protocol.PermissionRequest)
		stdout, _ := w.call("permission-request", w.well())
		wantFailed(t, row, stdout)
		stdout, stderr := w.call("stop", w.well())
		if !strings.HasPrefix(stdout, `{"systemMessage": "bridge: `) || !strings.Contains(stdout, "config.json") || !strings.Contains(stderr, "The defaults are used") {
			t.Errorf("%q: %q %q", text, stdout, stderr)
		}
		if stdout, _ := w.call("stop", w.well()); stdout != "" {
			t.Errorf("%q: said again: %q", text, stdout)
		}
	}
}

// TestUnknownHook: a typing error in settings.json must not disturb the session.
func TestUnknownHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stdout, stderr := w.call("sotp", w.well())
	if stdout != continues || !strings.Contains(stderr, `unknown hook "sotp"`) {
		t.Errorf("%q %q", stdout, stderr)
	}
}

// TestHookArgument: every form of the argument, and nothing that ends in a usage error
// (docs/design.md#hook-names).
func TestHookArgument(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args   string
		value  string
		extra  string
		called bool
	}{
		{"--hook=stop", "stop", "", true},
		{"--hook stop", "stop", "", true},
		{"--hook=stop --hook=ralph", "stop", "--hook=ralph", true},
		{"--hook=stop --verbose x", "stop", "--verbose x", true},
		{"x --hook=stop", "stop", "x", true},
		{"--hook", "", "--hook", true},
		{"--hook=", "", "", true},
		{"--hooks", "", "--hooks", true},
		{"status --json", "", "status --json", false},
		{"", "", "", false},
	} {
		value, extra, called := router.HookArgument(strings.Fields(test.args))
		if value != test.value || strings.Join(extra, " ") != test.extra || called != test.called {
			t.Errorf("%q: %q %q %v", test.args, value, extra, called)
		}
	}
}

// TestLedgerHoldsNoText: the ledger names rules, never what was said.
func TestLedgerHoldsNoText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.loopState("s1")
	input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":"Stop","last_assistant_message":"a very private message"}`, w.project)
	if stdout, _ := w.call("stop", input); !strings.Contains(stdout, `"decision": "block"`) {
		t.Fatalf("%q", stdout)
	}
	lines := 0
	for path, text := range w.files() {
		if !strings.Contains(path, "bridge") {
			continue
		}
		for _, secret := range []string{"private", "Go on."} {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %q", path, secret)
			}
		}
		if strings.HasSuffix(path, ".jsonl") {
			lines += strings.Count(text, "\n")
			if !strings.Contains(text, `"decision":"block","rule":"continue"`) {
				t.Errorf("ledger %q", text)
			}
		}
	}
	if lines != 1 {
		t.Errorf("%d lines in the ledger", lines)
	}
}
