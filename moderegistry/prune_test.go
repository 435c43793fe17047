package moderegistry

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// TestPrune: what maintenance removes, and above all what it keeps
// (Yeachan-Heo/oh-my-claudecode#609: the state of an active mode was removed; the peer's
// clean-up after 24 h deleted long runs).
func TestPrune(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	active := `{"active":true,"session_id":"old","started_at":"2020-01-01T00:00:00Z"}`
	for name, test := range map[string]struct {
		files map[string]string // path below .omc: text
		age   time.Duration
		gone  []string
	}{
		"a session without a sign of life": {
			map[string]string{"state/sessions/old/subagent-tracking-state.json": "{}", "state/sessions/old/last-tool-error-state.json": "{}"}, 8 * day,
			[]string{"state/sessions/old", "state/sessions/old/last-tool-error-state.json", "state/sessions/old/subagent-tracking-state.json"},
		},
		"a session beside the one that asks": {
			map[string]string{"state/sessions/me/last-tool-error-state.json": "{}", "state/sessions/old/last-tool-error-state.json": "{}"}, 8 * day,
			[]string{"state/sessions/old", "state/sessions/old/last-tool-error-state.json"},
		},
		"a session beside one with an active mode": {
			map[string]string{"state/sessions/active/ultrawork-state.json": active, "state/sessions/old/last-tool-error-state.json": "{}"}, 8 * day,
			[]string{"state/sessions/old", "state/sessions/old/last-tool-error-state.json"},
		},
		"a week to the moment":       {map[string]string{"state/sessions/old/subagent-tracking-state.json": "{}", "state/last-tool-error.json": "{}"}, 7 * day, nil},
		"a session of the last week": {map[string]string{"state/sessions/old/subagent-tracking-state.json": "{}"}, 6 * day, nil},
		"Yeachan-Heo/oh-my-claudecode#609 an active mode, however old": {
			map[string]string{"state/sessions/old/ultrawork-state.json": active, "state/sessions/old/last-tool-error-state.json": "{}"}, 400 * day, nil,
		},
		"a mode that ended, a week ago": {map[string]string{"state/sessions/old/ultrawork-state.json.bak": active}, 8 * day, nil},
		"a prompt goes by no clock": {
			map[string]string{
				"state/sessions/old/ultrawork-state.json.bak": active, "state/sessions/old/ralph-state.json": `{"active":false,"prompt":"p"}`,
				"state/sessions/old/prd.json": "{}", "state/autopilot-state.json.bak": active, "state/sessions/old/last-tool-error-state.json": "{}",
			}, 75 * 365 * day,
			[]string{"state/sessions/old/last-tool-error-state.json"},
		},
		"a file of somebody else in the folder": {
			map[string]string{"state/sessions/old/notes.md": "mine", "state/sessions/old/last-tool-error-state.json": "{}"}, 8 * day,
			[]string{"state/sessions/old/last-tool-error-state.json"},
		},
		"the session that asks":            {map[string]string{"state/sessions/me/last-tool-error-state.json": "{}"}, 400 * day, nil},
		"a folder that is no session's":    {map[string]string{"state/sessions/.hidden/last-tool-error-state.json": "{}"}, 400 * day, nil},
		"shared records":                   {map[string]string{"state/last-tool-error.json": "{}", "state/subagent-tracking.json": "{}"}, 8 * day, []string{"state/last-tool-error.json", "state/subagent-tracking.json"}},
		"a shared state, active":           {map[string]string{"state/ultrawork-state.json": active}, 400 * day, nil},
		"a shared state, not active":       {map[string]string{"state/ultrawork-state.json": `{"active":false}`}, 400 * day, nil},
		"events of agents":                 {map[string]string{"state/agent-replay-old.jsonl": "{}", "state/agent-replay-old.txt": "{}"}, 8 * day, []string{"state/agent-replay-old.jsonl"}},
		"summaries":                        {map[string]string{"sessions/old.json": "{}"}, 31 * day, []string{"sessions/old.json"}},
		"summaries of the last month":      {map[string]string{"sessions/old.json": "{}"}, 29 * day, nil},
		"notes and plans are nobody's":     {map[string]string{"notepads/a/learnings.md": "x", "plans/p.md": "x", "prd.json": "{}"}, 400 * day, nil},
		"files from the future":            {map[string]string{"state/sessions/old/last-tool-error-state.json": "{}", "state/last-tool-error.json": "{}"}, -400 * day, nil},
		"another writer's temporary files": {map[string]string{"state/.last-tool-error.json.tmp.77": "x"}, 400 * day, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			omc := filepath.Join(w.project, ".omc")
			for file, text := range test.files {
				path := filepath.Join(omc, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				at := w.now.Add(-test.age)
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			}
			var gone []string
			for _, r := range w.at("me").Prune() {
				if r.Why == "" || strings.Contains(r.Why, "days") && !strings.Contains(r.Why, fmt.Sprintf(" %d days", test.age/day)) {
					t.Errorf("%s: %q", r.Path, r.Why)
				}
				gone = append(gone, strings.TrimPrefix(filepath.ToSlash(r.Path), filepath.ToSlash(omc)+"/"))
				if err := r.Do(); err != nil {
					t.Errorf("%s: %v", r.Path, err)
				}
			}
			// A folder is removed after the files in it.
			want := map[string]bool{}
			for _, path := range test.gone {
				want[path] = true
			}
			for _, path := range gone {
				if !want[path] {
					t.Errorf("%s was removed", path)
				}
				delete(want, path)
				if _, err := os.Stat(filepath.Join(omc, filepath.FromSlash(path))); err == nil {
					t.Errorf("%s is still there", path)
				}
			}
			if len(want) > 0 {
				t.Errorf("not removed: %v", want)
			}
		})
	}
}

// TestPruneCheckpoints: the newest ten stay.
func TestPruneCheckpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := filepath.Join(w.project, ".omc", "state", "checkpoints")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 14 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("checkpoint-2026-05-%02d.json", i+1)), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	removals := w.at("me").Prune()
	if len(removals) != 4 || !strings.HasSuffix(removals[3].Path, "checkpoint-2026-05-04.json") {
		t.Errorf("%+v", removals)
	}
}

// TestPruneOwnRecords: a project without .omc has its records in our own directory.
func TestPruneOwnRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.at("old").Records()
	if err := old.Write(ToolError, statefile.Object{}); err != nil {
		t.Fatal(err)
	}
	name, _ := Path(ToolError, "old")
	path := filepath.Join(old.Dir(), filepath.FromSlash(name))
	if at := w.now.Add(-8 * 24 * time.Hour); os.Chtimes(path, at, at) != nil {
		t.Fatal("the time cannot be set")
	}
	if removals := w.at("me").Prune(); len(removals) != 2 || filepath.Clean(removals[0].Path) != path {
		t.Errorf("%+v", removals)
	}
}
