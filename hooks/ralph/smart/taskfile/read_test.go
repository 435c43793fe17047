package taskfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/taskfile"
	"github.com/hookbridge/bridge/protocol"
)

func write(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tasks.md")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	t.Parallel()
	got, err := taskfile.Read(write(t, "\ufeff1. 登录\n"))
	if err != nil || got.Content != "1. 登录\n" || got.Large {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = taskfile.Read(write(t, strings.Repeat("a", taskfile.WarnSize+1)))
	if err != nil || !got.Large || got.Size != taskfile.WarnSize+1 {
		t.Errorf("large: %v, size %d, %v", got.Large, got.Size, err)
	}
	if got, err = taskfile.Read(write(t, strings.Repeat("a", taskfile.WarnSize))); err != nil || got.Large {
		t.Errorf("at the limit: %v, %v", got.Large, err)
	}
}

// TestFaults holds R3-6: each fault has an error of its own that names the path,
// and a hint.
func TestFaults(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "no.md")
	unreadable := write(t, "1. a")
	if err := os.Chmod(unreadable, 0); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path string
		want error
	}{
		"missing":       {missing, taskfile.ErrMissing},
		"a directory":   {t.TempDir(), taskfile.ErrNotFile},
		"empty":         {write(t, ""), taskfile.ErrEmpty},
		"blank":         {write(t, "\ufeff \n\t\n"), taskfile.ErrEmpty},
		"12 MiB":        {write(t, strings.Repeat("a", 12<<20)), taskfile.ErrTooLarge},
		"may not read":  {unreadable, taskfile.ErrUnreadable},
		"a device":      {os.DevNull, taskfile.ErrNotFile},
		"below a file":  {filepath.Join(write(t, "x"), "y"), nil},
		"a broken link": {link(t), taskfile.ErrMissing},
	} {
		if c.want == taskfile.ErrUnreadable && (os.Geteuid() == 0 || runtime.GOOS == "windows") {
			continue
		}
		_, err := taskfile.Read(c.path)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %v", name, err)
		}
		if c.want != nil && taskfile.Hint(protocol.English, err) == "" {
			t.Errorf("%s has no hint", name)
		}
	}
}

func link(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("nowhere", path); err != nil {
		t.Skip(err)
	}
	return path
}

// TestEncodings holds the offset of the first bad byte and the likely encoding.
// Holds R3-6.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data   string
		offset int
		likely string
	}{
		"UTF-16 with a mark":        {"\xff\xfe1\x00.\x00 \x00", 0, "UTF-16LE"},
		"big-endian with a mark":    {"\xfe\xff\x001\x00.\x00 ", 0, "UTF-16BE"},
		"UTF-16 without a mark":     {"1\x00.\x00 \x00a\x00", 1, "UTF-16LE"},
		"big-endian without a mark": {"\x001\x00.\x00 \x00a", 0, "UTF-16BE"},
		"GBK":                       {"1. \xd0\xde\xb8\xb4\xb5\xc7\xc2\xbc\n", 3, "GBK (GB18030)"},
		"Latin-1":                   {"1. caf\xe9 au lait\n", 6, "Latin-1 or Windows-1252"},
		"binary":                    {"text and more text" + "\x00" + "text and more text", 18, "a binary file"},
		"after a UTF-8 mark":        {"\ufeffab\xff", 5, "Latin-1 or Windows-1252"},
		"a letter at the end":       {"1. caf\xe9", 6, "Latin-1 or Windows-1252"},
		"far behind":                {strings.Repeat("a", 64<<10) + "\xff", 64 << 10, "Latin-1 or Windows-1252"},
		"few zeros":                 {"aaaa\x00", 4, "a binary file"},
		"a quarter of zeros":        {"aaa\x00", 3, "UTF-16LE"},
		"zeros on both sides":       {"a\x00\x00a", 1, "UTF-16BE"},
		"the first GBK character":   {"\x81\x80 ", 0, "GBK (GB18030)"},
		"the last row of GBK":       {"\xfe\xa1 ", 0, "GBK (GB18030)"},
		"in front of GBK":           {"\x80\xa1 ", 0, "Latin-1 or Windows-1252"},
		"behind GBK":                {"\xff\xa1 ", 0, "Latin-1 or Windows-1252"},
		"no end of a GBK character": {"\xd0\xff ", 0, "Latin-1 or Windows-1252"},
		"GBK with one bad byte":     {strings.Repeat("\xd0\xde", 10) + " \xff ", 0, "GBK (GB18030)"},
		"GBK with two bad bytes":    {strings.Repeat("\xd0\xde", 10) + " \x80 \xff ", 0, "Latin-1 or Windows-1252"},
	} {
		_, err := taskfile.Read(write(t, c.data))
		var e *taskfile.EncodingError
		if !errors.As(err, &e) || e.Offset != c.offset || e.Likely != c.likely {
			t.Errorf("%s: %v", name, err)
		}
		command := "iconv -f " + strings.Fields(c.likely)[0] + " -t UTF-8 FILE"
		if hint, known := taskfile.Hint(protocol.English, err), c.likely[0] == 'U' || c.likely[0] == 'G'; !strings.Contains(hint, "UTF-8") || strings.Contains(hint, command) != known || strings.Contains(hint, "iconv") != known {
			t.Errorf("%s: hint %q", name, hint)
		}
	}
}

// TestSpace holds R3-8.
func TestSpace(t *testing.T) {
	t.Parallel()
	if err := taskfile.CheckSpace(taskfile.MinFree-1, true); !errors.Is(err, taskfile.ErrDiskFull) || taskfile.Hint(protocol.English, err) == "" || !strings.HasSuffix(err.Error(), " (49 MiB)") {
		t.Errorf("%v", err)
	}
	if err := taskfile.CheckSpace(taskfile.MinFree, true); err != nil {
		t.Error(err)
	}
	if err := taskfile.CheckSpace(0, false); err != nil {
		t.Error("a system that does not tell:", err)
	}
	if free, ok := taskfile.Free(t.TempDir()); ok && free == 0 {
		t.Error("no room for tests")
	}
}
