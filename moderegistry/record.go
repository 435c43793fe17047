package moderegistry

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Records are the files of a session that belong to no mode, such as the last
// tool error. Who writes one and who reads it come here, so that both mean the
// same file (spec/omc-modes.md, section 11, row 28).
type Records struct{ dir, sessionID string }

// OpenRecords returns the records of a session. It opens nothing yet.
//
// They lie in the project's .omc where it exists and may be used, else in a directory of our own,
// because a project without .omc gets no new file (design decision 17). Where
// there is neither, nothing is recorded.
func OpenRecords(places project.Places, sessionID string, getenv func(string) string) Records {
	return Records{recordDir(project.FindOmc(places, getenv), project.StateHome(getenv)), sessionID}
}

// Records returns the records of the registry's session.
func (r *Registry) Records() Records {
	return Records{recordDir(r.omc, r.stateHome), r.sessionID}
}

// Of returns the records of another session of the same project.
func (r Records) Of(sessionID string) Records { return Records{r.dir, sessionID} }

func recordDir(omc protocol.OmcDirs, stateHome string) string {
	if !omc.Absent {
		if info, err := statefile.StatWithin(omc.Home, omc.Roots...); err == nil && info.IsDir() {
			return omc.Home
		}
	}
	if stateHome == "" || omc.Lock == "" {
		return ""
	}
	return filepath.Join(stateHome, "projects", project.ID(omc.Lock))
}

// Exists reports whether something stands at the record's path. It costs one
// system call.
func (r Records) Exists(file File) bool {
	name, ok := Path(file, r.sessionID)
	if !ok || r.dir == "" {
		return false
	}
	_, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(name)))
	return err == nil
}

// Read returns a record; ok is false when it is absent or cannot be used.
func (r Records) Read(file File) (object statefile.Object, ok bool) {
	name, ok := Path(file, r.sessionID)
	if !ok || r.dir == "" {
		return statefile.Object{}, false
	}
	dir, err := statefile.OpenDir(r.dir)
	if err != nil {
		return statefile.Object{}, false
	}
	defer dir.Close()
	c, ok := companion(dir, r.dir, name)
	if id := c.Object.Text("session_id"); id != "" && id != r.sessionID {
		return statefile.Object{}, false
	}
	return c.Object, ok
}

// Write puts a record in its place.
func (r Records) Write(file File, object statefile.Object) error {
	name, ok := Path(file, r.sessionID)
	if !ok || r.dir == "" {
		return nil
	}
	dir, err := statefile.MakeDir(r.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Create(name, object.Bytes(), statefile.Volatile)
}

// Remove removes a record. An absent one is no error.
func (r Records) Remove(file File) error {
	name, ok := Path(file, r.sessionID)
	if !ok || !r.Exists(file) {
		return nil
	}
	dir, err := statefile.OpenDir(r.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Remove(name)
}

// Dir is the directory of the records, or "" where nothing is recorded.
func (r Records) Dir() string { return r.dir }

// Update reads a record and puts what change makes of it in its place. The
// caller holds a lock that other writers of this record take as well.
func (r Records) Update(file File, change func(text []byte) ([]byte, error)) error {
	name, ok := Path(file, r.sessionID)
	if !ok || r.dir == "" {
		return nil
	}
	dir, err := statefile.MakeDir(r.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	old, err := dir.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := change(old.Data)
	if err != nil {
		return err
	}
	return dir.Create(name, text, statefile.Volatile)
}
