package doctor

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/cmd/bridge/internal/install"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// binary is the program that the tests' hook lines call.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bridge-doctor-test-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "bridge")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "../..")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// world is a set-up of a user.
type world struct {
	// took is how long each line seems to take.
	took       time.Duration
	t          *testing.T
	home, root string
	bin        string
	env        map[string]string
	loops      []protocol.Status
}

func newWorld(t *testing.T) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(top, "home"), root: filepath.Join(top, "project"), bin: filepath.Join(top, "bin", "bridge")}
	// There is another bridge on many machines: iproute2's.
	w.env = map[string]string{"HOME": w.home, "PATH": filepath.Join(top, "bin2")}
	w.write(filepath.Join(w.root, ".git", "HEAD"), "")
	w.write(filepath.Join(w.home, ".profile"), "")
	if err := os.MkdirAll(filepath.Dir(w.bin), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(binary, w.bin); err != nil {
		text, readErr := os.ReadFile(binary)
		if readErr != nil {
			t.Fatal(readErr)
		}
		w.program(w.bin, text)
	}
	w.settings(w.healthy())
	return w
}

// program writes an executable file. A process that another test starts in
// the meantime would hold the file open for writing, and Linux refuses to run
// such a file.
func (w *world) program(path string, text []byte) {
	w.t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, text, 0o700); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// object is a JSON object.
type object = map[string]any

// healthy are settings with one line for each event.
func (w *world) healthy() object {
	events := object{}
	for _, row := range protocol.WiredRows() {
		for _, event := range row.Events {
			hook, _ := protocol.ParseHook(string(event))
			if _, done := events[string(event)]; done {
				continue
			}
			line := object{"type": "command", "command": w.bin, "args": []string{"--hook=" + hook.Name}}
			if event != protocol.EventSessionEnd {
				line["timeout"] = 15
			}
			if event == protocol.EventPermissionRequest {
				line["onFailure"] = "block"
			}
			events[string(event)] = []object{{"hooks": []object{line}}}
		}
	}
	return object{"hooks": events}
}

func (w *world) settings(s object) {
	w.t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(filepath.Join(w.home, ".claude", "settings.json"), string(text))
}

// line changes the line of an event.
func (w *world) line(event string, change func(line object)) {
	w.t.Helper()
	s := w.healthy()
	change(s["hooks"].(object)[event].([]object)[0]["hooks"].([]object)[0])
	w.settings(s)
}

// group changes the group of an event.
func (w *world) group(event string, change func(group object)) {
	w.t.Helper()
	s := w.healthy()
	change(s["hooks"].(object)[event].([]object)[0])
	w.settings(s)
}

func (w *world) options() Options {
	env := project.Env(func(name string) string { return w.env[name] }, time.Now())
	return Options{Dir: w.root, Places: project.Find(w.root, env.Getenv), Env: env, Binary: w.bin, Loops: w.loops,
		since: func(time.Time) time.Duration { return w.took }}
}

func ids(findings []Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.ID)
	}
	return all
}

// TestHealthy: nothing is found in a healthy set-up, and every line was tried.
func TestHealthy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	report := Run(w.options())
	for _, f := range report.Findings {
		t.Errorf("%s at %s: %s", f.ID, f.Where, f.What)
	}
	if len(report.Probed) != 18 {
		t.Errorf("%d lines were tried: %+v", len(report.Probed), report.Probed)
	}
	if _, err := os.Stat(filepath.Join(w.home, ".local")); err == nil {
		t.Error("the check-up left records in the user's home")
	}
}

