//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/project"
)

// put writes a file below a directory, with the directories above it.
func (s *scene) put(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// mode writes the state of a mode of the session.
func (s *scene) mode(name, members string) string {
	s.t.Helper()
	path := filepath.Join(s.omc(), "state", "sessions", sessionID, name+"-state.json")
	at := time.Now().UTC().Format(time.RFC3339)
	s.put(path, fmt.Sprintf(`{"active":true,"session_id":%q,"started_at":%q,%s}`, sessionID, at, members))
	return path
}

// TestStoriesWithOddMembers: a loop ends with its stories, whatever type their ids have,
// and a story passes only if it says so.
func TestStoriesWithOddMembers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stories string
		ends    bool
	}{
		"numbers as ids":              {`{"id":1,"title":"a","passes":true},{"id":2,"title":"b","passes":true}`, true},
		"other kinds":                 {`{"id":null,"title":["a"],"passes":true},{"id":{},"title":7,"passes":true,"architectVerified":null}`, true},
		"one does not pass":           {`{"id":1,"title":"a","passes":true},{"id":2,"title":"b","passes":false}`, false},
		"passes is a text":            {`{"id":1,"title":"a","passes":"true"}`, false},
		"verified is no truth":        {`{"id":1,"title":"a","passes":true,"architectVerified":0}`, false},
		"one is no story":             {`{"id":1,"title":"a","passes":true},2`, false},
		"a member stands there twice": {`{"id":1,"passes":false,"passes":true}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it"`)
			s.put(filepath.Join(s.project, "prd.json"), `{"userStories":[`+test.stories+`]}`)
			if a := s.hook("stop", s.stopInput(1)); strings.Contains(a.stdout, "COMPLETE - PRD") != test.ends || a.blocks() == test.ends {
				t.Errorf("%q", a.stdout)
			}
		})
	}
}

// TestNumberAsARequest: a review is requested under the id of its request, even if that
// is a number; without an id any approval would count.
func TestNumberAsARequest(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	path := s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it"`)
	s.put(filepath.Join(filepath.Dir(path), "ralph-verification-state.json"), `{"pending":true,"request_id":5,"story_id":7}`)
	if a := s.hook("stop", s.stopInput(1)); !strings.Contains(a.stdout, `request-id=\"5\" story-id=\"7\"`) {
		t.Errorf("%q", a.stdout)
	}
}

// TestPartOfATaskListEndsNothing: ultrawork ends with the last task of the list, not with
// the last one that was read.
func TestPartOfATaskListEndsNothing(t *testing.T) {
	longer(t)
	t.Parallel()
	const done, open = `{"subject":"Do it","status":"completed"}`, `{"subject":"Do it","status":"pending"}`
	for name, test := range map[string]struct {
		tasks int
		files map[string]string
		ends  bool
	}{
		"200 tasks":                 {200, nil, true},
		"open beyond 200":           {200, map[string]string{"tasks/%s/201.json": open}, false},
		"one that is half written":  {2, map[string]string{"tasks/%s/3.json": open[:9]}, false},
		"one that is too large":     {2, map[string]string{"tasks/%s/3.json": open + strings.Repeat(" ", 1<<20)}, false},
		"todos that cannot be read": {2, map[string]string{"todos/%[1]s-agent-%[1]s.json": "[" + open}, false},
		"a todo that is no object":  {2, map[string]string{"todos/%[1]s-agent-%[1]s.json": "[" + done + ",1]"}, false},
		"a number as the subject":   {2, map[string]string{"tasks/%[1]s/3.json": `{"id":3,"subject":3,"status":"completed"}`, "todos/%[1]s-agent-%[1]s.json": `[{"content":4,"status":"completed"}]`}, true},
		"other files among them":    {200, map[string]string{"tasks/%s/.lock": "", "tasks/%s/1.md": ""}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.mode("ultrawork", `"reinforcement_count":2,"max_reinforcements":50`)
			for i := range test.tasks {
				s.put(filepath.Join(s.home, ".claude", "tasks", sessionID, fmt.Sprint(i+1)+".json"), done)
			}
			for file, text := range test.files {
				s.put(filepath.Join(s.home, ".claude", filepath.FromSlash(fmt.Sprintf(file, sessionID))), text)
			}
			if a := s.hook("stop", s.stopInput(1)); strings.Contains(a.stdout, "ULTRAWORK COMPLETE") != test.ends || a.blocks() == test.ends {
				t.Errorf("%q", a.stdout)
			}
		})
	}
}

