//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// settingsText is a settings file as a person wrote it.
const settingsText = "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}], // keep\n  },\n}\n"

// TestInstallIsKilled: if an install or uninstall is killed at any moment, the settings
// are as before or as intended, and both commands can be repeated.
func TestInstallIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts and kills many processes")
	}
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
	// Maintenance removes the copies of the program; the next install removes everything.
	s.hook("setup", s.event("Setup", sessionID, `,"trigger":"maintenance"`))
	for _, left := range s.leftovers() {
		if strings.Contains(left, filepath.Join("bridge", "bin")) {
			t.Errorf("left behind by maintenance: %s", left)
		}
	}
	if after := must("install"); after != installed {
		t.Errorf("the install after the killed ones: %q", after)
	}
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if after := must("uninstall"); after != settingsText {
		t.Errorf("the uninstall after the killed ones: %q", after)
	}
}

// leftovers lists the temporary files in the project and the home.
func (s *scene) leftovers() []string {
	s.t.Helper()
	var left []string
	err := filepath.WalkDir(filepath.Dir(s.project), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".tmp") {
			left = append(left, path)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return left
}

// TestUninstallAfterAnEdit: somebody edits the settings between two installations.
// Afterwards no line of bridge is left, the edit is there, and what --replace took
// out has come back.
func TestUninstallAfterAnEdit(t *testing.T) {
	longer(t)
	t.Parallel()
	const peers = `{
  "env": { "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20" }, // mine
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "node /omc/persistent-mode.mjs" }] }],
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "node /omc/pre-tool-enforcer.mjs" }] }],
  },
}
`
	for _, test := range []struct {
		name, settings string
		first, second  []string
		want           []string
	}{
		{"a second time", settingsText, []string{"install"}, []string{"install", "--block-cap", "0"}, []string{"// mine", "say done", "// keep"}},
		{"replaced at first", peers, []string{"install", "--replace"}, []string{"install", "--block-cap", "0"},
			[]string{"persistent-mode.mjs", `"matcher": "Bash"`, "pre-tool-enforcer.mjs", `"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20"`, "// mine"}},
		{"replaced the second time", peers, []string{"install"}, []string{"install", "--replace"},
			[]string{"persistent-mode.mjs", `"matcher": "Bash"`, "pre-tool-enforcer.mjs", `"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20"`}},
		{"a number as the cap", strings.Replace(peers, `"20"`, "20", 1), []string{"install", "--block-cap", "0"}, []string{"install", "--replace"},
			[]string{`"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": 20`}},
		{"a number beside the cap", strings.Replace(peers, `"20"`, `"20", "PORT": 80`, 1), []string{"install", "--block-cap", "0"}, []string{"install", "--replace"},
			[]string{`"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20"`, `"PORT": 80`}},
		{"the record is gone", settingsText, []string{"install"}, nil, []string{"// mine", "say done", "// keep"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			path := filepath.Join(s.home, ".claude", "settings.json")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(test.settings), 0o600); err != nil {
				t.Fatal(err)
			}
			text := func() string {
				t.Helper()
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			run := func(args ...string) {
				t.Helper()
				cmd := exec.Command(binary, args...)
				cmd.Dir, cmd.Env = s.project, s.env
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("bridge %s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
			run(test.first...)
			edited := strings.Replace(text(), "{\n", "{\n  \"added\": true,\n", 1)
			if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
				t.Fatal(err)
			}
			if test.second == nil {
				if err := os.RemoveAll(filepath.Join(s.home, ".local", "state")); err != nil {
					t.Fatal(err)
				}
				test.second = []string{"install", "--block-cap", "0"}
			}
			run(test.second...)
			run("uninstall")
			after := text()
			for _, want := range append(test.want, `"added": true`) {
				if !strings.Contains(after, want) {
					t.Errorf("%s is gone:\n%s", want, after)
				}
			}
			if n := strings.Count(after, "--hook="); n > 0 {
				t.Errorf("%d lines of bridge are left:\n%s", n, after)
			}
		})
	}
}

// TestDryRunLeavesNothing: a command that only shows a change creates no file, not
// even a lock.
func TestDryRunLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, args := range [][]string{{"install", "--dry-run"}, {"install", "--dry-run", "--scope", "local"}, {"uninstall", "--dry-run"}, {"ralph", "clean", "--dry-run"}} {
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = s.project, s.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("bridge %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		for _, root := range []string{s.home, s.project} {
			err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					t.Errorf("bridge %s left %s", strings.Join(args, " "), path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
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
	if err == nil || !strings.Contains(string(out), dir) || !strings.Contains(string(out), "Make that path writable for your user") {
		t.Errorf("%v: %s", err, out)
	}
	if text, _ := os.ReadFile(path); string(text) != settingsText {
		t.Errorf("the settings changed: %q", text)
	}
}
