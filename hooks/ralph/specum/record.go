package specum

import (
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Record is what bridge remembers about a spec: which session it belongs to, its progress
// at the last block, and what was already said. It is in our own state directory, because
// the files of the spec belong to the coordinator (docs/design.md#spec-binding).
type Record struct {
	// Bound says that a session has the spec. Its id may be empty for callers without
	// sessions.
	Bound     bool
	SessionID string
	// Path is that of the state file.
	Path string
	// Epic is the epic of the spec when its state was last read. It is needed at the end, when the coordinator has
	// already removed the state.
	Epic string
	// Blocked says that Progress holds the progress at our last block.
	Blocked  bool
	Progress Progress
	// Blocks counts our blocks in this run of the spec.
	Blocks int
	// SaidCorrupt and SaidLimit say that the model got the recovery text since the
	// condition began.
	SaidCorrupt, SaidLimit bool
	// Incomplete counts the blocks in a row about the same number of Unchecked boxes.
	Incomplete, Unchecked int
	Released              Release
	// ReleasedAt is the progress at the time of the release.
	ReleasedAt Progress
	UpdatedAt  time.Time
}

// forSession returns the record for the session that has the spec now. What was said to
// another session does not count for this one. The number of blocks and what a person
// ordered are kept.
func (r Record) forSession(sessionID string) Record {
	if r.SessionID == sessionID {
		return r
	}
	return Record{SessionID: sessionID, Path: r.Path, Epic: r.Epic, Blocks: r.Blocks, Released: r.Released, ReleasedAt: r.ReleasedAt}
}

// Release says why bridge has let go of the spec.
type Release string

// The reasons for a release.
const (
	Held Release = ""
	// Idle: the spec makes no progress, and there is nothing more to say about it.
	// Progress ends the release.
	Idle Release = "idle"
	// Done: everything is done, but the coordinator left its state. Progress ends the
	// release.
	Done Release = "done"
	// Paused and Cancelled: a person gave the order.
	Paused    Release = "paused"
	Cancelled Release = "cancelled"
)

// Progress says how far the work on a spec is. If two values are equal, nothing was done in between.
type Progress struct {
	Phase                                     string
	TaskIndex, TaskIteration, GlobalIteration int
	TotalTasks, MaxGlobal, Checked, Unchecked int
}

func progressOf(s State, t Tasks) Progress {
	return Progress{s.Phase, s.TaskIndex, s.TaskIteration, s.GlobalIteration, s.TotalTasks, s.MaxGlobal, t.Checked(), t.Unchecked}
}

// wentBack reports whether the coordinator started over.
func (p Progress) wentBack(before Progress) bool {
	return p.GlobalIteration < before.GlobalIteration || p.TaskIndex < before.TaskIndex ||
		p.Phase != before.Phase && before.Phase == PhaseExecution
}

// records is the directory of the records.
type records struct{ statefile.Own }

func recordsOf(stateHome string) records {
	return records{statefile.OwnIn(stateHome, "specum")}
}

// usable reports whether records can be kept.
func (r records) usable() bool { return r.Own != "" }

func recordName(statePath string) string { return project.ID(statePath) + ".json" }

// load returns the record of a state file, or an empty one.
func (r records) load(statePath string) Record {
	none := Record{Path: statePath}
	file, err := r.Read(recordName(statePath))
	if err != nil {
		return none
	}
	o, err := statefile.ParseObject(file.Data)
	if err != nil || o.Text("path") != statePath {
		return none
	}
	count := func(o statefile.Object, name string) int {
		n, _ := o.Count(name, 0)
		return n
	}
	progress := func(name string) Progress {
		p := o.Object(name)
		return Progress{p.Text("phase"), count(p, "task_index"), count(p, "task_iteration"), count(p, "global_iteration"), count(p, "total_tasks"), count(p, "max_global"), count(p, "checked"), count(p, "unchecked")}
	}
	record := Record{
		Bound: o.Bool("bound"), SessionID: o.Text("session_id"), Path: statePath, Epic: o.Text("epic"),
		Blocked: o.Bool("blocked"), Progress: progress("progress"), Blocks: count(o, "blocks"),
		SaidCorrupt: o.Bool("said_corrupt"), SaidLimit: o.Bool("said_limit"),
		Incomplete: count(o, "incomplete"), Unchecked: count(o, "unchecked"),
		Released: Release(o.Text("released")), UpdatedAt: o.Time("updated_at"),
	}
	if record.Released != Held {
		record.ReleasedAt = progress("released_at")
	}
	return record
}

// save writes the record. An order of a person must survive a power failure.
func (r records) save(record Record, durable statefile.Durability) error {
	return r.Save(recordName(record.Path), record.encode(), durable)
}

// drop forgets the record.
func (r records) drop(statePath string) error { return r.Remove(recordName(statePath)) }

// encode writes the record without reflection, which costs a tenth of a hook.
func (r Record) encode() []byte {
	w := protocol.WriteObject(make([]byte, 0, 1024), " ")
	progress := func(name string, p Progress) {
		w.Object(name, func(w *protocol.ObjectWriter) {
			w.Text("phase", p.Phase)
			w.Int("task_index", p.TaskIndex)
			w.Int("task_iteration", p.TaskIteration)
			w.Int("global_iteration", p.GlobalIteration)
			w.Int("total_tasks", p.TotalTasks)
			w.Int("max_global", p.MaxGlobal)
			w.Int("checked", p.Checked)
			w.Int("unchecked", p.Unchecked)
		})
	}
	w.Text("path", r.Path)
	w.Bool("bound", r.Bound)
	w.Text("session_id", r.SessionID)
	w.Text("epic", r.Epic)
	w.Bool("blocked", r.Blocked)
	progress("progress", r.Progress)
	w.Int("blocks", r.Blocks)
	w.Bool("said_corrupt", r.SaidCorrupt)
	w.Bool("said_limit", r.SaidLimit)
	w.Int("incomplete", r.Incomplete)
	w.Int("unchecked", r.Unchecked)
	w.Text("released", string(r.Released))
	progress("released_at", r.ReleasedAt)
	w.Text("updated_at", r.UpdatedAt.UTC().Format(time.RFC3339))
	text, _ := w.End()
	return append(text, '\n')
}
