package stop_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// modeFile is where a mode's state lies: in the session's folder, or among the
// files of all sessions when there is no session.
func modeFile(project, mode, sessionID string) string {
	dir := filepath.Join(project, ".omc", "state")
	if sessionID != "" {
		dir = filepath.Join(dir, "sessions", sessionID)
	}
	return filepath.Join(dir, mode+"-state.json")
}

// fields are members of a state file.
type fields map[string]any

// mode writes the state of a mode as the peer's scripts do, with other members
// where a test wants them; nil takes a member away.
func (w *world) mode(mode, sessionID string, more fields) string {
	w.t.Helper()
	stamp := w.now.Add(-time.Minute).UTC().Format(time.RFC3339)
	state := fields{"active": true, "started_at": stamp, "last_checked_at": stamp, "project_path": w.project}
	switch mode {
	case "ralph":
		maps.Copy(state, fields{"iteration": 1, "max_iterations": 10, "prompt": "Ship it."})
	case "autopilot":
		maps.Copy(state, fields{"iteration": 1, "max_iterations": 10, "phase": "execution", "originalIdea": "A shop."})
	case "ultrawork":
		maps.Copy(state, fields{"reinforcement_count": 0, "original_prompt": "Everything."})
	case "team":
		maps.Copy(state, fields{"current_phase": "team-exec", "team_name": "alpha"})
	}
	if sessionID != "" {
		state["session_id"] = sessionID
	}
	for name, value := range more {
		if state[name] = value; value == nil {
			delete(state, name)
		}
	}
	text, err := json.Marshal(state)
	if err != nil {
		w.t.Fatal(err)
	}
	path := modeFile(w.project, mode, sessionID)
	w.write(path, string(text))
	return path
}

// marks are texts that each owner prints when it blocks.
func marks() map[string]string {
	return map[string]string{
		"loop": "Ralph iteration", "ralph": "RALPH LOOP - ", "autopilot": "[AUTOPILOT - Phase", "ultrawork": "[ULTRAWORK #",
	}
}

// acted names the owners that blocked in an output.
func acted(out string) (owners []string) {
	for owner, mark := range marks() {
		if blocks(out) && strings.Contains(out, mark) {
			owners = append(owners, owner)
		}
	}
	return owners
}

// TestPriority: of what is active for the session the first step of the chain
// (docs/reference/hook-standard.md#stop-order) acts, and nobody below it; what it is
// not for is named.
func TestPriority(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	files := map[string]string{"loop": at(w.project)}
	for _, mode := range []string{"ralph", "autopilot", "ultrawork", "team"} {
		files[mode] = w.mode(mode, "s1", nil)
	}
	for i, owner := range []string{"loop", "ralph", "autopilot", "ultrawork"} {
		before := map[string]string{}
		for name, path := range files {
			before[name] = w.read(path)
		}
		out := w.stop(event{session: "s1", message: strings.Repeat("x", i+1)})
		if got := acted(out); len(got) != 1 || got[0] != owner {
			t.Fatalf("%v acted, want %s: %s", got, owner, out)
		}
		if !strings.Contains(out, "also active: ") || !strings.Contains(out, "team") {
			t.Errorf("%s: the others are not named: %s", owner, out)
		}
		for name, path := range files {
			if changed := w.read(path) != before[name]; changed != (name == owner) {
				t.Errorf("%s owns the stop; state of %s changed: %v", owner, name, changed)
			}
		}
		if err := os.Remove(files[owner]); err != nil {
			t.Fatal(err)
		}
	}
	out := w.stop(event{session: "s1", message: "end"})
	if blocks(out) || !strings.Contains(out, `[TEAM MODE] Team \"alpha\" is at stage team-exec`) {
		t.Errorf("%q", out)
	}
	if out := w.stop(event{session: "s1", message: "end again"}); out != "" {
		t.Errorf("the same stage was told twice: %q", out)
	}
}

