package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A session that is resumed is told about its unfinished loop; the text reaches the model and is not an order.
func TestSessionStartTellsTheModel(t *testing.T) {
	s := newStage(t, Turns(Say("hello"), Say("<promise>DONE</promise>")))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 20, Promise: "DONE", Prompt: task})
	s.run(Client{Prompt: "a question", SessionID: id, Settings: wired(t), Env: map[string]string{"OMC_SKIP_HOOKS": "stop"}})
	s.run(Client{Prompt: "another question", Resume: id, Settings: wired(t)})

	requests := s.model.Requests(id, Main)
	if len(requests) != 2 {
		t.Fatalf("%d requests, want 2", len(requests))
	}
	for i, want := range []string{"OMC_SKIP_HOOKS=stop is set", "Active in this session: ralph loop, iteration 1/20"} {
		if !strings.Contains(requests[i].Context(), want) {
			t.Errorf("request %d lacks %q:\n%s", i+1, want, requests[i].Context())
		}
	}
	if !strings.Contains(requests[1].Context(), "act on it only if the user asks you to") {
		t.Error("the text is not framed as information")
	}
}

// A session with nothing unfinished is told nothing, and a project without .omc gets no file.
func TestSessionStartIsSilentWithoutWork(t *testing.T) {
	s := newStage(t, Turns(Say("hello")))
	id := sessionID()
	s.run(Client{Prompt: "a question", SessionID: id, Settings: wired(t)})
	if text := s.model.Requests(id, Main)[0].Context(); strings.Contains(text, "[bridge]") {
		t.Errorf("the model was told something:\n%s", text)
	}
	if _, err := os.Lstat(filepath.Join(s.Project, ".omc")); err == nil {
		t.Error("the project got an .omc")
	}
}

func TestCheckpointSurvivesACompaction(t *testing.T) {
	s := newStage(t, Turns(CallBash("echo one"), Say("Part one."), CallBash("echo two"), Say("Part two."), Say("after the compaction")))
	id := sessionID()
	s.mode("ultrawork", id, `"reinforcement_count": 3, "original_prompt": "Everything."`)
	settings := wired(t)
	skip := map[string]string{"OMC_SKIP_HOOKS": "ultrawork"}
	s.run(Client{Prompt: task, SessionID: id, Settings: settings, Env: skip})
	s.run(Client{Prompt: "and on", Resume: id, Settings: settings, Env: skip})
	s.run(Client{Prompt: "/compact", Resume: id, Settings: settings, Env: skip})
	files, err := filepath.Glob(filepath.Join(s.Project, ".omc", "state", "checkpoints", "checkpoint-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d checkpoints, %v", len(files), err)
	}
	s.run(Client{Prompt: "go on", Resume: id, Settings: settings, Env: skip})
	requests := s.model.Requests(id, Main)
	if last := requests[len(requests)-1].Context(); !strings.Contains(last, "In progress before the compaction: ultrawork, iteration 3/50") {
		t.Errorf("the checkpoint did not come back:\n%s", last)
	}
}

func TestSubagentsAreTracked(t *testing.T) {
	agent := Call("Agent", object{"description": "scripted", "prompt": "say one", "subagent_type": "general-purpose", "run_in_background": false})
	s := newStage(t, Agents(Turns(agent, Say("two")), Turns(Say("one"))))
	id := sessionID()
	if err := os.MkdirAll(filepath.Join(s.Project, ".omc"), 0o700); err != nil {
		t.Fatal(err)
	}
	settings := wired(t)
	settings.Permissions.Allow = append(settings.Permissions.Allow, "Agent")
	s.run(Client{Prompt: "use an agent", SessionID: id, Settings: settings})

	text, err := s.Read(".omc/sessions/" + id + ".json")
	if err != nil {
		t.Fatal("session-end wrote no summary:", err)
	}
	var summary struct {
		Reason         string `json:"reason"`
		Spawned        int    `json:"agents_spawned"`
		Completed      int    `json:"agents_completed"`
		Started, Ended string
		DurationMS     *int64   `json:"duration_ms"`
		ModesUsed      []string `json:"modes_used"`
		SessionID      string   `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(text), &summary); err != nil {
		t.Fatal(err)
	}
	if summary.Spawned != 1 || summary.Completed != 1 || summary.Reason == "" || summary.DurationMS == nil || summary.SessionID != id {
		t.Errorf("%s", text)
	}
	if _, err := os.Lstat(filepath.Join(s.Project, ".omc", "state", "sessions", id)); err == nil {
		t.Error("the session left transient records behind")
	}
	for _, q := range s.model.Requests("", Subagent) {
		if strings.Contains(q.Context(), "[bridge]") {
			t.Errorf("the subagent was told something:\n%s", q.Context())
		}
	}
}

func TestSetupRunsInTheClient(t *testing.T) {
	s := newStage(t, Turns(Say("hello")))
	id := sessionID()
	settings := wired(t).On("Setup", Exec(bridge(t), "--hook=setup"))
	s.run(Client{Prompt: "a question", SessionID: id, Settings: settings, Args: []string{"--init"}})
	if _, err := os.Stat(filepath.Join(s.Project, ".omc", "state", "checkpoints")); err != nil {
		t.Error("setup-init created nothing:", err)
	}
	old := filepath.Join(s.Project, ".omc", "state", "last-tool-error.json")
	if err := os.WriteFile(old, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	longAgo := mtime(t, "2020-01-01T00:00:00Z")
	if err := os.Chtimes(old, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
	s.run(Client{Prompt: "a question", Resume: id, Settings: settings, Args: []string{"--maintenance"}})
	if _, err := os.Stat(old); err == nil {
		t.Error("setup-maintenance left an old record")
	}
}

func mtime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
