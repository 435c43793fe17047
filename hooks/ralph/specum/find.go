package specum

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Find looks for a spec that this session drives or may take over, first in the working directory and then in the
// directories above it. A spec in another phase than execution belongs to nobody, unless quick mode is on.
func Find(s *protocol.Stop) (protocol.Found, error) {
	var found protocol.Found
	if s.Input.CWD == "" {
		return found, nil
	}
	for _, v := range variants() {
		for _, dir := range s.Places {
			p := v.lookup(dir, s.Root)
			if p.disabled {
				break
			}
			current := p.current()
			for _, path := range p.refused {
				found.Notices = append(found.Notices, v.outside(path))
			}
			for _, spec := range current {
				r, notices := look(s, spec)
				found.Notices = append(found.Notices, notices...)
				if r != nil {
					found.Active = r
					return found, nil
				}
			}
		}
	}
	return found, nil
}

// run is a spec at a stop.
type run struct {
	spec    Spec
	stop    *protocol.Stop
	records records
	record  Record
	content Content
	state   State
	// modified is when the state was last written; changed is the change time that the
	// system keeps.
	modified, changed time.Time
	// Observe fills in the fields below.
	tasks Tasks
	notes []string
	plain string
}

// look reads one spec and decides whether the session may act on it.
func look(s *protocol.Stop, spec Spec) (*run, []protocol.KeyedNotice) {
	dir, err := statefile.OpenDir(spec.Dir)
	if err != nil {
		return nil, []protocol.KeyedNotice{spec.unusable(err)}
	}
	defer dir.Close()
	r := &run{spec: spec, stop: s, records: recordsOf(s.Env.StateHome)}
	file, err := dir.Read(spec.v.state)
	if errors.Is(err, fs.ErrNotExist) {
		return r.ended(), nil
	}
	if err != nil {
		return nil, []protocol.KeyedNotice{spec.unusable(err)}
	}
	now := readingOf(file)
	r.take(now)
	if r.content == Object && !r.drives() || r.content == Nothing && len(file.Data) > 0 {
		return nil, nil
	}
	r.record = r.records.load(spec.statePath())
	if notice, ok := r.mayAct(); !ok {
		return nil, notice
	}
	r.record = r.record.forSession(s.Input.SessionID)
	now, err = now.settle(dir, spec.v.state, s.Env.Now.Add(settleTime), s.BeforeWait)
	if errors.Is(err, fs.ErrNotExist) {
		return r.ended(), nil
	}
	if err != nil {
		return nil, []protocol.KeyedNotice{spec.unusable(err)}
	}
	r.take(now)
	if r.content == Nothing || r.content == Object && !r.drives() || r.released(dir) {
		return nil, nil
	}
	return r, nil
}

// released reports whether the spec was released and nothing has happened since. It then
// counts as absent, so that other loops of the session can act.
func (r *run) released(dir *statefile.Dir) bool {
	if r.record.Released == Held {
		return false
	}
	r.readTasks(dir)
	signal := Unsaid
	if message := r.stop.Input.Stop.LastAssistantMessage; message != nil {
		signal = said(*message, r.spec.v.lineToken)
	}
	d, _ := decide(r.spec.v, r.facts(signal))
	return d.Rule == RuleReleased
}

// drives reports whether stops are checked at all in this state.
func (r *run) drives() bool {
	return r.state.Phase == PhaseExecution || r.spec.v.gates && r.state.QuickMode
}

// ended returns the run of a spec whose state the coordinator has removed, if the spec
// belonged to this session and the last message may be the final report.
func (r *run) ended() *run {
	r.record = r.records.load(r.spec.statePath())
	message := r.stop.Input.Stop.LastAssistantMessage
	if !r.record.Bound || r.record.SessionID != r.stop.Input.SessionID || message != nil && said(*message, r.spec.v.lineToken) == Unsaid {
		return nil
	}
	r.content = Gone
	return r
}