// TestOneEventManyLines: one event that several Stop entries deliver is answered once,
// by the line that carries out the owner's step, in whatever order they come
// (docs/reference/hook-standard.md#stop-order).
func TestOneEventManyLines(t *testing.T) {
	t.Parallel()
	line := map[string]string{"loop": "ralph", "ralph": "ralph", "autopilot": "persistent-mode", "ultrawork": "persistent-mode"}
	for owner, hook := range line {
		for _, order := range [][]string{
			{"ralph", "persistent-mode", "stop-continuation"}, {"stop-continuation", "persistent-mode", "ralph"}, {"persistent-mode", "ralph", "stop"},
		} {
			w := newWorld(t)
			switch owner {
			case "loop":
				w.start(w.project, "s1")
			default:
				w.mode(owner, "s1", nil)
			}
			if owner != "ultrawork" {
				w.mode("ultrawork", "s1", nil)
			}
			for _, h := range order {
				out := w.stop(event{session: "s1", hook: h})
				if want := h == hook; blocks(out) != want {
					t.Errorf("%s owns, %v: --hook=%s said %q", owner, order, h, out)
				}
			}
		}
	}
}

// TestEndIsNoRoomForTheNext: if a mode ends at a stop, the next mode in the chain does not block that stop
// (docs/reference/claude-code.md#chained-stops).
func TestEndIsNoRoomForTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	w.mode("ultrawork", "s1", nil)
	for _, hook := range []string{"ralph", "persistent-mode", "stop-continuation"} {
		if out := w.stop(event{session: "s1", hook: hook, message: "<promise>DONE</promise>"}); blocks(out) {
			t.Errorf("--hook=%s: %q", hook, out)
		}
	}
	if out := w.stop(event{session: "s1", hook: "persistent-mode", message: "next"}); !blocks(out) {
		t.Errorf("the next stop is ultrawork's: %q", out)
	}
}

// TestOthersAreNamedWithAnAnswer: if a step allows a stop with a message, the message
// names the other active modes; a step without a message does not mention them.
func TestOthersAreNamedWithAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mode("autopilot", "s1", fields{"phase": "dreaming"})
	w.mode("ultrawork", "s1", nil)
	if out := w.stop(event{session: "s1"}); blocks(out) || !strings.Contains(out, "bridge does not know the phase") || !strings.Contains(out, "(also active: ultrawork)") {
		t.Errorf("%q", out)
	}
	if out := w.stop(event{session: "s1", message: "again"}); out != "" {
		t.Errorf("told twice: %q", out)
	}
}

// TestOwnerOfAnEventStays: an event belongs to the step that owned it when the first hook
// line delivered it, even if that step has ended before the other lines deliver it.
func TestOwnerOfAnEventStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	w.mode("ultrawork", "s1", nil)
	for _, plugin := range []string{"", "/p"} {
		if out := w.stop(event{session: "s1", hook: "persistent-mode", plugin: plugin}); out != "" {
			t.Errorf("%q: %q", plugin, out)
		}
		_ = os.Remove(at(w.project))
	}
}

// TestSkippedSteps: OMC_SKIP_HOOKS takes steps out of the chain
// (docs/design.md#kill-switches), and the next one owns the stop.
func TestSkippedSteps(t *testing.T) {
	t.Parallel()
	for skip, owner := range map[string]string{
		"ralph": "autopilot", "ralph, autopilot": "ultrawork", "ralph,persistent-mode": "", "ralph,autopilot,ultrawork": "",
		"stop": "", "ultrawork": "loop", "persistent-mode": "loop", "keyword-detector": "loop", "Stop": "",
	} {
		w := newWorld(t)
		w.start(w.project, "s1")
		for _, mode := range []string{"ralph", "autopilot", "ultrawork"} {
			w.mode(mode, "s1", nil)
		}
		w.env["OMC_SKIP_HOOKS"] = skip
		out := w.stop(event{session: "s1"})
		if got := strings.Join(acted(out), " "); got != owner {
			t.Errorf("%q: %q acted, want %q: %s", skip, got, owner, out)
		}
	}
}

