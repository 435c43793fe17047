package statefile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// TestThin: the newest older backups stay, whatever their numbers are, and so does
// everything that is not one of them.
func TestThin(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(root, "state"), 0o700))
	now := time.Now()
	write := func(name string, age time.Duration) {
		path := filepath.Join(root, "state", name)
		must(os.WriteFile(path, []byte(name), 0o600))
		must(os.Chtimes(path, now.Add(-age), now.Add(-age)))
	}
	// The lowest number holds the newest text, as happens after a number became free.
	for n := 1; n <= 7; n++ {
		write(fmt.Sprintf("a.json.bak.%d", n), time.Duration(n)*time.Hour)
	}
	others := []string{"a.json", "a.json.bak", "a.json.bak.x", "a.json.bak.0", "b.json.bak.9", "xa.json.bak.8"}
	for _, name := range others {
		write(name, 1000*time.Hour)
	}
	must(os.Mkdir(filepath.Join(root, "state", "a.json.bak.8"), 0o700))
	dir, err := statefile.OpenDir(root)
	must(err)
	defer dir.Close()
	must(dir.Thin("state/a.json", 3))
	names, err := dir.Names("state")
	must(err)
	want := append([]string{"a.json.bak.1", "a.json.bak.2", "a.json.bak.3", "a.json.bak.8"}, others...)
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if got := statefile.Older([]string{"x.bak.10", "x.bak", "x.bak.2", "y.bak.1", "x.bak.-1", "x.bak.1z"}, "x"); !slices.Equal(got, []string{"x.bak.2", "x.bak.10"}) {
		t.Errorf("%q", got)
	}
	must(dir.Thin("none/a.json", 3))
}
