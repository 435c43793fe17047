package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestOwnershipTable has a row for each sentence of docs/design.md#ownership.
func TestOwnershipTable(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	never := time.Time{}
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		file, input             string
		stamp, modTime, changed time.Time
		pending                 bool
		want                    Ownership
	}{
		"own":                                {"s1", "s1", never, ago(90 * day), ago(90 * day), false, Own},
		"foreign":                            {"s2", "s1", now, now, now, true, Foreign},
		"foreign to an input without id":     {"s2", "", now, now, now, true, Foreign},
		"ids differ in case":                 {"S1", "s1", now, now, now, false, Foreign},
		"no ids at all":                      {"", "", never, ago(90 * day), ago(90 * day), false, Own},
		"pending from a terminal":            {"", "s1", never, ago(90 * day), ago(90 * day), true, Claimable},
		"the three agree":                    {"", "s1", ago(time.Hour), ago(time.Hour - 5*time.Second), ago(time.Hour - 5*time.Second), false, Claimable},
		"stamp and mtime 6 s apart":          {"", "s1", ago(time.Hour), ago(time.Hour - 6*time.Second), ago(time.Hour - 6*time.Second), false, Stale},
		"mtime and change time 6 s apart":    {"", "s1", ago(time.Hour), ago(time.Hour), ago(time.Hour - 6*time.Second), false, Stale},
		"unpacked a moment ago":              {"", "s1", ago(time.Hour), ago(time.Hour), now, false, Stale},
		"unpacked, as if from the future":    {"", "s1", ago(-time.Hour), ago(-time.Hour), now, false, Stale},
		"no stamp":                           {"", "s1", never, now, now, false, Stale},
		"no change time":                     {"", "s1", now, now, never, false, Stale},
		"just under a day":                   {"", "s1", ago(day - time.Second), ago(day - time.Second), ago(day - time.Second), false, Claimable},
		"a day":                              {"", "s1", ago(day), ago(day), ago(day), false, Stale},
		"old stamp, fresh file":              {"", "s1", ago(2 * day), now, now, false, Stale},
		"fresh stamp, old file":              {"", "s1", now, ago(2 * day), ago(2 * day), false, Stale},
		"the clock was set back by 10 s":     {"", "s1", ago(-10 * time.Second), ago(-10 * time.Second), ago(-10 * time.Second), false, Claimable},
		"the clock was set back by two days": {"", "s1", ago(-2 * day), ago(-2 * day), ago(-2 * day), false, Stale},
	} {
		f := Owned{Path: filepath.Join(t.TempDir(), "state"), SessionID: test.file, Stamp: test.stamp, ModTime: test.modTime, ChangeTime: test.changed}
		if got := f.Ownership(test.input, now, func(string) bool { return test.pending }); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestPending(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	store := NewStore(home)
	const path = "/p/.claude/ralph-loop.local.md"
	if store.Pending(time.Now())(path) {
		t.Error("pending before it was added")
	}
	if err := store.AddPending(path); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		path string
		now  time.Time
		want bool
	}{
		"now":              {path, time.Now(), true},
		"another file":     {path + "x", time.Now(), false},
		"a day later":      {path, time.Now().Add(24 * time.Hour), false},
		"clock back":       {path, time.Now().Add(-time.Hour), true},
		"from a later day": {path, time.Now().Add(-25 * time.Hour), false},
	} {
		if got := store.Pending(test.now)(test.path); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	store.DropPending(path)
	if store.Pending(time.Now())(path) {
		t.Error("pending after it was dropped")
	}
	none := NewStore("")
	if err := none.AddPending(path); err != nil || none.Pending(time.Now())(path) {
		t.Errorf("without a home: %v", err)
	}
}

// TestDeliver: what is the same event and what is a new one (docs/design.md#one-owner).
func TestDeliver(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var r Record
	for i, step := range []struct {
		fingerprint, source string
		after               time.Duration
		known               bool
	}{
		{"e1", "a", 0, false},
		{"e1", "b", 0, true},
		{"e1", "c", 599 * time.Second, true},
		{"e1", "b", 599 * time.Second, false}, // listed: constant text, a new event
		{"e1", "a", 600 * time.Second, true},
		{"e2", "c", 600 * time.Second, false},
		{"e1", "b", 600 * time.Second, false},
		{"e1", "a", 1200 * time.Second, false}, // too old to be the same
		{"e1", "b", 599 * time.Second, false},  // the clock was set back
	} {
		if known := r.Deliver(step.fingerprint, step.source, at.Add(step.after)); known != step.known {
			t.Errorf("delivery %d: known %v", i, known)
		}
	}
}

// TestFingerprint: every part counts, parts cannot run into each other, and an absent
// message differs from an empty one.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	stop := func(session, prompt string, active bool, message *string) protocol.Input {
		return protocol.Input{Base: protocol.Base{SessionID: session, PromptID: prompt}, Stop: protocol.StopFields{StopHookActive: active, LastAssistantMessage: message}}
	}
	seen := map[string]int{}
	for i, in := range []protocol.Input{
		stop("s", "p", false, text("m")), stop("sp", "", false, text("m")), stop("", "sp", false, text("m")), stop("s", "p", true, text("m")),
		stop("s", "p", false, text("")), stop("s", "p", false, nil), stop("s", "p", false, text("m ")), stop("s", "p", false, text("absent")),
	} {
		f := Fingerprint(in)
		if other, ok := seen[f]; ok {
			t.Errorf("inputs %d and %d look the same", other, i)
		}
		seen[f] = i
	}
}

