package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// In opens the directory at path, as OpenDir does, and closes it after do has run.
func In(path string, do func(*Dir) error) error { return in(OpenDir, path, do) }

func in(open func(string) (*Dir, error), path string, do func(*Dir) error) error {
	dir, err := open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return do(dir)
}

// Own is a directory of our own records. It is created when the first record is written.
// If no home directory is known, Own is empty: it contains nothing, and records that are
// written to it are lost.
type Own string

// OwnIn is the directory name in a state directory, which may be empty.
func OwnIn(stateHome, name string) Own {
	if stateHome == "" {
		return ""
	}
	return Own(filepath.Join(stateHome, name))
}

// Read reads a record. Errors are those of Dir.Read.
func (o Own) Read(name string) (File, error) {
	if o == "" {
		return File{}, fs.ErrNotExist
	}
	return ReadIn(string(o), name)
}

// Look returns the file information of name; ok is false if it does not exist. It costs
// one system call.
func (o Own) Look(name string) (info fs.FileInfo, ok bool) {
	if o == "" {
		return nil, false
	}
	info, err := os.Lstat(filepath.Join(string(o), filepath.FromSlash(name)))
	return info, err == nil
}

// Write calls do with the directory.
func (o Own) Write(do func(*Dir) error) error {
	if o == "" {
		return nil
	}
	return in(MakeDir, string(o), do)
}

// Save writes a record: in place if it only guards against repetition, and through a
// temporary file if it must survive a power failure.
func (o Own) Save(name string, data []byte, durable Durability) error {
	return o.Write(func(dir *Dir) error {
		if durable == Durable {
			return dir.Create(name, data, Durable)
		}
		return dir.Overwrite(name, data)
	})
}

// Remove removes a record. An absent one is no error.
func (o Own) Remove(name string) error {
	if o == "" {
		return nil
	}
	err := In(string(o), func(dir *Dir) error { return dir.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
