package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMembersThatTakeALineOutOfWork: which members of a Stop line, and which settings, keep a loop from continuing.
func TestMembersThatTakeALineOutOfWork(t *testing.T) {
	const line = `"--hook=stop"], "timeout": 10`
	for name, test := range map[string]struct {
		old, new string
		works    bool
		local    string
	}{
		"as installed":                      {"", "", true, ""},
		"once":                              {line, line + `, "once": true`, true, ""},
		"async":                             {line, line + `, "async": true`, false, ""},
		"asyncRewake":                       {line, line + `, "asyncRewake": true`, true, ""},
		"if":                                {line, line + `, "if": "Bash(ls)"`, false, ""},
		"shell beside args":                 {line, line + `, "shell": "powershell"`, true, ""},
		"allowManagedHooksOnly of the user": {"{", `{"allowManagedHooksOnly": true, `, true, ""},
		"strictPluginOnlyCustomization of the user":       {"{", `{"strictPluginOnlyCustomization": true, `, true, ""},
		"disableAllHooks of the user":                     {"{", `{"disableAllHooks": true, `, false, ""},
		"disableAllHooks of the user, not of the project": {"{", `{"disableAllHooks": true, `, true, `{"disableAllHooks": false}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, Turns(Say("one"), Say("two"), Say("three"), Say("four"), Say("five")))
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
			if !strings.Contains(string(text), test.old) {
				t.Fatalf("no %s in %s", test.old, text)
			}
			if err := os.WriteFile(settings, []byte(strings.Replace(string(text), test.old, test.new, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if test.local != "" {
				if err := os.MkdirAll(filepath.Join(s.Project, ".claude"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(s.Project, ".claude", "settings.local.json"), []byte(test.local), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			id := sessionID()
			state := fmt.Sprintf("---\nactive: true\niteration: 1\nsession_id: %s\nmax_iterations: 3\ncompletion_promise: null\n---\n\nBuild it.\n", id)
			if err := os.MkdirAll(filepath.Join(s.Project, ".claude"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(s.Project, loopFile), []byte(state), 0o600); err != nil {
				t.Fatal(err)
			}
			r := s.run(Client{Prompt: "begin", SessionID: id})
			blocks := len(r.Transcript.StopBlocks())
			if test.works && blocks != 2 || !test.works && blocks != 0 {
				t.Errorf("%d blocks", blocks)
			}
		})
	}
}
