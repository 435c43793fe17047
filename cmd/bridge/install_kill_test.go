//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// settingsText is a settings file as a person wrote it.
const settingsText = "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}], // keep\n  },\n}\n"

// TestInstallIsKilled: an install or uninstall that is killed at any moment leaves
// the settings as they were or as they should become, and both can be repeated.
func TestInstallIsKilled(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	path := filepath.Join(s.home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(settingsText), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = s.project, s.env
		return cmd
	}
	must := func(args ...string) string {
		t.Helper()
		out, err := run(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("bridge %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	installed := must("install")
	if after := must("uninstall"); after != settingsText {
		t.Fatalf("uninstall left %q", after)
	}
	for i := range 24 {
		args, others := []string{"install"}, []string{settingsText, installed}
		if i%3 == 2 {
			must("install")
			args = []string{"uninstall"}
		}
		cmd := run(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != others[0] && string(text) != others[1] {
			t.Fatalf("%s, killed after %d ms: %q", args[0], i, text)
		}
	}
	if after := must("install"); after != installed {
		t.Errorf("the install after the killed ones: %q", after)
	}
	if after := must("uninstall"); after != settingsText {
		t.Errorf("the uninstall after the killed ones: %q", after)
	}
}

// TestInstallIntoAReadOnlyPlace: what cannot be written is said, with the place, and
// nothing is half done.
func TestInstallIntoAReadOnlyPlace(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := filepath.Join(s.home, ".claude")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(path, []byte(settingsText), 0o600); err != nil {
		t.Fatal(err)
	}
	s.asNobody()
	s.chmod(0o555, dir)
	cmd := s.command("stop", strings.NewReader(""))
	cmd.Args = []string{binary, "install"}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), dir) || !strings.Contains(string(out), "Make that place writable for you") {
		t.Errorf("%v: %s", err, out)
	}
	if text, _ := os.ReadFile(path); string(text) != settingsText {
		t.Errorf("the settings changed: %q", text)
	}
}
