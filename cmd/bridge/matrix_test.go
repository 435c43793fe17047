//go:build unix

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// fault is something that is wrong with a machine, a project or a caller.
type fault struct {
	name string
	// prepare breaks the scene.
	prepare func(s *scene)
	// run calls the hook; nil is the ordinary call.
	run func(s *scene, hook, input string) answer
	// denies says that permission-request cannot know what it is asked, or which rules
	// apply, so it must deny.
	denies bool
	// loses says that the fault itself removes the loop's state; anyEnd says that the
	// process does not end by itself.
	loses, anyEnd bool
	// leaves says that nothing can be removed while the fault lasts.
	leaves bool
	// superuser says that only the superuser can make the fault.
	superuser bool
}

func faults() []fault {
	closedEarly := func(s *scene, hook, input string) answer {
		return s.raw(s.command(hook, strings.NewReader(input[:len(input)/2])))
	}
	return append(systemFaults(), []fault{
		{name: "none"},
		{name: "project read-only", prepare: func(s *scene) {
			s.asNobody()
			s.chmod(0o555, filepath.Dir(s.state()), s.project)
		}},
		{name: "disk full", run: func(s *scene, hook, input string) answer {
			cmd := exec.Command("sh", "-c", `ulimit -f 0; exec "$0" --hook="$1"`, binary, hook)
			cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.env, strings.NewReader(input)
			return s.raw(cmd)
		}},
		{name: "no home", prepare: func(s *scene) { s.env[0] = "HOME=" }},
		{name: "home is no directory", prepare: func(s *scene) { s.env[0] = "HOME=/dev/null" }},
		{name: "records not writable", prepare: func(s *scene) {
			s.asNobody()
			s.chmod(0o555, s.home)
		}},
		{name: "lock held for ever", prepare: func(s *scene) {
			unlock, err := project.Lock(context.Background(), protocol.Env{StateHome: filepath.Join(s.home, ".local", "state", "bridge")}, s.project, time.Second)
			if err != nil {
				s.t.Fatal(err)
			}
			s.t.Cleanup(unlock)
		}},
		{name: "state is a directory", loses: true, prepare: func(s *scene) { s.instead(func(path string) error { return os.Mkdir(path, 0o700) }) }},
		{name: "state is a FIFO", loses: true, prepare: func(s *scene) { s.instead(func(path string) error { return syscall.Mkfifo(path, 0o600) }) }},
		{name: "state is a link", loses: true, prepare: func(s *scene) { s.instead(func(path string) error { return os.Symlink("/etc/passwd", path) }) }},
		{name: "state of 1 GB", loses: true, prepare: func(s *scene) { s.instead(func(path string) error { return sparse(path, 1<<30) }) }},
		{name: "files from 1970", prepare: func(s *scene) { s.age(time.Unix(0, 0)) }},
		{name: "files from 2100", prepare: func(s *scene) { s.age(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)) }},
		{name: "directory deleted", loses: true, prepare: func(s *scene) {
			if err := os.RemoveAll(s.project); err != nil {
				s.t.Fatal(err)
			}
		}, run: func(s *scene, hook, input string) answer {
			cmd := s.command(hook, strings.NewReader(input))
			cmd.Dir = s.home
			return s.raw(cmd)
		}},
		{name: "configuration broken", denies: true, prepare: func(s *scene) { s.config("{") }},
		{name: "configuration is a FIFO", denies: true, prepare: func(s *scene) {
			s.config("{}")
			path := filepath.Join(s.home, ".config", "bridge", "config.json")
			if err := os.Remove(path); err != nil {
				s.t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				s.t.Fatal(err)
			}
		}},
		{name: "stdin slow", run: func(s *scene, hook, input string) answer {
			return s.raw(s.command(hook, &slowly{text: input, pause: time.Millisecond}))
		}},
		{name: "stdin never closed", run: func(s *scene, hook, input string) answer {
			r, w, err := os.Pipe()
			if err != nil {
				s.t.Fatal(err)
			}
			defer w.Close()
			defer r.Close()
			go io.WriteString(w, input)
			return s.raw(s.command(hook, r))
		}},
		{name: "stdin closed early", denies: true, run: closedEarly},
		{name: "stdin empty", denies: true, run: func(s *scene, hook, _ string) answer { return s.raw(s.command(hook, strings.NewReader(""))) }},
		{name: "stdin of 64 MiB", denies: true, run: func(s *scene, hook, input string) answer {
			return s.raw(s.command(hook, io.MultiReader(strings.NewReader(`{"x":"`), io.LimitReader(endless{}, 64<<20), strings.NewReader(`",`+input[1:]))))
		}},
		{name: "stdout closed", run: func(s *scene, hook, input string) answer {
			r, w, err := os.Pipe()
			if err != nil {
				s.t.Fatal(err)
			}
			r.Close()
			defer w.Close()
			cmd := s.command(hook, strings.NewReader(input))
			cmd.Stdout = w
			if err := cmd.Run(); err != nil {
				s.t.Errorf("--hook=%s: %v", hook, err)
			}
			return answer{}
		}},
		{name: "SIGTERM", anyEnd: true, run: killed(syscall.SIGTERM)},
		{name: "SIGKILL", anyEnd: true, run: killed(syscall.SIGKILL)},
	}...)
}