// specOf makes the project one with a spec of the state.
func (s *scene) specOf(state string) string {
	s.t.Helper()
	s.put(filepath.Join(s.project, "specs", ".current-spec"), "shop\n")
	s.put(filepath.Join(s.project, "specs", "shop", "tasks.md"), "- [ ] 1.1 Build it\n")
	path := filepath.Join(s.project, "specs", "shop", ".ralph-state.json")
	s.put(path, state)
	return path
}

// unowned lists states of every kind that a session can claim, without a session id, as
// they are at a given start time.
func unowned(at time.Time) map[string]func(s *scene) (path string) {
	stamp := at.UTC().Truncate(time.Second).Format(time.RFC3339)
	omc := func(name, members string) func(s *scene) string {
		return func(s *scene) string {
			path := filepath.Join(s.omc(), "state", name+"-state.json")
			s.put(path, fmt.Sprintf(`{"active":true,"started_at":%q,%s}`, stamp, members))
			return path
		}
	}
	return map[string]func(s *scene) string{
		"loop": func(s *scene) string {
			s.put(s.state(), fmt.Sprintf("---\nactive: true\niteration: 1\nmax_iterations: 0\ncompletion_promise: \"DONE\"\nstarted_at: %q\n---\n\nWork on it.\n", stamp))
			return s.state()
		},
		"smart": func(s *scene) string {
			path := filepath.Join(s.project, ".claude", "ralph-smart", "state.md")
			s.put(filepath.Join(s.project, "tasks.md"), "- [ ] Build it\n")
			s.put(path, string(state.State{Active: true, TaskFile: "tasks.md", Phase: state.Analyzing, MaxIterations: 50, CompletionThreshold: 90,
				StartedAt: at.UTC().Truncate(time.Second), UpdatedAt: at}.Bytes()))
			return path
		},
		"omc":       omc("ralph", `"iteration":1,"max_iterations":10,"prompt":"Do it"`),
		"ultrawork": omc("ultrawork", `"reinforcement_count":0,"original_prompt":"Do it"`),
		"autopilot": omc("autopilot", `"iteration":1,"max_iterations":10,"phase":"execution","originalIdea":"A shop"`),
		"specum": func(s *scene) string {
			return s.specOf(`{"phase":"execution","taskIndex":0,"totalTasks":1,"globalIteration":2}`)
		},
	}
}

// TestUnpackedStateStartsNothing: a state from an archive has the times that the author
// of the archive chose, but not the time at which it was unpacked. A state that was
// written here is claimed.
func TestUnpackedStateStartsNothing(t *testing.T) {
	t.Parallel()
	began := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name, write := range unowned(began) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			path := write(s)
			if err := os.Chtimes(path, began, began); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := s.hook("stop", s.stopInput(1))
			if a.blocks() || !strings.Contains(a.stdout, "bridge ignores") || !strings.Contains(a.stdout, "bridge ralph resume") && !strings.Contains(a.stdout, "mode start "+name+" --resume") {
				t.Errorf("%q", a.stdout)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("%q became %q, %v", before, after, err)
			}
		})
	}
	for name := range unowned(began) {
		t.Run(name+" that was written here", func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			// A parallel test may begin long after this line was read.
			unowned(time.Now())[name](s)
			if a := s.hook("stop", strings.Replace(s.stopInput(1), `_active":true`, `_active":false`, 1)); !a.blocks() {
				t.Errorf("%q", a.stdout)
			}
		})
	}
}

// TestClockSetBackOrphansNothing: a loop that was started in a terminal is claimed by the
// next session, even if the clock was set back by ten seconds since.
func TestClockSetBackOrphansNothing(t *testing.T) {
	t.Parallel()
	begun := time.Now().Add(10 * time.Second).Truncate(time.Second)
	for name, write := range unowned(begun) {
		if name == "specum" {
			// The coordinator writes it again with every task.
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			path := write(s)
			pending := filepath.Join(s.home, ".local", "state", "bridge", "pending", project.ID(path))
			s.put(pending, path+"\n")
			for _, file := range []string{path, pending} {
				if err := os.Chtimes(file, begun, begun); err != nil {
					t.Fatal(err)
				}
			}
			if a := s.hook("stop", s.stopInput(1)); !a.blocks() {
				t.Errorf("%q", a.stdout)
			}
			if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), sessionID) {
				t.Errorf("not claimed: %q, %v", text, err)
			}
		})
	}
}

