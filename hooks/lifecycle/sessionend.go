package lifecycle

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/agents"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
)

// transient lists the records that mean nothing once their session has ended.
// Loops and modes are not among them: they can be resumed.
func transient() []moderegistry.File {
	return []moderegistry.File{
		moderegistry.CancelSignal, moderegistry.ToolError, moderegistry.PendingToolUse, moderegistry.AgentTracking, moderegistry.SessionStarted,
	}
}

// SessionEnd writes the summary of a session and takes its transient records
// away. It touches nothing of any other session, and no file that all sessions
// share (#573). The client kills it after 1.5 seconds.
func SessionEnd(list hooks.Lister) hooks.Handler {
	return func(_ context.Context, req hooks.Request) (hooks.Outcome, error) {
		s, ok := look(req)
		if !ok {
			return nothing("no-place"), nil
		}
		// What cannot be listed must not keep the rest from being done.
		loops, listErr := list(s.stop)
		outcome := hooks.Outcome{Trace: hooks.Trace{Rule: "ended"}}
		if listErr != nil {
			outcome.Diagnostic = fmt.Sprintf("the summary of the session may lack loops: %v", listErr)
		}
		outcome.Writes = []hooks.Write{write("mark the session as ended", func() error { return s.store.MarkEnded(s.key(), req.Env.Now) })}
		if s.records.Dir() == "" {
			return outcome, nil
		}
		summary := s.summary(loops)
		outcome.Writes = append(outcome.Writes, write("write the session's summary", func() error { return s.records.Write(moderegistry.Summary, summary) }))
		for _, file := range transient() {
			if s.owns(file) {
				outcome.Writes = append(outcome.Writes, write("remove "+string(file), func() error { return s.records.Remove(file) }))
			}
		}
		outcome.Writes = append(outcome.Writes, write("remove the session's folder if it is empty", s.removeFolder))
		return outcome, nil
	}
}

// owns reports whether the record lies in the session's own folder.
func (s scene) owns(file moderegistry.File) bool {
	_, own := moderegistry.SessionPath(file, s.req.Input.SessionID)
	return own && s.records.Exists(file)
}

// removeFolder removes the session's folder, which the system refuses as long as
// anything is in it.
func (s scene) removeFolder() error {
	dir, err := statefile.OpenDir(s.records.Dir())
	if err != nil {
		return nil
	}
	defer dir.Close()
	parent, _ := moderegistry.LegacyPath(moderegistry.SessionsDir)
	folder := path.Join(parent, s.req.Input.SessionID)
	if names, err := dir.Names(folder); err != nil || len(names) > 0 {
		return nil
	}
	return dir.Remove(folder)
}

// summary is the peer's session summary (spec/omc-modes.md, section 5.6).
func (s scene) summary(loops []hooks.Controlled) statefile.Object {
	in, now := s.req.Input, s.req.Env.Now
	reason := in.Session.Reason
	if reason == "" {
		reason = "other"
	}
	object := statefile.Object{}.Set("session_id", in.SessionID)
	if begun, ok := s.records.Read(moderegistry.SessionStarted); ok {
		if at := begun.Time("started_at"); !at.IsZero() && !at.After(now) {
			object = object.Set("started_at", at).Set("duration_ms", now.Sub(at).Milliseconds())
		}
	}
	object = object.Set("ended_at", now).Set("reason", reason)
	if text, ok := s.records.Read(moderegistry.AgentTracking); ok {
		if list, err := agents.Parse(text.Bytes()); err == nil {
			object = object.Set("agents_spawned", list.Spawned).Set("agents_completed", list.Completed)
		}
	}
	used := []string{}
	resumable := []string{}
	for _, l := range loops {
		if st := l.Status; st.SessionID == in.SessionID && !slices.Contains(used, st.Kind) {
			used = append(used, st.Kind)
			if st.State != hooks.LoopEnded && st.State != hooks.LoopBroken {
				resumable = append(resumable, st.Kind)
			}
		}
	}
	return object.Set("modes_used", used).Set("resumable", resumable)
}
