package specum

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// tasksName is the list of tasks beside the state.
const tasksName = "tasks.md"

// Label names the spec for the user.
func (r *run) Label() string { return r.spec.v.tag }

// Observe implements protocol.Observer: it reads the tasks and, if the transcript is
// plain text, its end.
func (r *run) Observe(_ context.Context, turn protocol.Turn) {
	if r.stop.Env.Config.Specum.Variant == Codex && r.spec.v.kind == Specum {
		r.spec.v = r.spec.v.asCodex()
	}
	// A directory that cannot be read has no tasks and no notes.
	_ = r.spec.open(func(dir stateDir) error {
		r.readTasks(dir)
		if r.tasks.mayLeaveNotes() {
			r.notes = oldNotes(dir, r.stop.Env.Now)
		}
		return nil
	})
	if turn.Err == protocol.TranscriptUnparsable && !turn.HasFinal {
		r.plain = transcript.Tail(r.stop.Input.TranscriptPath)
	}
}

func (r *run) readTasks(dir stateDir) {
	file, err := dir.Read(tasksName)
	if err == nil {
		r.tasks = ParseTasks(file.Data)
	}
	r.tasks.Unread = err != nil && !errors.Is(err, fs.ErrNotExist)
}

// facts combines what was read with what the turn says.
func (r *run) facts(signal Signal) Facts {
	return Facts{
		Kind: r.spec.v.kind, Name: display.Text(r.spec.Name), Path: r.shownPath(),
		Content: r.content, State: r.state, Tasks: r.tasks,
		StopHookActive: r.stop.Input.Stop.StopHookActive,
		Signal:         signal,
		Strict:         r.stop.Env.Config.Specum.StrictGuard, Remembers: r.records.usable(), Record: r.record,
	}
}

// Decide answers a stop.
func (r *run) Decide(turn protocol.Turn, now time.Time) protocol.Decision {
	lineOnly := r.spec.v.lineToken
	d, record := decide(r.spec.v, r.facts(max(Completed(turn, lineOnly), CompletedPlain(r.plain, lineOnly))))
	if d.MessageKey != "" {
		d.MessageKey += ":" + project.ID(r.spec.statePath())
	}
	record.Bound, record.SessionID, record.UpdatedAt = true, r.stop.Input.SessionID, now
	if d.Rule == RuleComplete {
		d.Writes, d.After = r.complete(record, now)
		return d
	}
	d.Writes = append([]protocol.Write{r.save(record)}, r.sweep()...)
	return d
}

// save writes the record. Without a record bridge would not know what it has already
// said, so if the record cannot be written, the stop is allowed.
func (r *run) save(record Record) protocol.Write {
	return protocol.Write{
		What: "remember where " + r.spec.v.noun + " " + r.spec.Name + " is",
		Do:   func() error { return r.records.save(record, statefile.Volatile) },
	}
}

// End releases the spec until it makes progress again. The spec's state stays unchanged.
func (r *run) End(now time.Time) ([]protocol.Write, string) {
	record := r.record
	record.Bound, record.SessionID, record.UpdatedAt = true, r.stop.Input.SessionID, now
	record.Released, record.ReleasedAt = Idle, progressOf(r.state, r.tasks)
	return []protocol.Write{r.save(record)}, fmt.Sprintf("The state of %s %s is unchanged; the loop continues when a task makes progress, or at once with "+display.Bridge+" ralph resume.", r.spec.v.noun, display.Text(r.spec.Name))
}

// sweepAge is how old the notes of a parallel task must be to be removed.
const sweepAge = time.Hour

// oldNotes lists the notes of parallel tasks that earlier turns left beside the state.
func oldNotes(dir stateDir, now time.Time) (old []string) {
	names, err := dir.Names(".")
	if err != nil {
		return nil
	}
	for _, name := range names {
		if !strings.HasPrefix(name, ".progress-task-") || !strings.HasSuffix(name, ".md") {
			continue
		}
		if info, err := dir.Stat(name); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > sweepAge {
			old = append(old, name)
		}
	}
	return old
}

// sweep removes old notes.
func (r *run) sweep() []protocol.Write {
	if len(r.notes) == 0 {
		return nil
	}
	return []protocol.Write{{
		What:     "remove old notes of parallel tasks in " + r.spec.Dir,
		Optional: true,
		Do: func() error {
			return r.spec.open(func(dir stateDir) error {
				var errs []error
				for _, name := range r.notes {
					errs = append(errs, dir.Remove(name))
				}
				return errors.Join(errs...)
			})
		},
	}}
}
