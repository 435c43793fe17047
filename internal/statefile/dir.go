// Package statefile reads and writes the small files that hold the state of loops and modes: only below one directory,
// always as a whole, and without ever recreating a file that somebody has removed.
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
	"syscall"
	"time"
)

// MaxSize is the size in bytes above which a state file is not read
// (docs/design.md#state-directories).
const MaxSize = 1 << 20

var (
	// ErrForeignOwner means that the directory belongs to another user.
	ErrForeignOwner = errors.New("directory belongs to another user")
	// ErrWorldWritable means that everybody can write to the directory.
	ErrWorldWritable = errors.New("directory is world-writable")
	// ErrOutside means that the directory is a link that leads out of the project.
	ErrOutside = errors.New("it is a link that leads out of the project")
	// ErrNotRegular means that the path is not a regular file but, for example, a link, a
	// FIFO or a directory.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge means that the file exceeds MaxSize, or the limit that was given.
	ErrTooLarge error = sizeError(MaxSize)
	// ErrGone means that the file to be replaced no longer exists: somebody cancelled,
	// and a cancelled loop never comes back.
	ErrGone = errors.New("the file was removed before it could be replaced")
	// ErrChanged means that the file changed between reading and replacing.
	ErrChanged = errors.New("the file was changed by another program")
)

// Dir is a state directory that is held open, so that no part of its path can be replaced
// while it is used.
type Dir struct {
	root *os.Root
	path string
	// subs are the subdirectories that are already open, by their paths: opening them
	// again for every file would cost more than reading the file.
	subs map[string]*os.Root
}

// OpenDir opens the state directory at p. p itself may be a link, because a person chose it. The directory must belong
// to the effective user and not be world-writable (docs/design.md#state-directories). An absent directory gives
// fs.ErrNotExist.
func OpenDir(p string) (*Dir, error) { return openDir(p, os.Stat) }

// OpenDirWithin is OpenDir for a directory that may have come with a repository: if it is a link, the link must lead to
// one of roots or below; otherwise the error is ErrOutside. roots are absolute paths without links.
func OpenDirWithin(p string, roots ...string) (*Dir, error) {
	return openDir(p, func(p string) (fs.FileInfo, error) { return StatWithin(p, roots...) })
}

// StatWithin returns the file information of a directory, with the checks of
// OpenDirWithin.
func StatWithin(p string, roots ...string) (fs.FileInfo, error) {
	info, err := os.Lstat(p)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return info, err
	}
	target, err := filepath.EvalSymlinks(p)
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		if rel, err := filepath.Rel(root, target); err == nil && filepath.IsLocal(rel) {
			return os.Stat(target)
		}
	}
	return nil, fmt.Errorf("%s: %w (to %s)", p, ErrOutside, target)
}

// openDir opens the directory at p. It first checks what is there, so that it never opens
// a FIFO.
func openDir(p string, look func(string) (fs.FileInfo, error)) (*Dir, error) {
	info, err := look(p)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: p, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(p)
	if err != nil {
		return nil, err
	}
	info, err = root.Stat(".")
	if err == nil {
		err = checkOwner(info)
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return &Dir{root: root, path: p, subs: map[string]*os.Root{".": root}}, nil
}

// MakeDir creates the directory with mode 0700 where it is absent and opens it.
func MakeDir(p string) (*Dir, error) {
	if err := os.MkdirAll(p, 0o700); err != nil {
		return nil, err
	}
	return OpenDir(p)
}

// MakeDirWithin is MakeDir for a directory that OpenDirWithin opens.
func MakeDirWithin(p string, roots ...string) (*Dir, error) {
	if _, err := StatWithin(p, roots...); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.MkdirAll(p, 0o700); err != nil {
		return nil, err
	}
	return OpenDirWithin(p, roots...)
}

// Close releases the directory.
func (d *Dir) Close() error {
	var errs []error
	for _, sub := range d.subs {
		errs = append(errs, sub.Close())
	}
	return errors.Join(errs...)
}

// slot is the place of one file: its open directory, and its name there.
type slot struct {
	dir  *os.Root
	base string
	// root is the path of the Dir, parent the slash-separated path from there.
	root, parent string
}

// slot finds the place of name, a slash-separated path. If a part of the path before the name is a link, or not a
// directory, the error is ErrNotRegular.
func (d *Dir) slot(name string) (slot, error) {
	if !fs.ValidPath(name) || strings.Contains(name, "\\") {
		return slot{}, fmt.Errorf("%q: %w", name, fs.ErrInvalid)
	}
	parent := path.Dir(name)
	dir, err := d.sub(parent)
	return slot{dir, path.Base(name), d.path, parent}, err
}

// sub opens the directory at p, step by step.
func (d *Dir) sub(p string) (*os.Root, error) {
	if sub, ok := d.subs[p]; ok {
		return sub, nil
	}
	parent, err := d.sub(path.Dir(p))
	if err != nil {
		return nil, err
	}
	base := path.Base(p)
	info, err := parent.Lstat(base)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: %w", p, ErrNotRegular)
	}
	sub, err := parent.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	d.subs[p] = sub
	return sub, nil
}

// Path returns the path of the directory without links.
func (d *Dir) Path() string {
	resolved, err := filepath.EvalSymlinks(d.path)
	if err != nil {
		return d.path
	}
	return resolved
}

