package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// BinaryPath is where install puts the program, so that it outlives the place it
// was started from: $XDG_DATA_HOME/bridge/bin/bridge, by default in ~/.local/share,
// on Windows in %LOCALAPPDATA%. It is "" without a home.
func BinaryPath(getenv func(string) string) string {
	if runtime.GOOS == "windows" {
		if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "bridge", "bin", "bridge.exe")
		}
		return ""
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "bridge", "bin", "bridge")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "bridge", "bin", "bridge")
	}
	return ""
}

// CopyBinary puts the program at from into its stable place. A hook that runs
// meanwhile has the old or the new program, whole.
func CopyBinary(from, to string) error {
	source, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	if target, err := os.Stat(to); err == nil && os.SameFile(source, target) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	defer in.Close()
	temp, err := os.CreateTemp(filepath.Dir(to), ".bridge-*.tmp")
	if err != nil {
		return err
	}
	_, err = io.Copy(temp, in)
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

// rename puts the new program in the place of the old one. Windows does not
// overwrite a program that runs, but lets it be moved away.
func rename(from, to string) error {
	err := os.Rename(from, to)
	if err == nil || runtime.GOOS != "windows" {
		return err
	}
	return moveAside(from, to)
}

// moveAside replaces a program that runs, which Windows lets one rename but not
// overwrite. If that fails the program is where it was.
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
