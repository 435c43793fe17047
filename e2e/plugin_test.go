package e2e

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// plugin copies the plugin with the binary that is tested.
func plugin(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "plugin")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "plugin"))); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(filepath.Join(dir, "bin", "bridge"), bridge(t)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func copyFile(to, from string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fs.FileMode(0o755))
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// The plugin's own slash command starts a loop, its hooks keep it going, and nothing that was typed passes through a shell.
func TestPluginRunsALoop(t *testing.T) {
	dir := plugin(t)
	s := newStage(t, Turns(Say("Part one."), Say("Part two."), Say("<promise>ALL DONE</promise>")))
	id := sessionID()
	witness := filepath.Join(s.Root, "witness")
	prompt := "Build it; don't run $(touch " + witness + ") or `touch " + witness + "`"
	r := s.run(Client{
		Prompt:    `/bridge:ralph-loop ` + prompt + ` --max-iterations 9 --completion-promise "ALL DONE"`,
		SessionID: id, Args: []string{"--plugin-dir", dir},
	})
	blocks := r.Transcript.StopBlocks()
	if len(blocks) != 2 {
		t.Fatalf("%d blocks, want 2: %q\n%s", len(blocks), blocks, tail(r.Stdout))
	}
	for _, b := range blocks {
		if !strings.Contains(b, prompt) {
			t.Errorf("the prompt came back as %q", b)
		}
	}
	if _, err := os.Stat(witness); err == nil {
		t.Error("the prompt was run by a shell")
	}
	s.wantEnded(prompt)
}

// The client's own checks accept the plugin and the marketplace, and have no advice.
func TestPluginIsValid(t *testing.T) {
	s := newStage(t, nil)
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	// The client advises until the README says how to install the plugin.
	explained := strings.Contains(string(readme), "claude plugin install bridge@bridge")
	for _, path := range []string{"../plugin", ".."} {
		cmd := exec.CommandContext(t.Context(), s.client, "plugin", "validate", path)
		cmd.Env = append(os.Environ(), "HOME="+s.Home)
		out, err := cmd.CombinedOutput()
		text := string(out)
		if err != nil || !strings.Contains(text, "Validation passed") || strings.Contains(text, "Advice") && explained || strings.Contains(text, "warning") {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
	}
}

// The model gets the output of the slash commands that only show something. An error that doctor finds does not make the
// slash command fail.
func TestPluginCommandsShow(t *testing.T) {
	dir := plugin(t)
	s := newStage(t, Turns(Say("one"), Say("two"), Say("three"), Say("four"), Say("five")))
	id := sessionID()
	s.run(Client{Prompt: "/bridge:ralph-loop Build it --max-iterations 1", SessionID: id, Args: []string{"--plugin-dir", dir}})
	loop := fmt.Sprintf("---\nactive: true\niteration: 1\nsession_id: %s\nmax_iterations: 5\ncompletion_promise: null\n---\n\nBuild more.\n", id)
	for _, test := range []struct{ prompt, want string }{
		{"/bridge:bridge-doctor", "not-installed"},
		{"/bridge:bridge-log --last 5", "max-iterations"},
		{"/bridge:bridge-status", "ended"},
		{"/bridge:ralph-pause", "ralph resume"},
	} {
		if test.prompt == "/bridge:ralph-pause" {
			if err := os.WriteFile(filepath.Join(s.Project, ".claude", "ralph-loop.local.md"), []byte(loop), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.run(Client{Prompt: test.prompt, Resume: id, Args: []string{"--plugin-dir", dir}})
		requests := s.model.Requests(id, Main)
		if last := requests[len(requests)-1]; !strings.Contains(last.Prompt(), test.want) {
			t.Errorf("%s: %s", test.prompt, last.Prompt())
		}
	}
}
