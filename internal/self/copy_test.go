package self

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMoveAside tests, on every system, what Windows needs: a running program is renamed before its successor gets its
// name, and gets the name back if there is no successor.
func TestMoveAside(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	from, to := filepath.Join(top, "new"), filepath.Join(top, "bridge")
	write(t, to, []byte("old"))
	write(t, to+".old", []byte("older"))
	write(t, from, []byte("new"))
	if err := moveAside(from, to); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{to: "new", to + ".old": "old"} {
		if text, _ := os.ReadFile(path); string(text) != want {
			t.Errorf("%s: %q, want %q", path, text, want)
		}
	}
	if err := moveAside(from, to); err == nil {
		t.Error("a program that is not there took its place")
	}
	if text, _ := os.ReadFile(to); string(text) != "new" {
		t.Errorf("after the failure: %q", text)
	}
}

// TestCopy: the program can be run, and is itself its own copy.
func TestCopy(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	from, to := filepath.Join(top, "bridge"), filepath.Join(top, "data", "bin", "bridge")
	write(t, from, []byte("program"))
	for range 2 {
		if err := Copy(from, to); err != nil {
			t.Fatal(err)
		}
	}
	if err := Copy(to, to); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(to)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(to)); len(entries) != 1 {
		t.Errorf("%d files", len(entries))
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
