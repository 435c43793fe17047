package smart

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Find looks for the state of the session, nearest place first.
func Find(s *protocol.Stop) (protocol.Found, error) {
	var found protocol.Found
	var best *loop
	bestOwn := false
	store := session.NewStore(s.Env.StateHome)
	refused := session.Locate(s, DirName, FolderName, func(dir *statefile.Dir, path string) bool {
		f, err := load(dir, path)
		if errors.Is(err, fs.ErrNotExist) {
			return true
		}
		if err != nil {
			found.Notices = append(found.Notices, unusable(path+"/"+StateName, err))
			return true
		}
		if !f.state.Active && !f.lost {
			return true
		}
		l := loopOf(s, f, store)
		switch f.owned().Ownership(s.Input.SessionID, s.Env.Now, store.Pending(s.Env.Now)) {
		case session.Own:
			best, bestOwn = l, true
		case session.Claimable:
			if best == nil {
				l.claim = s.Input.SessionID
				best = l
			}
		case session.Stale:
			found.Notices = append(found.Notices, staleNotice(f))
		case session.Foreign:
		}
		return !bestOwn
	})
	for _, r := range refused {
		if r.Holds(StateName) {
			found.Notices = append(found.Notices, unusable(r.Path+"/"+StateName, r.Err))
		}
	}
	if best != nil {
		found.Active = best
	}
	return found, nil
}

// loopOf is the loop of a state that was read.
func loopOf(s *protocol.Stop, f file, store session.Store) *loop {
	return &loop{file: f, in: s.Input, env: s.Env, root: s.Root, store: store, lang: message.LangOf(s.Env.Config.Lang, s.Env.Getenv)}
}

// confidence is the threshold in percent.
func (l *loop) confidence() int {
	if n := l.env.Config.Smart.ConfidenceThreshold; n > 0 && n <= 100 {
		return n
	}
	return defaultConfidence
}

func unusable(path string, err error) protocol.KeyedNotice {
	what, remedy := "it could not be read ("+err.Error()+")", "Check the permissions of that place."
	switch {
	case errors.Is(err, statefile.ErrNotRegular):
		what, remedy = "it is no plain file", "Put a plain file in its place, or remove it with "+display.Bridge+" ralph clean."
	case errors.Is(err, statefile.ErrTooLarge):
		what, remedy = "it is larger than 1 MiB", "Shorten the descriptions in it."
	case errors.Is(err, statefile.ErrOutside):
		what, remedy = "its directory is a link that leads out of the project", "If it is meant for this project, put a directory in the place of the link."
	case errors.Is(err, statefile.ErrForeignOwner):
		what, remedy = "its directory belongs to another user", "Work in a directory of your own."
	case errors.Is(err, statefile.ErrWorldWritable):
		what, remedy = "everybody may write its directory", "If it is yours: chmod o-w that directory."
	}
	return protocol.KeyedNotice{
		Key:  "unusable-smart:" + project.ID(path),
		Text: fmt.Sprintf("Smart ralph: %s is left alone, because %s. %s", display.Text(path), what, remedy),
	}
}

func staleNotice(f file) protocol.KeyedNotice {
	return protocol.KeyedNotice{
		Key: "stale-smart:" + project.ID(f.path()),
		Text: fmt.Sprintf("Smart ralph: %s has no session id, and nothing shows that it was started here within a day (last change %s), so it is left alone. "+
			"To adopt it: "+display.Bridge+" ralph resume. To drop it: "+display.Bridge+" ralph cancel.", display.Text(f.path()), f.read.ModTime.Format(time.DateTime)),
	}
}

// Label names the loop for the user.
func (l *loop) Label() string { return "smart ralph" }

// ReadsToolResults implements protocol.ToolResultReader: test runs and errors stand
// in them.
func (l *loop) ReadsToolResults() bool { return true }
