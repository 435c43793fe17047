//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks/permission"
)

// commit writes a file of the project as if it came with the repository.
func (s *scene) commit(name, text string) { s.put(filepath.Join(s.project, name), text) }

// dialogWith is the client's question about a call; it offers to remember everything.
func (s *scene) dialogWith(tool, input string) string {
	s.t.Helper()
	var in struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal([]byte(input), &in); err != nil {
		s.t.Fatal(err)
	}
	offers, err := json.Marshal(permission.OfferAll(in.Command))
	if err != nil {
		s.t.Fatal(err)
	}
	if tool != "Bash" {
		offers = []byte(`[{"type":"setMode","mode":"acceptEdits","destination":"session"}]`)
	}
	return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"PermissionRequest","permission_mode":"default","tool_name":%q,"tool_input":%s,"permission_suggestions":%s}`,
		sessionID, s.project, tool, input, offers)
}

func (s *scene) dialogAbout(command string) string {
	s.t.Helper()
	return s.dialogWith("Bash", fmt.Sprintf(`{"command":%q}`, command))
}

// aboutToRun is the payload of a Bash call before it runs.
func (s *scene) aboutToRun(command string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Bash","tool_input":{"command":%q}}`, sessionID, s.project, command)
}

func (a answer) approves() bool { return strings.Contains(a.stdout, `"behavior": "allow"`) }

func (a answer) refuses() bool {
	return strings.Contains(a.stdout, `"behavior": "deny"`) || strings.Contains(a.stdout, `"permissionDecision": "deny"`)
}

// TestSettingsThatCannotBeRead: whatever is in the place of a settings file of the
// client, nothing is approved, deny rules and guards apply, and the hook exits with code
// 0.
func TestSettingsThatCannotBeRead(t *testing.T) {
	longer(t)
	t.Parallel()
	for name, place := range map[string]func(path string) error{
		"nested a million times": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("[", 1_000_000)), 0o600) },
		"nested and commented": func(path string) error {
			return os.WriteFile(path, []byte("// note\n"+strings.Repeat(`{"a":`, 199_000)), 0o600)
		},
		"FIFO":                         func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"directory":                    func(path string) error { return os.Mkdir(path, 0o700) },
		"link to a device without end": func(path string) error { return os.Symlink("/dev/zero", path) },
		"link to itself":               func(path string) error { return os.Symlink(path, path) },
		"1 TB":                         func(path string) error { return sparse(path, 1<<40) },
		"17 MiB":                       func(path string) error { return os.WriteFile(path, []byte(strings.Repeat(" ", 17<<20)+"{}"), 0o600) },
		"a broken one of more than 1 MiB": func(path string) error {
			return os.WriteFile(path, []byte(`{"x": "`+strings.Repeat("x", 2<<20)), 0o600)
		},
	} {
		for _, file := range []string{"settings.json", "settings.local.json"} {
			t.Run(name+"/"+file, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				s.commit("a.txt", "x")
				s.config(`{"permissions": {"deny": ["Bash(touch *)"]}}`)
				if err := place(filepath.Join(s.project, ".claude", file)); err != nil {
					t.Skipf("this file system cannot hold it: %v", err)
				}
				if a := s.hook("permission-request", s.dialogAbout("cat a.txt")); a.stdout != "" || a.stderr != "" {
					t.Errorf("a reading command: %q %q", a.stdout, a.stderr)
				}
				if a := s.hook("permission-request", s.dialogAbout("touch a.txt")); !a.refuses() {
					t.Errorf("a denied command: %q %q", a.stdout, a.stderr)
				}
				if a := s.hook("pre-tool-use", s.aboutToRun("rm -rf /")); !a.refuses() {
					t.Errorf("a guarded command: %q %q", a.stdout, a.stderr)
				}
				cmd := exec.Command(binary, "check", "cat a.txt")
				cmd.Dir, cmd.Env = s.project, s.env
				a, err := execute(cmd)
				if err != nil || !strings.Contains(a.stdout, "client-settings-unreadable") || !strings.Contains(a.stdout, file) || len(a.stderr) > 0 {
					t.Errorf("bridge check: %v %q %.300q", err, a.stdout, a.stderr)
				}
			})
		}
	}
}

