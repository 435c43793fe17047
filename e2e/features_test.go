package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFeaturesOfTheClientBesideALoop: how many requests the model gets, and what happens to the loop
// (docs/reference/claude-code.md#own-features).
func TestFeaturesOfTheClientBesideALoop(t *testing.T) {
	for name, test := range map[string]struct {
		args     []string
		variable string
		exit     int
		requests int
		ended    bool
	}{
		"nothing":                 {nil, "", 0, 4, true},
		"max turns count blocks":  {[]string{"--max-turns", "2"}, "", 1, 2, false},
		"safe mode":               {nil, "CLAUDE_CODE_SAFE_MODE", 0, 1, false},
		"simple mode":             {nil, "CLAUDE_CODE_SIMPLE", 0, 1, false},
		"restricted, block stays": {nil, "CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG", 0, 4, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, Slowly(think, Turns(Say("Part one."), Say("Part two."), Say("Part three."), Say("All of it works. <promise>ALL DONE</promise>"))))
			id := sessionID()
			s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
			s.personal(wired(t))
			c := Client{Path: s.client, Workspace: s.Workspace, Model: s.model, Prompt: "Begin.", SessionID: id, Args: test.args, Env: map[string]string{}}
			if test.variable != "" {
				c.Env[test.variable] = "1"
			}
			r, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if n := len(s.model.Requests(id, Main)); n != test.requests || r.ExitCode != test.exit {
				t.Errorf("the model was asked %d times, want %d; exit code %d: %s", n, test.requests, r.ExitCode, r.Stderr)
			}
			if _, err := os.Lstat(filepath.Join(s.Project, loopFile)); errors.Is(err, os.ErrNotExist) != test.ended {
				t.Errorf("ended: %v, want %v", err, test.ended)
			}
		})
	}
}

// personal writes the user's own settings file.
func (s *stage) personal(settings Settings) {
	s.t.Helper()
	text, err := json.Marshal(settings)
	if err == nil {
		err = errors.Join(os.MkdirAll(s.ConfigDir(), 0o700), os.WriteFile(filepath.Join(s.ConfigDir(), "settings.json"), text, 0o600))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestRestrictedClientDropsAnAllow: with CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG the client ignores an allow from a hook in
// the user's own settings. 2.1.197 does not know the variable, and calls no permission hook in print mode.
func TestRestrictedClientDropsAnAllow(t *testing.T) {
	if version, err := Version(t.Context(), clientPath(t)); err != nil || version == "2.1.197" {
		t.Skip(version, err)
	}
	for value, denied := range map[string]bool{"": false, "1": true} {
		t.Run("set to "+value, func(t *testing.T) {
			s := newStage(t, Slowly(think, Turns(CallBash("touch made"), Say("THE END"))))
			s.configure(`{"permissions": {"allow": ["Bash(touch made)"]}}`)
			settings := wired(t)
			settings.Permissions = nil
			s.personal(settings)
			id := sessionID()
			s.run(Client{Prompt: task, SessionID: id, PermissionMode: "default", Env: map[string]string{"CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG": value}})
			requests := s.model.Requests(id, Main)
			if len(requests) != 2 || len(requests[1].ToolResults()) != 1 || requests[1].ToolResults()[0].IsError != denied {
				t.Errorf("%d requests, and the model was told %+v", len(requests), requests[len(requests)-1].ToolResults())
			}
		})
	}
}

// TestSetupReachesNobody: the client discards the output of a Setup hook, and an interactive client runs no Setup hook
// at all.
func TestSetupReachesNobody(t *testing.T) {
	settings := func(t *testing.T) Settings { return wired(t).On("Setup", Exec(bridge(t), "--hook=setup")) }
	silent := func(t *testing.T, s *stage, id, shown string) {
		t.Helper()
		requests := s.model.Requests(id, Main)
		if len(requests) != 1 {
			t.Errorf("the model was asked %d times, want once", len(requests))
		}
		for _, q := range requests {
			if strings.Contains(string(q.Raw), "bridge initialised the project") {
				t.Error("the model was told")
			}
		}
		if strings.Contains(shown, "bridge initialised the project") {
			t.Error("the user was told")
		}
	}
	made := func(s *stage) bool {
		_, err := os.Stat(filepath.Join(s.Project, ".omc", "state", "checkpoints"))
		return err == nil
	}
	t.Run("print mode", func(t *testing.T) {
		s := newStage(t, Turns(Say("hello there")))
		id := sessionID()
		r := s.run(Client{Prompt: "a question", SessionID: id, Settings: settings(t), Args: []string{"--init"}})
		// Only the raw events of stream-json hold what the hook printed.
		silent(t, s, id, r.Stderr+r.Events[len(r.Events)-1].Result+strings.Join(r.Transcript.SystemMessages("Setup"), "\n"))
		if !made(s) {
			t.Error("setup-init created nothing")
		}
	})
	t.Run("a terminal", func(t *testing.T) {
		s := newStage(t, Turns(Say("hello there")))
		id := sessionID()
		c := Client{Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: settings(t), SessionID: id, PermissionMode: "default", Prompt: "a question", Args: []string{"--init"}}
		term := openTerminal(t, c)
		screen, err := term.WaitFor(t.Context(), "hello there")
		if err := errors.Join(err, sleep(t.Context(), time.Second), term.Close()); err != nil {
			t.Fatal(err)
		}
		silent(t, s, id, screen)
		if made(s) {
			t.Error("setup-init ran")
		}
	})
}
