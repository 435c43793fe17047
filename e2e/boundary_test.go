package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// act is one tool call in print mode, in which the client denies a call instead of showing a dialog.
type act struct {
	gate
	// prepare sets up the project.
	prepare func(*stage)
	// tool and input describe a call of a tool other than Bash; PROJECT in a path is the project's directory.
	tool  string
	input map[string]string
	want  string
}

// outsideText is what no approved call may show or change.
const outsideText = "of somebody else"

// bash prepares the project with a line of Bash. EVIL is a program that records that it ran.
func bash(line string) func(*stage) {
	return func(s *stage) {
		s.t.Helper()
		evil := filepath.Join(s.Root, "evil")
		s.put(evil, "#!/bin/sh\n: > '"+filepath.Join(s.Root, "ran")+"'\n")
		if err := os.Chmod(evil, 0o700); err != nil {
			s.t.Fatal(err)
		}
		s.put(filepath.Join(s.Root, "outside", "x"), outsideText+"\n")
		cmd := exec.Command("bash", "-c", "set -e\n"+line)
		cmd.Dir = s.Project
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Home, "EVIL=" + evil, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e@example.org", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e@example.org"}
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Fatalf("%v: %s", err, out)
		}
	}
}

const committed = "git add . && git commit -qm one\n"

// acts has a call that passes and one that does not for each kind of boundary.
func acts() map[string]act {
	edit := map[string]string{"file_path": "PROJECT/keep/new.txt", "content": "x"}
	write := func(path string) map[string]string {
		return map[string]string{"file_path": "PROJECT/" + path, "content": "x"}
	}
	return map[string]act{
		"a path inside the project":         {gate: gate{command: "awk 1 sub/../a.txt"}, prepare: bash("mkdir sub"), want: runs},
		"a link that leaves":                {gate: gate{command: "awk 1 link/x"}, prepare: bash("ln -s ../outside link"), want: asks},
		"git in an ordinary repository":     {gate: gate{command: "git diff-index HEAD"}, prepare: bash(committed), want: runs},
		"git with a program":                {gate: gate{command: "git diff-index HEAD"}, prepare: bash(committed + `git config core.fsmonitor "$EVIL"`), want: asks},
		"git with a submodule's program":    {gate: gate{command: "git diff-index HEAD"}, prepare: bash(`git init -q lib && git -C lib commit -q --allow-empty -m x && git add lib 2>&1 && ` + committed + `git -C lib config core.fsmonitor "$EVIL"`), want: asks},
		"a file without a secret":           {gate: gate{command: "awk 1 notes.txt"}, prepare: bash("echo x > notes.txt"), want: runs},
		"a secret behind a link":            {gate: gate{command: "awk 1 notes.txt"}, prepare: bash("echo '" + outsideText + "' > .env && ln -s .env notes.txt"), want: asks},
		"a rule for reading, and a command": {gate: gate{command: reading, config: `{"permissions": {"deny": ["Read(a.txt)"]}}`}, want: asks},
		"a rule for editing, and Write":     {gate: gate{config: `{"permissions": {"deny": ["Edit(keep/**)"]}}`}, tool: "Write", input: edit, want: isDenied},
		"it holds where no dialog comes":    {gate: gate{config: `{"permissions": {"deny": ["Edit(keep/**)"]}}`, mode: "acceptEdits", events: guarded()}, tool: "Write", input: edit, want: isDenied},
		"a rule that allows writing":        {gate: gate{config: `{"permissions": {"allow": ["Edit(src/**)"]}}`}, tool: "Write", input: write("src/x.txt"), want: runs},
		"it does not follow a link out":     {gate: gate{config: `{"permissions": {"allow": ["Edit(src/**)"]}}`}, prepare: bash("mkdir src && ln -s ../../outside src/out"), tool: "Write", input: write("src/out/x"), want: asks},
		"the records of bridge":             {gate: gate{command: "rm -rf ~/.local/state/bridge", config: `{"permissions": {"allow": ["Bash(rm *)"]}}`, mode: "acceptEdits", events: guarded()}, want: isDenied},
		"control characters in a reason":    {gate: gate{command: reading, repository: `{"permissions": {"deny": ["Bash(\u001b[31m\u009bx"]}}`}, want: isDenied},
	}
}

// TestBoundaries: each kind of boundary works with the real client and does not stop ordinary calls.
func TestBoundaries(t *testing.T) {
	for name, test := range acts() {
		t.Run(name, func(t *testing.T) {
			var call Turn
			var s *stage
			s = newStage(t, func(r Request) Turn {
				// 2.1.197 itself runs git when a session begins, and so the programs that the repository names.
				if r.N == 1 {
					_ = os.Remove(filepath.Join(s.Root, "ran"))
				}
				return Turns(call, Say("THE END"))(r)
			})
			c := test.client(s)
			call = CallBash(test.command)
			if test.tool != "" {
				input := map[string]string{}
				for key, value := range test.input {
					input[key] = strings.ReplaceAll(value, "PROJECT", s.Project)
				}
				call = Call(test.tool, input)
			}
			if test.prepare != nil {
				test.prepare(s)
			}
			records := filepath.Join(s.StateDir(), "kept")
			s.put(records, "")
			s.run(c)
			text, failed := s.result(c.SessionID)
			if ran := test.want == runs && (s.printModeAsks() || c.PermissionMode != "default"); failed == ran {
				t.Errorf("the tool ran: %v, want %v: %s", !failed, ran, text)
			}
			if denied := strings.Contains(text, "bridge"); s.printModeAsks() && denied != (test.want == isDenied) {
				t.Errorf("denied by bridge: %v, want that it %s: %s", denied, test.want, text)
			}
			if strings.ContainsAny(text, "\x1b\u009b") || strings.Contains(text, outsideText) {
				t.Errorf("the model reads %q", text)
			}
			for _, made := range []string{filepath.Join(s.Root, "ran"), filepath.Join(s.Project, "keep", "new.txt")} {
				if _, err := os.Lstat(made); !os.IsNotExist(err) {
					t.Errorf("%s was made: %v", made, err)
				}
			}
			if _, err := os.Lstat(records); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestIgnoredVariableIsTold: the client shows once a session that bridge ignores a variable
// of the project's settings.
func TestIgnoredVariableIsTold(t *testing.T) {
	s := newStage(t, Turns(Say("THE END"), Say("THE END")))
	c := gate{env: `{"BRIDGE_LOG": "debug"}`, events: map[string]string{"Stop": "stop"}}.client(s)
	r := s.run(c)
	if told := r.Transcript.SystemMessages("Stop"); len(told) != 1 || !strings.Contains(told[0], "bridge ignores BRIDGE_LOG") {
		t.Errorf("%q", told)
	}
	if _, err := os.Lstat(filepath.Join(s.StateDir(), "debug.log")); !os.IsNotExist(err) {
		t.Errorf("a log was written: %v", err)
	}
	c.Resume, c.SessionID = c.SessionID, ""
	r = s.run(c)
	if told := r.Transcript.SystemMessages("Stop"); len(told) != 1 {
		t.Errorf("after the second turn: %q", told)
	}
}
