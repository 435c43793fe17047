package specum

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// View is a spec as shown to people.
type View struct {
	Spec    Spec
	Content Content
	State   State
	Tasks   Tasks
	// Current says that a current-spec file names it.
	Current  bool
	Record   Record
	Modified time.Time
	// changed is the change time of the state, as the system keeps it.
	changed time.Time
	// Problem says why the state cannot be read.
	Problem string
}

// Variant is the name of the system that the spec belongs to.
func (v View) Variant() string { return v.Spec.v.kind }

// Next is the title of the current task, which is next.
func (v View) Next() string {
	if v.State.Phase != PhaseExecution {
		return ""
	}
	group := v.Tasks.At(v.State.TaskIndex)
	switch len(group) {
	case 0:
		return ""
	case 1:
		return group[0].Title()
	}
	return fmt.Sprintf("%s (and %d in parallel)", group[0].Title(), len(group)-1)
}

// Views returns the specs of the project, starting with the nearest directory, and the problems of the configured
// directories.
func Views(s *protocol.Stop) (views []View, warnings []string) { return viewsOf(s, true) }

// viewsOf does the work of Views. If only specs with a state matter, it does not read the tasks of the others: a project
// may have a thousand finished specs.
func viewsOf(s *protocol.Stop, all bool) (views []View, warnings []string) {
	seen := map[string]bool{}
	for _, v := range chosen(s) {
		for _, dir := range s.Places {
			p := v.lookup(dir, s.Root)
			warnings = append(warnings, p.warnings...)
			if p.disabled {
				break
			}
			current := p.current()
			for i, spec := range append(current, p.all()...) {
				if !seen[spec.Dir] {
					seen[spec.Dir] = true
					views = append(views, view(s, spec, i < len(current), all))
				}
			}
		}
	}
	return views, warnings
}

// chosen returns the variants, with codex instead of specum if the user's configuration
// says so.
func chosen(s *protocol.Stop) []variant {
	all := variants()
	if s.Env.Config.Specum.Variant == Codex {
		all[0] = all[0].asCodex()
	}
	return all
}