// mayAct decides which session owns the spec (docs/design.md#spec-binding). The binding
// is in our record: the first session that stops is bound to the spec, unless a git index
// lists the state, another live session holds the spec, the spec is abandoned, or its
// timestamps do not agree.
func (r *run) mayAct() (notices []protocol.KeyedNotice, ok bool) {
	in, now := r.stop.Input, r.stop.Env.Now
	if r.record.Bound && r.record.SessionID == in.SessionID {
		return nil, true
	}
	path, name := display.Text(r.spec.statePath()), r.spec.v.noun+" "+display.Text(r.spec.Name)
	alone := func(why, text string) ([]protocol.KeyedNotice, bool) {
		return []protocol.KeyedNotice{{Key: why + "-spec:" + project.ID(r.spec.statePath()), Text: display.Title(r.spec.v.tag) + ": " + text}}, false
	}
	const resume = display.Bridge + " ralph resume"
	implement := r.spec.v.command + ":implement."
	if r.record.Bound && r.record.SessionID != "" && session.NewStore(r.stop.Env.StateHome).AtWork(r.record.SessionID, r.record.UpdatedAt, now) {
		return alone("foreign", name+" belongs to another session, so it does not block this one. To take it over: "+resume+" --force")
	}
	switch {
	case in.SessionID == "", r.record.Bound && r.record.SessionID == "" && session.Lately(r.record.UpdatedAt, now):
		// A spec that was resumed in a terminal waits for the next session that stops.
		return nil, true
	case git.Tracked(r.spec.statePath()):
		return alone("tracked", "bridge ignores a state that came with the repository: "+path+". To adopt it: "+resume)
	case !session.Lately(r.modified, now):
		// A session that was opened only to ask a question must not be sent to work on
		// the spec.
		return alone("abandoned", name+" was last worked on "+r.modified.Format(time.DateTime)+" and belongs to no session, so bridge ignores it. To continue it: "+resume+", or "+implement)
	case !session.WrittenHere(r.modified, r.changed, now):
		return alone("unpacked", "bridge ignores a state that may come from an archive, judging by its file times: "+path+". To adopt it: "+resume+", or "+implement)
	}
	return nil, true
}

// outside returns a notice about a directory that is a link out of the project.
func (v variant) outside(path string) protocol.KeyedNotice {
	return protocol.KeyedNotice{
		Key: "outside-spec:" + project.ID(path),
		Text: fmt.Sprintf("%s: bridge ignores a link that leads out of the project: %s. If it belongs to this project, replace the link with a directory, or list the directory with an absolute path in specs_dirs.",
			display.Title(v.tag), display.Text(path)),
	}
}

func (s Spec) unusable(err error) protocol.KeyedNotice {
	return session.Kind{Key: "spec", Label: s.v.tag}.Unusable(s.statePath(), err)
}

const (
	// settleTime is how long after its start a hook waits for a state that is being written.
	settleTime = time.Second
	// recent is the age below which an unreadable state may still be in the middle of a
	// write. quiet is how long a readable state must have been unchanged.
	recent = 2 * time.Second
	quiet  = 50 * time.Millisecond
	tick   = 20 * time.Millisecond
)

// reading is what the state file held at one moment.
type reading struct {
	file    statefile.File
	state   State
	content Content
}

func readingOf(file statefile.File) reading {
	r := reading{file: file}
	r.state, r.content = ParseState(file.Data)
	return r
}

func (r *run) take(now reading) {
	r.state, r.content, r.modified, r.changed = now.state, now.content, now.file.ModTime, now.file.ChangeTime
}

// settle waits while the coordinator writes the state: as long as the state is new and cannot be read, or changed a
// moment ago. It never waits for a state that nobody is writing (the plugin's hook sleeps for a second at every stop).
// beforeWait, unless it is nil, is called before the first wait.
func (r reading) settle(dir *statefile.Dir, name string, until time.Time, beforeWait func()) (reading, error) {
	for {
		wait := quiet
		if r.content == Corrupt || r.content == Nothing {
			wait = recent
		}
		now := time.Now()
		if now.Sub(r.file.ModTime).Abs() >= wait || !now.Before(until) {
			return r, nil
		}
		if beforeWait != nil {
			beforeWait()
			beforeWait = nil
		}
		time.Sleep(min(tick, until.Sub(now)))
		next, err := dir.Read(name)
		if errors.Is(err, fs.ErrNotExist) && time.Now().Before(until) {
			// The file may be absent only between two renames, or it may have been removed; the last check shows which.
			time.Sleep(tick)
			next, err = dir.Read(name)
		}
		if err != nil {
			return r, err
		}
		r = readingOf(next)
	}
}

// shownPath is the path of the spec as the model can use it: as configured if that path
// counts from the same directory, otherwise absolute.
func (r *run) shownPath() string {
	shown := r.spec.Shown
	if r.stop.Input.CWD == r.spec.place {
		return display.Text(shown)
	}
	if cwd, err := filepath.EvalSymlinks(r.stop.Input.CWD); err != nil || cwd != r.spec.place {
		shown = r.spec.Dir
	}
	return display.Text(shown)
}
