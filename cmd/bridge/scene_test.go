//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// binary is the program that the process tests run. TestMain builds it, unless
// BRIDGE_TEST_BINARY names another one, which shows the tests that an older program
// fails.
var binary string

func TestMain(m *testing.M) {
	if binary = os.Getenv("BRIDGE_TEST_BINARY"); binary != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "bridge-process-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "bridge")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	code := 1
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
	} else if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(binary, 0o755)); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

const sessionID = "11111111-2222-3333-4444-555555555555"

// scene is a project and a home for processes.
type scene struct {
	t             *testing.T
	project, home string
	env           []string
	// uid is the user that the processes run as; 0 keeps the test's own.
	uid uint32
	// relieve ends a fault that the scene was put under.
	relieve func()
}

// longer leaves out with -short a test that starts dozens of processes.
func longer(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short: starts dozens of processes")
	}
}

func newScene(t *testing.T) *scene { return newSceneIn(t, t.TempDir()) }

func newSceneIn(t *testing.T, dir string) *scene {
	t.Helper()
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, project: filepath.Join(root, "project"), home: filepath.Join(root, "home")}
	for _, dir := range []string{filepath.Join(s.project, ".git"), filepath.Join(s.project, ".claude"), s.home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.env = []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0"}
	return s
}

// memoryDir is a directory in a memory file system, if there is one: on a disk, a test
// that creates thousands of files takes most of its time there.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "bridge-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (s *scene) state() string { return filepath.Join(s.project, ".claude", "ralph-loop.local.md") }

// startLoop writes a loop of the session at an iteration.
func (s *scene) startLoop(iteration int) {
	s.t.Helper()
	text := fmt.Sprintf("---\nactive: true\niteration: %d\nsession_id: %s\nmax_iterations: 0\ncompletion_promise: \"DONE\"\n---\n\nWork on it.\n", iteration, sessionID)
	if err := os.WriteFile(s.state(), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

var iterationLine = regexp.MustCompile(`(?m)^iteration: (\d+)$`)

// iteration reads the counter and fails on a file that is not whole.
func (s *scene) iteration() int {
	s.t.Helper()
	text, err := os.ReadFile(s.state())
	if err != nil {
		s.t.Fatal(err)
	}
	match := iterationLine.FindSubmatch(text)
	if match == nil || !strings.HasSuffix(string(text), "---\n\nWork on it.\n") || !strings.HasPrefix(string(text), "---\nactive: true\n") {
		s.t.Fatalf("the state file is torn: %q", text)
	}
	n, err := strconv.Atoi(string(match[1]))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// answer is what a hook process did.
type answer struct {
	stdout, stderr string
	code           int
}

func (a answer) blocks() bool { return strings.Contains(a.stdout, `"decision": "block"`) }

func (s *scene) command(hook string, stdin io.Reader, extra ...string) *exec.Cmd {
	cmd := exec.Command(binary, "--hook="+hook)
	cmd.Dir, cmd.Stdin = s.project, stdin
	cmd.Env = append(append([]string{}, s.env...), extra...)
	if s.uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: s.uid, Gid: s.uid}}
	}
	return cmd
}

// file is an input that needs no writer, because on a busy machine a test may not be able
// to write into a pipe while the hook waits.
func (s *scene) file(input string) *os.File {
	file, err := os.CreateTemp(s.t.TempDir(), "input")
	if err == nil {
		_, err = file.WriteString(input)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		s.t.Error(err)
	}
	return file
}

// execute runs a command and reports how it ended.
func execute(cmd *exec.Cmd) (answer, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return answer{}, err
	}
	return answer{out.String(), errs.String(), cmd.ProcessState.ExitCode()}, nil
}

// hook runs a hook with the input and checks what every hook must do: exit with code 0
// and print nothing or one object of the event's schema.
func (s *scene) hook(hook, input string, extra ...string) answer {
	s.t.Helper()
	a, err := execute(s.command(hook, strings.NewReader(input), extra...))
	if err != nil {
		s.t.Fatal(err)
	}
	if a.code != 0 {
		s.t.Errorf("--hook=%s: exit code %d, stderr %q", hook, a.code, a.stderr)
	}
	parsed, ok := protocol.ParseHook(hook)
	if !ok {
		s.t.Fatalf("no hook %q", hook)
	}
	schematest.ValidateStdout(s.t, parsed.Row().Events[0], []byte(a.stdout))
	return a
}

// stopInput is a Stop payload whose message tells it from the others.
func (s *scene) stopInput(n int) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":"","cwd":%q,"prompt_id":"p","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"turn %d"}`,
		sessionID, s.project, n)
}

// litter lists files beside the state file that do not belong there.
func (s *scene) litter() []string {
	s.t.Helper()
	entries, err := os.ReadDir(filepath.Dir(s.state()))
	if err != nil {
		s.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != filepath.Base(s.state()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// writeProgram writes an executable file. A process that another test starts at the same time
// would hold the file open for writing, and Linux refuses to run such a file.
func writeProgram(t *testing.T, path string, text []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, text, 0o700); err != nil {
		t.Fatal(err)
	}
}