// TestLargeSettingsCount: a settings file of more than 1 MiB counts like any other, as in
// the client.
func TestLargeSettingsCount(t *testing.T) {
	t.Parallel()
	rules := strings.Repeat(`"Bash(make some-target-with-a-name)", `, 40_000)
	s := newScene(t)
	s.commit("a.txt", "x")
	s.put(filepath.Join(s.home, ".claude", "settings.json"), `{"permissions": {"allow": [`+rules+`"Read"]}}`)
	if a := s.hook("permission-request", s.dialogAbout("cat a.txt")); !a.approves() {
		t.Errorf("a reading command: %q %q", a.stdout, a.stderr)
	}
	s.put(filepath.Join(s.home, ".claude", "settings.json"), `{"permissions": {"allow": [`+rules+`"Read"], "ask": ["Bash(cat:*)"]}}`)
	if a := s.hook("permission-request", s.dialogAbout("cat a.txt")); a.stdout != "" {
		t.Errorf("a command that the user wants to be asked about: %q %q", a.stdout, a.stderr)
	}
}

// TestNestedRulesOfTheRepository: rules that cannot be read lead to the fail policy of
// each type, never to exit code 2.
func TestNestedRulesOfTheRepository(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit(".claude/bridge.json", strings.Repeat("[", 1_000_000))
	if a := s.hook("permission-request", s.dialogAbout("cat a.txt")); !a.refuses() || !strings.Contains(a.stderr, "bridge.json") {
		t.Errorf("%q %.300q", a.stdout, a.stderr)
	}
	if a := s.hook("pre-tool-use", s.aboutToRun("rm -rf /")); !a.refuses() {
		t.Errorf("%q %.300q", a.stdout, a.stderr)
	}
}

