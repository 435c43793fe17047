package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInsist tests, on every system, what Windows needs: the rename is tried again if a scanner holds the file, but not
// if the file is gone.
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

// TestRenameOver tests systems and file systems without an exchange: renaming replaces
// the file, does not bring back a removed one, and does not hide a changed one.
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

// TestHalfReplaced is ReplaceFileW's error 1176 on every system: the old file is gone,
// the new one has no name yet. The state is not lost.
func TestHalfReplaced(t *testing.T) {
	t.Parallel()
	held := errors.New("held")
	for name, test := range map[string]struct {
		// replace is what the system does at each call.
		replace func(path string, call int) error
		want    error
		text    string
	}{
		"at once":          {func(string, int) error { return errHalfReplaced }, nil, "new"},
		"behind a scanner": {func(_ string, call int) error { return map[int]error{1: held, 2: errHalfReplaced}[call] }, nil, "new"},
		"somebody was faster": {func(path string, _ int) error {
			return errors.Join(os.WriteFile(path, []byte("theirs"), 0o600), errHalfReplaced)
		}, ErrChanged, "theirs"},
	} {
		path := filepath.Join(t.TempDir(), "place", "state")
		dir, err := MakeDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		at, err := dir.slot("state")
		if err != nil {
			t.Fatal(err)
		}
		temp, err := at.writeTemp([]byte("new"), 0o600, Volatile)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		err = at.replaceBy(func(time.Duration) {}, temp, func() error {
			calls++
			return test.replace(path, calls)
		})
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if file, err := dir.Read("state"); err != nil || string(file.Data) != test.text {
			t.Errorf("%s: %q, %v", name, file.Data, err)
		}
	}

	// If the file can never be renamed, the state stays under the temporary name.
	dir, err := MakeDir(filepath.Join(t.TempDir(), "place"))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	at, err := dir.slot("state")
	if err != nil {
		t.Fatal(err)
	}
	if err := at.replaceBy(func(time.Duration) {}, "absent", func() error { return errHalfReplaced }); !errors.Is(err, errHalfReplaced) || !strings.Contains(err.Error(), "absent") {
		t.Errorf("%v", err)
	}
}
