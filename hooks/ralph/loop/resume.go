package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// ErrLoopThere means that another loop already uses the file that the resumed loop
// needs.
var ErrLoopThere = errors.New("another loop is active in that file; end it first with " + display.Bridge + " ralph cancel")

// resumeFor resumes a paused, stale, abandoned or ended loop for a session, or changes
// the limit of an active one.
func (l *loop) resumeFor(opts protocol.ResumeOptions, store session.Store, ended bool) (string, error) {
	fail := func(err error) (string, error) { return "", fmt.Errorf("resume the ralph loop: %w", err) }
	s, old := l.state, l.name
	if ended {
		old = statefile.Backup(old)
	}
	if s.Problem != "" {
		return fail(fmt.Errorf("%s in %s/%s; correct that file, then resume again", s.Problem, l.dir, old))
	}
	owner, err := l.heir(opts, store)
	if err != nil {
		return fail(err)
	}
	limit, err := opts.Limit(s.Iteration, s.MaxIterations)
	if err != nil {
		return fail(err)
	}
	if err := l.move(old, owner, limit); err != nil {
		return fail(err)
	}
	if owner == "" {
		err = store.AddPending(l.owned().Path)
	} else {
		store.DropPending(l.dir + "/" + strings.TrimSuffix(old, statefile.Backup("")))
	}
	if err != nil {
		return fail(err)
	}
	return resumed{before: s, after: l.state, ended: ended, asked: opts.SessionID}.text(), nil
}

// heir is the session that gets the loop. A terminal has no session of its own, so a
// resume from a terminal leaves the loop with its session if that may still be running.
func (l *loop) heir(opts protocol.ResumeOptions, store session.Store) (string, error) {
	owner := l.state.SessionID
	if owner == "" || owner == opts.SessionID || opts.Force {
		return opts.SessionID, nil
	}
	held := store.Held(owner, l.file.ModTime, opts.Now)
	if held != nil && opts.SessionID == "" {
		return owner, nil
	}
	return opts.SessionID, held
}

// move activates the loop in the file old for the owner, in a file where the owner
// finds it.
func (l *loop) move(old, owner string, limit int) error {
	var pairs [][2]string
	if !l.state.Active {
		pairs = append(pairs, [2]string{"active", "true"})
	}
	if owner != l.state.SessionID {
		pairs = append(pairs, [2]string{"session_id", owner})
	}
	if limit != l.state.MaxIterations {
		pairs = append(pairs, [2]string{"max_iterations", strconv.Itoa(limit)})
	}
	return statefile.In(l.dir, func(dir *statefile.Dir) error {
		name, err := l.placeFor(dir, owner, old)
		if err != nil || name == old && len(pairs) == 0 {
			return err
		}
		data := l.state.front.SetAll(pairs...)
		if name == old {
			err = dir.Replace(name, l.file, data, statefile.Durable)
		} else if err = dir.Create(name, data, statefile.Durable); err == nil {
			err = dir.Remove(old)
		}
		l.name, l.state = name, Parse(data)
		return err
	})
}

// placeFor chooses the owner's file for the loop that is now in the file old. An owner
// has at most one loop.
func (l *loop) placeFor(dir *statefile.Dir, owner, old string) (string, error) {
	names := candidates(owner)
	if at := slices.Index(names, l.name); at > 0 {
		names[0], names[at] = names[at], names[0]
	}
	place := ""
	for _, name := range names {
		file, err := dir.Read(name)
		switch {
		case name == old, errors.Is(err, fs.ErrNotExist):
			if place == "" {
				place = name
			}
		case err == nil && owner != "" && Parse(file.Data).SessionID == owner:
			return "", fmt.Errorf("%s: %w", name, ErrLoopThere)
		}
	}
	if place == "" {
		return "", fmt.Errorf("%s: %w", strings.Join(names, ", "), ErrLoopThere)
	}
	return place, nil
}

// resumed is a loop before and after it was resumed. asked is the session that asked for
// it, or empty in a terminal.
type resumed struct {
	before, after State
	ended         bool
	asked         string
}

// text says what was done. It does not contain the prompt, which may come from a file
// of the repository; the next stop sends it.
func (r resumed) text() string {
	var said []string
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	at := strconv.Itoa(r.after.Iteration)
	if r.after.MaxIterations > 0 {
		at += " of " + strconv.Itoa(r.after.MaxIterations)
	}
	from, to := r.before.SessionID, r.after.SessionID
	atLimit := r.before.MaxIterations > 0 && r.before.Iteration >= r.before.MaxIterations
	if r.before.Active && !r.ended && from == to && !atLimit {
		say("The Ralph loop is already active, at iteration %s.", at)
	} else {
		say("Resumed the Ralph loop at iteration %s.", at)
	}
	switch {
	case atLimit:
		say("It had reached its limit.")
	case r.ended:
		say("It had ended.")
	case !r.before.Active:
		say("It was paused.")
	}
	if from != "" && from != to {
		say("It was taken over from session %s.", display.Name(from))
	}
	if r.before.MaxIterations != r.after.MaxIterations {
		say("Its limit was %s and is now %d.", limitOf(r.before), r.after.MaxIterations)
	}
	switch to {
	case "":
		say("The next session that stops in this project continues it.")
	case r.asked:
		say("It continues at the next stop.")
	default:
		say("Session %s continues it at its next stop.", display.Name(to))
	}
	return strings.Join(said, " ")
}

func limitOf(s State) string {
	if s.MaxIterations == 0 {
		return "none"
	}
	return strconv.Itoa(s.MaxIterations)
}
