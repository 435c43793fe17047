package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

func indexFile(home, root string) string {
	return filepath.Join(home, project.IndexDir, project.ID(root)+".json")
}

func note(t *testing.T, home string, places protocol.Places, kinds string, now time.Time) {
	t.Helper()
	if err := project.Note(home, places, kinds, now); err != nil {
		t.Fatal(err)
	}
}

func index(t *testing.T, home string) []project.Known {
	t.Helper()
	known, err := project.Index(home)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// TestTheIndexIsWrittenOnceADayAndForANewLoop: in between, the index is only read,
// whatever characters the paths contain.
func TestTheIndexIsWrittenOnceADayAndForANewLoop(t *testing.T) {
	t.Parallel()
	home, now := t.TempDir(), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	// The index need not exist.
	root := filepath.Join(home, `a "b" <c> & é \ `+"\u2028")
	sub := filepath.Join(root, "sub")
	places := protocol.Places{Root: root, Search: []string{sub, root}}
	file := indexFile(home, root)
	for i, step := range []struct {
		kinds  string
		now    time.Time
		writes bool
	}{
		{"", now, true},
		{"", now.Add(time.Hour), false},
		{"loop", now, true},
		{"loop", now, false},
		{"omc,ultrawork", now, true},
		{"ultrawork,loop,omc", now, false},
		{"", now, false},
		{"loop", now.AddDate(0, 0, 1), true},
		{"loop", now.AddDate(0, 0, 1), false},
	} {
		before, _ := os.ReadFile(file)
		mark := append(slices.Clone(before), ' ')
		if before != nil {
			if err := os.WriteFile(file, mark, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		note(t, home, places, step.kinds, step.now)
		after, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if wrote := !slices.Equal(after, mark); wrote != step.writes {
			t.Errorf("step %d: written: %v, want %v: %s", i, wrote, step.writes, after)
		}
	}
	want := project.Known{Path: root, Seen: "2026-11-21", Loops: []project.KnownLoop{{Kind: "loop", Dir: sub}, {Kind: "omc", Dir: sub}, {Kind: "ultrawork", Dir: sub}}}
	if got := index(t, home); len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(want) {
		t.Errorf("index %+v, want %+v", got, want)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want mode %o", path, info, err, want)
		}
	}
}

// TestTheIndexKeepsTheNewestLoopsOfAProject: even a project with very many loops has a small file.
func TestTheIndexKeepsTheNewestLoopsOfAProject(t *testing.T) {
	t.Parallel()
	home, root := t.TempDir(), t.TempDir()
	for i := range 40 {
		note(t, home, protocol.Places{Root: root}, fmt.Sprintf("kind%d", i), time.Now())
	}
	if loops := index(t, home)[0].Loops; len(loops) != 32 || loops[31] != (project.KnownLoop{Kind: "kind39", Dir: root}) {
		t.Errorf("%d loops: %v", len(loops), loops)
	}
}

// TestTheIndexPassesOverWhatItCannotRead: damaged and foreign files are not projects, and
// the next note repairs its own file.
func TestTheIndexPassesOverWhatItCannotRead(t *testing.T) {
	t.Parallel()
	home, now := t.TempDir(), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	if known := index(t, home); len(known) != 0 {
		t.Errorf("an index without files: %v", known)
	}
	older, newer := filepath.Join(home, "older"), filepath.Join(home, "newer")
	note(t, home, protocol.Places{Root: older}, "", now)
	note(t, home, protocol.Places{Root: newer}, "", now.AddDate(0, 0, 1))
	dir := filepath.Join(home, project.IndexDir)
	foreign := fmt.Sprintf(`{"path":%q,"seen":"2026-11-20"}`, older)
	for name, text := range map[string]string{"x.json": foreign, "y": "", "z.json": "{", project.ID("rel") + ".json": `{"path":"rel","seen":"2026-11-20"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if known := index(t, home); len(known) != 2 || known[0].Path != newer || known[1].Path != older {
		t.Errorf("index %v", known)
	}
	if err := os.WriteFile(indexFile(home, older), []byte(`{"path":7`), 0o600); err != nil {
		t.Fatal(err)
	}
	note(t, home, protocol.Places{Root: older}, "loop", now)
	if known := index(t, home); len(known) != 2 || len(known[1].Loops) != 1 {
		t.Errorf("index %v", known)
	}
}
