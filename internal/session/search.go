package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Kind is one kind of loop or mode: its name in messages, and what to do about its state
// files.
type Kind struct {
	// Key is the name in the keys of notices, such as "loop". Label is the name for
	// people.
	Key, Label string
	// Adopt is the command that gives an owner to a file without one. Drop is the command
	// that ends the loop or mode.
	Adopt, Drop string
	Remedies    Remedies
	// Lang is the language of the messages.
	Lang protocol.Lang
}

// Remedies say what a person can do about a state file or its directory, if that depends
// on the kind. An empty remedy adds nothing to the message.
type Remedies struct{ NotRegular, TooLarge, ForeignOwner, WorldWritable string }

// Unusable is the notice about a state file that must not or cannot be read. Its owner is
// unknown.
func (k Kind) Unusable(path string, err error) protocol.KeyedNotice {
	in := k.Lang.In
	why, remedy := in("它无法读取", "it cannot be read")+" ("+err.Error()+")", in("请检查它的权限。", "Check its permissions.")
	switch {
	case errors.Is(err, statefile.ErrNotRegular):
		why, remedy = in("它不是普通文件", "it is not a regular file"), k.Remedies.NotRegular
	case errors.Is(err, statefile.ErrTooLarge):
		why, remedy = in("它超过 1 MiB", "it is larger than 1 MiB"), k.Remedies.TooLarge
	case errors.Is(err, statefile.ErrOutside):
		why, remedy = in("它的目录是一个指向项目之外的链接", "its directory is a link that leads out of the project"), in("如果它属于本项目, 请把链接换成目录。", "If it belongs to this project, replace the link with a directory.")
	case errors.Is(err, statefile.ErrForeignOwner):
		why, remedy = in("它的目录属于另一个用户", "its directory belongs to another user"), k.Remedies.ForeignOwner
	case errors.Is(err, statefile.ErrWorldWritable):
		why, remedy = in("它的目录任何人都可以写", "its directory is world-writable"), k.Remedies.WorldWritable
	}
	text := fmt.Sprintf(in("%s: bridge 忽略这个状态文件, 因为%s: %s。", "%s: bridge ignores the state file, because %s: %s."), display.Title(k.Label), display.Text(why), display.Text(path))
	if k.Remedies != (Remedies{}) {
		text += " " + remedy
	}
	return protocol.KeyedNotice{Key: "unusable-" + k.Key + ":" + project.ID(path), Text: text}
}

// staleReason says why no session may act on the file at path.
func (k Kind) staleReason(path string) string {
	if yes, _ := git.Listed(path); yes {
		return k.Lang.In("没有会话 id, 而且 git 里有它, 所以它是随仓库来的", "no session id, and git lists it, so it came with the repository")
	}
	return k.Lang.In("没有会话 id, 也没有迹象表明它是一天之内在这里启动的", "no session id, and nothing shows that it was started here within a day")
}

// Stale is the notice about a file on which no session may act.
func (k Kind) Stale(f Owned) protocol.KeyedNotice {
	return protocol.KeyedNotice{
		Key: "stale-" + k.Key + ":" + project.ID(f.Path),
		Text: fmt.Sprintf(k.Lang.In("%s: bridge 忽略一个状态文件, 因为它%s: %s (最后修改 %s)。接手: %s。结束: %s。", "%s: bridge ignores a state file, because it has %s: %s (last change %s). To adopt it: %s. To end it: %s."),
			display.Title(k.Label), k.staleReason(f.Path), display.Text(f.Path), f.ModTime.Format(time.DateTime), k.Adopt, k.Drop),
	}
}

// StaleProblem is the same in bridge status, for the file at path.
func (k Kind) StaleProblem(path string) string {
	return k.staleReason(path) + "; " + k.Adopt + k.Lang.In(" 可以接手它", " adopts it")
}

// OlderProblem says in bridge status that older backups of a state are kept.
func OlderProblem(older []string) string {
	switch len(older) {
	case 0:
		return ""
	case 1:
		return "an older one is kept as " + older[0] + "; to continue it, rename it to .bak"
	}
	return fmt.Sprintf("%d older ones are kept as %s … %s; to continue one, rename it to .bak", len(older), older[0], older[len(older)-1])
}

// Broken is the status of a state that cannot be read.
func (k Kind) Broken(path string, err error) protocol.Controlled {
	return protocol.Controlled{Status: protocol.Status{Kind: k.Key, Label: k.Label, Path: path, State: protocol.LoopBroken, Problem: err.Error()}}
}

// Search looks for the state on which a session may act, directory by directory, the
// nearest first (docs/design.md#ownership, docs/design.md#project-root). Each file that
// may contain it is one of these:
//
//   - absent, ended or foreign: skipped silently;
//   - unusable or stale: reported in a notice;
//   - claimable: the nearest one counts if the session owns none;
//   - the session's own: the nearest one counts.
type Search[S any] struct {
	Kind      Kind
	Store     Store
	SessionID string
	Now       time.Time
	// Names are the possible files of a directory, in the order in which they count.
	Names []string
	// Private is the one of Names that is in the session's own folder; it may be empty. It decides wherever it is found,
	// even if its mode has ended: a file that all sessions share must not resume that mode
	// (Yeachan-Heo/oh-my-claudecode#2832).
	Private string
	// Load reads a file of the directory at path. It returns fs.ErrNotExist if the file is absent, or if nothing in it is
	// active.
	Load func(dir *statefile.Dir, path, name string) (S, error)
	// Unusable returns the notice about a file that Load cannot read.
	Unusable func(path string, err error) protocol.KeyedNotice
	Owned    func(S) Owned
	// Judge, if it is set, may return Foreign for a state that belongs to the session by
	// its owner.
	Judge func(dir *statefile.Dir, state S, by Ownership) Ownership

	// Best is the result of the search, or nil. Claimed says that the session has to
	// write its id into the file.
	Best    *S
	Claimed bool
	Notices []protocol.KeyedNotice

	decided bool
}

// Refuse adds a notice for each directory that contains one of the files but must not be used.
func (s *Search[S]) Refuse(dirs []Refused) {
	for _, dir := range dirs {
		for _, name := range s.Names {
			if dir.Holds(name) {
				s.Notices = append(s.Notices, s.Unusable(dir.Path+"/"+name, dir.Err))
			}
		}
	}
}

// Visit searches one directory. more is false if no other directory can contain anything
// better.
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

// Refused is an existing state directory that must not or cannot be used, such as a
// world-writable one or a link that leads out of the project.
type Refused struct {
	Path string
	Err  error
}

// Holds reports whether something exists at name in the directory. Nothing is read: the
// result only tells the user that a loop was ignored.
func (r Refused) Holds(name string) bool {
	_, ok := statefile.Own(r.Path).Look(name)
	return ok
}

// Locate visits the state directory with this name in each place.
func Locate(s *protocol.Stop, name, holds string, visit func(dir *statefile.Dir, path string) bool) (refused []Refused) {
	paths := make([]string, len(s.Places))
	for i, place := range s.Places {
		paths[i] = filepath.Join(place, name)
	}
	return Walk(paths, append([]string{s.Root}, s.Places...), holds, visit)
}

// Walk opens state directories, nearest first, and calls visit with each. visit ends the
// walk by returning false. Links in them must not lead out of roots. Directories that do
// not exist, or do not contain what holds looks for (if holds is set), are skipped; those
// that must not be used are returned.
func Walk(paths, roots []string, holds string, visit func(dir *statefile.Dir, path string) bool) (refused []Refused) {
	for _, path := range paths {
		// Most places contain nothing, and checking costs less than opening.
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
