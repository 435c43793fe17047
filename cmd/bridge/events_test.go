//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// bridge runs a command of a person.
func (s *scene) bridge(args ...string) string {
	s.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = s.project, s.env
	a, err := execute(cmd)
	if err != nil || a.code != 0 {
		s.t.Fatalf("bridge %s: %v, %+v", strings.Join(args, " "), err, a)
	}
	return a.stdout
}

// records are the texts of the session records, without errors of the API.
func (s *scene) records() string {
	s.t.Helper()
	dir := filepath.Join(s.home, ".local", "state", "bridge", "sessions")
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	var all strings.Builder
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".failed") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			s.t.Fatal(err)
		}
		all.WriteString(e.Name() + "\n" + string(text))
	}
	return all.String()
}

// TestErrorOfTheAPI: a limit keeps the loop and moves no counter; status and the next
// session start name it, with the time at which it ends, until the session stops again.
func TestErrorOfTheAPI(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	s.hook("stop", s.stopInput(1))
	before, state := s.records(), s.iteration()
	const failure = `,"error":"rate_limit","error_details":"429","last_assistant_message":"You've hit your limit · resets 3pm (Europe/Berlin)"`
	if a := s.hook("stop-failure", s.event("StopFailure", sessionID, failure)); a.stdout != "" || a.stderr != "" {
		t.Errorf("%+v", a)
	}
	if after := s.records(); after != before || s.iteration() != state {
		t.Errorf("the counters moved:\n%s\n%s", before, after)
	}
	const told = "API error (rate_limit); resets 3pm (Europe/Berlin)"
	if out := s.bridge("status"); !strings.Contains(out, told) {
		t.Errorf("status: %s", out)
	}
	if out := s.bridge("status", "--json"); !strings.Contains(out, `"failure": "the last turn ended with an `+told) {
		t.Errorf("status: %s", out)
	}
	for _, id := range []string{sessionID, "another-session"} {
		if a := s.hook("session-start", s.event("SessionStart", id, `,"source":"startup"`)); !strings.Contains(a.stdout, told) {
			t.Errorf("the start of %s: %s", id, a.stdout)
		}
	}
	if out := s.bridge("log", "--json"); !strings.Contains(out, `"api-error"`) {
		t.Errorf("log: %s", out)
	}
	if a := s.hook("stop", s.stopInput(2)); !a.blocks() {
		t.Errorf("the loop did not continue: %+v", a)
	}
	if out := s.bridge("status"); strings.Contains(out, "API error") {
		t.Errorf("the error is over: %s", out)
	}
}

// TestErrorOfTheAPIInASubagent: the turn of the session itself continues.
func TestErrorOfTheAPIInASubagent(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	s.hook("stop-failure", s.event("StopFailure", sessionID, `,"agent_id":"a1","error":"overloaded"`))
	if out := s.bridge("status"); strings.Contains(out, "API error") {
		t.Errorf("status: %s", out)
	}
}

