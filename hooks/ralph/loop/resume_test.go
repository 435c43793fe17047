package loop

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestWhoGetsALoop covers each state, owner and asker. A refused resume changes nothing.
// A resumed loop is in exactly one file, where its new owner finds it.
func TestWhoGetsALoop(t *testing.T) {
	t.Parallel()
	const refused = "-"
	paused := func(text string) string { return strings.Replace(text, "active: true", "active: false", 1) }
	same := func(text string) string { return text }
	states := map[string]struct {
		name string
		edit func(string) string
	}{
		"active": {FileName, same}, "paused": {FileName, paused}, "ended": {statefile.Backup(FileName), same},
		"active, own file": {SessionFileName("s2"), same}, "paused, own file": {SessionFileName("s2"), paused}, "ended, own file": {statefile.Backup(SessionFileName("s2")), same},
	}
	for _, test := range []struct {
		what, owner string
		silent      time.Duration
		ended       bool
		asker       string
		force       bool
		want        string
	}{
		{"nobody's", "", 0, false, "s1", false, "s1"},
		{"nobody's, in a terminal", "", 0, false, "", false, ""},
		{"its own", "s1", 0, false, "s1", false, "s1"},
		{"a live session's", "s2", 9 * time.Minute, false, "s1", false, refused},
		{"a live session's, by force", "s2", 0, false, "s1", true, "s1"},
		{"a live session's, in a terminal", "s2", 0, false, "", false, "s2"},
		{"a live session's, in a terminal, by force", "s2", 0, false, "", true, ""},
		{"a silent session's", "s2", 11 * time.Minute, false, "s1", false, "s1"},
		{"a silent session's, in a terminal", "s2", 11 * time.Minute, false, "", false, ""},
		{"that of a session that has ended", "s2", 0, true, "s1", false, "s1"},
		{"that of a session that has ended, in a terminal", "s2", 0, true, "", false, ""},
	} {
		for state, in := range states {
			p, now := newPlace(t), time.Now()
			text := in.edit(string(New("Keep this prompt.", test.owner, "", 5, now)))
			p.put(in.name, []byte(text))
			at := now.Add(-test.silent)
			if err := os.Chtimes(p.path(in.name), at, at); err != nil {
				t.Fatal(err)
			}
			store := session.NewStore(p.stop("").Env.StateHome)
			if test.ended {
				if err := store.MarkEnded(session.Key{SessionID: "s2"}, now); err != nil {
					t.Fatal(err)
				}
			}
			said, err := p.only().Resume(protocol.ResumeOptions{SessionID: test.asker, Force: test.force, Now: now})
			if test.want == refused {
				if !errors.Is(err, protocol.ErrMayRun) || p.get(in.name) != text {
					t.Errorf("%s, %s: %q, %v, %q", test.what, state, said, err, p.get(in.name))
				}
				continue
			}
			next := test.want
			if next == "" {
				next = "s9"
			}
			l, _ := p.find(next)
			if err != nil || l == nil || l.state.SessionID != test.want || !strings.Contains(l.state.Prompt, "Keep this prompt.") {
				t.Errorf("%s, %s: %q, %v, %+v", test.what, state, said, err, l)
				continue
			}
			all, err := os.ReadDir(p.path("."))
			if err != nil || len(all) != 1 {
				t.Errorf("%s, %s: %v, %v", test.what, state, all, err)
			}
			if strings.Contains(said, "Keep this prompt.") {
				t.Errorf("%s, %s: %q", test.what, state, said)
			}
		}
	}
}

// TestResumeBesideAnother: a file of another session is left alone.
func TestResumeBesideAnother(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.put(FileName+".bak", New("Mine", "s1", "", 5, time.Now()))
	c := p.only()
	other := New("Theirs", "s2", "", 5, time.Now())
	p.put(FileName, other)
	if text, err := c.Resume(protocol.ResumeOptions{SessionID: "s1"}); err != nil || !strings.Contains(p.get(SessionFileName("s1")), "Mine") || p.get(FileName) != string(other) || p.get(FileName+".bak") != "" {
		t.Errorf("%q, %v, %q", text, err, p.get(FileName))
	}
	p.put(SessionFileName("s3")+".bak", New("Third", "s3", "", 5, time.Now()))
	p.put(SessionFileName("s3"), []byte("not a loop"))
	all, err := List(p.stop(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Status.State == protocol.LoopEnded {
			if _, err := c.Resume(protocol.ResumeOptions{SessionID: "s3"}); !errors.Is(err, ErrLoopThere) || p.get(SessionFileName("s3")) != "not a loop" {
				t.Errorf("no place is free: %v", err)
			}
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	atLimit := strings.Replace(string(New("x", "s1", "", 5, time.Now())), "iteration: 1", "iteration: 5", 1)
	p.put(FileName+".bak", []byte(atLimit))
	c := p.only()
	if _, err := c.Resume(protocol.ResumeOptions{SessionID: "s1"}); !errors.Is(err, protocol.ErrNeedsHigherLimit) {
		t.Errorf("at its limit: %v", err)
	}
	if _, err := c.Resume(protocol.ResumeOptions{SessionID: "s1", MaxIterations: 5}); !errors.Is(err, protocol.ErrNeedsHigherLimit) {
		t.Errorf("with the same limit: %v", err)
	}
	live := New("live", "s1", "", 0, time.Now())
	p.put(FileName, live)
	if _, err := c.Resume(protocol.ResumeOptions{SessionID: "s1", MaxIterations: 9}); !errors.Is(err, ErrLoopThere) || p.get(FileName) != string(live) {
		t.Errorf("over the own live loop: %v", err)
	}
	if err := os.Remove(p.path(FileName)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Resume(protocol.ResumeOptions{SessionID: "s1", MaxIterations: 9}); err != nil || !strings.Contains(p.get(FileName), "max_iterations: 9") {
		t.Errorf("with a higher limit: %v, %q", err, p.get(FileName))
	}
	p.put(FileName, []byte("no front matter"))
	if c := p.only(); c.Status.State != protocol.LoopBroken || c.Status.Problem == "" {
		t.Errorf("%+v", c.Status)
	} else if _, err := c.Resume(protocol.ResumeOptions{}); err == nil || p.get(FileName) != "no front matter" {
		t.Errorf("corrupted: %v", err)
	}
}
