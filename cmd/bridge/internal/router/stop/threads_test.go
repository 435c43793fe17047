package stop_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// reports are the issues and pull requests that cases are named after.
const reports = "Yeachan-Heo/oh-my-claudecode#"

// TestThreads has a row for each report of docs/threads.md that is about a Stop and has
// no test of its own: what hurt the users of the peers must not come back.
// docs/threads.md says where the other rows are.
func TestThreads(t *testing.T) {
	t.Parallel()
	stamp := func(w *world, ago time.Duration) string { return w.now.Add(-ago).UTC().Format(time.RFC3339Nano) }
	signal := func(w *world, sessionID string, more fields) {
		state := fields{"requested_at": stamp(w, 5*time.Second), "started_at": nil, "last_checked_at": nil, "project_path": nil}
		for name, value := range more {
			state[name] = value
		}
		path := w.mode("cancel-signal", "", state)
		if sessionID != "" {
			w.write(filepath.Join(w.project, ".omc", "state", "sessions", sessionID, "cancel-signal-state.json"), w.read(path))
			if err := os.Remove(path); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	prd := func(w *world, ago time.Duration) {
		path := filepath.Join(w.project, "prd.json")
		w.write(path, `{"userStories":[{"id":"US-1","passes":true}]}`)
		if at := w.now.Add(-ago); os.Chtimes(path, at, at) != nil {
			w.t.Fatal("the time of prd.json cannot be set")
		}
	}
	for _, test := range []struct {
		thread string
		// prepare returns the state file to watch and more fields of the input.
		prepare func(w *world) (path, extra string)
		session string
		blocks  bool
		// said must be in the output.
		said string
		// changed says that the watched file changes; gone, that it ends in .bak.
		changed, gone bool
	}{
		{thread: reports + "3141 stop_hook_active alone ends no loop", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "s1", fields{"iteration": 4}), ""
		}, blocks: true, said: "ITERATION 5/10", changed: true},
		{thread: reports + "719 ultrawork ends at its limit", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"reinforcement_count": 50}), ""
		}, said: "50 times, which is the limit", changed: true, gone: true},
		{thread: reports + "1432 a corrupt state blocks nobody", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			w.write(path, `{"active":true,`)
			return path, ""
		}, said: "cannot be used"},
		{thread: reports + "1432 a counter that is no number blocks nobody", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "s1", fields{"iteration": "NaN"}), ""
		}, said: "cannot be used"},
		{thread: reports + "1374 a team with an unknown phase blocks nobody", prepare: func(w *world) (string, string) {
			return w.mode("team", "s1", fields{"current_phase": "team-dream"}), ""
		}, said: "The team does not block this session"},
		{thread: "916c63f59 a team that has ended is told of, once", prepare: func(w *world) (string, string) {
			return w.mode("team", "s1", fields{"current_phase": "complete"}), ""
		}, said: "TERMINAL STATE DETECTED"},
		{thread: "ralph is extended at its limit, and the iteration advances", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "s1", fields{"iteration": 10}), ""
		}, blocks: true, said: "EXTENDED 11/20", changed: true},
		{thread: "ralph is extended five times at most", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "s1", fields{"iteration": 60, "max_iterations": 60, "extensions": 5}), ""
		}, said: "Max iterations (60) reached", changed: true, gone: true},
		{thread: reports + "1299 a fresh cancel signal of the session ends its mode", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", nil)
			return path, ""
		}, said: "CANCELLED", changed: true, gone: true},
		{thread: reports + "1306 a signal without a session only lets the stop pass", prepare: func(w *world) (string, string) {
			path := w.mode("ralph", "s1", nil)
			signal(w, "", nil)
			return path, ""
		}, said: "a cancel is in progress"},
		{thread: reports + "1299 an expired signal is nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"requested_at": stamp(w, 31*time.Second)})
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "1299 a signal from the future is nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"requested_at": stamp(w, -10*time.Second)})
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "1299 a signal of a clock that is a little ahead counts", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"requested_at": stamp(w, -3*time.Second)})
			return path, ""
		}, said: "CANCELLED", changed: true, gone: true},
		{thread: reports + "1299 a signal that says when it ends counts until then", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"expires_at": stamp(w, -10*time.Second)})
			return path, ""
		}, said: "CANCELLED", changed: true, gone: true},
		{thread: reports + "1299 a signal that says that it ended is nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"expires_at": stamp(w, time.Second)})
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "1299 no signal counts for an hour", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"expires_at": stamp(w, -time.Hour)})
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "1299 a signal from before the mode began is nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", fields{"started_at": stamp(w, 2*time.Second)})
			signal(w, "s1", nil)
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "1299 a signal without a time is nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"requested_at": nil, "expires_at": stamp(w, -10*time.Second)})
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "1306 a signal for another mode is nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s1", fields{"mode": "ralph"})
			return path, ""
		}, blocks: true, changed: true},
		{thread: "a forged signal does not end autopilot", prepare: func(w *world) (string, string) {
			path := w.mode("autopilot", "s1", nil)
			signal(w, "s1", fields{"mode": "autopilot", "source": "x", "expires_at": stamp(w, -20*time.Second), "target_state_sha256": strings.Repeat("0", 64)})
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "921 another session's signal is nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			signal(w, "s2", nil)
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "2832 a mode that was completed another way does not act", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			w.write(filepath.Join(filepath.Dir(path), "skill-active-state.json"), fmt.Sprintf(`{"active_skills":{"ultrawork":{"completed_at":%q}}}`, stamp(w, 10*time.Second)))
			return path, ""
		}},
		{thread: reports + "2833 a completion before the mode began says nothing", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			w.write(filepath.Join(filepath.Dir(path), "skill-active-state.json"), fmt.Sprintf(`{"active_skills":{"ultrawork":{"completed_at":%q}}}`, stamp(w, time.Hour)))
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "2833 a completion of yesterday no longer keeps a mode from acting", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", fields{"started_at": stamp(w, 30*time.Hour)})
			w.write(filepath.Join(filepath.Dir(path), "skill-active-state.json"), fmt.Sprintf(`{"active_skills":{"ultrawork":{"completed_at":%q}}}`, stamp(w, 25*time.Hour)))
			return path, ""
		}, blocks: true, changed: true},
		{thread: reports + "2833 a completion of today does", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", fields{"started_at": stamp(w, 30*time.Hour)})
			w.write(filepath.Join(filepath.Dir(path), "skill-active-state.json"), fmt.Sprintf(`{"active_skills":{"ultrawork":{"completed_at":%q}}}`, stamp(w, 23*time.Hour)))
			return path, ""
		}},
		{thread: reports + "2832 a completion at an unknown time counts", prepare: func(w *world) (string, string) {
			path := w.mode("ultrawork", "s1", nil)
			w.write(filepath.Join(filepath.Dir(path), "skill-active-state.json"), `{"active_skills":{"ultrawork":{"completed_at":"lately"}}}`)
			return path, ""
		}},
		{thread: "a team that ended takes its ralph along", prepare: func(w *world) (string, string) {
			w.mode("team", "s1", fields{"current_phase": "complete"})
			return w.mode("ralph", "s1", nil), ""
		}, said: "COMPLETE - TEAM", changed: true, gone: true},
		{thread: "a team that ended before the ralph began says nothing", prepare: func(w *world) (string, string) {
			w.mode("team", "s1", fields{"current_phase": "complete", "started_at": stamp(w, time.Hour), "last_checked_at": stamp(w, 2*time.Minute)})
			return w.mode("ralph", "s1", nil), ""
		}, blocks: true, said: "ITERATION 2/10", changed: true},
		{thread: "a team that ended nobody knows when says nothing", prepare: func(w *world) (string, string) {
			w.mode("team", "s1", fields{"current_phase": "complete", "started_at": nil, "last_checked_at": nil})
			return w.mode("ralph", "s1", fields{"started_at": nil}), ""
		}, blocks: true, said: "ITERATION 2/10", changed: true},
		{thread: "a verification that this ralph asked for", prepare: func(w *world) (string, string) {
			w.mode("ralph-verification", "s1", fields{"pending": true, "requested_at": stamp(w, 30*time.Second)})
			return w.mode("ralph", "s1", nil), ""
		}, blocks: true, said: "The work needs a review", changed: true},
		{thread: "a verification that an earlier ralph asked for", prepare: func(w *world) (string, string) {
			w.mode("ralph-verification", "s1", fields{"pending": true, "requested_at": stamp(w, 2*time.Minute)})
			return w.mode("ralph", "s1", nil), ""
		}, blocks: true, said: "The task is not complete yet", changed: true},
		{thread: "a prd.json in which all stories pass", prepare: func(w *world) (string, string) {
			prd(w, 0)
			return w.mode("ralph", "s1", nil), ""
		}, said: "COMPLETE - PRD", changed: true, gone: true},
		{thread: "a finished prd.json that an earlier ralph left", prepare: func(w *world) (string, string) {
			prd(w, time.Hour)
			return w.mode("ralph", "s1", nil), ""
		}, blocks: true, said: "ITERATION 2/10", changed: true},
		{thread: "a finished prd.json that this ralph was started with", prepare: func(w *world) (string, string) {
			prd(w, time.Hour)
			return w.mode("ralph", "s1", fields{"prd_mode": true}), ""
		}, said: "COMPLETE - PRD", changed: true, gone: true},
		{thread: "a finished prd.json that this ralph is not about", prepare: func(w *world) (string, string) {
			prd(w, 0)
			return w.mode("ralph", "s1", fields{"prd_mode": false}), ""
		}, blocks: true, said: "ITERATION 2/10", changed: true},
		{thread: reports + "2898 an echoed routing text is no autopilot", prepare: func(w *world) (string, string) {
			return w.mode("autopilot", "s1", fields{"phase": nil, "originalIdea": "[MAGIC KEYWORD: AUTOPILOT] go"}), ""
		}},
		{thread: reports + "3000 an echoed command is no autopilot", prepare: func(w *world) (string, string) {
			return w.mode("autopilot", "s1", fields{"phase": "unspecified", "originalIdea": "/autopilot build it"}), ""
		}},
		{thread: reports + "1796 a mode waits for its skill to start", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"awaiting_confirmation": true, "awaiting_confirmation_set_at": stamp(w, time.Minute)}), ""
		}},
		{thread: reports + "2061 the wait ends after two minutes", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"awaiting_confirmation": true, "awaiting_confirmation_set_at": stamp(w, 3*time.Minute)}), ""
		}, blocks: true, changed: true},
		{thread: reports + "2061 a clock that went back is no wait", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"awaiting_confirmation": true, "awaiting_confirmation_set_at": stamp(w, -time.Minute)}), ""
		}, blocks: true, changed: true},
		{thread: reports + "269 another session's mode", prepare: func(w *world) (string, string) { return w.mode("ultrawork", "s2", nil), "" }},
		{thread: reports + "311 another session's mode among the files of all", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "", fields{"session_id": "s2"}), ""
		}},
		{thread: reports + "317 a copied session folder that names another session", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "s1", fields{"session_id": "s2"}), ""
		}},
		{thread: reports + "456 an input without a session against a state with one", session: "-", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "", fields{"session_id": "s2"}), ""
		}},
		{thread: reports + "456 an empty session id in the state captures nobody for ever", prepare: func(w *world) (string, string) {
			path := w.mode("ralph", "", fields{"session_id": "", "started_at": stamp(w, 72*time.Hour), "last_checked_at": nil})
			return path, ""
		}, said: "bridge ignores"},
		{thread: "00be8410f a fresh state without a session is claimed, not frozen", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "", fields{"started_at": stamp(w, 0), "last_checked_at": stamp(w, 0)}), ""
		}, blocks: true, said: "ITERATION 2/10", changed: true},
		{thread: reports + "246, " + reports + "2451 yesterday's state of nobody is left alone", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "", fields{"started_at": stamp(w, 25*time.Hour), "last_checked_at": stamp(w, 25*time.Hour)}), ""
		}, said: "bridge ignores"},
		{thread: reports + "573 a long session is not stale", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"started_at": stamp(w, 30*time.Hour), "last_checked_at": stamp(w, 30*time.Hour)}), ""
		}, blocks: true, changed: true},
		{thread: "a state that was copied from another project", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"project_path": "/somewhere/else"}), ""
		}},
		{thread: "an old ralph without counters is not NaN", prepare: func(w *world) (string, string) {
			return w.mode("ralph", "s1", fields{"iteration": nil, "max_iterations": nil}), ""
		}, blocks: true, said: "ITERATION 2/10", changed: true},
		{thread: "a session id that leads out of the directory", session: "../../x", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "x", nil), ""
		}},
		{thread: "a session id that begins with a dash", session: "-x", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", nil), ""
		}},
		{thread: reports + "2088 linked ultrawork without its ralph is nothing", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"linked_to_ralph": true}), ""
		}},
		{thread: "ultraqa is registered and never blocks", prepare: func(w *world) (string, string) { return w.mode("ultraqa", "s1", nil), "" }},
		{thread: "ultrapilot is registered and never blocks", prepare: func(w *world) (string, string) { return w.mode("ultrapilot", "s1", nil), "" }},
		{thread: "a state with active false", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", fields{"active": false}), ""
		}},
		{thread: "an autopilot in its last phase", prepare: func(w *world) (string, string) {
			return w.mode("autopilot", "s1", fields{"phase": "complete"}), ""
		}},
		{thread: reports + "3204 SubagentStop starts nothing", prepare: func(w *world) (string, string) {
			return w.mode("ultrawork", "s1", nil), `,"hook_event_name":"SubagentStop","agent_id":"a1"`
		}},
	} {
		t.Run(test.thread, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			path, extra := test.prepare(w)
			before := w.read(path)
			session := test.session
			switch session {
			case "":
				session = "s1"
			case "-":
				session = ""
			}
			out := w.stop(event{session: session, extra: extra})
			if blocks(out) != test.blocks || !strings.Contains(out, test.said) || !test.blocks && test.said == "" && out != "" {
				t.Errorf("%q", out)
			}
			if changed := w.read(path) != before; changed != test.changed {
				t.Errorf("changed: %v; the state is %s", changed, w.read(path))
			}
			if backup := w.read(statefile.Backup(path)); (backup != "") != test.gone {
				t.Errorf("backup: %q", backup)
			}
		})
	}
}

