package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Kind is one kind of loop or mode, as far as its state files and what is said of
// them go.
type Kind struct {
	// Key is in the keys of notices, such as "loop"; Label is the name for people.
	Key, Label string
	// Adopt is the command that gives a file without an owner one, Drop the one that
	// ends it.
	Adopt, Drop string
	Remedies    Remedies
}

// Remedies say what a person does about a state file or its directory, where that
// depends on the kind. Without any, nothing is said.
type Remedies struct{ NotRegular, TooLarge, ForeignOwner, WorldWritable string }

// Unusable tells of a state file that may not or can not be read. Whose it is nobody
// knows.
func (k Kind) Unusable(path string, err error) protocol.KeyedNotice {
	why, remedy := "it could not be read ("+err.Error()+")", "Check the permissions of that place."
	switch {
	case errors.Is(err, statefile.ErrNotRegular):
		why, remedy = "it is no plain file", k.Remedies.NotRegular
	case errors.Is(err, statefile.ErrTooLarge):
		why, remedy = "it is larger than 1 MiB", k.Remedies.TooLarge
	case errors.Is(err, statefile.ErrOutside):
		why, remedy = "its directory is a link that leads out of the project", "If it is meant for this project, put a directory in the place of the link."
	case errors.Is(err, statefile.ErrForeignOwner):
		why, remedy = "its directory belongs to another user", k.Remedies.ForeignOwner
	case errors.Is(err, statefile.ErrWorldWritable):
		why, remedy = "everybody may write its directory", k.Remedies.WorldWritable
	}
	text := fmt.Sprintf("%s: %s is left alone, because %s.", display.Title(k.Label), display.Text(path), display.Text(why))
	if k.Remedies != (Remedies{}) {
		text += " " + remedy
	}
	return protocol.KeyedNotice{Key: "unusable-" + k.Key + ":" + project.ID(path), Text: text}
}

const unproven = "no session id, and nothing shows that it was started here within a day"

// Stale tells of a file that no session may act on.
func (k Kind) Stale(f Owned) protocol.KeyedNotice {
	return protocol.KeyedNotice{
		Key: "stale-" + k.Key + ":" + project.ID(f.Path),
		Text: fmt.Sprintf("%s: %s has %s (last change %s), so it is left alone. To adopt it: %s. To drop it: %s.",
			display.Title(k.Label), display.Text(f.Path), unproven, f.ModTime.Format(time.DateTime), k.Adopt, k.Drop),
	}
}

// StaleProblem says the same in a status.
func (k Kind) StaleProblem() string { return unproven + "; " + k.Adopt + " adopts it" }

// Broken is the status of a state that cannot be read.
func (k Kind) Broken(path string, err error) protocol.Controlled {
	return protocol.Controlled{Status: protocol.Status{Kind: k.Key, Label: k.Label, Path: path, State: protocol.LoopBroken, Problem: err.Error()}}
}

// Search looks for the state that a session may act on, directory by directory, the
// nearest first (docs/design.md#ownership, docs/design.md#project-root). Each file that
// may hold it is one of these:
//
//   - absent, ended or foreign: passed over in silence;
//   - unusable or stale: a notice tells of it;
//   - claimable: the nearest one counts where the session owns none;
//   - the session's own: the nearest one counts.
type Search[S any] struct {
	Kind      Kind
	Store     Store
	SessionID string
	Now       time.Time
	// Names are the files of a directory in the order in which they count.
	Names []string
	// Private is the one of Names that lies in the session's own folder, or empty. It
	// decides, wherever it is found and even if it has ended: a file of all sessions
	// must not bring back what it ended (Yeachan-Heo/oh-my-claudecode#2832).
	Private string
	// Load reads a file of the directory at path; fs.ErrNotExist means that it is absent,
	// or that nothing in it is active.
	Load func(dir *statefile.Dir, path, name string) (S, error)
	// Unusable tells of a file that Load cannot read.
	Unusable func(path string, err error) protocol.KeyedNotice
	Owned    func(S) Owned
	// Judge, if there is one, may answer Foreign for a state that is the session's by its
	// owner.
	Judge func(dir *statefile.Dir, state S, by Ownership) Ownership

	// Best is what the search has found, or nil. Claimed says that the session has to
	// write its id into it.
	Best    *S
	Claimed bool
	Notices []protocol.KeyedNotice

	decided bool
}

// Refuse tells of the directories that may not be used and hold one of the files.
func (s *Search[S]) Refuse(dirs []Refused) {
	for _, dir := range dirs {
		for _, name := range s.Names {
			if dir.Holds(name) {
				s.Notices = append(s.Notices, s.Unusable(dir.Path+"/"+name, dir.Err))
			}
		}
	}
}

// Visit looks at one directory; more is false when no other can hold anything better.
func (s *Search[S]) Visit(dir *statefile.Dir, path string) (more bool) {
	for _, name := range s.Names {
		if s.decided && name != s.Private {
			continue
		}
		state, err := s.Load(dir, path, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if name == s.Private {
			s.decided, s.Best, s.Claimed = true, nil, false
		}
		if err != nil {
			s.Notices = append(s.Notices, s.Unusable(path+"/"+name, err))
			continue
		}
		owned := s.Owned(state)
		by := owned.Ownership(s.SessionID, s.Now, s.Store.Pending(s.Now))
		if by != Foreign && s.Judge != nil {
			by = s.Judge(dir, state, by)
		}
		switch by {
		case Own:
			if s.Best == nil || s.Claimed {
				s.Best, s.Claimed = &state, false
			}
		case Claimable:
			if s.Best == nil {
				s.Best, s.Claimed = &state, true
			}
		case Stale:
			s.Notices = append(s.Notices, s.Kind.Stale(owned))
		case Foreign:
		}
	}
	return s.Best == nil || s.Claimed || s.Private != "" && !s.decided
}

// Refused is a state directory that is there but must not or can not be used,
// such as one that everybody may write, or a link that leads out of the project.
type Refused struct {
	Path string
	Err  error
}

// Holds reports whether something stands at name in the directory. Nothing is
// read: it tells the user that a loop was left alone, and decides nothing.
func (r Refused) Holds(name string) bool {
	_, ok := statefile.Own(r.Path).Look(name)
	return ok
}

// Locate walks through the state directory name of each place.
func Locate(s *protocol.Stop, name, holds string, visit func(dir *statefile.Dir, path string) bool) (refused []Refused) {
	paths := make([]string, len(s.Places))
	for i, place := range s.Places {
		paths[i] = filepath.Join(place, name)
	}
	return Walk(paths, append([]string{s.Root}, s.Places...), holds, visit)
}

// Walk opens state directories, nearest first, and calls visit with each; visit ends
// the walk by returning false. No link of theirs may lead out of roots. Directories
// that are absent or do not hold what is looked for, if holds names it, are passed
// over; those that may not be used are returned.
func Walk(paths, roots []string, holds string, visit func(dir *statefile.Dir, path string) bool) (refused []Refused) {
	for _, path := range paths {
		// Most places hold nothing, and a look costs less than an open.
		if holds != "" {
			if _, err := os.Lstat(filepath.Join(path, holds)); errors.Is(err, fs.ErrNotExist) {
				continue
			}
		}
		dir, err := statefile.OpenDirWithin(path, roots...)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				refused = append(refused, Refused{path, err})
			}
			continue
		}
		more := visit(dir, path)
		dir.Close()
		if !more {
			break
		}
	}
	return refused
}
