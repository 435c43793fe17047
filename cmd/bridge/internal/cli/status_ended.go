package cli

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// endings are the last stops of the loops of a project, by kind and session.
type endings struct {
	of map[[2]string]ledger.Entry
	// last is the newest stop that ended a loop.
	last  ledger.Entry
	ended bool
}

// maxLookBack is how far back the ledger is searched for the end of a loop.
const maxLookBack = 7 * day

// endingsOf reads the ledger.
func endingsOf(env protocol.Env, root string) endings {
	e := endings{of: map[[2]string]ledger.Entry{}}
	if env.StateHome == "" || root == "" {
		return e
	}
	kept := ledger.Ledger{Dir: filepath.Join(env.StateHome, "ledger")}
	for entry := range kept.Entries(ledger.Filter{Project: project.ID(root)}) {
		if env.Now.Sub(entry.Time) > maxLookBack {
			break
		}
		if entry.Event != protocol.EventStop || entry.Loop == "" {
			continue
		}
		for _, key := range [][2]string{{entry.Loop, entry.Session}, {entry.Loop, ""}} {
			if _, newer := e.of[key]; !newer {
				e.of[key] = entry
			}
		}
		if !e.ended && why(entry) != "" {
			e.last, e.ended = entry, true
		}
	}
	return e
}

// because says why a loop that has ended did.
func (e endings) because(st protocol.Status) string {
	entry, ok := e.of[[2]string{st.Kind, st.SessionID}]
	switch reason := why(entry); {
	case !ok:
		return ""
	case reason == "":
		return "it was cancelled, or its state file was moved away"
	default:
		return reason
	}
}

// why says in words why a stop ended a loop, or "" if it did not.
func why(e ledger.Entry) string {
	if e.Decision == "block" {
		return ""
	}
	rule, cause, _ := strings.Cut(e.Rule, ":")
	switch rule {
	case "promise":
		return "it kept its promise"
	case "max-iterations", "max-iterations-said", "max-reinforcements":
		return "it reached its limit"
	case "task-completed", "all-tasks-complete", "all-tasks-checked", "tasks-done", "prd-complete", "team-complete", "complete":
		return "all its tasks are done"
	case "approved":
		return "a reviewer approved its work"
	case "stalled":
		return "it made no progress"
	case "blocked":
		return "it is blocked (" + cause + ")"
	case "cancel-signal", "team-cancelled":
		return "it was cancelled"
	case "team-failed":
		return "the team failed"
	case "verification-exhausted":
		return "no review approved its work"
	case "state-corrupted":
		return "its state file could not be read"
	case "transcript-missing", "transcript-unreadable", "transcript-unparsable", "no-assistant-message":
		return "the last answer of the model could not be read"
	case "no-tasks", "activity-unknown":
		return "nothing shows what is to be done"
	}
	return ""
}

// text is the line about the loop that ended last.
func (e endings) text(now time.Time) string {
	if !e.ended {
		return ""
	}
	text := "Last ended: " + e.last.Loop
	if e.last.Session != "" {
		text += " of session " + short(e.last.Session)
	}
	return text + ", " + ago(now.Sub(e.last.Time)) + " ago: " + why(e.last) + "."
}