// TestVariablesOfTheProject: a variable of the project's settings that is not known
// to be harmless sends every command to the dialog, whoever allowed it.
func TestVariablesOfTheProject(t *testing.T) {
	longer(t)
	t.Parallel()
	hostile := map[string]string{
		"LD_PRELOAD": `{"LD_PRELOAD": "./evil.so"}`, "PATH": `{"NO_COLOR": "1", "PATH": "/repo/bin:/usr/bin"}`, "BASH_ENV": `{"BASH_ENV": ""}`,
		"GIT_EXTERNAL_DIFF": `{"GIT_EXTERNAL_DIFF": "x"}`, "GIT_CONFIG_GLOBAL": `{"GIT_CONFIG_GLOBAL": "x"}`, "RIPGREP_CONFIG_PATH": `{"RIPGREP_CONFIG_PATH": "x"}`,
		"DISABLE_OMC": `{"DISABLE_OMC": "0"}`, "ANTHROPIC_BASE_URL": `{"ANTHROPIC_BASE_URL": "http://x"}`, "no_color": `{"no_color": "1"}`,
		"NEW_THING": `{"NEW_THING": 1}`, "NO_COLOR": `{"NO_COLOR": {}}`, "env": `["PATH=/x"]`,
	}
	allowing := func(t *testing.T) *scene {
		s := newScene(t)
		s.commit("a.txt", "x")
		s.config(`{"permissions": {"allow": ["Bash(make *)", "WebFetch"]}}`)
		return s
	}
	for name, env := range hostile {
		for _, file := range []string{"settings.json", "settings.local.json"} {
			t.Run(name+"/"+file, func(t *testing.T) {
				t.Parallel()
				s := allowing(t)
				s.commit(".claude/"+file, `{"env": `+env+`}`)
				for _, input := range []string{s.dialogAbout("cat a.txt"), s.dialogAbout("make test"), s.dialogWith("Grep", `{"pattern":"x"}`)} {
					if a := s.hook("permission-request", input); a.stdout != "" || a.stderr != "" {
						t.Errorf("%s: %q %q", input, a.stdout, a.stderr)
					}
				}
				// Tools that start no program are judged as before.
				if a := s.hook("permission-request", s.dialogWith("Read", `{"file_path":"a.txt"}`)); !a.approves() {
					t.Errorf("Read: %q %q", a.stdout, a.stderr)
				}
				cmd := exec.Command(binary, "check", "cat a.txt")
				cmd.Dir, cmd.Env = s.project, s.env
				a, err := execute(cmd)
				if err != nil || !strings.Contains(a.stdout, "project-env") || !strings.Contains(a.stdout, name+" in the env of "+filepath.Join(s.project, ".claude", file)) {
					t.Errorf("bridge check: %v %q", err, a.stdout)
				}
			})
		}
	}
	for name, place := range map[string]struct {
		settings func(s *scene)
		extra    string
		approves bool
	}{
		"no settings": {func(*scene) {}, "", true},
		"harmless variables": {func(s *scene) {
			s.commit(".claude/settings.json", `{"env": {"NO_COLOR": 1, "BASH_DEFAULT_TIMEOUT_MS": "9000"}}`)
		}, "", true},
		"an empty env":        {func(s *scene) { s.commit(".claude/settings.json", `{"env": {}}`) }, "", true},
		"the user's settings": {func(s *scene) { s.put(filepath.Join(s.home, ".claude", "settings.json"), `{"env": {"PATH": "/x"}}`) }, "", true},
		"a directory on the way to the root": {func(s *scene) {
			s.commit(".claude/settings.local.json", `{"env": {"PATH": "/x"}}`)
			s.commit("sub/a.txt", "x")
			s.project = filepath.Join(s.project, "sub")
		}, "", false},
		"where the session was started": {func(s *scene) {
			s.put(filepath.Join(s.home, "other", ".claude", "settings.json"), `{"env": {"PATH": "/x"}}`)
			s.put(filepath.Join(s.home, "other", "deep", "x"), "")
		}, "CLAUDE_PROJECT_DIR=other", false},
		"the repository in which it was started": {func(s *scene) {
			s.put(filepath.Join(s.home, "other", ".claude", "settings.local.json"), `{"env": {"PATH": "/x"}}`)
			s.put(filepath.Join(s.home, "other", ".git", "HEAD"), "")
			s.put(filepath.Join(s.home, "other", "deep", "x"), "")
		}, "CLAUDE_PROJECT_DIR=other/deep", false},
		"the main work tree of a linked one": {func(s *scene) {
			s.commit(".claude/settings.local.json", `{"env": {"PATH": "/x"}}`)
			s.commit(".git/worktrees/w/commondir", "../..\n")
			linked := filepath.Join(s.home, "linked")
			s.put(filepath.Join(linked, ".git"), "gitdir: "+filepath.Join(s.project, ".git", "worktrees", "w")+"\n")
			s.put(filepath.Join(linked, "a.txt"), "x")
			s.project = linked
		}, "", false},
		"a session in the home directory": {func(s *scene) {
			s.put(filepath.Join(s.home, ".claude", "settings.json"), `{"env": {"PATH": "/x"}}`)
			s.put(filepath.Join(s.home, "a.txt"), "x")
			s.project = s.home
		}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := allowing(t)
			place.settings(s)
			extra := s.env[:0:0]
			if variable, dir, ok := strings.Cut(place.extra, "="); ok {
				extra = append(extra, variable+"="+filepath.Join(s.home, dir))
			}
			if a := s.hook("permission-request", s.dialogAbout("cat a.txt"), extra...); a.approves() != place.approves {
				t.Errorf("%q %q, want approved: %v", a.stdout, a.stderr, place.approves)
			}
		})
	}
}

const continues = "{\"continue\": true}\n"