// TestClockSetBackHidesNoMode: an exclusive mode prevents others from starting, even if
// the clock was set back by ten seconds since it was last active.
func TestClockSetBackHidesNoMode(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ahead   time.Duration
		started bool
	}{"ten seconds": {10 * time.Second, false}, "a day": {24 * time.Hour, true}} {
		s := newScene(t)
		s.put(filepath.Join(s.omc(), "state", "sessions", sessionID, "autopilot-state.json"),
			fmt.Sprintf(`{"active":true,"session_id":%q,"started_at":%q,"phase":"execution"}`, sessionID, time.Now().Add(test.ahead).UTC().Format(time.RFC3339)))
		if a := s.cli("", "mode", "start", "pipeline"); (a.code == 0) != test.started {
			t.Errorf("%s: exit code %d, %q", name, a.code, a.stderr)
		}
	}
}

// TestUnreadableStoriesAreNotPassedOver: a prd.json that cannot be read is not replaced
// by a finished one from another place.
func TestUnreadableStoriesAreNotPassedOver(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it"`)
	s.put(filepath.Join(s.project, "prd.json"), strings.Repeat(" ", 1<<20+1))
	s.put(filepath.Join(s.omc(), "prd.json"), `{"userStories":[{"id":"1","passes":true}]}`)
	if a := s.hook("stop", s.stopInput(1)); !a.blocks() {
		t.Errorf("%q", a.stdout)
	}
}

// below lists the files in a directory with their texts.
func below(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			found[path] = "directory"
			return err
		}
		text, err := os.ReadFile(path)
		found[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestLinkedStateOutsideIsLeftAlone: a repository may hold a link in the place of a
// directory of state. What it leads to outside of the project is neither written nor
// removed by any hook or command, and the user is told.
func TestLinkedStateOutsideIsLeftAlone(t *testing.T) {
	longer(t)
	t.Parallel()
	old := time.Now().Add(-90 * 24 * time.Hour)
	now := time.Now().UTC().Format(time.RFC3339)
	ralph := fmt.Sprintf(`{"active":true,"session_id":%q,"started_at":%q,"iteration":1,"max_iterations":10,"prompt":"Do it"}`, sessionID, now)
	omc := map[string]string{
		"state/ralph-state.json": ralph, "state/sessions/" + sessionID + "/ralph-state.json": ralph,
		"state/sessions/gone/ultrawork-state.json": `{"active":false}`, "state/last-tool-error.json": "{}", "sessions/gone.json": "{}",
		"state/sessions/" + sessionID + "/session-started.json": "{}", "state/swarm-state.json.bak": "{}", "state/agent-replay-gone.jsonl": "{}",
	}
	for i := range 12 {
		omc[fmt.Sprintf("state/checkpoints/checkpoint-%02d.json", i)] = "{}"
	}
	claude := map[string]string{
		"ralph-loop.local.md":     fmt.Sprintf("---\nactive: true\niteration: 1\nsession_id: %s\nmax_iterations: 0\ncompletion_promise: null\n---\n\nWork on it.\n", sessionID),
		"ralph-smart/state.md":    string(state.State{Active: true, SessionID: sessionID, TaskFile: "tasks.md", Phase: state.Analyzing, StartedAt: time.Now().UTC().Truncate(time.Second), UpdatedAt: time.Now()}.Bytes()),
		"ralph-smart/config.json": "{}",
	}
	for name, test := range map[string]struct {
		files map[string]string
		// link is the place in the project, and to what of the files it leads.
		link, to string
		notice   string
	}{
		".omc":                {omc, ".omc", "", "a link that leads out of the project"},
		".omc/state":          {omc, ".omc/state", "state", "cannot be used"},
		".omc/state/sessions": {omc, ".omc/state/sessions", "state/sessions", "cannot be used"},
		".omc/sessions":       {omc, ".omc/sessions", "sessions", ""},
		".claude":             {claude, ".claude", "", "a link that leads out of the project"},
		".claude/ralph-smart": {claude, ".claude/ralph-smart", "ralph-smart", "bridge ignores"},
	} {
		for _, home := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, home %t", name, home), func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				if !home {
					s.env = []string{"PATH=" + os.Getenv("PATH"), "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0"}
				}
				other := filepath.Join(filepath.Dir(s.project), "otherapp")
				for file, text := range test.files {
					file = filepath.Join(other, filepath.FromSlash(file))
					s.put(file, text)
					if err := os.Chtimes(file, old, old); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.RemoveAll(filepath.Join(s.project, ".claude")); err != nil {
					t.Fatal(err)
				}
				link := filepath.Join(s.project, filepath.FromSlash(test.link))
				if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
					t.Fatal(err)
				}
				target, err := filepath.Rel(filepath.Dir(link), filepath.Join(other, filepath.FromSlash(test.to)))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(target, link); err != nil {
					t.Fatal(err)
				}
				s.put(filepath.Join(s.project, "tasks.md"), "- [ ] Build it\n")
				before := below(t, other)
				same := func(what string) {
					t.Helper()
					if after := below(t, other); !maps.Equal(before, after) {
						t.Fatalf("%s: %v became %v", what, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
					}
				}
				for _, step := range []struct{ hook, event, more string }{
					{"session-start", "SessionStart", `,"source":"startup"`},
					{"keyword-detector", "UserPromptSubmit", `,"prompt":"ralph: build the shop"`},
					{"keyword-detector", "UserPromptSubmit", `,"prompt":"ultrawork: build the shop"`},
					{"subagent-start", "SubagentStart", `,"agent_id":"a","agent_type":"executor"`},
					{"post-tool-use-failure", "PostToolUseFailure", `,"tool_name":"Bash","tool_input":{"command":"x"},"error":"broken"`},
					{"subagent-stop", "SubagentStop", `,"agent_id":"a","agent_type":"executor"`},
					{"pre-compact", "PreCompact", `,"trigger":"manual"`},
					{"setup", "Setup", `,"trigger":"init"`},
					{"setup", "Setup", `,"trigger":"maintenance"`},
				} {
					a := s.hook(step.hook, s.event(step.event, sessionID, step.more))
					same(step.hook + step.more)
					if test.link == ".omc" && (step.hook == "session-start" || step.hook == "setup") && !strings.Contains(a.stdout, test.notice) {
						t.Errorf("%s %s: %q", step.hook, step.more, a.stdout)
					}
				}
				a := s.hook("stop", s.stopInput(1))
				same("stop")
				if a.blocks() && strings.HasPrefix(test.link, ".omc") && test.link != ".omc/sessions" || !strings.Contains(a.stdout+a.stderr, test.notice) {
					t.Errorf("%q %q", a.stdout, a.stderr)
				}
				s.hook("session-end", s.event("SessionEnd", sessionID, `,"reason":"other"`))
				same("session-end")
				for _, args := range [][]string{
					{"mode", "stop", "ralph", "--force"}, {"mode", "start", "ralph", "x"}, {"mode", "start", "ralph", "--resume"}, {"mode", "start", "swarm", "x"},
					{"ralph", "loop", "x"}, {"ralph", "smart", "--no-ai", "tasks.md"}, {"ralph", "pause"}, {"ralph", "resume"}, {"ralph", "cancel"},
					{"ralph", "clean", "--all", "--yes"}, {"status"}, {"doctor"},
				} {
					s.cli(sessionID, args...)
					same(strings.Join(args, " "))
				}
			})
		}
	}
}