// TestFindings: each fault is found by its id, its finding says what to do,
// and what claims to be fixable is fixed.
func TestFindings(t *testing.T) {
	t.Parallel()
	user := func(w *world) string { return filepath.Join(w.home, ".claude", "settings.json") }
	plugin := func(w *world, name string) {
		at := filepath.Join(w.home, ".claude", "plugins", "cache", name)
		w.write(filepath.Join(at, "hooks", "hooks.json"), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"bash ${CLAUDE_PLUGIN_ROOT}/hooks/stop-hook.sh"}]}]}}`)
		w.write(filepath.Join(w.home, ".claude", "plugins", "installed_plugins.json"), fmt.Sprintf(`{"plugins":{"%s@m":[{"installPath":%q}]}}`, name, at))
		s := w.healthy()
		s["enabledPlugins"] = object{name + "@m": true}
		w.settings(s)
	}
	for _, test := range []struct {
		id      string
		plant   func(w *world)
		fixable bool
	}{
		{"not-installed", func(w *world) { w.settings(object{}) }, false},
		{"events-not-wired", func(w *world) {
			s := w.healthy()
			delete(s["hooks"].(object), "PreCompact")
			w.settings(s)
		}, false},
		{"settings-unreadable", func(w *world) { w.write(filepath.Join(w.root, ".claude", "settings.json"), `{"hooks":`) }, false},
		{"unknown-hook", func(w *world) { w.line("Stop", func(l object) { l["args"] = []string{"--hook=stpo"} }) }, false},
		{"wrong-event", func(w *world) { w.line("PreCompact", func(l object) { l["args"] = []string{"--hook=stop"} }) }, false},
		{"binary-missing", func(w *world) { w.line("Stop", func(l object) { l["command"] = "/nowhere/bridge" }) }, false},
		{"binary-not-on-path", func(w *world) { w.line("Stop", func(l object) { l["command"] = "bridge" }) }, false},
		{"run-bit-missing", func(w *world) {
			copied := filepath.Join(w.home, "bridge")
			w.write(copied, "x")
			w.line("Stop", func(l object) { l["command"] = copied })
		}, true},
		{"another-binary", func(w *world) {
			other := filepath.Join(w.home, "bridge")
			w.program(other, []byte("#!/bin/sh\ntouch "+filepath.Join(w.home, "was-run")))
			w.line("Stop", func(l object) { l["command"] = other })
		}, false},
		{"timeout-missing", func(w *world) { w.line("Stop", func(l object) { delete(l, "timeout") }) }, true},
		{"timeout-not-a-number", func(w *world) { w.line("Stop", func(l object) { l["timeout"] = "15s" }) }, true},
		{"timeout-in-milliseconds", func(w *world) { w.line("Stop", func(l object) { l["timeout"] = 15000 }) }, true},
		{"timeout-too-short", func(w *world) { w.line("Stop", func(l object) { l["timeout"] = 1 }) }, true},
		{"async", func(w *world) { w.line("Stop", func(l object) { l["async"] = true }) }, true},
		{"permission-may-fail-open", func(w *world) { w.line("PermissionRequest", func(l object) { delete(l, "onFailure") }) }, true},
		{"shell-form", func(w *world) {
			w.line("Stop", func(l object) { l["command"] = w.bin + " --hook=stop"; delete(l, "args") })
		}, false},
		{"if-never-runs", func(w *world) { w.line("Stop", func(l object) { l["if"] = "Bash(x)" }) }, true},
		{"matcher-ignored", func(w *world) { w.group("Stop", func(g object) { g["matcher"] = "Bash" }) }, true},
		{"matcher-never-matches", func(w *world) { w.group("PreToolUse", func(g object) { g["matcher"] = "bash" }) }, true},
		{"matcher-never-matches", func(w *world) { w.group("PreToolUse", func(g object) { g["matcher"] = "mcp__memory" }) }, true},
		{"matcher-broken", func(w *world) { w.group("PreToolUse", func(g object) { g["matcher"] = "Bash(" }) }, true},
		{"permission-matcher", func(w *world) { w.group("PermissionRequest", func(g object) { g["matcher"] = "Bash" }) }, true},
		{"wired-twice", func(w *world) {
			w.write(filepath.Join(w.root, ".claude", "settings.local.json"), fmt.Sprintf(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":%q,"args":["--hook=Stop"],"timeout":15}]}]}}`, w.bin))
		}, true},
		{"peer", func(w *world) { plugin(w, "ralph-loop") }, true},
		{"peer", func(w *world) { plugin(w, "ralph-specum") }, true},
		{"peer", func(w *world) {
			s := w.healthy()
			stop := s["hooks"].(object)["Stop"].([]object)
			s["hooks"].(object)["Stop"] = append(stop, object{"hooks": []object{{"type": "command", "command": "node ~/.claude/hooks/persistent-mode.mjs"}}})
			w.settings(s)
		}, true},
		{"all-hooks-disabled", func(w *world) { s := w.healthy(); s["disableAllHooks"] = true; w.settings(s) }, true},
		{"kill-switch", func(w *world) { s := w.healthy(); s["env"] = object{"DISABLE_OMC": "1"}; w.settings(s) }, true},
		{"kill-switch", func(w *world) { w.env["OMC_SKIP_HOOKS"] = "ralph" }, false},
		{"block-cap", func(w *world) {
			s := w.healthy()
			s["env"] = object{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "never"}
			w.settings(s)
		}, true},
		{"no-home", func(w *world) {
			w.env["CLAUDE_CONFIG_DIR"] = filepath.Join(w.home, ".claude")
			w.env["HOME"] = "home"
		}, false},
		{"configuration-broken", func(w *world) { w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"deny":1}`) }, false},
		{"rules-broken", func(w *world) {
			w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"permissions":{"deny":["Bash("]}}`)
		}, false},
		{"records-readable", func(w *world) {
			w.write(filepath.Join(w.home, ".local", "state", "bridge", "x"), "")
			if err := os.Chmod(filepath.Join(w.home, ".local", "state", "bridge"), 0o755); err != nil {
				w.t.Fatal(err)
			}
		}, true},
		{"records-unusable", func(w *world) { w.write(filepath.Join(w.home, ".local", "state", "bridge"), "a file") }, false},
		{"state-unusable", func(w *world) {
			w.write(filepath.Join(w.root, ".omc", "x"), "")
			if err := os.Chmod(filepath.Join(w.root, ".omc"), 0o777); err != nil {
				w.t.Fatal(err)
			}
		}, false},
		{"state-in-git", func(w *world) { w.write(filepath.Join(w.root, ".omc", "x"), "") }, false},
		{"state-broken", func(w *world) {
			w.loops = []protocol.Status{{Kind: "ultrawork", Label: "ultrawork", Path: "/x", State: protocol.LoopBroken, Problem: "it is not JSON", Stop: "bridge mode stop ultrawork --force"}}
		}, false},
		{"state-stale", func(w *world) {
			w.loops = []protocol.Status{{Kind: "ultrawork", Label: "ultrawork", Path: "/x", State: protocol.LoopStale, Problem: "no session id"}}
		}, false},
	} {
		t.Run(test.id, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			test.plant(w)
			before, _ := os.ReadFile(user(w))
			o := w.options()
			o.NoProbe = test.id != "another-binary"
			report := Run(o)
			var found *Finding
			for i, f := range report.Findings {
				if f.ID == test.id {
					found = &report.Findings[i]
				} else if f.Severity == Error && test.id != "no-home" && test.id != "settings-unreadable" && test.id != "unknown-hook" {
					t.Errorf("%s was found as well: %s", f.ID, f.What)
				}
			}
			if found == nil {
				t.Fatalf("not found; found were %v", ids(report.Findings))
			}
			if found.Where == "" || found.What == "" || found.Means == "" || found.Do == "" || found.Fixable != test.fixable {
				t.Errorf("%+v", found)
			}
			if after, _ := os.ReadFile(user(w)); string(after) != string(before) {
				t.Error("a check-up changed the settings")
			}
			if _, err := os.Stat(filepath.Join(w.home, "was-run")); err == nil {
				t.Error("a program that is not this one was run")
			}
			if !test.fixable {
				return
			}
			fixed, after, err := Fix(o)
			if err != nil || len(fixed) == 0 {
				t.Fatalf("fixed %v, %v", ids(fixed), err)
			}
			for _, f := range after.Findings {
				if f.ID == test.id {
					t.Errorf("still there: %s", f.What)
				}
			}
		})
	}
}

