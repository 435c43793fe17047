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
	// Dir is the .omc directory; Name is the path below it.
	Dir, Name string
	// SessionID is the owner: the id in the file, or else that of the folder, or else
	// empty.
	SessionID string
	Object    statefile.Object
	File      statefile.File
	// StartedAt and TouchedAt are times in the file; TouchedAt is the newest of them.
	// They are zero if the file has none.
	StartedAt, TouchedAt time.Time
	// Count and Limit are the mode's counter and its limit; both are 0 if the mode has
	// none.
	Count, Limit int
	// Problem says why the file cannot be used; it is empty if it can.
	Problem string
	// Claim is the session id to write into a file that has none; it is empty otherwise.
	Claim string
	// claimed is called after the claim was written.
	claimed func()
	// Ended says that the state is in its backup.
	Ended bool
	// marker says that only a marker file shows this state.
	marker bool
	// foreign says that the file is in the folder of one session and names another one.
	foreign bool
}

// parse reads the text of a state file. owner is the session whose folder holds the file,
// or empty.
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
	// Other tools omit the counter in a state that a keyword created (Yeachan-Heo/oh-my-claudecode#1432). If there is
	// one, it must be a number.
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

// Path returns the absolute path of the state file.
func (s State) Path() string { return filepath.Join(s.Dir, filepath.FromSlash(s.Name)) }

// Phase is the phase of a mode that has phases, in lower case.
func (s State) Phase() string {
	for _, field := range []string{"phase", "current_phase", "currentStage", "current_stage", "stage"} {
		if phase := s.Object.Text(field); phase != "" {
			return strings.ToLower(strings.TrimSpace(phase))
		}
	}
	return ""
}

// Prompt is what the mode was started with, or "".
func (s State) Prompt() string {
	for _, field := range []string{"prompt", "original_prompt", "originalIdea"} {
		if prompt := s.Object.Text(field); prompt != "" {
			return prompt
		}
	}
	return ""
}

// Active reports whether the file says that the mode is running.
func (s State) Active() bool {
	return s.Problem == "" && !s.Ended && (s.marker || s.Object.Bool("active")) && !(s.Mode == Autopilot && Terminal(s.Phase()))
}

// Terminal reports whether a phase is a final one (docs/reference/stop-rules.md#team).
func Terminal(phase string) bool {
	switch phase {
	case "complete", "completed", "done", "failed", "cancelled", "canceled", "cancel", "aborted", "terminated":
		return true
	}
	return false
}

// Save returns the write that replaces the state that was read with object, adding the
// session's id if the file had none. A state that was removed in the meantime stays
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

// Kept says where the state of an ended mode is, and which command resumes it.
func (s State) Kept() string {
	return "Its state is kept in " + display.Text(statefile.Backup(s.Path())) + ". To continue: " + ResumeCommand(s.Mode)
}

// keptOlder is how many older backups of a state are kept, besides the newest. The state
// of a mode changes with each stop, so each end leaves another one.
const keptOlder = 20

func archive(omc, name string) protocol.Write {
	return protocol.Write{What: "move " + filepath.Join(omc, name) + " to " + statefile.Backup(filepath.Base(name)), Do: func() error {
		return statefile.In(omc, func(dir *statefile.Dir) error {
			if err := dir.Archive(name); err != nil {
				return err
			}
			// If an old file cannot be removed, the mode ends in any case.
			_ = dir.Thin(name, keptOlder)
			return nil
		})
	}}
}

// live reports whether the mode was active within its staleness. A file without a time of
// its own does not count as live, nor does one whose time is in the future, because a
// repository could have set it. clockBack allows for a clock that was set back.
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

// owned is the information that the rules of ownership use.
func (s State) owned() session.Owned {
	stamp := s.TouchedAt
	if s.marker {
		// The time of the summary beside the marker is the newest one.
		stamp = s.StartedAt
	}
	return session.Owned{Path: s.Path(), SessionID: s.SessionID, Stamp: stamp, ModTime: s.File.ModTime, ChangeTime: s.File.ChangeTime}
}

// awaiting reports whether the mode still waits for its skill to start
// (Yeachan-Heo/oh-my-claudecode#1796). The wait ends after two minutes
// (Yeachan-Heo/oh-my-claudecode#2061), and a time in the future does not count.
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

// orphan reports whether nobody really started an autopilot: a routing text of oh-my-claudecode became a prompt, and a
// keyword in it created the state (Yeachan-Heo/oh-my-claudecode#2898, Yeachan-Heo/oh-my-claudecode#2899,
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
