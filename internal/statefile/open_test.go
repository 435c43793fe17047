package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestReadFileReadsARegularFileUpToALimit(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "dir")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "file"), filepath.Join(root, "outside")} {
		if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"link": "file", "out": "../outside", "loose": "nowhere", "device": os.DevNull} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		most   int64
		err    error
		inside error
	}{
		{"file", 5, nil, nil},
		{"file", 4, ErrTooLarge, ErrTooLarge},
		{"link", 5, nil, nil},
		{"out", 5, nil, errAny},
		{"loose", 5, fs.ErrNotExist, fs.ErrNotExist},
		{"absent", 5, fs.ErrNotExist, fs.ErrNotExist},
		{".", 5, ErrNotRegular, ErrNotRegular},
		{"device", 5, ErrNotRegular, errAny},
	} {
		text, err := ReadFile(filepath.Join(dir, c.name), c.most)
		check(t, "ReadFile "+c.name, string(text), err, c.err)
		text, err = ReadInside(dir, c.name, c.most)
		check(t, "ReadInside "+c.name, string(text), err, c.inside)
	}
}

var errAny = errors.New("any error")

func check(t *testing.T, what, text string, err, want error) {
	t.Helper()
	switch {
	case want == nil && (err != nil || text != "12345"):
		t.Errorf("%s: %q, %v", what, text, err)
	case want == errAny && err == nil, want != nil && want != errAny && !errors.Is(err, want):
		t.Errorf("%s: the error is %v, want %v", what, err, want)
	}
}
