// Package statefile reads and writes the small files that hold the state of
// loops and modes: safely below one directory, whole or not at all, and never
// bringing back a file that somebody removed meanwhile.
package statefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// MaxSize is the size in bytes above which a state file is not read (design
// decision 15).
const MaxSize = 1 << 20

var (
	// ErrForeignOwner means that the directory belongs to another user.
	ErrForeignOwner = errors.New("directory belongs to another user")
	// ErrWorldWritable means that everybody may write the directory.
	ErrWorldWritable = errors.New("directory is world-writable")
	// ErrNotRegular means that something other than a regular file, such as a
	// link, a FIFO or a directory, stands at the path.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge means that the file exceeds MaxSize.
	ErrTooLarge = errors.New("larger than 1 MiB")
	// ErrGone means that the file to be replaced is no longer there: somebody
	// cancelled, and a cancelled loop never comes back.
	ErrGone = errors.New("file was removed meanwhile")
	// ErrChanged means that the file changed between reading and replacing.
	ErrChanged = errors.New("file was changed meanwhile")
)

// Dir is a state directory, held open so that nothing below it can be swapped
// for a path elsewhere.
type Dir struct {
	root *os.Root
	path string
}

// OpenDir opens the state directory at p. p itself may be a link, that is a
// person's choice; it must belong to the effective user and not be
// world-writable (design decision 15). An absent directory gives fs.ErrNotExist.
func OpenDir(p string) (*Dir, error) {
	resolved, err := filepath.EvalSymlinks(p)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(resolved)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	if err == nil {
		err = checkOwner(info)
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return &Dir{root: root, path: resolved}, nil
}

// MakeDir creates the directory with mode 0700 where it is absent and opens it.
func MakeDir(p string) (*Dir, error) {
	if err := os.MkdirAll(p, 0o700); err != nil {
		return nil, err
	}
	return OpenDir(p)
}

// Close releases the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Path returns the resolved path of the directory.
func (d *Dir) Path() string { return d.path }

// File is a state file as it was read.
type File struct {
	Data    []byte
	Mode    fs.FileMode
	ModTime time.Time
}

// Read reads the regular file name, a slash-separated path below the
// directory without links in it. Errors: fs.ErrNotExist, ErrNotRegular,
// ErrTooLarge.
func (d *Dir) Read(name string) (File, error) {
	// Another process may replace the file between the look and the open; a
	// swap for something that is no file keeps failing.
	for try := 1; ; try++ {
		file, err := d.readOnce(name)
		if !errors.Is(err, errReplaced) {
			return file, err
		}
		if try == 10 {
			return File{}, fmt.Errorf("%s: %w", name, ErrNotRegular)
		}
	}
}

// errReplaced means that another file took the place of the one looked at.
var errReplaced = errors.New("replaced while it was opened")

func (d *Dir) readOnce(name string) (File, error) {
	info, err := d.lstat(name)
	if err != nil {
		return File{}, err
	}
	f, err := d.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	// Between Lstat and open a link may have taken the place of the file.
	opened, err := f.Stat()
	switch {
	case err != nil:
		return File{}, err
	case !os.SameFile(info, opened):
		return File{}, errReplaced
	case opened.Size() > MaxSize:
		return File{}, fmt.Errorf("%s: %w", name, ErrTooLarge)
	}
	data, err := readAll(f, opened.Size())
	if err != nil {
		return File{}, err
	}
	return File{Data: data, Mode: opened.Mode().Perm(), ModTime: opened.ModTime()}, nil
}

// readAll reads f, whose size was size a moment ago, up to MaxSize.
func readAll(f *os.File, size int64) ([]byte, error) {
	data := make([]byte, 0, size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) > MaxSize:
			return nil, fmt.Errorf("%s: %w", f.Name(), ErrTooLarge)
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

// lstat returns what stands at name. A link or a non-directory on the way, or
// anything but a regular file at its end, is ErrNotRegular.
func (d *Dir) lstat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) || strings.Contains(name, "\\") {
		return nil, fmt.Errorf("%q: %w", name, fs.ErrInvalid)
	}
	for at := 0; ; {
		slash := strings.IndexByte(name[at:], '/')
		if slash < 0 {
			break
		}
		at += slash
		info, err := d.root.Lstat(filepath.FromSlash(name[:at]))
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s: %w", name[:at], ErrNotRegular)
		}
		at++
	}
	info, err := d.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, ErrNotRegular)
	}
	return info, nil
}

// Names returns the names of the entries of the directory sub ("." for the
// directory itself), in no order. An absent directory has none.
func (d *Dir) Names(sub string) ([]string, error) {
	f, err := d.root.Open(filepath.FromSlash(sub))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// Stat returns what stands at name without following a link in the last
// place.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	return d.root.Lstat(filepath.FromSlash(name))
}

func (d *Dir) makeParents(name string) error {
	parent := path.Dir(name)
	if parent == "." {
		return nil
	}
	return d.root.MkdirAll(filepath.FromSlash(parent), 0o700)
}
