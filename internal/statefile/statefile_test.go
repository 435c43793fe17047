package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func open(t *testing.T) *Dir {
	t.Helper()
	dir, err := OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

func put(t *testing.T, dir *Dir, name, text string, mode fs.FileMode) File {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir.Path(), name), []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir.Path(), name), mode); err != nil {
		t.Fatal(err)
	}
	file, err := dir.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func names(t *testing.T, dir *Dir) string {
	t.Helper()
	list, err := dir.Names(".")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, " ")
}

func TestReplaceKeepsTheMode(t *testing.T) {
	t.Parallel()
	dir := open(t)
	base := put(t, dir, "state", "old", 0o640)
	if err := dir.Replace("state", base, []byte("new"), Durable); err != nil {
		t.Fatal(err)
	}
	file, err := dir.Read("state")
	if err != nil || string(file.Data) != "new" || file.Mode != 0o640 {
		t.Errorf("%q %v %v", file.Data, file.Mode, err)
	}
	if got := names(t, dir); got != "state" {
		t.Errorf("left behind: %s", got)
	}
}

// TestReplaceNeverBringsBack: a file that was removed or changed since it was read
// stays as it is (Yeachan-Heo/oh-my-claudecode#2085, Yeachan-Heo/oh-my-claudecode#2088,
// Yeachan-Heo/oh-my-claudecode#2220).
func TestReplaceNeverBringsBack(t *testing.T) {
	t.Parallel()
	dir := open(t)
	base := put(t, dir, "state", "old", 0o600)
	if err := dir.Remove("state"); err != nil {
		t.Fatal(err)
	}
	if err := dir.Replace("state", base, []byte("new"), Volatile); !errors.Is(err, ErrGone) {
		t.Errorf("removed: %v", err)
	}
	if got := names(t, dir); got != "" {
		t.Errorf("after the removal there is %s", got)
	}
	put(t, dir, "state", "changed by hand", 0o600)
	if err := dir.Replace("state", base, []byte("new"), Volatile); !errors.Is(err, ErrChanged) {
		t.Errorf("changed: %v", err)
	}
	file, err := dir.Read("state")
	if err != nil || string(file.Data) != "changed by hand" {
		t.Errorf("%q %v", file.Data, err)
	}
	if got := names(t, dir); got != "state" {
		t.Errorf("left behind: %s", got)
	}
}

// TestReplaceKeepsWhatItCannotRead: if another process replaced the file with one that is too large to be read, it stays
// as it is.
func TestReplaceKeepsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	dir := open(t)
	base := put(t, dir, "state", "old", 0o600)
	large := bytes.Repeat([]byte("x"), MaxSize+1)
	path := filepath.Join(dir.Path(), "state")
	if err := os.WriteFile(path, large, 0o600); err != nil {
		t.Fatal(err)
	}
	err := dir.Replace("state", base, []byte("new"), Volatile)
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("the error is %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, large) {
		t.Errorf("%d bytes are left, %v", len(text), err)
	}
	if got := names(t, dir); got != "state" {
		t.Errorf("left behind: %s", got)
	}
}

// TestSweep removes the files of a dead process, and nothing that belongs to others.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := open(t)
	base := put(t, dir, "state", "old", 0o600)
	put(t, dir, tempName("state", 1<<22+7), "half", 0o600)
	put(t, dir, ".state.abc.tmp", "another program's", 0o600)
	put(t, dir, "state.tmp.123", "another program's", 0o600)
	if err := dir.Replace("state", base, []byte("new"), Volatile); err != nil {
		t.Fatal(err)
	}
	put(t, dir, tempName("state", 1<<22+8), "half", 0o600)
	if err := dir.Archive("state"); err != nil {
		t.Fatal(err)
	}
	got := names(t, dir)
	if strings.Contains(got, tempName("state", 1<<22+8)) || strings.Contains(got, tempName("state", 1<<22+7)) || !strings.Contains(got, ".state.abc.tmp") || !strings.Contains(got, "state.tmp.123") {
		t.Errorf("there is %s", got)
	}
}

func TestPathsStayBelow(t *testing.T) {
	t.Parallel()
	dir := open(t)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "f"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir.Path(), "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../x", "/etc/passwd", "a/../../x", "link/f", "link", "", "a\\b"} {
		if file, err := dir.Read(name); err == nil {
			t.Errorf("%q was read: %q", name, file.Data)
		}
	}
	if err := dir.Create("link/new", []byte("x"), Volatile); err == nil {
		t.Error("wrote through a link")
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("outside there is %v", entries)
	}
}