// TestKillSwitchOfTheProject: a repository's settings cannot switch off deny rules,
// ask rules and guards. The hooks then approve nothing, and say why once per
// session.
func TestKillSwitchOfTheProject(t *testing.T) {
	longer(t)
	t.Parallel()
	for name, test := range map[string]struct{ file, settings, environment string }{
		"DISABLE_OMC":              {"settings.json", `{"env": {"DISABLE_OMC": "1"}}`, "DISABLE_OMC=1"},
		"OMC_SKIP_HOOKS":           {"settings.local.json", `{"env": {"OMC_SKIP_HOOKS": "stop,PermissionRequest, pre-tool-use"}}`, "OMC_SKIP_HOOKS=stop,PermissionRequest, pre-tool-use"},
		"set to another value":     {"settings.json", `{"env": {"DISABLE_OMC": "0"}}`, "DISABLE_OMC=1"},
		"an env that is no object": {"settings.json", `{"env": ["DISABLE_OMC=1"]}`, "DISABLE_OMC=1"},
		"a file that is no JSON":   {"settings.json", `{"env": {"DISABLE_OMC": "1"`, "DISABLE_OMC=true"},
		"with comments":            {"settings.json", "// harmless\n{\"env\": {\"DISABLE_OMC\": \"1\",},}", "DISABLE_OMC=1"},
		"behind 2 MiB":             {"settings.json", `{"x": "` + strings.Repeat("x", 2<<20) + `", "env": {"DISABLE_OMC": "1"}}`, "DISABLE_OMC=1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.startLoop(3)
			s.commit("a.txt", "x")
			s.config(`{"permissions": {"deny": ["Bash(touch *)"], "ask": ["Bash(make *)"], "allow": ["Bash(go test *)"]}}`)
			s.commit(".claude/"+test.file, test.settings)
			s.env = append(s.env, test.environment, "CLAUDE_PROJECT_DIR="+s.project)
			before := s.projectFiles()
			variable, _, _ := strings.Cut(test.environment, "=")
			a := s.hook("permission-request", s.dialogAbout("touch a.txt"))
			if !a.refuses() || !strings.Contains(a.stdout, `"systemMessage": "bridge: `+variable+" in "+filepath.Join(s.project, ".claude", test.file)+" does not switch off") {
				t.Errorf("a denied command: %q %q", a.stdout, a.stderr)
			}
			if a := s.hook("pre-tool-use", s.aboutToRun("touch a.txt")); !a.refuses() || strings.Contains(a.stdout, "systemMessage") {
				t.Errorf("a denied command is about to run, and the notice is known: %q %q", a.stdout, a.stderr)
			}
			if a := s.hook("pre-tool-use", s.aboutToRun("rm -rf /")); !a.refuses() {
				t.Errorf("a guarded command: %q %q", a.stdout, a.stderr)
			}
			if a := s.hook("pre-tool-use", s.aboutToRun("make all")); !strings.Contains(a.stdout, `"permissionDecision": "ask"`) {
				t.Errorf("a command to ask about: %q %q", a.stdout, a.stderr)
			}
			for _, input := range []string{s.dialogAbout("cat a.txt"), s.dialogAbout("go test ./..."), s.dialogWith("Read", `{"file_path":"a.txt"}`)} {
				if a := s.hook("permission-request", input); a.stdout != "" {
					t.Errorf("%s: %q %q", input, a.stdout, a.stderr)
				}
			}
			// Another session has not seen the notice.
			if a := s.hook("pre-tool-use", strings.Replace(s.aboutToRun("ls"), sessionID, "another", 1)); !strings.HasPrefix(a.stdout, `{"systemMessage": "bridge: `) {
				t.Errorf("another session: %q %q", a.stdout, a.stderr)
			}
			// Types that protect nobody stay off.
			if a := s.hook("stop", s.stopInput(1)); a.stdout != continues {
				t.Errorf("stop: %q %q", a.stdout, a.stderr)
			}
			if after := s.projectFiles(); after != before {
				t.Errorf("the project was changed:\n%s\n%s", before, after)
			}
		})
	}
}

