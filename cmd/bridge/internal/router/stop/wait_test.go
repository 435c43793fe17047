package stop_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/project"
)

// TestWhatBecameOfALoopMeanwhile: a state that another process damages or removes while
// a stop waits for the lock blocks nothing; a message reports only the damaged one.
func TestWhatBecameOfALoopMeanwhile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(w *world, path string)
		said   string
	}{
		"broken": {func(w *world, path string) { w.write(path, `{"active":`) }, "cannot be used"},
		"gone": {func(w *world, path string) {
			if err := os.Remove(path); err != nil {
				w.t.Error(err)
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"deadlines_ms": {"ralph": 60000}}`)
			path := w.mode("ultrawork", "s1", nil)
			unlock, err := project.Lock(t.Context(), project.Env(func(name string) string { return w.env[name] }, w.now), w.project, 10*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			answer := make(chan string, 1)
			go func() { answer <- w.stop(event{session: "s1"}) }()
			// A stop that comes later than this says the same.
			time.Sleep(300 * time.Millisecond)
			test.change(w, path)
			unlock()
			if out := <-answer; blocks(out) || !strings.Contains(out, test.said) || test.said == "" && out != "" {
				t.Errorf("%q", out)
			}
		})
	}
}

// TestANoticeWaitsForTheLock: whether a notice was already shown is checked under the
// lock. If another process holds the lock, the notice is left to the next stop.
func TestANoticeWaitsForTheLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"deadlines_ms": {"ralph": 1000}}`)
	w.start(w.project, "")
	unlock, err := project.Lock(t.Context(), project.Env(func(name string) string { return w.env[name] }, w.now), w.project, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if out := w.stop(event{session: "s1"}); out != "" {
		t.Errorf("while the lock is held: %q", out)
	}
	unlock()
	for i, want := range []string{"has no session id", ""} {
		if out := w.stop(event{session: "s1", message: fmt.Sprint(i)}); !strings.Contains(out, want) || (want == "") != (out == "") {
			t.Errorf("%d: %q", i, out)
		}
	}
}

// TestASpecThatIsBeingWrittenHoldsNobody: while a stop waits for a state that a
// coordinator is writing, the project's lock is free, and changes made in the
// meantime count.
func TestASpecThatIsBeingWrittenHoldsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"deadlines_ms": {"ralph": 60000}}`)
	state := filepath.Join(w.project, "specs", "shop", ".ralph-state.json")
	w.write(filepath.Join(w.project, "specs", ".current-spec"), "shop\n")
	w.write(filepath.Join(w.project, "specs", "shop", "tasks.md"), "- [ ] one\n- [ ] two\n")
	w.write(state, `{"phase":"execution","taskIndex":0,"totalTasks":2}`)
	stop := func(message string) string {
		var out bytes.Buffer
		input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"stop_hook_active":false,"last_assistant_message":%q}`, w.project, message)
		router.Run(router.Process{
			Args: []string{"bridge", "--hook=stop"}, Stdin: strings.NewReader(input), Stdout: &out, Stderr: io.Discard,
			Getenv: func(name string) string { return w.env[name] }, Now: func() time.Time { return w.now },
		}, "stop", nil)
		return out.String()
	}
	if out := stop("first"); !strings.Contains(out, "Task 1/2") {
		t.Fatalf("%q", out)
	}
	w.write(state, `{"phase":`)
	written, aged := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(aged)
		for {
			select {
			case <-written:
				return
			case <-time.After(20 * time.Millisecond):
				now := time.Now()
				_ = os.Chtimes(state, now, now)
			}
		}
	}()
	// The hook waits until a second after its own start; this one starts late.
	w.now = time.Now().Add(time.Minute)
	answer := make(chan string, 1)
	go func() { answer <- stop("second") }()
	time.Sleep(300 * time.Millisecond)
	unlock, err := project.Lock(context.Background(), project.Env(func(name string) string { return w.env[name] }, w.now), w.project, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	close(written)
	<-aged
	w.write(state, `{"phase":"execution","taskIndex":1,"totalTasks":2}`)
	unlock()
	if out := <-answer; !strings.Contains(out, "Task 2/2") {
		t.Errorf("%q", out)
	}
}
