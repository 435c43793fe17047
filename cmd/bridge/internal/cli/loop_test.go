package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/loop"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// TestPlaceFor: where a loop is written, and what is replaced by it. Force replaces the
// session's own loop, or in a terminal nobody's; a loop that nobody touched for a day is
// not live.
func TestPlaceFor(t *testing.T) {
	t.Parallel()
	const shared, own = loop.FileName, "ralph-loop.s1.local.md"
	const fresh, old = time.Minute, session.ClaimLifetime + time.Minute
	type there struct {
		owner string
		age   time.Duration
		text  string // in the place of a loop
	}
	for name, test := range map[string]struct {
		session string
		force   bool
		there   map[string]there
		place   string // none: it is refused
		kept    string
	}{
		"nothing is there":                              {"s1", false, nil, shared, ""},
		"its own":                                       {"s1", false, map[string]there{shared: {"s1", fresh, ""}}, "", ""},
		"its own, with force":                           {"s1", true, map[string]there{shared: {"s1", fresh, ""}}, shared, shared},
		"its own, a day old":                            {"s1", false, map[string]there{shared: {"s1", old, ""}}, shared, shared},
		"another session's":                             {"s1", false, map[string]there{shared: {"s2", fresh, ""}}, own, ""},
		"another session's, with force":                 {"s1", true, map[string]there{shared: {"s2", fresh, ""}}, own, ""},
		"another session's, a day old":                  {"s1", true, map[string]there{shared: {"s2", old, ""}}, own, ""},
		"one that waits":                                {"s1", false, map[string]there{shared: {"", fresh, ""}}, own, ""},
		"one that waits, with force":                    {"s1", true, map[string]there{shared: {"", fresh, ""}}, own, ""},
		"one that waited in vain":                       {"s1", false, map[string]there{shared: {"", old, ""}}, shared, shared},
		"both places of another":                        {"s1", true, map[string]there{shared: {"s2", fresh, ""}, own: {"s2", fresh, ""}}, "", ""},
		"beside another session's, its own":             {"s1", false, map[string]there{shared: {"s2", fresh, ""}, own: {"s1", fresh, ""}}, "", ""},
		"beside another session's, its own, with force": {"s1", true, map[string]there{shared: {"s2", fresh, ""}, own: {"s1", fresh, ""}}, own, own},
		"rubbish":                              {"s1", false, map[string]there{shared: {"", fresh, "x"}}, shared, shared},
		"terminal: a session's":                {"", false, map[string]there{shared: {"s2", fresh, ""}}, "", ""},
		"terminal: a session's, with force":    {"", true, map[string]there{shared: {"s2", fresh, ""}}, "", ""},
		"terminal: a session's, a day old":     {"", false, map[string]there{shared: {"s2", old, ""}}, shared, shared},
		"terminal: one that waits":             {"", false, map[string]there{shared: {"", fresh, ""}}, "", ""},
		"terminal: one that waits, with force": {"", true, map[string]there{shared: {"", fresh, ""}}, shared, shared},
		"terminal: one that waited in vain":    {"", false, map[string]there{shared: {"", old, ""}}, shared, shared},
	} {
		dir, err := statefile.MakeDir(filepath.Join(t.TempDir(), loop.DirName))
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		now, texts := time.Now(), map[string]string{}
		for file, it := range test.there {
			text := it.text
			if text == "" {
				text = string(loop.New("Work.", it.owner, "DONE", 9, now))
			}
			path, at := filepath.Join(dir.Path(), file), now.Add(-it.age)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
			texts[file] = text
		}
		place, err := placeFor(dir, test.session, test.force, now)
		if place != test.place || (err != nil) != (test.place == "") {
			t.Errorf("%s: %q, %v", name, place, err)
		}
		for file, text := range texts {
			if file == test.kept {
				file = statefile.Backup(file)
			}
			if got, _ := os.ReadFile(filepath.Join(dir.Path(), file)); string(got) != text {
				t.Errorf("%s: %s holds %q", name, file, got)
			}
		}
		if names, _ := dir.Names("."); len(names) != len(texts) {
			t.Errorf("%s: %s", name, strings.Join(names, " "))
		}
	}
}