// TestNoteIdle: a counter or a line break in the message is not progress; a tool call and
// different words are.
func TestNoteIdle(t *testing.T) {
	t.Parallel()
	var r Record
	for i, step := range []struct {
		message string
		tools   int
		want    int
	}{
		{"Waiting 1/10", 0, 1}, {"Waiting 200/10", 0, 2}, {" Waiting\n3/10", 0, 3},
		{"Waiting 4/10", 1, 0}, {"Waiting 5/10", 0, 1},
		{"Working 6/10", 0, 1}, {"", 0, 1}, {"", 0, 2},
	} {
		if got := r.NoteIdle(step.message, step.tools); got != step.want {
			t.Errorf("stop %d: %d, want %d", i, got, step.want)
		}
	}
}

// TestLocate: directories that must not be used are reported, absent ones are not.
func TestLocate(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for dir, mode := range map[string]os.FileMode{"good": 0o700, "open": 0o777, "none": 0} {
		path := filepath.Join(top, dir)
		if mode != 0 {
			path = filepath.Join(path, ".claude")
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if mode != 0 {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	var visited []string
	refused := Locate(&protocol.Stop{Places: []string{filepath.Join(top, "open"), filepath.Join(top, "none"), filepath.Join(top, "good")}}, ".claude", "",
		func(_ *statefile.Dir, path string) bool { visited = append(visited, path); return true })
	if len(visited) != 1 || visited[0] != filepath.Join(top, "good", ".claude") {
		t.Errorf("visited %v", visited)
	}
	if len(refused) != 1 || refused[0].Path != filepath.Join(top, "open", ".claude") || refused[0].Holds("x") {
		t.Errorf("refused %v", refused)
	}
	// A place without the file is skipped, even if it is world-writable.
	if err := os.WriteFile(filepath.Join(top, "good", ".claude", "held"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	visited = nil
	refused = Locate(&protocol.Stop{Places: []string{filepath.Join(top, "open"), filepath.Join(top, "good")}}, ".claude", "held",
		func(_ *statefile.Dir, path string) bool { visited = append(visited, path); return true })
	if len(visited) != 1 || len(refused) != 0 {
		t.Errorf("visited %v, refused %v", visited, refused)
	}
	if project.ID("a") == project.ID("b") {
		t.Error("two places have one id")
	}
}
