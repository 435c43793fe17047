//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nobody is a user without privileges, for tests that run as root.
const nobody = 65534

// asNobody gives the scene to a user to whom permissions apply. Without root, the test's
// own user is one already.
func (s *scene) asNobody() {
	s.t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	s.uid = nobody
	for dir := filepath.Dir(s.project); len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, dir := range []string{s.project, s.home} {
		err := filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// wantKept checks that the stop was allowed, the user was told, stderr has one
// line that says what to do, and the loop is as it was.
func (s *scene) wantKept(a answer, iteration int) {
	s.t.Helper()
	if a.blocks() {
		s.t.Errorf("the stop was blocked although the counter could not be saved: %q", a.stdout)
	}
	if !strings.Contains(a.stdout, "could not be saved") {
		s.t.Errorf("the user was not told: %q", a.stdout)
	}
	if strings.Count(a.stderr, "\n") != 1 || !strings.Contains(a.stderr, "check the disk and the permissions") {
		s.t.Errorf("stderr %q", a.stderr)
	}
	if got := s.iteration(); got != iteration {
		s.t.Errorf("iteration %d, want %d", got, iteration)
	}
}

func TestReadOnlyProject(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(3)
	s.asNobody()
	if err := os.Chmod(filepath.Dir(s.state()), 0o555); err != nil {
		t.Fatal(err)
	}
	s.wantKept(s.hook("stop", s.stopInput(1)), 3)
	// The end of the loop cannot be written either, and the message says so.
	input := strings.Replace(s.stopInput(1), "turn 1", "<promise>DONE</promise>", 1)
	s.wantKept(s.hook("stop", input), 3)
}

// TestFullDisk uses a limit on file sizes: every write fails after the file was
// created, as on a full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(3)
	cmd := exec.Command("sh", "-c", `ulimit -f 0; exec "$0" --hook=stop`, binary)
	cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.env, strings.NewReader(s.stopInput(1))
	a, err := execute(cmd)
	if err != nil || a.code != 0 {
		t.Fatalf("%v, exit code %d, %q", err, a.code, a.stderr)
	}
	s.wantKept(a, 3)
	if names := s.litter(); names != nil {
		t.Errorf("left behind: %v", names)
	}
}

// TestFullFileSystem uses a file system without a free byte, where root may
// mount one.
func TestFullFileSystem(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := filepath.Dir(s.state())
	if err := syscallMount(dir); err != nil {
		t.Skipf("no small file system can be mounted here (%v); TestFullDisk covers the failing write", err)
	}
	t.Cleanup(func() { syscallUnmount(dir) })
	s.startLoop(3)
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.CopyN(filler, zero{}, 1<<30)
	filler.Close()
	if err == nil {
		t.Fatal("the file system never filled up")
	}
	s.wantKept(s.hook("stop", s.stopInput(1)), 3)
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { return len(p), nil }

// TestMissingHome: without records the loop works within its own limits.
func TestMissingHome(t *testing.T) {
	t.Parallel()
	for _, home := range []string{"UNSET=1", "HOME=", "HOME=relative", "HOME=/dev/null"} {
		s := newScene(t)
		s.startLoop(1)
		s.env = s.env[1:]
		for i := range 2 {
			a := s.hook("stop", s.stopInput(i), home)
			if !a.blocks() {
				t.Errorf("%q: %q", home, a.stdout)
			}
			if home == "HOME=/dev/null" {
				wantLine(t, a, "could not remember this event")
			} else {
				wantLine(t, a, "no home directory is known, so nothing is remembered between two stops: set HOME or XDG_STATE_HOME")
			}
		}
		if got := s.iteration(); got != 3 {
			t.Errorf("%q: iteration %d, want 3", home, got)
		}
		if entries, _ := os.ReadDir(s.project); len(entries) != 2 {
			t.Errorf("%q left something in the project: %v", home, entries)
		}
	}
}

func TestForeignLocale(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"LC_ALL=xx_XX.invalid", "LC_ALL=zh_CN.GBK", "LANG=C"} {
		s := newScene(t)
		s.startLoop(1)
		if a := s.hook("stop", s.stopInput(1), locale); !strings.Contains(a.stdout, "🔄 Ralph iteration 2 |") {
			t.Errorf("%s: %q", locale, a.stdout)
		}
	}
}

// TestOddStatePath: anything but a regular file in the place of the state is ignored, and
// never waited for.
func TestOddStatePath(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(s *scene) error{
		"link": func(s *scene) error {
			target := filepath.Join(s.home, "precious")
			if err := os.WriteFile(target, []byte("---\niteration: 1\nmax_iterations: 0\nsession_id: "+sessionID+"\n---\n\nx\n"), 0o600); err != nil {
				return err
			}
			return os.Symlink(target, s.state())
		},
		"link to nowhere": func(s *scene) error { return os.Symlink("/nonexistent", s.state()) },
		"directory":       func(s *scene) error { return os.Mkdir(s.state(), 0o700) },
		"FIFO":            func(s *scene) error { return syscall.Mkfifo(s.state(), 0o600) },
		"1 GB":            func(s *scene) error { return sparse(s.state(), 1<<30) },
		"empty":           func(s *scene) error { return os.WriteFile(s.state(), nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			if err := place(s); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(s.state())
			if err != nil {
				t.Fatal(err)
			}
			a := s.hook("stop", s.stopInput(1))
			if a.blocks() {
				t.Errorf("blocked: %q", a.stdout)
			}
			if strings.Count(a.stderr, "\n") != 1 {
				t.Errorf("stderr %q, want one line", a.stderr)
			}
			if name != "empty" && !strings.Contains(a.stderr, "bridge ignores the state file, because it is ") ||
				name == "empty" && !strings.Contains(a.stderr, "nothing shows that it was started here") {
				t.Errorf("stderr %q", a.stderr)
			}
			if again := s.hook("stop", s.stopInput(2)); again.stdout != "" || again.stderr != "" {
				t.Errorf("said twice: %q %q", again.stdout, again.stderr)
			}
			after, err := os.Lstat(s.state())
			if err != nil || !os.SameFile(before, after) {
				t.Errorf("what stood there is gone: %v", err)
			}
		})
	}
}

func sparse(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(size)
}

// TestLinkedDirectory: a linked .claude is a person's choice and works; one that
// belongs to somebody else or is writable for everybody does not.
func TestLinkedDirectory(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	real := filepath.Join(s.project, "claude")
	if err := os.Rename(filepath.Dir(s.state()), real); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Dir(s.state())); err != nil {
		t.Fatal(err)
	}
	if a := s.hook("stop", s.stopInput(1)); !a.blocks() {
		t.Errorf("linked .claude: %q", a.stdout)
	}
	if err := os.Chmod(real, 0o777); err != nil {
		t.Fatal(err)
	}
	a := s.hook("stop", s.stopInput(2))
	if a.blocks() {
		t.Errorf("world-writable .claude: %q", a.stdout)
	}
	wantLine(t, a, "If it is your loop: chmod o-w that directory.")
	if os.Geteuid() == 0 {
		if err := os.Chmod(real, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(real, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		// The notice about this file was shown already.
		if a := s.hook("stop", s.stopInput(3)); a.stdout != "" {
			t.Errorf(".claude of another user: %q", a.stdout)
		}
		input := strings.Replace(s.stopInput(4), sessionID, "other", 1)
		wantLine(t, s.hook("stop", input), "its directory belongs to another user")
	}
	if got := s.iteration(); got != 2 {
		t.Errorf("iteration %d, want 2", got)
	}
}

// wantLine checks that stderr has one line and says this.
func wantLine(t *testing.T, a answer, want string) {
	t.Helper()
	if strings.Count(a.stderr, "\n") != 1 || !strings.Contains(a.stderr, want) {
		t.Errorf("stderr %q, want one line with %q", a.stderr, want)
	}
}

// TestDeletedDirectory: the working directory is gone; the project is found by
// CLAUDE_PROJECT_DIR, or nothing is.
func TestDeletedDirectory(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	gone := filepath.Join(s.project, "gone")
	input := strings.Replace(s.stopInput(1), s.project, gone, 1)
	inDeleted := func(extra ...string) answer {
		cmd := exec.Command("sh", "-c", `mkdir "$1" && cd "$1" && rmdir "$1" && exec "$0" --hook=stop`, binary, gone)
		cmd.Env, cmd.Stdin = append(append([]string{}, s.env...), extra...), strings.NewReader(input)
		a, err := execute(cmd)
		if err != nil || a.code != 0 {
			t.Fatalf("%v, exit code %d, %q", err, a.code, a.stderr)
		}
		return a
	}
	a := inDeleted()
	if a.stdout != "" {
		t.Errorf("without a place: %q", a.stdout)
	}
	wantLine(t, a, "the working directory of the session does not exist, so bridge looked for no loop. Start a new session")
	if a := inDeleted("CLAUDE_PROJECT_DIR=" + s.project); !a.blocks() {
		t.Errorf("with CLAUDE_PROJECT_DIR: %q", a.stdout)
	}
	if got := s.iteration(); got != 2 {
		t.Errorf("iteration %d, want 2", got)
	}
}

// TestSlowInput: a value that arrives byte by byte, or on a pipe that stays open, is
// answered; an incomplete one ends in the fail policy after three seconds
// (docs/design.md#input). Package normalize tests with its own clock how long a value may
// take.
func TestSlowInput(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		hook, input string
		inBytes     bool
		want        string
	}{
		"byte by byte":         {"stop", "", true, `"decision": "block"`},
		"never closed":         {"stop", "", false, `"decision": "block"`},
		"unfinished":           {"stop", `{"session_id":`, false, `{"continue": true}`},
		"unfinished, closed":   {"permission-request", `{"session_id":`, false, `"behavior": "deny"`},
		"session-end, at once": {"session-end", `{"session_id":`, false, `{"continue": true}`},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.HasPrefix(name, "unfinished") {
				t.Skip("left out with -short: waits for deadlines")
			}
			t.Parallel()
			s := newScene(t)
			s.startLoop(1)
			input := test.input
			if input == "" {
				input = s.stopInput(1)
			}
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer write.Close()
			go func() {
				for i := range len(input) {
					if _, err := write.WriteString(input[i : i+1]); err != nil {
						return
					}
					// This is far less than the hook waits, however long a busy machine
					// sleeps.
					if test.inBytes && i%16 == 0 {
						time.Sleep(time.Millisecond)
					}
				}
			}()
			cmd := s.command(test.hook, read)
			a, err := execute(cmd)
			read.Close()
			if err != nil || a.code != 0 {
				t.Fatalf("%v, exit code %d", err, a.code)
			}
			if !strings.Contains(a.stdout, test.want) {
				t.Errorf("answer %q, want %s in it", a.stdout, test.want)
			}
		})
	}
}