// TestTeamWorker: no stop of a team's worker is blocked
// (docs/reference/stop-rules.md#team-worker).
func TestTeamWorker(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	w.mode("ultrawork", "s1", nil)
	w.env["OMC_TEAM_WORKER"] = "alpha/worker-1"
	if out := w.stop(event{session: "s1"}); out != "" {
		t.Errorf("%q", out)
	}
	w.wantIteration(w.project, 1)
}

// TestTwoExclusiveModes: the one that was started later never acts; both are named once
// (docs/design.md#two-exclusive-modes).
func TestTwoExclusiveModes(t *testing.T) {
	t.Parallel()
	for later, blocked := range map[string]bool{"autopilot": false, "pipeline": true} {
		w := newWorld(t)
		for _, mode := range []string{"autopilot", "pipeline"} {
			age := 2 * time.Minute
			if mode == later {
				age = time.Minute
			}
			stamp := w.now.Add(-age).UTC().Format(time.RFC3339)
			w.mode(mode, "s1", fields{"started_at": stamp})
		}
		out := w.stop(event{session: "s1"})
		if blocks(out) != blocked || !strings.Contains(out, "The later one, "+later+", is ignored") || strings.Count(out, "bridge mode stop") < 2 {
			t.Errorf("%s is later: %q", later, out)
		}
		if out := w.stop(event{session: "s1", message: "again"}); strings.Contains(out, "is ignored") {
			t.Errorf("%s is later: told twice: %q", later, out)
		}
	}
}

// TestTasks: ultrawork ends when the session's own task list has no open task; no
// other list counts (Yeachan-Heo/oh-my-claudecode#2419,
// Yeachan-Heo/oh-my-claudecode#45).
func TestTasks(t *testing.T) {
	t.Parallel()
	task := func(status string) string { return fmt.Sprintf(`{"subject":"Do it","status":%q}`, status) }
	todos := func(statuses ...string) string {
		var list []string
		for _, status := range statuses {
			list = append(list, fmt.Sprintf(`{"content":"Do it","status":%q}`, status))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	old := time.Now().Add(-time.Hour)
	for name, test := range map[string]struct {
		files map[string]string
		old   bool
		ends  bool
	}{
		"no list":                     {nil, false, false},
		"all tasks done":              {map[string]string{"tasks/s1/1.json": task("completed"), "tasks/s1/2.json": task("completed")}, false, true},
		"one task open":               {map[string]string{"tasks/s1/1.json": task("completed"), "tasks/s1/2.json": task("pending")}, false, false},
		"done before it began":        {map[string]string{"tasks/s1/1.json": task("completed")}, true, false},
		"open before it began":        {map[string]string{"tasks/s1/1.json": task("in_progress")}, true, false},
		"done tasks of another":       {map[string]string{"tasks/s2/1.json": task("completed")}, false, false},
		"todos done":                  {map[string]string{"todos/s1-agent-s1.json": todos("completed", "cancelled")}, false, true},
		"todos open":                  {map[string]string{"todos/s1-agent-s1.json": todos("completed", "in_progress")}, false, false},
		"peer's todos done":           {map[string]string{"todos/s1.json": todos("completed")}, false, true},
		"empty todo list":             {map[string]string{"todos/s1-agent-s1.json": "[]"}, false, false},
		"open task beside done todos": {map[string]string{"tasks/s1/1.json": task("pending"), "todos/s1-agent-s1.json": todos("completed")}, false, false},
		"no list at all but rubbish":  {map[string]string{"tasks/s1/1.json": "x", "todos/s1-agent-s1.json": "{}"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			path := w.mode("ultrawork", "s1", nil)
			for file, text := range test.files {
				file = filepath.Join(w.home, ".claude", filepath.FromSlash(file))
				w.write(file, text)
				if test.old {
					if err := os.Chtimes(file, old, old); err != nil {
						t.Fatal(err)
					}
				}
			}
			out := w.stop(event{session: "s1"})
			if blocks(out) == test.ends {
				t.Errorf("%q", out)
			}
			if test.ends && (w.read(path) != "" || w.read(path+".bak") == "" || !strings.Contains(out, "ULTRAWORK COMPLETE")) {
				t.Errorf("%q", out)
			}
		})
	}
}