// killed sends a signal at some moment of the call.
func killed(signal syscall.Signal) func(*scene, string, string) answer {
	return func(s *scene, hook, input string) answer {
		for i := range 8 {
			cmd := s.command(hook, strings.NewReader(input))
			if err := cmd.Start(); err != nil {
				s.t.Fatal(err)
			}
			time.Sleep(time.Duration(i*400) * time.Microsecond)
			_ = cmd.Process.Signal(signal)
			_ = cmd.Wait()
		}
		return answer{}
	}
}

// endless is the letter x, for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// slowly hands a text out in small pieces.
type slowly struct {
	text  string
	pause time.Duration
}

func (r *slowly) Read(p []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	time.Sleep(r.pause)
	n := copy(p, r.text[:min(8, len(r.text))])
	r.text = r.text[n:]
	return n, nil
}

func (s *scene) raw(cmd *exec.Cmd) answer {
	s.t.Helper()
	a, err := execute(cmd)
	if err != nil && !strings.Contains(err.Error(), "broken pipe") {
		s.t.Fatal(err)
	}
	return a
}

func (s *scene) chmod(mode fs.FileMode, paths ...string) {
	s.t.Helper()
	for _, path := range paths {
		if err := os.Chmod(path, mode); err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
	}
}

// instead puts something else in the place of the loop's state.
func (s *scene) instead(create func(path string) error) {
	s.t.Helper()
	if err := os.Remove(s.state()); err != nil {
		s.t.Fatal(err)
	}
	if err := create(s.state()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) age(to time.Time) {
	s.t.Helper()
	if err := os.Chtimes(s.state(), to, to); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) config(text string) {
	s.t.Helper()
	dir := filepath.Join(s.home, ".config", "bridge")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// payloadOf is an event of a type, about a loop of this session.
func (s *scene) payloadOf(row protocol.Row) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":"","cwd":%q,"hook_event_name":%q,"prompt_id":"p","stop_hook_active":true,"last_assistant_message":"turn",`+
		`"prompt":"hello","source":"startup","reason":"other","trigger":%q,"tool_name":"Bash","tool_input":{"command":"touch x"},"tool_use_id":"t","tool_response":{"stdout":""},"permission_suggestions":[{"type":"addRules"}]%s}`,
		sessionID, s.project, row.Events[0], cmp.Or(row.Trigger, "init"), agentOf(row))
}

// agentOf names an agent where the event is one's.
func agentOf(row protocol.Row) string {
	if row.Events[0] == protocol.EventSubagentStart || row.Events[0] == protocol.EventSubagentStop {
		return `,"agent_id":"a1","agent_type":"executor"`
	}
	return ""
}