// TestCheckpointAfterACompaction: what the compaction did not leave is written after it.
func TestCheckpointAfterACompaction(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.omc()
	s.startLoop(2)
	checkpoints := func() []string {
		names, err := filepath.Glob(filepath.Join(s.project, ".omc", "state", "checkpoints", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	after := s.event("PostCompact", sessionID, `,"trigger":"auto","compact_summary":"short"`)
	if a := s.hook("post-compact", after); a.stdout != "" || a.stderr != "" || len(checkpoints()) != 1 {
		t.Errorf("%+v, %q", a, checkpoints())
	}
	if out := s.bridge("log", "--json"); !strings.Contains(out, "checkpoint-was-missing") {
		t.Errorf("log: %s", out)
	}
	// Now there is one.
	if a := s.hook("post-compact", after); a.stdout != "" || len(checkpoints()) != 1 {
		t.Errorf("%+v, %q", a, checkpoints())
	}
	if err := os.Remove(checkpoints()[0]); err != nil {
		t.Fatal(err)
	}
	s.hook("pre-compact", s.event("PreCompact", sessionID, `,"trigger":"auto"`))
	if a := s.hook("post-compact", after); a.stdout != "" || len(checkpoints()) != 1 {
		t.Errorf("%+v, %q", a, checkpoints())
	}
}

// TestSettingsThatLoseBridge: a person may edit their settings, but is told what stops
// working, at once and at the next session start.
func TestSettingsThatLoseBridge(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	settings := filepath.Join(s.home, ".claude", "settings.json")
	s.bridge("install")
	whole, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	change := func(text string) string {
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		a := s.hook("config-change", s.event("ConfigChange", sessionID, `,"source":"user_settings","file_path":"`+settings+`"`))
		if strings.Contains(a.stdout, "block") || a.stderr != "" {
			t.Errorf("%+v", a)
		}
		start := s.hook("session-start", s.event("SessionStart", sessionID, `,"source":"startup"`))
		if told := strings.Contains(start.stdout, "settings"); told != (a.stdout != "") {
			t.Errorf("%s\nsession start: %s", a.stdout, start.stdout)
		}
		return a.stdout
	}
	if out := change(string(whole)); out != "" {
		t.Errorf("nothing is lost: %s", out)
	}
	for text, want := range map[string]string{
		"{}": "no longer contain the hook lines of bridge",
		strings.Replace(string(whole), "--hook=stop\"", "--hook=none\"", 1): "",
		strings.Replace(string(whole), `"Stop"`, `"Notification"`, 1):       "no longer call bridge at Stop (in ",
		// A hook with an if never runs at Stop.
		strings.Replace(string(whole), `"--hook=stop"],`, `"--hook=stop"], "if": "Bash(x)",`, 1): "no longer call bridge at Stop (in ",
		strings.Replace(string(whole), `"--hook=stop"],`, `"--hook=stop"], "async": true,`, 1):   "no longer call bridge at Stop (in ",
		// No tool has that name.
		strings.Replace(string(whole), `"PermissionRequest": [{`, `"PermissionRequest": [{"matcher": "Nope", `, 1): "no longer call bridge at PermissionRequest (in ",
		strings.Replace(string(whole), `"PermissionRequest": [{`, `"PermissionRequest": [{"matcher": "Bash", `, 1): "",
		strings.Replace(string(whole), "{", `{"disableAllHooks": true,`, 1):                                        "disableAllHooks",
		"{": "cannot be read",
	} {
		if out := change(text); !strings.Contains(out, want) || (out == "") != (want == "") {
			t.Errorf("%q: %s", want, out)
		}
	}
	if out := change(string(whole)); out != "" {
		t.Errorf("everything is back: %s", out)
	}
	s.bridge("uninstall")
	if out := change("{}"); out != "" {
		t.Errorf("bridge is not installed: %s", out)
	}
}

// TestEveryOtherEvent: the events at which nothing is decided are answered with silence,
// and those that explain something leave a line in the ledger.
func TestEveryOtherEvent(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, row := range protocol.AllRows() {
		if row.Duty == protocol.DutyStandard {
			continue
		}
		input := s.event(string(row.Events[0]), sessionID, "")
		for _, name := range []string{string(row.Type), string(row.Events[0])} {
			if a := s.hook(name, input); a.stdout != "" || a.stderr != "" {
				t.Errorf("--hook=%s: %+v", name, a)
			}
		}
		idle := `{"continue": true}` + "\n"
		if row.Duty == protocol.DutySilent {
			idle = ""
		}
		if a := s.hook(string(row.Type), `{"session_id":"s"}`); a.stdout != idle || !strings.Contains(a.stderr, "hook input lacks cwd") {
			t.Errorf("--hook=%s without cwd: %+v", row.Type, a)
		}
		if a := s.hook(string(row.Type), input, "OMC_SKIP_HOOKS="+string(row.Type)); a.stdout != idle {
			t.Errorf("--hook=%s is not switched off: %+v", row.Type, a)
		}
	}
	log := s.bridge("log", "--json", "--last", "200")
	for _, row := range protocol.AllRows() {
		noted := strings.Contains(log, `"rule": "`+string(row.Type)+`"`) || strings.Contains(log, `"rule":"`+string(row.Type)+`"`)
		switch row.Type {
		case protocol.PermissionDenied, protocol.TaskCompleted, protocol.TeammateIdle:
			if !noted {
				t.Errorf("the ledger has no line of %s", row.Type)
			}
		default:
			if noted {
				t.Errorf("the ledger has a line of %s", row.Type)
			}
		}
	}
}
