package loop

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// DirName is the directory of the state file in the project.
const DirName = ".claude"

// FileName is the state file that ralph-loop uses. A session may have its own file
// instead (SessionFileName), so that two loops can run in one project.
const FileName = "ralph-loop.local.md"

// SessionFileName is the state file of a single session.
func SessionFileName(sessionID string) string {
	return "ralph-loop." + sessionID + ".local.md"
}

// loop is a loop that this session owns or may claim.
type loop struct {
	// dir is the path of the directory that contains the file name.
	dir, name string
	file      statefile.File
	state     State
	// claim is the session id to write into the file, or empty.
	claim string
	store session.Store
}

// kind holds the texts about ralph loops.
func kind() session.Kind {
	return session.Kind{
		Key: "loop", Label: "ralph loop", Adopt: display.Bridge + " ralph resume", Drop: display.Bridge + " ralph cancel",
		Remedies: session.Remedies{
			NotRegular:    "If it is meant to be a loop, replace it with a regular file.",
			TooLarge:      "If it is a loop, shorten its prompt; otherwise remove it.",
			ForeignOwner:  "If it is your loop, move it into a directory of your own.",
			WorldWritable: "If it is your loop: chmod o-w that directory.",
		},
	}
}

// Find looks for the loop of the session.
func Find(s *protocol.Stop) (protocol.Found, error) {
	search := session.Search[*loop]{
		Kind: kind(), Store: session.NewStore(s.Env.StateHome), SessionID: s.Input.SessionID, Now: s.Env.Now,
		Names: candidates(s.Input.SessionID), Unusable: kind().Unusable, Owned: (*loop).owned,
	}
	search.Load = func(dir *statefile.Dir, path, name string) (*loop, error) {
		file, err := dir.Read(name)
		l := &loop{dir: path, name: name, file: file, state: Parse(file.Data), store: search.Store}
		if err == nil && !l.state.Active {
			if l.state.Unclear != "" && (l.state.SessionID == "" || l.state.SessionID == s.Input.SessionID) {
				search.Notices = append(search.Notices, l.unclear())
			}
			err = fs.ErrNotExist
		}
		return l, err
	}
	search.Refuse(session.Locate(s, DirName, "", search.Visit))
	found := protocol.Found{Notices: search.Notices}
	if search.Best != nil {
		l := *search.Best
		if search.Claimed {
			l.claim = s.Input.SessionID
		}
		found.Active = l
	}
	return found, nil
}

// unclear is the notice about a file that does not tell whether the loop is active.
func (l *loop) unclear() protocol.KeyedNotice {
	path := l.owned().Path
	return protocol.KeyedNotice{
		Key: "unclear-loop:" + project.ID(path),
		Text: "Ralph loop: it counts as paused, because " + display.Text(l.state.Unclear) + ": " + display.Text(path) +
			". To continue: " + display.Bridge + " ralph resume. To end it: " + display.Bridge + " ralph cancel.",
	}
}

func candidates(sessionID string) []string {
	if session.ValidID(sessionID) {
		return []string{SessionFileName(sessionID), FileName}
	}
	return []string{FileName}
}

// Label names the loop for the user.
func (l *loop) Label() string { return "ralph loop" }

// Decide answers a stop.
func (l *loop) Decide(turn protocol.Turn, now time.Time) protocol.Decision {
	d := Decide(l.state, turn)
	switch d.Kind {
	case protocol.Continue:
		d.Message += progress(l.state, now)
		d.Writes = []protocol.Write{l.advance()}
	case protocol.Finish:
		d.Diagnostic = d.Message
		d.Message = strings.TrimSuffix(d.Message, ".") + ". " + l.resume(d.Rule)
		d.Writes = []protocol.Write{l.archive()}
	case protocol.Allow:
	}
	return d
}

// End moves the loop to its backup.
func (l *loop) End(time.Time) ([]protocol.Write, string) {
	return []protocol.Write{l.archive()}, l.resume("")
}

// resume says where the prompt is kept and how to continue.
func (l *loop) resume(rule string) string {
	what := "The prompt"
	if strings.TrimSpace(l.state.Prompt) == "" {
		what = "The file"
	}
	kept := what + " is kept in " + DirName + "/" + statefile.Backup(l.name) + "."
	switch rule {
	case "promise":
		return kept
	case "max-iterations":
		return kept + fmt.Sprintf(" To continue: "+display.Bridge+" ralph resume --max-iterations %d", 2*l.state.MaxIterations)
	case "state-corrupted":
		return kept + " Fix it there and run " + display.Bridge + " ralph resume, or start again with " + display.Bridge + " ralph loop."
	}
	return kept + " To continue: " + display.Bridge + " ralph resume"
}

// advance writes the next iteration, and this session's id if the file had none.
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
				// A file that appears in this place later was not created by bridge.
				l.store.DropPending(l.owned().Path)
				return dir.Archive(l.name)
			})
		},
	}
}
