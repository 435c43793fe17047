package lifecycle

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/agents"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// transient lists the records that mean nothing after the end of their session. Loops and
// modes are not among them, because they can be resumed.
func transient() []moderegistry.File {
	return []moderegistry.File{
		moderegistry.CancelSignal, moderegistry.ToolError, moderegistry.PendingToolUse, moderegistry.AgentTracking, moderegistry.SessionStarted,
	}
}

// SessionEnd marks a session as ended, removes its transient records and writes its
// summary. It touches nothing of other sessions and no file that all sessions share
// (Yeachan-Heo/oh-my-claudecode#573). The client kills it after 1.5 seconds, so the mark
// comes first, and the list of what is in progress, which may take long, comes last.
func SessionEnd(list protocol.Lister) protocol.Handler {
	return func(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
		s, ok := look(req)
		if !ok {
			return nothing("no-place"), nil
		}
		outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "ended"}, Diagnostic: strings.Join(s.refused(), " ")}
		outcome.Writes = []protocol.Write{write("mark the session as ended", func() error { return s.store.MarkEnded(s.key(), req.Env.Now) })}
		if s.records.Dir() == "" {
			return outcome, nil
		}
		summary := s.summary()
		for _, file := range transient() {
			if s.owns(file) {
				outcome.Writes = append(outcome.Writes, write("remove "+string(file), func() error { return s.records.Remove(file) }))
			}
		}
		outcome.Writes = append(outcome.Writes,
			write("remove the session's folder if it is empty", s.removeFolder),
			write("write the session's summary", func() error {
				// If the list fails, the rest is still written.
				loops, listErr := list(s.stop)
				err := s.records.Write(moderegistry.Summary, s.withLoops(summary, loops))
				return errors.Join(listErr, err)
			}))
		return outcome, nil
	}
}

// owns reports whether the record is in the session's own folder.
func (s scene) owns(file moderegistry.File) bool {
	_, own := moderegistry.SessionPath(file, s.req.Input.SessionID)
	return own && s.records.Exists(file)
}

// removeFolder removes the session's folder; the system removes only an empty one.
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

// summary is the session summary in oh-my-claudecode's format, as far as the session's records
// allow.
func (s scene) summary() statefile.Object {
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
	return object
}

// withLoops adds the loops and modes that the session used to a summary.
func (s scene) withLoops(object statefile.Object, loops []protocol.Controlled) statefile.Object {
	used := []string{}
	resumable := []string{}
	for _, l := range loops {
		if st := l.Status; st.SessionID == s.req.Input.SessionID && !slices.Contains(used, st.Kind) {
			used = append(used, st.Kind)
			if st.State != protocol.LoopEnded && st.State != protocol.LoopBroken {
				resumable = append(resumable, st.Kind)
			}
		}
	}
	return object.Set("modes_used", used).Set("resumable", resumable)
}