// TestFaultMatrix: every type under every fault follows its fail policy or does better:
// exit code 0, an answer that the client accepts or none, a deny if permission-request
// cannot decide, the user's prompt kept, no half-written file.
func TestFaultMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts hundreds of processes")
	}
	t.Parallel()
	var mu sync.Mutex
	cells := map[string]map[protocol.Type]string{}
	t.Run("cells", func(t *testing.T) {
		for _, f := range faults() {
			cells[f.name] = map[protocol.Type]string{}
			for _, row := range protocol.Rows() {
				t.Run(f.name+"/"+string(row.Type), func(t *testing.T) {
					t.Parallel()
					verdict := tryCell(t, f, row)
					mu.Lock()
					defer mu.Unlock()
					cells[f.name][row.Type] = verdict
				})
			}
		}
	})
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-24s", "")
	for _, row := range protocol.Rows() {
		fmt.Fprintf(&b, " %-5.5s", row.Type)
	}
	for _, f := range faults() {
		fmt.Fprintf(&b, "\n%-24s", f.name)
		for _, row := range protocol.Rows() {
			fmt.Fprintf(&b, " %-5.5s", cells[f.name][row.Type])
		}
	}
	t.Log(b.String())
}

// tryCell runs one type under one fault and returns a description of its answer.
func tryCell(t *testing.T, f fault, row protocol.Row) string {
	if f.superuser && os.Geteuid() != 0 {
		t.Skip("only the superuser can make this fault")
	}
	s := newScene(t)
	s.startLoop(3)
	if f.prepare != nil {
		f.prepare(s)
	}
	run := f.run
	if run == nil {
		run = func(s *scene, hook, input string) answer { return s.raw(s.command(hook, strings.NewReader(input))) }
	}
	a := run(s, string(row.Type), s.payloadOf(row))
	if a.code != 0 && !f.anyEnd {
		t.Errorf("exit code %d: %q", a.code, a.stderr)
	}
	if err := schematest.CheckStdout(row.Events[0], []byte(a.stdout)); err != nil {
		t.Errorf("%q: %v", a.stdout, err)
	}
	denied := strings.Contains(a.stdout, `"behavior": "deny"`)
	if row.Fail == protocol.FailClosed && (f.denies && !denied || strings.Contains(a.stdout, `"allow"`)) {
		t.Errorf("not denied: %q", a.stdout)
	}
	if row.Fail == protocol.FailOpen && strings.Contains(a.stdout, `"continue": false`) {
		t.Errorf("the session was stopped: %q", a.stdout)
	}
	if !f.loses {
		kept, _ := os.ReadFile(s.state())
		backup, _ := os.ReadFile(s.state() + ".bak")
		if !strings.Contains(string(kept)+string(backup), "Work on it.") {
			t.Error("the prompt is lost")
		}
	}
	if !f.anyEnd && !f.leaves {
		for _, top := range []string{s.project, filepath.Join(s.home, ".local")} {
			_ = filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(path, ".tmp") {
					t.Errorf("left behind: %s", path)
				}
				return nil
			})
		}
	}
	switch {
	case denied:
		return "deny"
	case a.blocks():
		return "block"
	case strings.Contains(a.stdout, `"continue": true`):
		return "open"
	case strings.Contains(a.stdout, "systemMessage"):
		return "tells"
	case a.stdout != "":
		return "says"
	}
	return "-"
}

// TestThousandAtOnce: 1,024 hooks of all types at the same time on one project follow
// their policies, and the loop's counter agrees with the printed blocks.
func TestThousandAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts a thousand processes")
	}
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	rows := protocol.Rows()
	room := make(chan struct{}, 128)
	var mu sync.Mutex
	blocks := 0
	var wait sync.WaitGroup
	for i := range 1024 {
		row := rows[i%len(rows)]
		if row.Type == protocol.KeywordDetector || row.Type == protocol.SessionEnd {
			row = rows[1] // ralph
		}
		room <- struct{}{}
		wait.Go(func() {
			defer func() { <-room }()
			// The idle guard ignores digits, so it would end the loop.
			input := strings.Replace(s.payloadOf(row), `"turn"`, `"turn `+strings.Repeat("x", i)+`"`, 1)
			stdin := s.file(input)
			defer stdin.Close()
			a, err := execute(s.command(string(row.Type), stdin))
			if err != nil || a.code != 0 {
				t.Errorf("--hook=%s: %v, exit %d, %q", row.Type, err, a.code, a.stderr)
			}
			mu.Lock()
			defer mu.Unlock()
			if a.blocks() {
				blocks++
			}
		})
	}
	wait.Wait()
	if got := s.iteration(); got != 1+blocks {
		t.Errorf("the counter is at %d after %d blocks", got, blocks)
	}
	t.Logf("%d blocks", blocks)
}
