package subprocess

import "testing"

// TestTheLineOfAWindowsShell: quotes reach cmd as the user wrote them.
func TestTheLineOfAWindowsShell(t *testing.T) {
	t.Parallel()
	const shell = `C:\Windows\System32\cmd.exe`
	for command, want := range map[string]string{
		`go test ./...`:                 `"C:\Windows\System32\cmd.exe" /D /S /C "go test ./..."`,
		`"C:\my tools\t.exe" "a b" & x`: `"C:\Windows\System32\cmd.exe" /D /S /C ""C:\my tools\t.exe" "a b" & x"`,
		`echo a\`:                       `"C:\Windows\System32\cmd.exe" /D /S /C "echo a\"`,
	} {
		if got := cmdLine(shell, command); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}
