package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// maxShown is the maximum length of what the user is shown about the session's loops.
const maxShown = 120

// unfinished are the lines about loops and modes: active in this session, waiting in the
// project, and abandoned by other sessions.
type unfinished struct {
	// names are the loops and modes that are active in this session.
	names                  []string
	mine, waiting, orphans []string
}

func (u unfinished) lines() []string { return slices.Concat(u.mine, u.waiting, u.orphans) }

// shown is the line for the user, who does not see what the model is told.
func (u unfinished) shown() string {
	rest := len(u.waiting) + len(u.orphans)
	var parts []string
	if len(u.names) > 0 {
		parts = append(parts, "Active in this session: "+display.Text(display.Clip(strings.Join(u.names, ", "), maxShown))+".")
	}
	if rest > 0 {
		parts = append(parts, "Unfinished in this project: "+display.Count(rest, "loop")+".")
	}
	if len(parts) == 0 {
		return ""
	}
	return "[bridge] " + strings.Join(parts, " ") + " Details: " + display.Bridge + " status"
}

// unfinished describes what is active in the session, what waits, and what other sessions
// abandoned.
func (s scene) unfinished(loops []protocol.Controlled) (u unfinished) {
	now, own := s.req.Env.Now, s.req.Input.SessionID
	for _, l := range loops {
		st := l.Status
		what := st.Label + standing(st.Iteration, st.Limit, st.Phase, st.Progress)
		switch {
		case st.State == protocol.LoopEnded:
		case st.State == protocol.LoopBroken:
			u.waiting = append(u.waiting, fmt.Sprintf("The state of %s cannot be used, so it blocks no stop: %s (%s).", st.Label, display.Data(st.Problem, maxProblem), display.Place(st.Path)))
		case st.SessionID == own && st.State == protocol.LoopPaused:
			u.waiting = append(u.waiting, fmt.Sprintf("Paused in this session: %s. To continue: %s. To end it: %s.", what, resumeOf(st), st.Stop))
		case st.SessionID == own:
			u.mine = append(u.mine, fmt.Sprintf("Active in this session: %s. It continues at the next stop%s. To end it: %s.%s", what, endsBy(st), st.Stop, s.failed(st.SessionID)))
			u.names = append(u.names, what)
		case st.SessionID == "":
			u.waiting = append(u.waiting, fmt.Sprintf("Without a session: %s%s. To take it over: %s. To end it: %s.%s", what, seen(now, st), resumeOf(st), st.Stop, listed(st)))
		default:
			if line := s.orphan(st, what); line != "" {
				u.orphans = append(u.orphans, line)
			}
		}
	}
	return u
}
