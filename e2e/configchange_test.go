package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSettingsThatLoseBridge: somebody edits the settings while a session runs. The client calls the config-change hook
// before the change applies. bridge blocks nothing, and the next session is told what stopped working.
func TestSettingsThatLoseBridge(t *testing.T) {
	s := newStage(t, Turns(Turn{Blocks: []Block{{Text: "hello"}}, Delay: 8 * time.Second}, Say("again")))
	cmd := exec.CommandContext(t.Context(), bridge(t), "install")
	cmd.Dir = s.Project
	cmd.Env = []string{"HOME=" + s.Home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "CLAUDE_CONFIG_DIR=" + s.ConfigDir()}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("bridge install: %v\n%s", err, out)
	}
	settings := filepath.Join(s.ConfigDir(), "settings.json")
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), `"PreCompact"`, `"Notification"`, 1)
	id := sessionID()
	wait := s.start(Client{Prompt: "a question", SessionID: id})
	for len(s.model.Requests(id, Main)) == 0 {
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(2 * time.Second) // the client begins to watch its settings some time after its start
	if err := os.WriteFile(settings, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	wait()
	now, err := os.ReadFile(settings)
	if err != nil || string(now) != edited {
		t.Errorf("the edit did not stay: %v\n%s", err, now)
	}
	s.run(Client{Prompt: "another question", Resume: id})
	requests := s.model.Requests(id, Main)
	if last := requests[len(requests)-1].Context(); !strings.Contains(last, "the settings no longer call bridge at PreCompact") {
		t.Errorf("the model was not told:\n%s", last)
	}
}
