package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/clean"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
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
func Find(s *hooks.Stop) (hooks.Found, error) {
	var found hooks.Found
	var best *loop
	bestOwn := false
	store := session.NewStore(project.StateHome(s.Env.Getenv))
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
		if r.Holds(FileName) {
			found.Notices = append(found.Notices, unusable(r.Path+"/"+FileName, r.Err))
		}
	}
	if best != nil {
		found.Active = best
	}
	return found, nil
}

// unusable tells of a state file that may not or can not be read. Whose it is
// nobody knows.
func unusable(path string, err error) hooks.KeyedNotice {
	what, remedy := "it could not be read ("+err.Error()+")", "Check the permissions of that place."
	switch {
	case errors.Is(err, statefile.ErrNotRegular):
		what, remedy = "it is no plain file", "If a loop should run from it, put a plain file in its place."
	case errors.Is(err, statefile.ErrTooLarge):
		what, remedy = "it is larger than 1 MiB", "If it is a loop, shorten its prompt; else remove it."
	case errors.Is(err, statefile.ErrForeignOwner):
		what, remedy = "its directory belongs to another user", "If it is your loop, move it into a directory of your own."
	case errors.Is(err, statefile.ErrWorldWritable):
		what, remedy = "everybody may write its directory", "If it is your loop: chmod o-w that directory."
	}
	return hooks.KeyedNotice{
		Key:  "unusable-loop:" + project.ID(path),
		Text: fmt.Sprintf("Ralph loop: %s is left alone, because %s. %s", clean.Text(path), what, remedy),
	}
}

func candidates(sessionID string) []string {
	if session.ValidID(sessionID) {
		return []string{SessionFileName(sessionID), FileName}
	}
	return []string{FileName}
}

func staleNotice(f session.Owned, now time.Time) hooks.KeyedNotice {
	return hooks.KeyedNotice{
		Key: "stale-loop:" + project.ID(f.Path),
		Text: fmt.Sprintf("Ralph loop: %s has no session id and was not started here within a day (last change %s), so it is left alone. "+
			"To adopt it: bridge ralph resume. To drop it: bridge ralph cancel.", clean.Text(f.Path), f.ModTime.Format(time.DateTime)),
	}
}

// Label names the loop for the user.
func (l *loop) Label() string { return "ralph loop" }

// Decide is the loop's answer to a stop.
func (l *loop) Decide(turn hooks.Turn, _ time.Time) hooks.Decision {
	v := Decide(l.state, turn)
	d := hooks.Decision{Kind: v.Kind, Rule: v.Rule, Message: v.Message}
	switch v.Kind {
	case hooks.Continue:
		d.Reason = l.state.Prompt
		d.Writes = []hooks.Write{l.advance()}
	case hooks.Finish:
		d.Diagnostic = v.Message
		d.Message += " " + l.resume(v.Rule)
		d.Writes = []hooks.Write{l.archive()}
	case hooks.Allow:
	}
	return d
}

// End moves the loop to its backup.
func (l *loop) End(time.Time) ([]hooks.Write, string) {
	return []hooks.Write{l.archive()}, l.resume("")
}

// resume says where the prompt went and how to go on.
func (l *loop) resume(rule string) string {
	kept := "The prompt is kept in " + DirName + "/" + statefile.Backup(l.name) + "."
	switch rule {
	case "promise":
		return kept
	case "max-iterations":
		return kept + fmt.Sprintf(" To go on: bridge ralph resume --max-iterations %d", 2*l.state.MaxIterations)
	case "state-corrupted":
		return kept + " Mend it there and run bridge ralph resume, or start afresh with bridge ralph loop."
	}
	return kept + " To go on: bridge ralph resume"
}

// advance writes the next iteration, and this session's id into a file that had
// none.
func (l *loop) advance() hooks.Write {
	pairs := [][2]string{{"iteration", strconv.Itoa(l.state.Iteration + 1)}}
	if l.claim != "" {
		pairs = append(pairs, [2]string{"session_id", l.claim})
	}
	data := l.state.front.SetAll(pairs...)
	return hooks.Write{
		What: "save iteration " + strconv.Itoa(l.state.Iteration+1) + " in " + l.dir + "/" + l.name,
		Do: func() error {
			dir, err := statefile.OpenDir(l.dir)
			if err != nil {
				return err
			}
			defer dir.Close()
			if err := dir.Replace(l.name, l.file, data, statefile.Volatile); err != nil {
				return err
			}
			if l.claim != "" {
				l.store.DropPending(l.owned().Path)
			}
			return nil
		},
	}
}

func (l *loop) archive() hooks.Write {
	return hooks.Write{
		What: "move " + l.dir + "/" + l.name + " to " + statefile.Backup(l.name),
		Do: func() error {
			dir, err := statefile.OpenDir(l.dir)
			if err != nil {
				return err
			}
			defer dir.Close()
			// A file that comes to this place later was not started by us.
			l.store.DropPending(l.owned().Path)
			return dir.Archive(l.name)
		},
	}
}