// projectFiles lists the project with sizes and times.
func (s *scene) projectFiles() string {
	s.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(s.project, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&all, path, info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all.String()
}

// TestKillSwitchOfTheUser: a kill switch that the project's settings do not set works as
// before, and nothing is written.
func TestKillSwitchOfTheUser(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{
		"no settings":                   "",
		"other variables":               `{"env": {"OMC_TEAM_WORKER": "1"}}`,
		"another switch of the project": `{"env": {"OMC_SKIP_HOOKS": "permission-request"}}`,
		"the name outside of the env":   `{"hooks": {"DISABLE_OMC": "1"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.config(`{"permissions": {"deny": ["Bash(touch *)"]}}`)
			if settings != "" {
				s.commit(".claude/settings.json", settings)
			}
			s.put(filepath.Join(s.home, ".claude", "settings.json"), `{"env": {"DISABLE_OMC": "1"}}`)
			s.env = append(s.env, "DISABLE_OMC=1", "CLAUDE_PROJECT_DIR="+s.project)
			before := s.projectFiles()
			for hook, input := range map[string]string{"permission-request": s.dialogAbout("touch a.txt"), "pre-tool-use": s.aboutToRun("rm -rf /")} {
				if a := s.hook(hook, input); a.stdout != continues || a.stderr != "" {
					t.Errorf("%s: %q %q", hook, a.stdout, a.stderr)
				}
			}
			if after := s.projectFiles(); after != before {
				t.Errorf("the project was changed:\n%s\n%s", before, after)
			}
			if _, err := os.Lstat(filepath.Join(s.home, ".local")); err == nil {
				t.Error("something was written below the home directory")
			}
		})
	}
}

// TestHalfACharacter: a text that was cut inside a character hides nothing from a guard
// and ends no loop. A command with half a character is not approved.
func TestHalfACharacter(t *testing.T) {
	t.Parallel()
	for name, half := range map[string]string{"high half": `\ud83d`, "low half": `\uDE00`, "Latin-1": "\xe9"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.startLoop(3)
			s.config(`{"permissions": {"deny": ["Bash(touch *)"], "allow": ["Bash(make *)"]}}`)
			with := func(input string) string { return strings.Replace(input, "HALF", half, 1) }
			if a := s.hook("pre-tool-use", with(s.aboutToRun("rm -rf / # HALF"))); !a.refuses() {
				t.Errorf("a guarded command: %q %q", a.stdout, a.stderr)
			}
			if a := s.hook("pre-tool-use", with(s.aboutToRun("touch HALF"))); !a.refuses() {
				t.Errorf("a denied command is about to run: %q %q", a.stdout, a.stderr)
			}
			if a := s.hook("permission-request", with(s.dialogAbout("touch HALF"))); !a.refuses() {
				t.Errorf("a denied command: %q %q", a.stdout, a.stderr)
			}
			for _, command := range []string{"cat HALF", "make HALF"} {
				if a := s.hook("permission-request", with(s.dialogAbout(command))); a.approves() || a.refuses() && half[0] == '\\' {
					t.Errorf("%s: %q %q", command, a.stdout, a.stderr)
				}
			}
			a := s.hook("stop", strings.Replace(s.stopInput(1), "turn 1", "turn "+half, 1))
			if !a.blocks() || s.iteration() != 4 {
				t.Errorf("a stop: %q %q", a.stdout, a.stderr)
			}
		})
	}
}

// wantUnanswered checks that the stop of turn 1 was not answered: the loop is unchanged,
// the ledger has no block, and when the client asks again, it gets one.
func (s *scene) wantUnanswered(iteration int) {
	s.t.Helper()
	if got := s.iteration(); got != iteration {
		s.t.Errorf("iteration %d, want %d", got, iteration)
	}
	if ledger := s.ledger(); strings.Contains(ledger, `"decision":"block"`) || strings.Count(ledger, `"rule":"unprinted"`) != 1 {
		s.t.Errorf("ledger: %s", ledger)
	}
	if a := s.hook("stop", s.stopInput(1)); !a.blocks() || s.iteration() != iteration+1 {
		s.t.Errorf("the same stop again: %q %q", a.stdout, a.stderr)
	}
}

// fullPipe is a pipe that takes nothing more.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close(); write.Close() })
	raw, err := write.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Write(func(fd uintptr) bool {
		for {
			if _, err := syscall.Write(int(fd), make([]byte, 4096)); err != nil {
				return true
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return write
}

// within runs a command to its end and kills it when it has not ended in time.
func within(t *testing.T, cmd *exec.Cmd, most time.Duration) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(most, func() {
		t.Errorf("it did not end within %v", most)
		_ = cmd.Process.Kill()
	})
	err := cmd.Wait()
	if timer.Stop() && err != nil {
		t.Errorf("it failed: %v", err)
	}
}

// TestOutputThatNobodyReads: a full stdout delays a hook no longer than its deadline, and
// an answer that could not be printed does not count as given. A full stderr costs the
// warnings, not the answer.
func TestOutputThatNobodyReads(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: waits for deadlines")
	}
	t.Parallel()
	// Five seconds are the longest deadline; the rest is for a busy machine.
	const most = 30 * time.Second
	t.Run("stdout of a stop", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		s.startLoop(3)
		cmd := s.command("stop", strings.NewReader(s.stopInput(1)))
		cmd.Stdout = fullPipe(t)
		within(t, cmd, most)
		s.wantUnanswered(3)
	})
	for name, test := range map[string]struct{ hook, input, extra string }{
		"a denied tool":   {"pre-tool-use", "", "X=1"},
		"a broken input":  {"permission-request", "{", "X=1"},
		"a kill switch":   {"stop", "{}", "DISABLE_OMC=1"},
		"an unknown hook": {"sotp", "{}", "X=1"},
		"a late handler":  {"stop", "", "X=1"},
	} {
		t.Run("stdout with "+name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			input := test.input
			if name == "a denied tool" {
				input = s.aboutToRun("rm -rf /")
			}
			cmd := s.command(test.hook, strings.NewReader(input), test.extra)
			if name == "a late handler" {
				// The payload never ends.
				read, write, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer read.Close()
				defer write.Close()
				cmd.Stdin = read
			}
			cmd.Stdout = fullPipe(t)
			within(t, cmd, most)
			if ledger := s.ledger(); strings.Contains(ledger, `"decision":"deny"`) {
				t.Errorf("ledger: %s", ledger)
			}
		})
	}
	t.Run("stderr", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		s.startLoop(3)
		s.config(`{"broken`)
		cmd := s.command("stop", strings.NewReader(s.stopInput(1)))
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, fullPipe(t)
		within(t, cmd, most)
		if !strings.Contains(out.String(), `"decision": "block"`) || s.iteration() != 4 {
			t.Errorf("the answer: %q", out.String())
		}
	})
}

// TestOutOfDescriptors: if bridge runs out of file descriptors, at whichever
// file, it never
// releases the loop without a message.
func TestOutOfDescriptors(t *testing.T) {
	longer(t)
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("how many files the Go runtime opens itself is known for Linux only")
	}
	// What this process inherited must not count.
	for fd := 3; fd < 1024; fd++ {
		syscall.CloseOnExec(fd)
	}
	for name, start := range map[string]func(s *scene){
		"ralph loop": func(s *scene) { s.startLoop(3) },
		"smart ralph": func(s *scene) {
			s.commit("tasks.txt", "1. one thing\n")
			s.cli(sessionID, "ralph", "smart", "tasks.txt")
		},
		"ralph":     func(s *scene) { s.cli(sessionID, "mode", "start", "ralph", "one thing") },
		"ultrawork": func(s *scene) { s.cli(sessionID, "mode", "start", "ultrawork", "one thing") },
		"autopilot": func(s *scene) { s.cli(sessionID, "mode", "start", "autopilot", "one thing") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answered := 0
			// With fewer than six the Go runtime itself does not start.
			for limit := 6; limit <= 15; limit++ {
				s := newScene(t)
				start(s)
				cmd := exec.Command("sh", "-c", `ulimit -n "$1" && exec "$0" --hook=stop`, binary, fmt.Sprint(limit))
				cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.env, strings.NewReader(s.stopInput(1))
				a, err := execute(cmd)
				if err != nil || a.code != 0 {
					t.Fatalf("%d descriptors: %v, exit code %d, %.300q", limit, err, a.code, a.stderr)
				}
				if a.blocks() {
					answered++
				} else if !strings.Contains(a.stdout, `"systemMessage": "`) {
					t.Errorf("%d descriptors: %q %q", limit, a.stdout, a.stderr)
				}
			}
			if answered == 0 || answered == 10 {
				t.Errorf("%d of 10 stops were blocked: the limit was never met, or always", answered)
			}
		})
	}
}

