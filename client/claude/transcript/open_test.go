package transcript_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/protocol"
)

// TestPlacesThatAreNoTranscript also shows that opening never blocks: with a FIFO, the test would time out.
func TestPlacesThatAreNoTranscript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := file(t, lines(prompt, text("x")))
	for _, tc := range []struct {
		name string
		path func(t *testing.T, path string) string
		want protocol.TurnError
	}{
		{"no path", func(*testing.T, string) string { return "" }, protocol.TranscriptMissing},
		{"nothing there", func(_ *testing.T, path string) string { return path }, protocol.TranscriptMissing},
		{"below a file", func(*testing.T, string) string { return filepath.Join(plain, "x") }, protocol.TranscriptMissing},
		{"dangling link", func(t *testing.T, path string) string { return link(t, path+".none", path) }, protocol.TranscriptMissing},
		{"link to a file", func(t *testing.T, path string) string { return link(t, plain, path) }, protocol.TurnOK},
		{"loop of links", func(t *testing.T, path string) string { return link(t, path, path) }, protocol.TranscriptUnreadable},
		{"directory", func(*testing.T, string) string { return dir }, protocol.TranscriptUnreadable},
		{"name with a NUL", func(*testing.T, string) string { return "a\x00b" }, protocol.TranscriptUnreadable},
		{"device", func(t *testing.T, _ string) string {
			if runtime.GOOS == "windows" {
				t.Skip("no device files")
			}
			return "/dev/zero"
		}, protocol.TranscriptUnreadable},
		{"fifo", func(t *testing.T, path string) string {
			if exec.Command("mkfifo", path).Run() != nil {
				t.Skip("no mkfifo")
			}
			return path
		}, protocol.TranscriptUnreadable},
		{"socket", func(t *testing.T, path string) string {
			l, err := net.Listen("unix", path)
			if err != nil {
				t.Skip("no sockets")
			}
			t.Cleanup(func() { l.Close() })
			return path
		}, protocol.TranscriptUnreadable},
		{"no permission", func(t *testing.T, path string) string {
			if runtime.GOOS == "windows" || os.Geteuid() == 0 {
				t.Skip("this user may read everything")
			}
			if err := os.WriteFile(path, []byte(lines(text("x"))), 0); err != nil {
				t.Fatal(err)
			}
			return path
		}, protocol.TranscriptUnreadable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := tc.path(t, filepath.Join(t.TempDir(), "t"))
			if got := transcript.LastTurn(path, nil, false); got.Err != tc.want {
				t.Errorf("err %q, want %q", got.Err, tc.want)
			}
		})
	}
}

func link(t *testing.T, old, path string) string {
	t.Helper()
	if err := os.Symlink(old, path); err != nil {
		t.Skip("no links")
	}
	return path
}