// TestCancelledModeStaysCancelled: a Stop does not write back what a cancel deleted,
// neither the state nor the ultrawork that was linked to it
// (Yeachan-Heo/oh-my-claudecode#2085, Yeachan-Heo/oh-my-claudecode#2088,
// Yeachan-Heo/oh-my-claudecode#2220).
func TestCancelledModeStaysCancelled(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"ralph", "autopilot", "ultrawork"} {
		w := newWorld(t)
		path := w.mode(mode, "s1", nil)
		if mode == "ralph" {
			w.mode("ultrawork", "s1", fields{"linked_to_ralph": true})
		}
		if out := w.stop(event{session: "s1"}); !blocks(out) {
			t.Fatalf("%s: %q", mode, out)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if out := w.stop(event{session: "s1", message: fmt.Sprint(i)}); out != "" {
				t.Errorf("%s: %q", mode, out)
			}
		}
		if w.read(path) != "" {
			t.Errorf("%s came back", mode)
		}
	}
}

// TestWhereModesAreFound: in the sub-directory where it was started
// (Yeachan-Heo/oh-my-claudecode#576), in the superproject of a submodule
// (Yeachan-Heo/oh-my-claudecode#3349), through a link, below OMC_STATE_DIR.
func TestWhereModesAreFound(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(w *world) (cwd string){
		"in a sub-directory": func(w *world) string {
			w.mode("ultrawork", "s1", nil)
			sub := filepath.Join(w.project, "a", "b")
			w.mkdir(sub)
			return sub
		},
		reports + "576 started in a sub-directory": func(w *world) string {
			project := w.project
			w.project = filepath.Join(project, "a")
			w.mode("ultrawork", "s1", nil)
			return w.project
		},
		reports + "3349 in the superproject": func(w *world) string {
			w.mode("ultrawork", "s1", nil)
			sub := filepath.Join(w.project, "lib")
			w.write(filepath.Join(sub, ".git"), "gitdir: ../.git/modules/lib\n")
			return sub
		},
		"through a link": func(w *world) string {
			w.mode("ultrawork", "s1", nil)
			link := filepath.Join(w.home, "link")
			if err := os.Symlink(w.project, link); err != nil {
				w.t.Fatal(err)
			}
			return link
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cwd := prepare(w)
			if out := w.stop(event{session: "s1", cwd: cwd}); !blocks(out) {
				t.Errorf("%q", out)
			}
		})
	}
}