// TestIgnoredStateIsNoFinding: states that git ignores are not reported.
func TestIgnoredStateIsNoFinding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.root, ".omc", "x"), "")
	w.write(filepath.Join(w.root, ".gitignore"), ".omc/\n")
	o := w.options()
	o.NoProbe = true
	if report := Run(o); len(report.Findings) != 0 {
		t.Errorf("found %v", ids(report.Findings))
	}
}

// TestFixKeepsTheOriginal: however many fixes a file gets, the copy beside it is
// the file as it was before all of them.
func TestFixKeepsTheOriginal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.healthy()
	for _, event := range []string{"Stop", "PreCompact", "SessionStart"} {
		s["hooks"].(object)[event].([]object)[0]["hooks"].([]object)[0]["timeout"] = 15000
	}
	w.settings(s)
	path := filepath.Join(w.home, ".claude", "settings.json")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o := w.options()
	o.NoProbe = true
	fixed, _, err := Fix(o)
	if err != nil || len(fixed) != 1 {
		t.Fatalf("%v, %v", ids(fixed), err)
	}
	if kept, err := os.ReadFile(path + ".bridge.bak"); err != nil || string(kept) != string(before) {
		t.Errorf("%v\n%s", err, kept)
	}
}

// TestUninstallBringsPeersBack: uninstall restores what --fix removed, byte
// for byte.
func TestUninstallBringsPeersBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := filepath.Join(w.home, ".claude", "settings.json")
	w.write(path, "{\n  // mine\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"node ~/.claude/hooks/persistent-mode.mjs\" }] }]\n  }\n}\n")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o := w.options()
	o.NoProbe = true
	if fixed, _, err := Fix(o); err != nil || len(fixed) != 1 || fixed[0].ID != "peer" {
		t.Fatalf("%v, %v", ids(fixed), err)
	}
	if now, _ := os.ReadFile(path); strings.Contains(string(now), "persistent-mode.mjs") {
		t.Errorf("%s", now)
	}
	if _, _, err := (install.Site{Path: path, StateHome: filepath.Join(w.home, ".local", "state", "bridge")}).Uninstall(false); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(before) {
		t.Errorf("%s", now)
	}
}

