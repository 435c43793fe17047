package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestRecordIsReadBack: any record can be written and read back, also over a longer one.
func TestRecordIsReadBack(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	store, key := NewStore(home), Key{SessionID: "s1", Root: "/project"}
	text := rapid.StringMatching(`[ -~é"\\]{0,40}`)
	rapid.Check(t, func(t *rapid.T) {
		want := Record{
			SessionID: "s1", Root: "/project", Blocks: rapid.IntRange(0, 1000).Draw(t, "blocks"), Tools: rapid.IntRange(0, 1000).Draw(t, "tools"), Thinking: rapid.IntRange(0, 3).Draw(t, "thinking"),
			Event: Event{Fingerprint: text.Draw(t, "fingerprint"), Owner: text.Draw(t, "owner"), Acted: rapid.Bool().Draw(t, "acted"),
				Sources: rapid.SliceOfN(text, 0, 20).Draw(t, "sources"), At: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 5).UTC()},
			Idle: Idle{Message: text.Draw(t, "message"), Count: rapid.IntRange(0, 20).Draw(t, "count")},
			Seen: rapid.SliceOfN(text, 0, 9).Draw(t, "seen"),
		}
		if err := store.Save(key, want); err != nil {
			t.Fatal(err)
		}
		got := store.Load(key)
		if got.SessionID != want.SessionID || got.Root != want.Root || got.Blocks != want.Blocks || got.Tools != want.Tools || got.Thinking != want.Thinking || got.Idle != want.Idle ||
			!slices.Equal(got.Seen, want.Seen) || !slices.Equal(got.Event.Sources, want.Event.Sources) || !got.Event.At.Equal(want.Event.At) ||
			got.Event.Fingerprint != want.Event.Fingerprint || got.Event.Owner != want.Event.Owner || got.Event.Acted != want.Event.Acted {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
	entries, err := os.ReadDir(filepath.Join(home, "sessions"))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
}

// TestBrokenRecord: a record that cannot be read counts as absent.
func TestBrokenRecord(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "[]", "null", `{"blocks":"many","acted":1,"sources":{"a":[1]},"at":5,"new":{"x":[1,2]}}`, strings.Repeat("{", 10_000), "\x00\x00"} {
		home := t.TempDir()
		store, key := NewStore(home), Key{SessionID: "s1"}
		if err := store.Save(key, Record{Blocks: 3}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, "sessions", key.name())
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := store.Load(key); got.Blocks != 0 || got.SessionID != "s1" {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestValidID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"11111111-2222-3333-4444-555555555555": true, "a": true, "A_b-9": true, "2026.11.a": true, "a.b": true,
		".": false, "..": false, "a..b": false, "a.": false, "..a": false, "a/../b": false,
		"": false, "../../x": false, "-a": false, ".a": false, "_a": false, "a/b": false, "a\x00": false, "a b": false, "é": false,
		strings.Repeat("a", 128): true, strings.Repeat("a", 129): false,
	} {
		if got := ValidID(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}

// TestToolCounter: parallel calls are all counted, and an unreadable record of tools
// counts none.
func TestToolCounter(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	store, key := NewStore(home), Key{SessionID: "s1"}
	if n := store.Tools(key); n != 0 {
		t.Errorf("%d calls before the first", n)
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := store.CountTools(key, 2); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := store.Tools(key); n != 40 {
		t.Errorf("%d calls, want 40", n)
	}
	var r Record
	for _, step := range []struct {
		counted, since int
		known          bool
	}{{0, 0, false}, {3, 3, true}, {3, 0, true}, {5, 2, true}, {1, 0, true}, {2, 1, true}} {
		if since, known := r.NoteTools(step.counted); since != step.since || known != step.known {
			t.Errorf("%d counted: %d since, known %v; want %d, %v", step.counted, since, known, step.since, step.known)
		}
	}
	path := filepath.Join(home, "sessions", key.toolsName())
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", path); err != nil {
		t.Fatal(err)
	}
	if n := store.Tools(key); n != 0 {
		t.Errorf("a link counts %d", n)
	}
	if err := store.CountTools(key, 1); err == nil {
		t.Error("a link was written through")
	}
	if NewStore("").CountTools(key, 1) != nil || NewStore("").Tools(key) != 0 {
		t.Error("without a home something was counted")
	}
}
