package program

import (
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// shell asks the system for its directory: the variable ComSpec may come from a
// repository.
func shell(command string) []string {
	dir, err := windows.GetSystemDirectory()
	if err != nil {
		dir = `C:\Windows\System32`
	}
	return []string{filepath.Join(dir, "cmd.exe"), "/D", "/C", command}
}

func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { _ = p.Kill() }
