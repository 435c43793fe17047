package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestInsist is what Windows needs, on every system: a file that a scanner holds is
// tried again, one that is gone is not.
func TestInsist(t *testing.T) {
	t.Parallel()
	held := errors.New("held")
	for _, test := range []struct {
		name   string
		fails  int
		err    error
		want   error
		calls  int
		waited time.Duration
	}{
		{"at once", 0, nil, nil, 1, 0},
		{"held twice", 2, held, nil, 3, 30 * time.Millisecond},
		{"held for ever", 9, held, held, 4, 60 * time.Millisecond},
		{"gone", 9, fs.ErrNotExist, fs.ErrNotExist, 1, 0},
	} {
		calls, waited := 0, time.Duration(0)
		err := insist(func(d time.Duration) { waited += d }, func() error {
			if calls++; calls <= test.fails {
				return test.err
			}
			return nil
		})
		if !errors.Is(err, test.want) || calls != test.calls || waited != test.waited {
			t.Errorf("%s: %v after %d calls and %v", test.name, err, calls, waited)
		}
	}
}

// TestRenameOver is what systems and file systems without an exchange do: it
// replaces, and neither brings back what is gone nor hides what was changed.
func TestRenameOver(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before func(path string) error
		want   error
		text   string
	}{
		"as read": {func(string) error { return nil }, nil, "new"},
		"changed": {func(path string) error { return os.WriteFile(path, []byte("theirs"), 0o600) }, ErrChanged, "theirs"},
		"gone":    {os.Remove, fs.ErrNotExist, ""},
	} {
		path := filepath.Join(t.TempDir(), "state")
		dir, err := OpenDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		if err := dir.Create("state", []byte("old"), Volatile); err != nil {
			t.Fatal(err)
		}
		base, err := dir.Read("state")
		if err != nil {
			t.Fatal(err)
		}
		at, err := dir.slot("state")
		if err != nil {
			t.Fatal(err)
		}
		temp, err := at.writeTemp([]byte("new"), 0o600, Volatile)
		if err != nil {
			t.Fatal(err)
		}
		if err := test.before(path); err != nil {
			t.Fatal(err)
		}
		if err := at.renameOver(temp, base); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if text, _ := os.ReadFile(path); string(text) != test.text {
			t.Errorf("%s: %q", name, text)
		}
	}
}
