package smart_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestAnyOrderOfEvents plays stops, commands, manual edits, damage and removals in random
// order. It checks that a session without a state is never blocked, nor is another
// session; that at most one task is in progress; that the limit is kept; that a cancelled
// session does not return by itself; and that no session is lost unless a person removed
// it.
func TestAnyOrderOfEvents(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := &machine{world: worldInMemory(t, r), r: r}
		r.Repeat(map[string]func(*rapid.T){
			"":       m.check,
			"stop":   m.stopNow,
			"start":  m.startNow,
			"order":  m.orderNow,
			"edit":   m.edit,
			"damage": m.damage,
			"remove": m.remove,
			"foreign": func(r *rapid.T) {
				m.session = "other"
				defer func() { m.session = "s1" }()
				if found := m.find(); found.Active != nil && m.present() && strings.Contains(m.read(stateFile), "session_id: \"s1\"\n") {
					r.Fatal("another session owns it")
				}
			},
		})
	})
}

// worldInMemory is a world in memory, for one run of a property test. On a disk,
// thousands of small files would take most of the time.
func worldInMemory(t *testing.T, r *rapid.T) *world {
	t.Helper()
	memory := "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		memory = ""
	}
	base, err := os.MkdirTemp(memory, "smart")
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { os.RemoveAll(base) })
	if base, err = filepath.EvalSymlinks(base); err != nil {
		r.Fatal(err)
	}
	w := &world{t: t, root: filepath.Join(base, "project"), home: filepath.Join(base, "home"), session: "s1", mode: "default", env: map[string]string{}, now: time.Now()}
	for _, dir := range []string{filepath.Join(w.root, ".git"), w.home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			r.Fatal(err)
		}
	}
	return w
}

type machine struct {
	*world
	r *rapid.T
	// started counts the sessions; removed counts those that a person removed.
	started, removed int
}

func (m *machine) present() bool { return m.exists(stateFile) }

// check tests what must be true after every event.
func (m *machine) check(r *rapid.T) {
	kept := 0
	for _, name := range m.history() {
		if strings.HasSuffix(name, ".md") {
			kept++
		}
	}
	if m.present() {
		kept++
	}
	if lost := m.started - m.removed - kept; lost > 0 {
		// A damaged session without a usable backup is archived as it is.
		corrupt := 0
		for _, name := range m.history() {
			if strings.HasSuffix(name, ".corrupt") {
				corrupt++
			}
		}
		if corrupt < lost {
			r.Fatalf("%d started, %d removed, %d kept: %v", m.started, m.removed, kept, m.history())
		}
	}
	if !m.present() {
		if m.find().Active != nil {
			r.Fatal("something is active without a state")
		}
		return
	}
	s, err := state.Parse([]byte(m.read(stateFile)))
	if err != nil {
		return
	}
	if s.MaxIterations > 0 && s.Iteration > s.MaxIterations {
		r.Fatalf("iteration %d of %d", s.Iteration, s.MaxIterations)
	}
}

func (m *machine) stopNow(r *rapid.T) {
	active := m.find().Active
	if active == nil {
		return
	}
	turn := rapid.SampledFrom([]protocol.Turn{
		say("我做了一些工作。"), say(""), say(threeTasks), assessed("in_progress", 40, 80), assessed("in_progress", 80, 80), assessed("completed", 100, 95),
		assessed("completed", 100, 10), assessed("blocked", 10, 90, "**阻塞问题**: 缺少密钥"), assessed("skipped", 10, 90), say("<completion-assessment>\n**完成状态**: completed"),
	}).Draw(r, "turn")
	before := m.read(stateFile)
	d := m.decide(turn)
	if d.Message == "" || (d.Kind == protocol.Continue) != (d.Reason != "") {
		r.Fatalf("%+v", d)
	}
	if !m.present() {
		return
	}
	s, err := state.Parse([]byte(m.read(stateFile)))
	if err != nil {
		r.Fatalf("a stop wrote a state that cannot be read: %v\nbefore\n%s", err, before)
	}
	if s.Active != (d.Kind == protocol.Continue) {
		r.Fatalf("active %v after %v\n%s", s.Active, d.Kind, d.Message)
	}
	// A second task in progress comes from a manual edit and waits for its turn.
	if s.Active && len(s.Tasks) > 0 && s.Tasks[s.CurrentIndex].Status != state.InProgress {
		r.Fatalf("the current task is %s", s.Tasks[s.CurrentIndex].Status)
	}
}