func view(s *protocol.Stop, spec Spec, current, all bool) View {
	v := View{Spec: spec, Current: current, Content: Gone}
	if _, err := os.Lstat(spec.statePath()); err != nil && !all {
		return v
	}
	if data, ok := readBelow(spec.Dir, tasksName); ok {
		v.Tasks = ParseTasks(data)
	}
	err := spec.open(func(dir stateDir) error {
		file, err := dir.Read(spec.v.state)
		if err == nil {
			v.Modified, v.changed = file.ModTime, file.ChangeTime
			v.State, v.Content = ParseState(file.Data)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		v.Content, v.Problem = Corrupt, err.Error()
	} else if v.Content == Corrupt {
		v.Problem = "the state is not valid JSON; " + spec.v.command + ":implement writes it again"
	}
	if v.Content != Gone {
		v.Record = recordsOf(s.Env.StateHome).load(spec.statePath())
	}
	return v
}

// List returns the specs of the project that have a state and are either current or bound
// to a session.
func List(s *protocol.Stop) ([]protocol.Controlled, error) {
	views, _ := viewsOf(s, false)
	var all []protocol.Controlled
	for _, v := range views {
		if v.Content == Object || v.Content == Corrupt {
			if v.Current || v.Record.Bound {
				all = append(all, v.controlled(s))
			}
		}
	}
	return all, nil
}

func (v View) controlled(s *protocol.Stop) protocol.Controlled {
	c := protocol.Controlled{Status: v.status(s), Adoptable: true}
	locked := func(order func(records, Record) (string, error)) (string, error) {
		return project.Locked(s.Env, s.Root, func() (string, error) {
			store := recordsOf(s.Env.StateHome)
			if !store.usable() {
				return "", fmt.Errorf("change the %s: %w", v.label(), errNoHome)
			}
			return order(store, store.load(v.Spec.statePath()))
		})
	}
	release := func(why Release, text string) func() (string, error) {
		return func() (string, error) {
			return locked(func(store records, r Record) (string, error) {
				r.Released, r.ReleasedAt, r.UpdatedAt = why, progressOf(v.State, v.Tasks), s.Env.Now
				if err := store.save(r, statefile.Durable); err != nil {
					return "", fmt.Errorf("remember it: %w", err)
				}
				return text, nil
			})
		}
	}
	name := v.label()
	if v.Record.Released != Paused && v.Record.Released != Cancelled {
		c.Pause = release(Paused, fmt.Sprintf("Paused the %s. Its files stay as they are. To continue: "+display.Bridge+" ralph resume --dialect %s", name, v.Variant()))
		c.Cancel = release(Cancelled, fmt.Sprintf("Cancelled the %s: stops are allowed from now on. Its files stay as they are; %s:cancel removes them. To continue: "+display.Bridge+" ralph resume --dialect %s", name, v.Spec.v.command, v.Variant()))
	}
	c.Resume = func(opts protocol.ResumeOptions) (string, error) {
		return locked(func(store records, r Record) (string, error) { return v.resume(s, store, r, opts) })
	}
	return c
}

var (
	errNoHome = errors.New("no home directory is known, so nothing can be remembered: set HOME or XDG_STATE_HOME to an absolute path")
	// ErrAtLimit means that the spec's own limit must be raised first.
	ErrAtLimit = errors.New("it reached its limit")
)

// resume binds the spec to the session that asks or, in a terminal, to the next session
// that stops.
func (v View) resume(s *protocol.Stop, store records, r Record, opts protocol.ResumeOptions) (string, error) {
	fail := func(err error) (string, error) { return "", fmt.Errorf("resume the %s: %w", v.label(), err) }
	other := r.Bound && r.SessionID != "" && r.SessionID != opts.SessionID && r.Released == Held
	if other && !opts.Force && session.NewStore(s.Env.StateHome).AtWork(r.SessionID, r.UpdatedAt, s.Env.Now) {
		return fail(protocol.ErrMayRun)
	}
	switch {
	case v.Content == Corrupt:
		return fail(errors.New(v.Problem))
	case opts.MaxIterations > 0:
		return fail(fmt.Errorf("the limit of a spec belongs to its coordinator: set maxGlobalIterations in %s", v.Spec.statePath()))
	case v.State.MaxGlobal > 0 && v.State.GlobalIteration >= v.State.MaxGlobal:
		return fail(fmt.Errorf("%w at iteration %d of %d: raise maxGlobalIterations in %s (0 means no limit)", ErrAtLimit, v.State.GlobalIteration, v.State.MaxGlobal, v.Spec.statePath()))
	}
	fresh := Record{Bound: true, SessionID: opts.SessionID, Path: v.Spec.statePath(), Epic: v.State.Epic, UpdatedAt: s.Env.Now}
	if err := store.save(fresh, statefile.Durable); err != nil {
		return fail(err)
	}
	if v.State.Phase != PhaseExecution {
		return fmt.Sprintf("The %s is in phase %s; bridge blocks its stops only in phase execution.", v.label(), display.Text(v.State.Phase)), nil
	}
	return fmt.Sprintf("Resumed the %s at task %s. It continues at the next stop.", v.label(), v.State.Position()), nil
}

func (v View) label() string { return v.Spec.v.noun + " " + display.Name(v.Spec.Name) }

func (v View) status(s *protocol.Stop) protocol.Status {
	st := protocol.Status{
		Kind: v.Variant(), Label: v.label(), Path: v.Spec.statePath(), State: protocol.LoopActive,
		SessionID: v.Record.SessionID, Iteration: v.State.GlobalIteration, Limit: v.State.MaxGlobal,
		Phase: display.Text(v.State.Phase), Progress: v.Progress(), UpdatedAt: v.Modified, About: v.Spec.Name,
		EndsBy: Token, Stop: display.Bridge + " ralph cancel --dialect " + v.Variant(), Problem: v.Problem,
	}
	if v.State.MaxGlobal > 0 {
		st.EndsBy += fmt.Sprintf(" or %d iterations", v.State.MaxGlobal)
	}
	driven := v.State.Phase == PhaseExecution || v.Spec.v.gates && v.State.QuickMode
	switch {
	case v.Content == Corrupt:
		st.State, st.Iteration, st.Limit, st.Phase = protocol.LoopBroken, 0, 0, ""
	case v.Record.Released == Done, v.Record.Released == Cancelled:
		st.State, st.Stop = protocol.LoopEnded, ""
	case v.Record.Released != Held:
		st.State = protocol.LoopPaused
	case !driven || v.State.Awaiting:
		st.State = protocol.LoopPaused
	case !v.Record.Bound && git.Tracked(v.Spec.statePath()):
		st.State, st.Problem = protocol.LoopStale, "it came with the repository; "+display.Bridge+" ralph resume adopts it"
	case !v.Record.Bound && !session.Lately(v.Modified, s.Env.Now):
		st.State, st.Problem = protocol.LoopStale, "nobody worked on it for a day; "+display.Bridge+" ralph resume continues it"
	case !v.Record.Bound && !session.WrittenHere(v.Modified, v.changed, s.Env.Now):
		st.State, st.Problem = protocol.LoopStale, "it may come from an archive, judging by its file times; "+display.Bridge+" ralph resume adopts it"
	}
	return st
}

// Progress describes the progress of the spec: task, attempt and next task.
func (v View) Progress() string {
	if v.Content != Object || v.State.Phase != PhaseExecution {
		return ""
	}
	if v.State.TaskIndex >= v.State.TotalTasks {
		return fmt.Sprintf("all tasks (%d) worked through, open boxes: %d", v.State.TotalTasks, v.Tasks.Unchecked)
	}
	text := fmt.Sprintf("task %d/%d, attempt %d/%d", v.State.TaskIndex+1, v.State.TotalTasks, v.State.TaskIteration, v.State.MaxTask)
	if next := v.Next(); next != "" {
		text += "; next: " + display.Data(next, 200)
	}
	if v.State.Awaiting {
		text += "; waiting for your approval"
	}
	return text
}