// TestArchiveLosesNothing: a backup is replaced only by the same text.
func TestArchiveLosesNothing(t *testing.T) {
	t.Parallel()
	dir := open(t)
	for _, text := range []string{"first", "second", "second", "---\nn: 1\n---\nthird", "---\nn: 2\n---\nthird", "fourth"} {
		put(t, dir, "state", text, 0o600)
		if err := dir.Archive("state"); err != nil {
			t.Fatal(err)
		}
	}
	if err := dir.Archive("state"); err != nil {
		t.Errorf("archiving what is gone: %v", err)
	}
	for name, want := range map[string]string{"state.bak.1": "first", "state.bak.2": "second", "state.bak.3": "---\nn: 2\n---\nthird", "state.bak": "fourth"} {
		if file, err := dir.Read(name); err != nil || string(file.Data) != want {
			t.Errorf("%s: %q %v, %s", name, file.Data, err, names(t, dir))
		}
	}
}

// TestArchiveBehindADirectory: a directory with the name of the backup does not prevent the move, and its content is not
// lost.
func TestArchiveBehindADirectory(t *testing.T) {
	t.Parallel()
	place := open(t).Path()
	for i, text := range []string{"first", "second"} {
		dir, err := OpenDir(place)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		if err := dir.Remove(Backup("state")); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"state", Backup("state") + "/kept"} {
			if err := dir.Create(name, []byte(text), Volatile); err != nil {
				t.Fatal(err)
			}
		}
		if err := dir.Archive("state"); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{Backup("state"), fmt.Sprintf("state.bak.%d/kept", i+1)} {
			if file, err := dir.Read(name); err != nil || string(file.Data) != text {
				t.Errorf("%s: %q, %v", name, file.Data, err)
			}
		}
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	dir, err := MakeDir(filepath.Join(t.TempDir(), "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := dir.Create("c/d.json", []byte("{}"), Durable); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{"c": 0o700, "c/d.json": 0o600} {
		info, err := dir.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

// TestFrontMatterSet: any value is read back, and all other bytes stay.
func TestFrontMatterSet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
		lines := rapid.SliceOfN(rapid.StringMatching(`(a|b|d_1): ?[ -~]{0,12}|# [ -~]{0,8}`), 1, 6).Draw(t, "lines")
		body := rapid.StringMatching(`[ -~\n-]{0,40}`).Draw(t, "body")
		data := []byte("---" + eol + strings.Join(lines, eol) + eol + "---" + eol + body)
		fm, err := ParseFrontMatter(data)
		if err != nil {
			if strings.Contains("\n"+strings.Join(lines, "\n")+"\n", "\n---") {
				return
			}
			t.Fatalf("%v in %q", err, data)
		}
		value := Quote(rapid.StringMatching(`[ -~]{0,20}`).Draw(t, "value"))
		after := fm.Set(key, value)
		next, err := ParseFrontMatter(after)
		if err != nil {
			t.Fatalf("%v in %q", err, after)
		}
		if got, ok := next.Raw(key); !ok || got != value {
			t.Fatalf("%q, want %q in %q", got, value, after)
		}
		if got, _ := next.Get(key); got != Unquote(value) {
			t.Fatalf("%q is read as %q", value, got)
		}
		if next.Body() != fm.Body() {
			t.Fatalf("the body changed: %q", after)
		}
		for _, other := range []string{"a", "b", "d_1"} {
			if other == key {
				continue
			}
			was, had := fm.Raw(other)
			if is, has := next.Raw(other); is != was || has != had {
				t.Fatalf("%s changed from %q to %q", other, was, is)
			}
		}
	})
}

// TestFrontMatterBounds: where a front matter begins and ends, and what a change writes.
func TestFrontMatterBounds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "---", "---\n", "x\na: 1\n---\n", "---\na: 1\n", "---\na: 1\n--\n", "---\n---\nx"} {
		if fm, err := ParseFrontMatter([]byte(text)); !errors.Is(err, ErrNoFrontMatter) {
			t.Errorf("%q: body %q, %v", text, fm.Body(), err)
		}
	}
	for text, want := range map[string]string{
		"---\na:1\n---\nx":                "---\na: 2\nb: 3\n---\nx",
		"---\na:  1 \n---":                "---\na:  2 \nb: 3\n---",
		"---\n\nb: 0\na: 1\n---\nx":       "---\n\nb: 3\na: 2\n---\nx",
		"---\r\naa: 1\r\n---\r\na: 0\r\n": "---\r\naa: 1\r\na: 2\r\nb: 3\r\n---\r\na: 0\r\n",
	} {
		fm, err := ParseFrontMatter([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := string(fm.SetAll([2]string{"a", "2"}, [2]string{"b", "3"})); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func FuzzParseFrontMatter(f *testing.F) {
	for _, seed := range []string{"---\na: 1\n---\nx", "\ufeff---\r\na:1\r\n---\r\n", "---\n---\n", "---", "--- \na: \"x\\\"\"\n--- \n"} {
		f.Add([]byte(seed), "a", "value")
	}
	f.Fuzz(func(t *testing.T, data []byte, key, value string) {
		fm, err := ParseFrontMatter(data)
		if err != nil {
			return
		}
		if !bytes.HasSuffix(data, []byte(fm.Body())) {
			t.Errorf("the body %q is not the end of %q", fm.Body(), data)
		}
		if after := fm.SetAll([2]string{key, value}); len(after) == 0 {
			t.Error("the file became empty")
		}
	})
}