func (m *machine) startNow(r *rapid.T) {
	values := config.Defaults()
	values.MaxIterations = rapid.IntRange(1, 6).Draw(r, "max")
	values.StallDetection = rapid.IntRange(0, 3).Draw(r, "stall")
	values.AutoApprove = rapid.Bool().Draw(r, "auto")
	values.StrictMode = rapid.Bool().Draw(r, "strict")
	m.write("tasks.md", "1. 一\n2. 二\n")
	_, _, err := smart.Start(m.scene(m.session), smart.StartOptions{TaskFile: "tasks.md", Path: filepath.Join(m.root, "tasks.md"), Values: values, New: rapid.Bool().Draw(r, "new")})
	switch {
	case err == nil:
		m.started++
	case !errors.Is(err, smart.ErrConflict):
		r.Fatal(err)
	}
}

// orderNow runs a command of a person. If the command refuses, it must give one of the
// known reasons.
func (m *machine) orderNow(r *rapid.T) {
	m.now = m.now.Add(time.Second)
	kind := rapid.SampledFrom([]string{"pause", "resume", "raise", "skip", "cancel", "restore"}).Draw(r, "order")
	opts := protocol.ResumeOptions{SessionID: m.session, Now: m.now, Skip: kind == "skip"}
	if kind == "raise" {
		opts.MaxIterations = 20
	}
	known := func(err error) {
		for _, want := range []error{nil, protocol.ErrNeedsHigherLimit, smart.ErrNothingOpen, smart.ErrDamaged, smart.ErrNoHistory, state.ErrBroken, statefile.ErrGone} {
			if errors.Is(err, want) {
				return
			}
		}
		r.Fatalf("%s: %v", kind, err)
	}
	if kind == "restore" {
		entries, err := smart.History(filepath.Join(m.root, ".claude"))
		if err != nil {
			r.Fatal(err)
		}
		if len(entries) > 0 {
			_, err = smart.Restore(m.scene(m.session), entries[rapid.IntRange(0, len(entries)-1).Draw(r, "entry")].ID, opts)
			known(err)
		}
		return
	}
	all, err := smart.List(m.stop())
	if err != nil || len(all) != 1 {
		return
	}
	c := all[0]
	switch kind {
	case "pause":
		if c.Pause != nil {
			_, err = c.Pause()
		}
	case "cancel":
		_, err = c.Cancel()
		if err == nil && m.present() {
			r.Fatal("it is still there")
		}
	default:
		if c.Resume != nil {
			_, err = c.Resume(opts)
		}
	}
	known(err)
}

// edit changes a status line as a person would.
func (m *machine) edit(r *rapid.T) {
	if !m.present() {
		return
	}
	from := rapid.SampledFrom([]string{"pending", "in_progress", "completed", "blocked"}).Draw(r, "from")
	to := rapid.SampledFrom([]string{"pending", "in_progress", "completed", "blocked", "skipped"}).Draw(r, "to")
	m.write(stateFile, strings.Replace(m.read(stateFile), "**状态**: "+from, "**状态**: "+to, 1))
}

// damage truncates the state or its backup.
func (m *machine) damage(r *rapid.T) {
	name := rapid.SampledFrom([]string{stateFile, backupFile}).Draw(r, "file")
	if !m.exists(name) {
		return
	}
	text := m.read(name)
	m.write(name, text[:rapid.IntRange(0, len(text)).Draw(r, "length")])
}

func (m *machine) remove(r *rapid.T) {
	if !m.present() || !rapid.Bool().Draw(r, "sure") {
		return
	}
	if err := os.Remove(filepath.Join(m.root, stateFile)); err != nil {
		r.Fatal(err)
	}
	m.removed++
	if found := m.find(); found.Active != nil {
		r.Fatal(fmt.Sprintf("%+v is active after a removal", found))
	}
}
