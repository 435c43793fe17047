package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// DirName is the directory of the state file in the project.
const DirName = ".claude"

// FileName is the state file that ralph-loop uses. A session may have one of its
// own instead (SessionFileName), so that two loops can run in one project.
const FileName = "ralph-loop.local.md"

// SessionFileName is the state file of one session only.
func SessionFileName(sessionID string) string {
	return "ralph-loop." + sessionID + ".local.md"
}

// loop is a loop that this session owns or may claim.
type loop struct {
	// dir is the path of the directory that holds the file name.
	dir, name string
	file      statefile.File
	state     State
	// claim is the session id to write into the file, or empty.
	claim string
	store session.Store
}

// Find looks for the loop of the session: nearest place first, the session's own
// file before one without an owner (design decisions 9 and 19).
func Find(s *protocol.Stop) (protocol.Found, error) {
	var found protocol.Found
	var best *loop
	bestOwn := false
	store := session.NewStore(s.Env.StateHome)
	refused := session.Locate(s, DirName, "", func(dir *statefile.Dir, path string) bool {
		for _, name := range candidates(s.Input.SessionID) {
			file, err := dir.Read(name)
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					found.Notices = append(found.Notices, unusable(path+"/"+name, err))
				}
				continue
			}
			l := &loop{dir: path, name: name, file: file, state: Parse(file.Data), store: store}
			owned := l.owned()
			switch owned.Ownership(s.Input.SessionID, s.Env.Now, store.Pending(s.Env.Now)) {
			case session.Own:
				if l.state.Active && !bestOwn {
					best, bestOwn = l, true
				}
			case session.Claimable:
				if l.state.Active && best == nil {
					l.claim = s.Input.SessionID
					best = l
				}
			case session.Stale:
				if l.state.Active {
					found.Notices = append(found.Notices, staleNotice(owned, s.Env.Now))
				}
			case session.Foreign:
			}
		}
		return !bestOwn
	})
	for _, r := range refused {
		for _, name := range candidates(s.Input.SessionID) {
			if r.Holds(name) {
				found.Notices = append(found.Notices, unusable(r.Path+"/"+name, r.Err))
			}
		}
	}
	if best != nil {
		found.Active = best
	}
	return found, nil
}

// unusable tells of a state file that may not or can not be read. Whose it is
// nobody knows.
func unusable(path string, err error) protocol.KeyedNotice {
	what, remedy := "it could not be read ("+err.Error()+")", "Check the permissions of that place."
	switch {
	case errors.Is(err, statefile.ErrNotRegular):
		what, remedy = "it is no plain file", "If a loop should run from it, put a plain file in its place."
	case errors.Is(err, statefile.ErrTooLarge):
		what, remedy = "it is larger than 1 MiB", "If it is a loop, shorten its prompt; else remove it."
	case errors.Is(err, statefile.ErrOutside):
		what, remedy = "its directory is a link that leads out of the project", "If it is meant for this project, put a directory in the place of the link."
	case errors.Is(err, statefile.ErrForeignOwner):
		what, remedy = "its directory belongs to another user", "If it is your loop, move it into a directory of your own."
	case errors.Is(err, statefile.ErrWorldWritable):
		what, remedy = "everybody may write its directory", "If it is your loop: chmod o-w that directory."
	}
	return protocol.KeyedNotice{
		Key:  "unusable-loop:" + project.ID(path),
		Text: fmt.Sprintf("Ralph loop: %s is left alone, because %s. %s", display.Text(path), what, remedy),
	}
}

func candidates(sessionID string) []string {
	if session.ValidID(sessionID) {
		return []string{SessionFileName(sessionID), FileName}
	}
	return []string{FileName}
}

func staleNotice(f session.Owned, now time.Time) protocol.KeyedNotice {
	return protocol.KeyedNotice{
		Key: "stale-loop:" + project.ID(f.Path),
		Text: fmt.Sprintf("Ralph loop: %s has no session id, and nothing shows that it was started here within a day (last change %s), so it is left alone. "+
			"To adopt it: "+display.Bridge+" ralph resume. To drop it: "+display.Bridge+" ralph cancel.", display.Text(f.Path), f.ModTime.Format(time.DateTime)),
	}
}

// Label names the loop for the user.
func (l *loop) Label() string { return "ralph loop" }

// Decide is the loop's answer to a stop.
func (l *loop) Decide(turn protocol.Turn, _ time.Time) protocol.Decision {
	v := Decide(l.state, turn)
	d := protocol.Decision{Kind: v.Kind, Rule: v.Rule, Message: v.Message}
	switch v.Kind {
	case protocol.Continue:
		d.Count = l.state.Iteration
		d.Reason = l.state.Prompt
		d.Writes = []protocol.Write{l.advance()}
	case protocol.Finish:
		d.Diagnostic = v.Message
		d.Message += " " + l.resume(v.Rule)
		d.Writes = []protocol.Write{l.archive()}
	case protocol.Allow:
	}
	return d
}

// End moves the loop to its backup.
func (l *loop) End(time.Time) ([]protocol.Write, string) {
	return []protocol.Write{l.archive()}, l.resume("")
}

// resume says where the prompt went and how to go on.
func (l *loop) resume(rule string) string {
	kept := "The prompt is kept in " + DirName + "/" + statefile.Backup(l.name) + "."
	switch rule {
	case "promise":
		return kept
	case "max-iterations":
		return kept + fmt.Sprintf(" To go on: "+display.Bridge+" ralph resume --max-iterations %d", 2*l.state.MaxIterations)
	case "state-corrupted":
		return kept + " Mend it there and run " + display.Bridge + " ralph resume, or start afresh with " + display.Bridge + " ralph loop."
	}
	return kept + " To go on: " + display.Bridge + " ralph resume"
}

// advance writes the next iteration, and this session's id into a file that had
// none.
func (l *loop) advance() protocol.Write {
	pairs := [][2]string{{"iteration", strconv.Itoa(l.state.Iteration + 1)}}
	if l.claim != "" {
		pairs = append(pairs, [2]string{"session_id", l.claim})
	}
	data := l.state.front.SetAll(pairs...)
	return protocol.Write{
		What: "save iteration " + strconv.Itoa(l.state.Iteration+1) + " in " + l.dir + "/" + l.name,
		Do: func() error {
			err := statefile.In(l.dir, func(dir *statefile.Dir) error { return dir.Replace(l.name, l.file, data, statefile.Volatile) })
			if err == nil && l.claim != "" {
				l.store.DropPending(l.owned().Path)
			}
			return err
		},
	}
}

func (l *loop) archive() protocol.Write {
	return protocol.Write{
		What: "move " + l.dir + "/" + l.name + " to " + statefile.Backup(l.name),
		Do: func() error {
			return statefile.In(l.dir, func(dir *statefile.Dir) error {
				// A file that comes to this place later was not started by us.
				l.store.DropPending(l.owned().Path)
				return dir.Archive(l.name)
			})
		},
	}
}