// File is a state file as it was read.
type File struct {
	Data    []byte
	Mode    fs.FileMode
	ModTime time.Time
	// ChangeTime is when the file or its metadata last changed. Unlike ModTime, programs cannot set it. It is zero if the
	// system does not report it.
	ChangeTime time.Time
}

// Read reads the regular file name, a slash-separated path below the
// directory without links in it. Errors: fs.ErrNotExist, ErrNotRegular,
// ErrTooLarge.
func (d *Dir) Read(name string) (File, error) {
	// Another process may replace the file between Lstat and open, so try again. If it was replaced with something that
	// is not a file, every attempt fails.
	at, err := d.slot(name)
	if err != nil {
		return File{}, err
	}
	return at.read()
}

func (s slot) read() (File, error) {
	for range 10 {
		file, err := s.readOnce()
		if !errors.Is(err, errReplaced) {
			return file, err
		}
	}
	return File{}, fmt.Errorf("%s: %w", s.base, ErrNotRegular)
}

// errReplaced means that another file has replaced the one that was checked.
var errReplaced = errors.New("replaced while it was opened")

func (s slot) readOnce() (File, error) {
	info, err := s.regular()
	if err != nil {
		return File{}, err
	}
	f, err := openToRead(s.base, s.dir.OpenFile)
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
	}
	data, err := readAll(f, s.base, opened.Size(), MaxSize)
	if err != nil {
		return File{}, err
	}
	return File{Data: data, Mode: opened.Mode().Perm(), ModTime: opened.ModTime(), ChangeTime: changeTime(f, opened)}, nil
}

// ReadIn opens the directory dir for one Read.
func ReadIn(dir, name string) (File, error) {
	d, err := OpenDir(dir)
	if err != nil {
		return File{}, err
	}
	defer d.Close()
	return d.Read(name)
}

// Open opens a file for reading that is not a state file, at any path and through links. It opens only regular files and
// never waits. Errors: fs.ErrNotExist, ErrNotRegular.
func Open(path string) (*os.File, fs.FileInfo, error) {
	return openRegular(path, os.Stat, os.OpenFile)
}

type opener func(name string, flags int, mode fs.FileMode) (*os.File, error)

// openToRead does not wait for the other end of a FIFO, which may have replaced the file
// that was checked.
func openToRead(name string, open opener) (*os.File, error) {
	return open(name, os.O_RDONLY|openNonblock, 0)
}

func openRegular(path string, stat func(string) (fs.FileInfo, error), open opener) (*os.File, fs.FileInfo, error) {
	info, err := stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	f, err := openToRead(path, open)
	if err != nil {
		return nil, nil, err
	}
	// Another file may have replaced it.
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// ReadFile reads a file that Open opens, up to the given size. A larger file is
// ErrTooLarge.
func ReadFile(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, path, info.Size(), most)
}

// ReadInside is ReadFile for the file name below dir. Links must not lead out of dir.
func ReadInside(dir, name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, info, err := openRegular(name, root.Stat, root.OpenFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, name, info.Size(), most)
}

// sizeError is the size in bytes above which a file is not read.
type sizeError int64

func (e sizeError) Error() string { return fmt.Sprintf("larger than %d MiB", int64(e)>>20) }

func (e sizeError) Is(target error) bool { return target == ErrTooLarge }

// readAll reads f up to most bytes. size is the size that f had a moment ago.
func readAll(f *os.File, name string, size, most int64) ([]byte, error) {
	data := make([]byte, 0, min(size, most)+1)
	for size <= most {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
		size = int64(len(data))
	}
	return nil, fmt.Errorf("%s: %w", name, sizeError(most))
}

// regular returns the content of the slot. Anything but a regular file is ErrNotRegular.
func (s slot) regular() (fs.FileInfo, error) {
	info, err := s.dir.Lstat(s.base)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", s.base, ErrNotRegular)
	}
	return info, nil
}

// Names returns the names of the entries of the directory sub ("." for the directory
// itself), in no particular order. An absent directory has none.
func (d *Dir) Names(sub string) ([]string, error) {
	// d.sub is not used here: it would keep every directory open that a caller visits, possibly a thousand.
	at, err := d.slot(path.Clean(sub))
	if err == nil && at.base != "." {
		var info fs.FileInfo
		if info, err = at.dir.Lstat(at.base); err == nil && !info.IsDir() {
			err = fmt.Errorf("%s: %w", sub, ErrNotRegular)
		}
	}
	var f *os.File
	if err == nil {
		f, err = openToRead(at.base, at.dir.OpenFile)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// Leave closes the directory sub, if Dir holds it open. It can be used again.
func (d *Dir) Leave(sub string) {
	if held, ok := d.subs[sub]; ok && sub != "." {
		held.Close()
		delete(d.subs, sub)
	}
}

// Stat returns the file information of name. A link in the last place is not followed.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	at, err := d.slot(name)
	if err != nil {
		return nil, err
	}
	return at.dir.Lstat(at.base)
}

func (d *Dir) makeParents(name string) error {
	parent := path.Dir(name)
	if parent == "." {
		return nil
	}
	return d.root.MkdirAll(filepath.FromSlash(parent), 0o700)
}

// MakeSub creates the directory sub, a slash-separated path, with mode 0700 where
// it is absent.
func (d *Dir) MakeSub(sub string) error { return d.makeParents(sub + "/x") }
