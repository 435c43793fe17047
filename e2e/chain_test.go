package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mode writes the state of a mode of oh-my-claudecode for a session.
func (s *stage) mode(name, session, members string) string {
	s.t.Helper()
	file := ".omc/state/sessions/" + session + "/" + name + "-state.json"
	now := time.Now().UTC().Format(time.RFC3339)
	if err := s.Write(file, fmt.Sprintf(`{"active": true, "session_id": %q, "started_at": %q, "last_checked_at": %q, %s}`, session, now, now, members)); err != nil {
		s.t.Fatal(err)
	}
	return file
}

// member returns a number from a mode's state or, if the mode has ended, from its backup.
func (s *stage) member(file, name string) (value float64, ended bool) {
	s.t.Helper()
	text, err := s.Read(file)
	if err != nil {
		if text, err = s.Read(file + ".bak"); err != nil {
			s.t.Fatal(err)
		}
		ended = true
	}
	var state map[string]any
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		s.t.Fatal(err)
	}
	value, _ = state[name].(float64)
	return value, ended
}

// wantBlocks checks that each block is the work of one owner.
func wantBlocks(t *testing.T, r *Result, n int, mark string) {
	t.Helper()
	blocks := r.Transcript.StopBlocks()
	if len(blocks) != n {
		t.Fatalf("%d blocks, want %d: %q", len(blocks), n, blocks)
	}
	for _, b := range blocks {
		if !strings.Contains(b, mark) {
			t.Errorf("not of %s: %q", mark, b)
		}
	}
}

func TestUltraworkUnderRalph(t *testing.T) {
	s := newStage(t, speak)
	id := sessionID()
	ralph := s.mode("ralph", id, `"iteration": 1, "max_iterations": 3, "extensions": 5, "prompt": "Build it."`)
	ultrawork := s.mode("ultrawork", id, `"reinforcement_count": 0`)
	r := s.run(Client{Prompt: task, SessionID: id, Settings: uncapped(wired(t))})

	wantBlocks(t, r, 2, "RALPH LOOP - ITERATION")
	if n, ended := s.member(ralph, "iteration"); n != 3 || !ended {
		t.Errorf("ralph stands at %v, ended %v", n, ended)
	}
	if n, ended := s.member(ultrawork, "reinforcement_count"); n != 0 || ended {
		t.Errorf("ultrawork acted: %v, ended %v", n, ended)
	}
}

func TestAutopilotGoesThroughItsPhases(t *testing.T) {
	s := newStage(t, Turns(
		Say("The specification is written.\n\nEXPANSION_COMPLETE"), Say("The plan is written.\n\n**PLANNING_COMPLETE**"),
		Say("The first task is done; I say EXECUTION_COMPLETE when all are."), Say("All tasks are done."),
	))
	id := sessionID()
	file := s.mode("autopilot", id, `"phase": "expansion", "iteration": 1, "max_iterations": 4, "originalIdea": "A shop."`)
	r := s.run(Client{Prompt: task, SessionID: id, Settings: uncapped(wired(t))})

	wantBlocks(t, r, 3, "[AUTOPILOT - Phase: ")
	for i, phase := range []string{"planning", "execution", "execution"} {
		if prompt := s.model.Requests(id, Main)[i+1].Prompt(); !strings.Contains(prompt, "Phase: "+phase) {
			t.Errorf("request %d is not about %s: %q", i+2, phase, prompt)
		}
	}
	if n, ended := s.member(file, "iteration"); n != 4 || !ended {
		t.Errorf("autopilot stands at %v, ended %v", n, ended)
	}
	if messages := r.Transcript.SystemMessages("Stop"); len(containing(messages, "bridge mode start autopilot --resume")) != 1 {
		t.Errorf("the user was not told how to go on: %q", messages)
	}
}

func TestCancelInTheMiddleOfALoop(t *testing.T) {
	path := bridge(t)
	s := newStage(t, Turns(Say("Part one."), CallBash(path+" mode stop ultrawork"), Say("It is cancelled."), Say("Never asked.")))
	id := sessionID()
	file := s.mode("ultrawork", id, `"reinforcement_count": 0`)
	settings := uncapped(wired(t))
	settings.Permissions = &Permissions{Allow: []string{"Bash(" + path + " *)"}}
	r := s.run(Client{Prompt: task, SessionID: id, Settings: settings})

	wantBlocks(t, r, 1, "[ULTRAWORK #1/50]")
	if n := len(s.model.Requests(id, Main)); n != 3 {
		t.Errorf("the model was asked %d times, want 3: %q", n, r.Transcript.Says())
	}
	if n, ended := s.member(file, "reinforcement_count"); n != 1 || !ended {
		t.Errorf("ultrawork stands at %v, ended %v", n, ended)
	}
	if _, err := os.Lstat(filepath.Join(s.Project, file)); err == nil {
		t.Error("the state came back")
	}
}

// Two Stop entries with different commands both run for each event, in parallel.
func TestTwoStopEntriesActOnce(t *testing.T) {
	path := bridge(t)
	for name, test := range map[string]struct {
		prepare func(s *stage, id string) (file, counter string)
		says    []Turn
		blocks  int
		mark    string
		counter float64
	}{
		"a loop over ultrawork": {
			func(s *stage, id string) (string, string) {
				s.startLoop(loop{Session: id, Max: 9, Promise: "DONE", Prompt: task})
				return s.mode("ultrawork", id, `"reinforcement_count": 0`), "reinforcement_count"
			},
			[]Turn{Say("One."), Say("Two."), Say("<promise>DONE</promise>")}, 2, task, 0,
		},
		"ultrawork alone": {
			func(s *stage, id string) (string, string) {
				return s.mode("ultrawork", id, `"reinforcement_count": 0, "max_reinforcements": 3`), "reinforcement_count"
			},
			[]Turn{Say("One."), Say("Two."), Say("Three."), Say("Four.")}, 3, "[ULTRAWORK #", 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, Turns(test.says...))
			id := sessionID()
			file, counter := test.prepare(s, id)
			settings := uncapped(wired(t)).On("Stop", Exec(path, "--hook=ralph"), Exec(path, "--hook=persistent-mode"))
			r := s.run(Client{Prompt: task, SessionID: id, Settings: settings})
			wantBlocks(t, r, test.blocks, test.mark)
			if n, _ := s.member(file, counter); n != test.counter {
				t.Errorf("%s is %v, want %v", counter, n, test.counter)
			}
			if n := len(s.model.Requests(id, Main)); n != len(test.says) {
				t.Errorf("the model was asked %d times, want %d", n, len(test.says))
			}
		})
	}
}