// TestWrongAnswers: a binary whose answer the client cannot use, that blocks a
// session that owns nothing, or that leaves a dialog open.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"echo hello":                  "not a JSON object",
		"exit 3":                      "ended with exit status 3",
		`echo '{"decision":"block"}'`: "was blocked",
		"true":                        "was left to the dialog",
		`echo '{"continue":true}'`:    "must be denied",
	} {
		w := newWorld(t)
		fake := filepath.Join(w.home, "bridge")
		w.program(fake, []byte("#!/bin/sh\n"+script+"\n"))
		w.bin = fake
		w.settings(w.healthy())
		found := ""
		for _, f := range Run(w.options()).Findings {
			if f.ID == "wrong-answer" {
				found += f.What + "; "
			}
		}
		if !strings.Contains(found, want) {
			t.Errorf("%s: %q", script, found)
		}
	}
}

// TestSlow: a line whose median time a user notices.
func TestSlow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fake := filepath.Join(w.home, "bridge")
	w.program(fake, []byte("#!/bin/sh\n"))
	w.took = 51 * time.Millisecond
	w.bin = fake
	w.settings(object{"hooks": object{"Stop": w.healthy()["hooks"].(object)["Stop"]}})
	for _, f := range Run(w.options()).Findings {
		if f.ID == "slow" {
			return
		}
	}
	t.Error("not found")
}

// TestRepositoryIsNotRun: what a repository's settings name is never run, not
// even when it is called bridge or is this binary (threat: a hostile clone).
func TestRepositoryIsNotRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: runs hook lines")
	}
	t.Parallel()
	w := newWorld(t)
	script := filepath.Join(w.root, "bridge")
	witness := filepath.Join(w.root, "witness")
	w.program(script, []byte("#!/bin/sh\ntouch "+witness+"\n"))
	w.write(filepath.Join(w.root, ".claude", "settings.json"), fmt.Sprintf(`{"hooks":{"Stop":[{"hooks":[
		{"type":"command","command":%q,"args":["--hook=stop"]}, {"type":"command","command":"./bridge --hook=stop"},
		{"type":"command","command":"touch %s; bridge --hook=stop"}, {"type":"command","command":%q,"args":["--hook=ralph"]}]}]}}`, script, witness, w.bin))
	report := Run(w.options())
	if _, err := os.Stat(witness); err == nil {
		t.Fatal("something of the repository was run")
	}
	for _, p := range report.Probed {
		if strings.Contains(p.Line, "ralph") {
			t.Errorf("a line of the repository was run: %+v", p)
		}
	}
}