// TestReplayOfWhatWasNotKept: a payload that was not recorded is not replayed, because
// that would ask something else.
func TestReplayOfWhatWasNotKept(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.config(`{"record": true, "permissions": {"deny": ["Bash(touch *)"]}}`)
	s.hook("pre-tool-use", s.aboutToRun("touch a.txt"))
	large := strings.Replace(s.aboutToRun("touch a.txt"), `"command"`, `"description":"`+strings.Repeat("x", 300<<10)+`","command"`, 1)
	if a := s.hook("pre-tool-use", large); !a.refuses() {
		t.Fatalf("%q %q", a.stdout, a.stderr)
	}
	s.hook("permission-request", "no JSON")
	a := s.cli("", "replay")
	if a.code != 0 || !strings.Contains(a.stdout, "1 call replayed. Same answer as recorded: 1 of 1.") ||
		!strings.Contains(a.stdout, "not replayed, because its payload was not recorded ("+fmt.Sprint(len(large))+" bytes, too large)") {
		t.Errorf("exit code %d, %q %q", a.code, a.stdout, a.stderr)
	}
	if a := s.cli("", "explain", "--hook=pre-tool-use", "--last"); a.code == 0 || !strings.Contains(a.stderr, "was not recorded") {
		t.Errorf("explain: exit code %d, %q %q", a.code, a.stdout, a.stderr)
	}
}
