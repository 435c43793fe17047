package e2e

import (
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

// The client's own checks accept the plugin and the marketplace.
func TestPluginIsValid(t *testing.T) {
	s := newStage(t, nil)
	for _, path := range []string{"../plugin", ".."} {
		cmd := exec.CommandContext(t.Context(), s.client, "plugin", "validate", path)
		cmd.Env = append(os.Environ(), "HOME="+s.Home)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Validation passed") {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
	}
}
