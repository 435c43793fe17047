package moderegistry

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Records are the files of a session that belong to no mode, such as the last tool error. Readers and writers both use
// this type, so that they use the same file (docs/reference/modes.md#one-path-table).
type Records struct {
	own       statefile.Own
	sessionID string
}

// OpenRecords returns the records of a session. It opens nothing yet.
//
// The records are in the project's .omc if it exists and may be used, and otherwise in a
// directory of our own, because a project without .omc gets no new file
// (docs/design.md#no-new-omc). If neither is possible, nothing is recorded.
func OpenRecords(places protocol.Places, sessionID string, env protocol.Env) Records {
	return Records{recordsIn(project.FindOmc(places, env.Getenv), env.StateHome), sessionID}
}

// Records returns the records of the registry's session.
func (r *Registry) Records() Records {
	return Records{recordsIn(r.omc, r.env.StateHome), r.sessionID}
}

// Of returns the records of another session of the same project.
func (r Records) Of(sessionID string) Records { return Records{r.own, sessionID} }

func recordsIn(omc protocol.OmcDirs, stateHome string) statefile.Own {
	if !omc.Absent {
		if info, err := statefile.StatWithin(omc.Home, omc.Roots...); err == nil && info.IsDir() {
			return statefile.Own(omc.Home)
		}
	}
	if omc.Lock == "" {
		return ""
	}
	return statefile.OwnIn(stateHome, filepath.Join("projects", project.ID(omc.Lock)))
}

// Dir is the directory of the records, or "" if nothing is recorded.
func (r Records) Dir() string { return string(r.own) }

// at is the path of a record. It is empty if the record has no path for the session.
func (r Records) at(file File) (own statefile.Own, name string) {
	name, ok := Path(file, r.sessionID)
	if !ok {
		return "", ""
	}
	return r.own, name
}

// Exists reports whether there is a file at the record's path. It costs one system call.
func (r Records) Exists(file File) bool {
	own, name := r.at(file)
	_, ok := own.Look(name)
	return ok
}

// Read returns a record; ok is false if it is absent or cannot be used.
func (r Records) Read(file File) (object statefile.Object, ok bool) {
	own, name := r.at(file)
	text, err := own.Read(name)
	if err == nil {
		object, err = statefile.ParseObject(text.Data)
	}
	if id := object.Text("session_id"); err != nil || id != "" && id != r.sessionID {
		return statefile.Object{}, false
	}
	return object, true
}

// Write writes a record.
func (r Records) Write(file File, object statefile.Object) error {
	own, name := r.at(file)
	return own.Write(func(dir *statefile.Dir) error { return dir.Create(name, object.Bytes(), statefile.Volatile) })
}

// Remove removes a record. An absent one is no error.
func (r Records) Remove(file File) error {
	if !r.Exists(file) {
		return nil
	}
	own, name := r.at(file)
	return own.Remove(name)
}

// Update reads a record, changes it with change and writes it back. The caller holds the
// lock that the other writers of this record also take.
func (r Records) Update(file File, change func(text []byte) ([]byte, error)) error {
	own, name := r.at(file)
	return own.Write(func(dir *statefile.Dir) error {
		old, err := dir.Read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		text, err := change(old.Data)
		if err != nil {
			return err
		}
		return dir.Create(name, text, statefile.Volatile)
	})
}
