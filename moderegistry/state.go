package moderegistry

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// State is the state of one mode as it was read.
type State struct {
	Mode Mode
	// Dir is the .omc directory and Name the path below it.
	Dir, Name string
	// SessionID is the owner: the id in the file, else the folder's, else empty.
	SessionID string
	Object    statefile.Object
	File      statefile.File
	// StartedAt and TouchedAt are the file's own times, TouchedAt the newest of
	// them; zero when it has none.
	StartedAt, TouchedAt time.Time
	// Count and Limit are the mode's counter and its limit, 0 where the mode has
	// none.
	Count, Limit int
	// Problem says why the file cannot be used, or is empty.
	Problem string
	// Claim is the session id to write into a file that has none, or empty.
	Claim string
	// claimed is called when the claim was written.
	claimed func()
	// Ended is a state that lies in its backup.
	Ended bool
	// marker is a state of which only a marker file tells.
	marker bool
	// foreign is a file in a session's folder that names another session.
	foreign bool
}

// parse reads what a state file says. owner is the session whose folder it lies
// in, or empty.
func parse(mode Mode, dir, name, owner string, file statefile.File) State {
	s := State{Mode: mode, Dir: dir, Name: name, SessionID: owner, File: file}
	object, err := statefile.ParseObject(file.Data)
	if err != nil {
		s.Problem = "it is " + err.Error()
		return s
	}
	s.Object = object
	if id := object.Text("session_id"); id != "" {
		s.foreign = owner != "" && id != owner
		s.SessionID = id
	}
	s.StartedAt = object.Time("started_at")
	for _, field := range []string{"started_at", "updated_at", "last_checked_at"} {
		if t := object.Time(field); t.After(s.TouchedAt) {
			s.TouchedAt = t
		}
	}
	row, _ := RowOf(mode)
	if row.Counter == "" {
		return s
	}
	// Peers leave the counter out of a state that a keyword created
	// (Yeachan-Heo/oh-my-claudecode#1432: what is there must be a number).
	var countErr, limitErr error
	s.Count, countErr = object.Count(row.Counter, row.First)
	s.Limit, limitErr = object.Count(row.LimitField, row.Limit)
	if s.Limit == 0 {
		s.Limit = row.Limit
	}
	for _, err := range []error{countErr, limitErr} {
		if err != nil && s.Problem == "" {
			s.Problem = err.Error()
		}
	}
	return s
}

// Path is the absolute path of the state file.
func (s State) Path() string { return filepath.Join(s.Dir, filepath.FromSlash(s.Name)) }

// Phase is the phase of a mode that has some, in lower case.
func (s State) Phase() string {
	for _, field := range []string{"phase", "current_phase", "currentStage", "current_stage", "stage"} {
		if phase := s.Object.Text(field); phase != "" {
			return strings.ToLower(strings.TrimSpace(phase))
		}
	}
	return ""
}

// Active reports whether the file says that the mode runs.
func (s State) Active() bool {
	return s.Problem == "" && !s.Ended && (s.marker || s.Object.Bool("active")) && !(s.Mode == Autopilot && Terminal(s.Phase()))
}

// Terminal reports whether a phase is one after which nothing comes
// (docs/reference/stop-rules.md#team).
func Terminal(phase string) bool {
	switch phase {
	case "complete", "completed", "done", "failed", "cancelled", "canceled", "cancel", "aborted", "terminated":
		return true
	}
	return false
}

// Save returns the write that puts object in the place of the state that was read, with
// the session's id where the file had none. A state that was removed meanwhile stays
// removed (Yeachan-Heo/oh-my-claudecode#2085, Yeachan-Heo/oh-my-claudecode#2088).
func (s State) Save(what string, object statefile.Object) protocol.Write {
	if s.Claim != "" {
		object = object.Set("session_id", s.Claim)
	}
	return protocol.Write{What: what + " in " + s.Path(), Do: func() error {
		err := statefile.In(s.Dir, func(dir *statefile.Dir) error {
			return dir.Replace(s.Name, s.File, object.Bytes(), statefile.Volatile)
		})
		if err == nil && s.claimed != nil {
			s.claimed()
		}
		return err
	}}
}

// Archive returns the write that moves the state to its backup.
func (s State) Archive() protocol.Write { return archive(s.Dir, s.Name) }

// Kept says where the state of a mode that ended lies and what brings it back.
func (s State) Kept() string {
	return "Its state is kept in " + display.Text(statefile.Backup(s.Path())) + ". To go on: " + ResumeCommand(s.Mode)
}

func archive(omc, name string) protocol.Write {
	return protocol.Write{What: "move " + filepath.Join(omc, name) + " to " + statefile.Backup(filepath.Base(name)), Do: func() error {
		return statefile.In(omc, func(dir *statefile.Dir) error { return dir.Archive(name) })
	}}
}

// live reports whether the mode shows a sign of life within its staleness. A
// file without a time of its own shows none, and neither does one from the
// future, where a repository could put it. A clock may go back by clockBack.
func (s State) live(now time.Time) bool {
	at, most := s.TouchedAt, Staleness
	if s.marker {
		most = markerStaleness
		if s.File.ModTime.After(at) {
			at = s.File.ModTime
		}
	}
	age := now.Sub(at)
	return s.Active() && age < most && age > -clockBack
}

// owned is the state as the rules of ownership see it.
func (s State) owned() session.Owned {
	stamp := s.TouchedAt
	if s.marker {
		// The newest time is that of the summary beside it.
		stamp = s.StartedAt
	}
	return session.Owned{Path: s.Path(), SessionID: s.SessionID, Stamp: stamp, ModTime: s.File.ModTime, ChangeTime: s.File.ChangeTime}
}

// awaiting reports whether the mode still waits for its skill to start
// (Yeachan-Heo/oh-my-claudecode#1796). The wait ends after two minutes
// (Yeachan-Heo/oh-my-claudecode#2061), and a time in the future is none.
func (s State) awaiting(now time.Time) bool {
	if !s.Object.Bool("awaiting_confirmation") {
		return false
	}
	since := s.Object.Time("awaiting_confirmation_set_at")
	if since.IsZero() {
		since = s.StartedAt
	}
	age := now.Sub(since)
	return age >= 0 && age < confirmationTime
}

// orphan reports an autopilot that was never begun: a routing text of the peer came
// back as a prompt and its keyword made a state of it
// (Yeachan-Heo/oh-my-claudecode#2898, Yeachan-Heo/oh-my-claudecode#2899,
// Yeachan-Heo/oh-my-claudecode#3000).
func (s State) orphan() bool {
	if s.Mode != Autopilot || s.Phase() != "" && s.Phase() != "unspecified" {
		return false
	}
	for _, field := range []string{"original_prompt", "originalIdea", "prompt"} {
		text := strings.TrimSpace(s.Object.Text(field))
		if strings.Contains(text, "[MAGIC KEYWORD") || strings.HasPrefix(text, "/autopilot") || strings.HasPrefix(text, "/oh-my-claudecode:autopilot") {
			return true
		}
	}
	return false
}