// TestLinkedStateInside: a link in the place of a state directory is followed if it stays
// inside the project.
func TestLinkedStateInside(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	real := filepath.Join(s.project, "tools", "omc")
	if err := os.MkdirAll(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("tools/omc", filepath.Join(s.project, ".omc")); err != nil {
		t.Fatal(err)
	}
	s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it"`)
	if a := s.hook("stop", s.stopInput(1)); !a.blocks() {
		t.Errorf("%q", a.stdout)
	}
	s.hook("session-end", s.event("SessionEnd", sessionID, `,"reason":"other"`))
	if _, err := os.Stat(filepath.Join(real, "sessions", sessionID+".json")); err != nil {
		t.Error(err)
	}
}

// TestNoCompletionByUnreadTasks: a task list that cannot be read does not count as
// finished.
func TestNoCompletionByUnreadTasks(t *testing.T) {
	t.Parallel()
	for name, instead := range map[string]func(s *scene, tasks string){
		"too large": func(s *scene, tasks string) { s.put(tasks, strings.Repeat("- [ ] 1.1 Build it\n", 60_000)) },
		"a directory": func(s *scene, tasks string) {
			if err := os.MkdirAll(tasks, 0o700); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			state := s.specOf(`{"phase":"execution","taskIndex":0,"totalTasks":9,"globalIteration":1,"maxGlobalIterations":20}`)
			tasks := filepath.Join(filepath.Dir(state), "tasks.md")
			if err := os.Remove(tasks); err != nil {
				t.Fatal(err)
			}
			instead(s, tasks)
			input := strings.NewReplacer(`"stop_hook_active":true`, `"stop_hook_active":false`, "turn 1", `All is done.\n\nALL_TASKS_COMPLETE`).Replace(s.stopInput(1))
			if a := s.hook("stop", input); !a.blocks() {
				t.Errorf("%q %q", a.stdout, a.stderr)
			}
		})
	}
}
