package router_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/protocol"
)

// tree lists everything below the world, including directories, with every
// property that a write would change.
func (w *world) tree() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, dir := range []string{w.home, w.project} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			all[path] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
			if info.Mode().IsRegular() {
				text, err := os.ReadFile(path)
				all[path] += string(text)
				return err
			}
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return all
}

func (w *world) put(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) explain(hook, input string) router.Explanation {
	w.t.Helper()
	e, ok := router.Explain(router.Process{
		Args: []string{"bridge", "--hook=" + hook}, Stdin: strings.NewReader(input),
		Getenv: func(name string) string { return w.env[name] }, Now: time.Now, Version: "test", Handler: w.handler,
	}, hook)
	if !ok {
		w.t.Fatalf("%s is no hook", hook)
	}
	return e
}

// busy fills the world with work of every kind for the session s1.
func (w *world) busy() {
	now := time.Now().UTC().Format(time.RFC3339)
	session := filepath.Join(w.project, ".omc", "state", "sessions", "s1")
	w.put(filepath.Join(w.project, ".claude", "ralph-loop.local.md"),
		"---\nactive: true\niteration: 2\nsession_id: s1\nmax_iterations: 9\ncompletion_promise: null\nstarted_at: \""+now+"\"\n---\n\nWork on it.\n")
	w.put(filepath.Join(session, "autopilot-state.json"), fmt.Sprintf(`{"active": true, "session_id": "s1", "phase": "execution", "iteration": 1, "started_at": %q, "last_checked_at": %q}`, now, now))
	w.put(filepath.Join(session, "ultrawork-state.json"), fmt.Sprintf(`{"active": true, "session_id": "s1", "started_at": %q, "last_checked_at": %q, "reinforcement_count": 1}`, now, now))
	w.put(filepath.Join(session, "last-tool-error-state.json"), fmt.Sprintf(`{"tool_name": "Bash", "error": "x", "retry_count": 2, "timestamp": %q}`, now))
	w.put(filepath.Join(session, "post-tool-use-state.json"), fmt.Sprintf(`{"status": "pending-retry", "event": "PostToolUse", "timestamp": %q, "tool_uses": [{"tool_name": "Bash", "timestamp": %q}]}`, now, now))
	w.put(filepath.Join(session, "subagent-tracking-state.json"), fmt.Sprintf(`{"agents": [{"agent_id": "a1", "agent_type": "architect", "started_at": %q, "status": "running"}], "total_spawned": 1}`, now))
	w.put(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"log": "debug.log", "smart": {"test_command": "touch ran"}}`)
	w.env["BRIDGE_LOG"] = "debug.log"
}

// TestExplainWritesNothing: for every hook value, with and without active work of
// every kind, explain changes nothing below project and home, not even the time of
// a directory.
func TestExplainWritesNothing(t *testing.T) {
	t.Parallel()
	values := []string{"stop", "setup", "user-prompt-submit", "post-tool-use-failure"}
	for _, row := range protocol.AllRows() {
		values = append(values, string(row.Type))
	}
	for _, busy := range []bool{false, true} {
		for _, value := range values {
			t.Run(fmt.Sprintf("%s/%v", value, busy), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				if busy {
					w.busy()
				}
				hook, _ := protocol.ParseHook(value)
				for _, event := range hook.Row().Events {
					input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":%q,"prompt_id":"p","prompt":"autopilot build a shop","last_assistant_message":"half",`+
						`"tool_name":"Bash","tool_input":{"command":"ls"},"error":"x","agent_id":"%s","agent_type":"architect","trigger":"manual","source":"startup","reason":"clear","permission_suggestions":[{"type":"setMode"}]}`,
						w.project, event, map[bool]string{true: "a1"}[hook.Row().Stage == protocol.StageAgent])
					before := w.tree()
					e := w.explain(value, input)
					after := w.tree()
					for path, text := range after {
						if before[path] != text {
							t.Errorf("%s: %s is not as it was:\n%q\n%q", event, path, before[path], text)
						}
					}
					if len(after) != len(before) {
						t.Errorf("%s: %d entries, had %d", event, len(after), len(before))
					}
					if e.Rule == "" || e.Decision == "" || e.Failure != "" || len(e.Input) == 0 {
						t.Errorf("%s: %+v", event, e)
					}
				}
			})
		}
	}
}

// TestExplainSaysWhatTheHookDoes: what explain shows is what the hook then prints
// and writes, and a stop that was answered is decided again.
func TestExplainSaysWhatTheHookDoes(t *testing.T) {
	t.Parallel()
	for _, hook := range []string{"stop", "permission-request", "pre-tool-use"} {
		w := newWorld(t)
		w.busy()
		input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"prompt_id":"p","last_assistant_message":"half","tool_name":"Bash","tool_input":{"command":"rm -rf /"},"permission_suggestions":[{"type":"setMode"}]}`, w.project)
		e := w.explain(hook, input)
		out, _ := w.call(hook, input)
		if string(e.Answer) != strings.TrimSpace(out) {
			t.Errorf("%s: explained %s, answered %s", hook, e.Answer, out)
		}
		if !strings.Contains(string(e.Input), `"prompt_id": "p"`) {
			t.Errorf("%s: the input is not shown as it came: %s", hook, e.Input)
		}
		if again := w.explain(hook, input); again.Decision != e.Decision || again.Rule != e.Rule {
			t.Errorf("%s: %s by %s, then %s by %s", hook, e.Decision, e.Rule, again.Decision, again.Rule)
		}
	}
}

// TestExplainFailures: explain shows every failure with the answer of the fail
// policy.
func TestExplainFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.explain("permission-request", `{"session_id":1}`)
	if !strings.HasPrefix(e.Rule, "malformed") || e.Failure == "" || e.Decision != "deny" {
		t.Errorf("%+v", e)
	}
	w.put(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"permissions": 5}`)
	input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"tool_name":"Bash","tool_input":{"command":"ls"}}`, w.project)
	if e = w.explain("permission-request", input); e.Rule != "configuration" || e.Decision != "deny" {
		t.Errorf("%+v", e)
	}
	if e = w.explain("pre-tool-use", input); e.Failure != "" || len(e.Notes) == 0 {
		t.Errorf("%+v", e)
	}
	w.env["DISABLE_OMC"] = "1"
	if e = w.explain("stop", "not read"); !e.Off || e.Rule != "kill-switch" || e.Switches["DISABLE_OMC"] != "1" {
		t.Errorf("%+v", e)
	}
	if _, ok := router.Explain(router.Process{}, "nonsense"); ok {
		t.Error("nonsense is explained")
	}
}
