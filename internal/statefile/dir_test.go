package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDirectoriesWithin: a link that came with a repository is followed only to a place in the project.
func TestDirectoriesWithin(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(base, "project")
	for _, dir := range []string{"project/dir", "other/dir"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(project, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"in": "dir", "out": "../other/dir", "loose": "nowhere", "self": "."} {
		if err := os.Symlink(target, filepath.Join(project, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		name       string
		roots      []string
		open, make error
	}{
		{"dir", []string{project}, nil, nil},
		{"dir", nil, nil, nil},
		{"in", []string{filepath.Join(base, "other"), project}, nil, nil},
		{"in", nil, ErrOutside, ErrOutside},
		{"self", []string{project}, nil, nil},
		{"out", []string{project}, ErrOutside, ErrOutside},
		{"loose", []string{project}, fs.ErrNotExist, errAny},
		{"file", []string{project}, errAny, errAny},
		{"absent", []string{project}, fs.ErrNotExist, nil},
		{"file/below", []string{project}, errAny, errAny},
	} {
		path := filepath.Join(project, c.name)
		dir, err := OpenDirWithin(path, c.roots...)
		opened(t, "open "+c.name, dir, err, c.open)
		dir, err = MakeDirWithin(path, c.roots...)
		opened(t, "make "+c.name, dir, err, c.make)
	}
	if dir, err := OpenDir(filepath.Join(project, "in")); err != nil || dir.Path() != filepath.Join(project, "dir") {
		t.Errorf("%v, %v", dir, err)
	} else {
		dir.Close()
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(filepath.Join(project, "dir"), 0o777); err != nil {
			t.Fatal(err)
		}
		dir, err := OpenDir(filepath.Join(project, "dir"))
		opened(t, "open to all", dir, err, ErrWorldWritable)
	}
}

func opened(t *testing.T, what string, dir *Dir, err, want error) {
	t.Helper()
	switch {
	case want == nil && (err != nil || dir == nil):
		t.Errorf("%s: %v, %v", what, dir, err)
	case want == errAny && err == nil, want != nil && want != errAny && !errors.Is(err, want):
		t.Errorf("%s: the error is %v, want %v", what, err, want)
	}
	if dir != nil {
		if err := dir.Close(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestDirectoriesBelow: names in a directory below, which may be left and used again.
func TestDirectoriesBelow(t *testing.T) {
	t.Parallel()
	dir := open(t)
	for _, name := range []string{"a/b/one", "a/b/two", "a/three"} {
		if err := dir.Create(name, []byte(`{"a": 1}`), Volatile); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(dir.Path(), "link")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		sub, names string
		err        error
	}{
		{".", "a link", nil}, {"a", "b three", nil}, {"a/b", "one two", nil}, {"a/b/", "one two", nil},
		{"absent", "", nil}, {"absent/below", "", nil}, {"link", "", ErrNotRegular}, {"link/b", "", ErrNotRegular}, {"a/three", "", ErrNotRegular}, {"..", "", fs.ErrInvalid},
	} {
		names, err := dir.Names(c.sub)
		slices.Sort(names)
		if strings.Join(names, " ") != c.names || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", c.sub, names, err)
		}
	}
	for _, sub := range []string{"absent", ".", "a/b", "a"} {
		dir.Leave(sub)
		if _, held := dir.subs[sub]; held != (sub == ".") {
			t.Errorf("%s is held: %v", sub, held)
		}
		if object, file, err := dir.ReadObject("a/b/one"); err != nil || string(file.Data) != `{"a": 1}` || object.data == nil {
			t.Errorf("after %s: %q, %v", sub, file.Data, err)
		}
	}
	if _, _, err := dir.ReadObject("a/b/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if file, err := ReadIn(filepath.Join(dir.Path(), "a"), "three"); err != nil || string(file.Data) != `{"a": 1}` {
		t.Errorf("%q, %v", file.Data, err)
	}
	if _, err := ReadIn(filepath.Join(dir.Path(), "absent"), "three"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestReadAll: the size that counts is the size while the file is read, not the earlier one.
func TestReadAll(t *testing.T) {
	t.Parallel()
	dir := open(t)
	for _, c := range []struct {
		text       string
		size, most int64
		err        error
	}{
		{"", 0, 5, nil}, {"12345", 5, 5, nil}, {"12345", 0, 5, nil}, {"12345", 1, 5, nil}, {"12", 5, 9, nil}, {"12345", 0, 4, ErrTooLarge}, {"123", 5, 4, ErrTooLarge},
		{strings.Repeat("x", 5000), 7, 5000, nil},
	} {
		put(t, dir, "file", c.text, 0o600)
		f, err := os.Open(filepath.Join(dir.Path(), "file"))
		if err != nil {
			t.Fatal(err)
		}
		data, err := readAll(f, "file", c.size, c.most)
		if !errors.Is(err, c.err) || c.err == nil && string(data) != c.text {
			t.Errorf("%d bytes where %d were seen: %d, %v", len(c.text), c.size, len(data), err)
		}
		f.Close()
	}
	if got := ErrTooLarge.Error(); got != "larger than 1 MiB" {
		t.Error(got)
	}
}

// TestAge: a file whose time is in the future has no age.
func TestAge(t *testing.T) {
	t.Parallel()
	dir := open(t)
	put(t, dir, "file", "x", 0o600)
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for at, ok := range map[time.Duration]bool{0: true, -time.Hour: true, time.Hour: false} {
		if err := os.Chtimes(filepath.Join(dir.Path(), "file"), now.Add(at), now.Add(at)); err != nil {
			t.Fatal(err)
		}
		if age, got := dir.Age("file", now); got != ok || ok && age != -at {
			t.Errorf("%v: %v, %v", at, age, got)
		}
	}
	if age, ok := dir.Age("absent", now); ok {
		t.Error(age)
	}
}
