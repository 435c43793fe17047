package loop

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// place is a project with its own home directory.
type place struct {
	t          *testing.T
	root, home string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, root: filepath.Join(dir, "project"), home: filepath.Join(dir, "home")}
	for _, dir := range []string{filepath.Join(p.root, DirName), p.home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *place) getenv(name string) string {
	switch name {
	case "HOME", "USERPROFILE", "LOCALAPPDATA":
		return p.home
	}
	return ""
}

// stop is what a hook of the session can use.
func (p *place) stop(sessionID string) *protocol.Stop {
	return &protocol.Stop{
		Input:  protocol.Input{Base: protocol.Base{SessionID: sessionID}},
		Env:    project.Env(p.getenv, time.Now()),
		Places: []string{p.root}, Root: p.root,
	}
}

func (p *place) path(name string) string { return filepath.Join(p.root, DirName, name) }

func (p *place) put(name string, data []byte) {
	p.t.Helper()
	if err := os.WriteFile(p.path(name), data, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// get reads a file, or returns "" when it is absent.
func (p *place) get(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(p.path(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	return string(text)
}

// find returns the loop that the session would act on.
func (p *place) find(sessionID string) (*loop, []protocol.KeyedNotice) {
	p.t.Helper()
	found, err := Find(p.stop(sessionID))
	if err != nil {
		p.t.Fatal(err)
	}
	l, _ := found.Active.(*loop)
	return l, found.Notices
}

// only returns the loop in the list, which must be the only one.
func (p *place) only() protocol.Controlled {
	p.t.Helper()
	all, err := List(p.stop(""))
	if err != nil || len(all) != 1 {
		p.t.Fatalf("%d loops, %v", len(all), err)
	}
	return all[0]
}

func do(t *testing.T, writes []protocol.Write) {
	t.Helper()
	for _, w := range writes {
		if err := w.Do(); err != nil {
			t.Fatalf("%s: %v", w.What, err)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	own := New("mine", "s1", "", 0, time.Now())
	foreign := New("theirs", "s2", "", 0, time.Now())
	nobodys := New("nobody's", "", "", 0, time.Now())
	paused := []byte(strings.Replace(string(own), "active: true", "active: false", 1))
	for _, test := range []struct {
		name   string
		files  map[string][]byte
		prompt string // The file of the loop that is found, or "".
		claim  string
	}{
		{"state missing", nil, "", ""},
		{"own", map[string][]byte{FileName: own}, "mine", ""},
		{"foreign session", map[string][]byte{FileName: foreign}, "", ""},
		{"empty session claimed", map[string][]byte{FileName: nobodys}, "nobody's", "s1"},
		{"paused", map[string][]byte{FileName: paused}, "", ""},
		{"per-session file wins", map[string][]byte{SessionFileName("s1"): own, FileName: nobodys}, "mine", ""},
		{"own wins over one to claim", map[string][]byte{SessionFileName("s1"): nobodys, FileName: own}, "mine", ""},
		{"per-session file of another session", map[string][]byte{SessionFileName("s2"): foreign}, "", ""},
		{"backup is no loop", map[string][]byte{FileName + ".bak": own}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			for name, data := range test.files {
				p.put(name, data)
			}
			l, notices := p.find("s1")
			if len(notices) > 0 {
				t.Errorf("notices %v", notices)
			}
			if l == nil {
				if test.prompt != "" {
					t.Error("nothing found")
				}
				return
			}
			if got := strings.TrimSpace(l.state.Prompt); got != test.prompt || l.claim != test.claim {
				t.Errorf("found %q, claim %q", got, l.claim)
			}
		})
	}
}

// TestFindWritesNothing: looking for a loop leaves no traces, for any session.
func TestFindWritesNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	data := New("x", "", "", 0, time.Now())
	p.put(FileName, data)
	p.find("s1")
	p.find("")
	if p.get(FileName) != string(data) {
		t.Error("the file was changed")
	}
	if entries, err := os.ReadDir(p.home); err != nil || len(entries) > 0 {
		t.Errorf("in the home directory there is %v, %v", entries, err)
	}
}

// TestUnusableFiles: a file at the state path that is not a state is named in a notice
// that says what to do about it.
func TestUnusableFiles(t *testing.T) {
	t.Parallel()
	for want, prepare := range map[string]func(p *place) error{
		"replace it with a regular file": func(p *place) error { return os.Mkdir(p.path(FileName), 0o700) },
		"it is not a regular file":       func(p *place) error { return os.Symlink("elsewhere", p.path(FileName)) },
		"shorten its prompt":             func(p *place) error { return os.WriteFile(p.path(FileName), make([]byte, 1<<20+1), 0o600) },
		"chmod o-w that directory": func(p *place) error {
			p.put(FileName, New("x", "s1", "", 0, time.Now()))
			return os.Chmod(filepath.Join(p.root, DirName), 0o777)
		},
	} {
		p := newPlace(t)
		if err := prepare(p); err != nil {
			t.Fatal(err)
		}
		l, notices := p.find("s1")
		if l != nil || len(notices) != 1 || !strings.Contains(notices[0].Text, want) {
			t.Errorf("%v, want %q; found %v", notices, want, l)
		}
	}
	// Without a loop, such a directory does not matter.
	p := newPlace(t)
	if err := os.Chmod(filepath.Join(p.root, DirName), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, notices := p.find("s1"); notices != nil {
		t.Errorf("%v", notices)
	}
}

// TestClaimIsForgotten: once claimed or cancelled, a file is no longer pending; a later
// file at the same path has to be claimable by itself.
func TestClaimIsForgotten(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(p *place){
		"claimed": func(p *place) {
			l, _ := p.find("s1")
			do(p.t, l.Decide(says("x"), time.Now()).Writes)
			if !strings.Contains(p.get(FileName), "session_id: s1") {
				p.t.Errorf("not claimed: %q", p.get(FileName))
			}
		},
		"ended": func(p *place) {
			l, _ := p.find("s1")
			writes, _ := l.End(time.Now())
			do(p.t, writes)
		},
		"cancelled": func(p *place) {
			if _, err := p.only().Cancel(); err != nil {
				p.t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			old := time.Now().Add(-48 * time.Hour)
			stale := func() {
				p.put(FileName, New("x", "", "", 0, old))
				if err := os.Chtimes(p.path(FileName), old, old); err != nil {
					t.Fatal(err)
				}
			}
			stale()
			if err := session.NewStore(p.stop("").Env.StateHome).AddPending(p.path(FileName)); err != nil {
				t.Fatal(err)
			}
			end(p)
			stale()
			if l, notices := p.find("s1"); l != nil || len(notices) != 1 {
				t.Errorf("a second file was claimed: %v %v", l, notices)
			}
		})
	}
}

// TestWhoWaits: a loop that was resumed in a terminal waits for a session, even if an
// earlier claim could not be written.
func TestWhoWaits(t *testing.T) {
	t.Parallel()
	for _, sessionID := range []string{"", "s1"} {
		p := newPlace(t)
		old := time.Now().Add(-48 * time.Hour)
		p.put(FileName, New("x", "", "", 0, old))
		if _, err := p.only().Resume(protocol.ResumeOptions{SessionID: sessionID}); err != nil {
			t.Fatal(err)
		}
		pending := session.NewStore(p.stop("").Env.StateHome).Pending(time.Now())
		if pending(p.path(FileName)) != (sessionID == "") {
			t.Errorf("session %q: it waits, or does not", sessionID)
		}
		if sessionID != "" {
			continue
		}
		l, _ := p.find("s1")
		writes := l.Decide(says("x"), time.Now()).Writes
		p.put(FileName, New("another", "", "", 0, old))
		if err := writes[0].Do(); !errors.Is(err, statefile.ErrChanged) || !pending(p.path(FileName)) {
			t.Errorf("%v", err)
		}
	}
}

// TestEndKeepsThePrompt: each kind of end (docs/design.md#endings) moves the file and
// says where the prompt is.
func TestEndKeepsThePrompt(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		data []byte
		turn protocol.Turn
		hint string
	}{
		"promise":            {New("keep me", "s1", "DONE", 0, time.Now()), says("<promise>DONE</promise>"), "The prompt is kept in .claude/ralph-loop.local.md.bak."},
		"max-iterations":     {New("keep me", "s1", "", 1, time.Now()), says("x"), display.Bridge + " ralph resume --max-iterations 2"},
		"state-corrupted":    {file("keep me", "session_id: s1", "iteration: x"), says("x"), "Fix it there and run " + display.Bridge + " ralph resume"},
		"transcript-missing": {New("keep me", "s1", "", 0, time.Now()), protocol.Turn{Err: protocol.TranscriptMissing}, "To continue: " + display.Bridge + " ralph resume"},
	} {
		p := newPlace(t)
		p.put(FileName, test.data)
		l, _ := p.find("s1")
		d := l.Decide(test.turn, time.Now())
		if d.Rule != rule || d.Kind != protocol.Finish || d.Diagnostic == "" || !strings.Contains(d.Message, test.hint) {
			t.Errorf("%s: %+v", rule, d)
		}
		do(t, d.Writes)
		if p.get(FileName) != "" || p.get(FileName+".bak") != string(test.data) {
			t.Errorf("%s: %q, backup %q", rule, p.get(FileName), p.get(FileName+".bak"))
		}
	}
}

// TestAdvanceAfterACancel: a file that was removed or replaced between reading and
// writing stays removed or replaced.
func TestAdvanceAfterACancel(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.put(FileName, New("x", "s1", "", 0, time.Now()))
	l, _ := p.find("s1")
	writes := l.Decide(says("x"), time.Now()).Writes
	if err := os.Remove(p.path(FileName)); err != nil {
		t.Fatal(err)
	}
	if err := writes[0].Do(); !errors.Is(err, statefile.ErrGone) || p.get(FileName) != "" {
		t.Errorf("%v, %q", err, p.get(FileName))
	}
	another := New("another", "s1", "", 0, time.Now())
	p.put(FileName, another)
	if err := writes[0].Do(); !errors.Is(err, statefile.ErrChanged) || p.get(FileName) != string(another) {
		t.Errorf("%v, %q", err, p.get(FileName))
	}
}

func TestListAndOrders(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.put(FileName, New("x", "s1", "DONE", 5, time.Now()))
	c := p.only()
	if s := c.Status; s.State != protocol.LoopActive || s.SessionID != "s1" || s.Iteration != 1 || s.Limit != 5 ||
		s.EndsBy != "<promise>DONE</promise> or 5 iterations" || s.Path != p.path(FileName) {
		t.Errorf("%+v", s)
	}

	for limit, ends := range map[int]string{0: "only " + display.Bridge + " ralph cancel", 1: "1 iteration"} {
		q := newPlace(t)
		q.put(FileName, New("x", "s1", "", limit, time.Now()))
		if got := q.only().Status.EndsBy; got != ends {
			t.Errorf("limit %d: %q", limit, got)
		}
	}

	// A stop counts an iteration between the listing and the command. That
	// count is kept.
	l, _ := p.find("s1")
	do(t, l.Decide(says("x"), time.Now()).Writes)
	if text, err := c.Pause(); err != nil || !strings.Contains(text, "at iteration 2") {
		t.Errorf("%q, %v", text, err)
	}
	if l, _ := p.find("s1"); l != nil {
		t.Error("a paused loop acts")
	}
	c = p.only()
	if c.Status.State != protocol.LoopPaused {
		t.Errorf("%+v", c.Status)
	}
	if text, err := c.Resume(protocol.ResumeOptions{SessionID: "s2"}); err != nil || !strings.Contains(text, "at iteration 2") {
		t.Errorf("%q, %v", text, err)
	}
	if l, _ := p.find("s2"); l == nil || l.state.Iteration != 2 || l.state.Prompt != "\nx" {
		t.Errorf("%+v", l)
	}

	c = p.only()
	for range 2 {
		if _, err := c.Cancel(); err != nil {
			t.Errorf("cancel twice (anthropics/claude-plugins-official#1518): %v", err)
		}
	}
	c = p.only()
	if c.Status.State != protocol.LoopEnded || c.Cancel != nil || c.Pause != nil {
		t.Errorf("%+v", c.Status)
	}
	if _, err := c.Resume(protocol.ResumeOptions{SessionID: "s1"}); err != nil {
		t.Error(err)
	}
	if p.get(FileName+".bak") != "" || !strings.Contains(p.get(FileName), "session_id: s1\n") {
		t.Errorf("%q, backup %q", p.get(FileName), p.get(FileName+".bak"))
	}
}