// TestHostilePath: a directory whose name moves the cursor or imitates a line is shown
// with its control characters escaped.
func TestHostilePath(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	hostile := filepath.Join(s.home, "a\x1b[2J\nbridge: all is well\u202e")
	if err := os.Rename(s.project, hostile); err != nil {
		t.Fatal(err)
	}
	s.project = hostile
	if err := os.Mkdir(s.state(), 0o700); err != nil {
		t.Fatal(err)
	}
	input := fmt.Sprintf(`{"session_id":"s1","cwd":"%s","hook_event_name":"Stop","last_assistant_message":"x"}`,
		strings.NewReplacer("\x1b", `\u001b`, "\n", `\n`).Replace(hostile))
	a := s.hook("stop", input)
	wantLine(t, a, `a\u001B[2J\u000Abridge: all is well\u202E`)
	if strings.ContainsAny(a.stdout+a.stderr, "\x1b\u202e") || strings.Contains(a.stdout, `\n`) {
		t.Errorf("stdout %q, stderr %q", a.stdout, a.stderr)
	}
}

// TestClosedOutput: a client that has gone away is not an error, and did not get an
// answer that counts.
func TestClosedOutput(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	defer write.Close()
	cmd := s.command("stop", strings.NewReader(s.stopInput(1)))
	cmd.Stdout = write
	if err := cmd.Run(); err != nil {
		t.Errorf("the hook died of its closed stdout: %v", err)
	}
	s.wantUnanswered(1)
}

// TestBackupSurvivesEveryEnd: however a loop ends, its prompt can be read
// afterwards.
func TestBackupSurvivesEveryEnd(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"promise":   {"turn 1", "<promise>DONE</promise>"},
		"limit":     {"", "max_iterations: 1"},
		"corrupted": {"", "max_iterations: many"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.startLoop(1)
			input := s.stopInput(1)
			if change[0] != "" {
				input = strings.Replace(input, change[0], change[1], 1)
			} else {
				text, err := os.ReadFile(s.state())
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(s.state(), []byte(strings.Replace(string(text), "max_iterations: 0", change[1], 1)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if a := s.hook("stop", input); a.blocks() || a.stdout == "" {
				t.Errorf("answer %q", a.stdout)
			}
			kept, err := os.ReadFile(s.state() + ".bak")
			if err != nil || !strings.Contains(string(kept), "Work on it.") {
				t.Errorf("the prompt is lost: %v %q", err, kept)
			}
			if names := s.litter(); fmt.Sprint(names) != "["+filepath.Base(s.state())+".bak]" {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}
