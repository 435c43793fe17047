package debuglog_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/debuglog"
)

func TestPath(t *testing.T) {
	t.Parallel()
	abs := filepath.Join(t.TempDir(), "my.log")
	for _, tc := range []struct{ name, env, configured, state, want string }{
		{"off", "", "", "/s", ""},
		{"switched on", "debug", "", "/s", filepath.Join("/s", "debug.log")},
		{"another value", "1", "", "/s", ""},
		{"a variable names no place", abs, "", "/s", ""},
		{"configured", "", abs, "/s", abs},
		{"configured below the state directory", "", "my.log", "/s", filepath.Join("/s", "my.log")},
		{"configured and switched on", "debug", abs, "/s", abs},
		{"no home", "debug", "", "", ""},
		{"no home, relative", "", "my.log", "", ""},
		{"no home, absolute", "", abs, "", abs},
	} {
		if got := debuglog.Path(tc.env, tc.configured, tc.state); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestALoggerThatIsOffIsFree(t *testing.T) {
	var off *debuglog.Logger = debuglog.New("", "1.0.0")
	if off != nil {
		t.Fatal("a logger without a file")
	}
	if n := testing.AllocsPerRun(100, func() { off.Step("input") }); n != 0 {
		t.Errorf("a step cost %v allocations", n)
	}
	if err := off.Close(); err != nil {
		t.Error(err)
	}
}

func TestNothingIsTouchedBeforeTheFirstStep(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "debug.log")
	log := debuglog.New(path, "1.0.0")
	if err := log.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("state directory: %v", err)
	}
}

func TestStepWritesOneJSONLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "debug.log")
	log := debuglog.New(path, "1.0.0")
	log.Step("input", debuglog.JSON("stdin", []byte(`{"tool_input": {"api_key": "hunter2", "n": 1}}`)))
	log.Step("decide",
		debuglog.String("reason", "go\x1b on\n\u202e"+"PASSWORD=hunter2 x"), debuglog.String("access_token", "hunter2"),
		debuglog.JSON("secret", []byte(`"hunter2"`)), debuglog.Int("iteration", 3),
		debuglog.Duration("took", 1500*time.Microsecond), debuglog.Error(nil), debuglog.Error(errors.New("token: hunter2")))
	log.Step("broken", debuglog.JSON("stdin", []byte(`{"password":"hunter2`)))
	log.Step("nothing")
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`"time":"[^"]+Z","step":"(\w+)","pid":\d+,"version":"1.0.0"`).ReplaceAllString(read(t, path), "<$1>")
	const want = `{<input>,"stdin":{"tool_input":{"api_key":"[redacted]","n":1}}}
{<decide>,"reason":"go\u001b on\n\u202EPASSWORD=[redacted] x","access_token":"[redacted]","secret":"[redacted]","iteration":3,"took":1500,"error":"token: [redacted]"}
{<broken>,"stdin":"[20 bytes, not JSON]"}
{<nothing>}
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLongTextIsCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "debug.log")
	log := debuglog.New(path, "1.0.0")
	log.Step("x", debuglog.String("text", strings.Repeat("y", 100_000)))
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); len(got) > 66_000 || !strings.Contains(got, "[34464 bytes more]") {
		t.Errorf("line of %d bytes", len(got))
	}
}

func TestTheLogIsRotatedAtOneMebibyte(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "debug.log")
	log := debuglog.New(path, "1.0.0")
	text := strings.Repeat("y", 10_000)
	for i := range 250 {
		log.Step("x", debuglog.Int("i", i), debuglog.String("text", text))
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + ".1"} {
		if n := len(read(t, p)); n == 0 || n > debuglog.MaxSize {
			t.Errorf("%s has %d bytes", p, n)
		}
	}
	if !strings.Contains(read(t, path), `"i":249`) || strings.Contains(read(t, path+".1"), `"i":249`) {
		t.Error("the newest line is not in the newest file")
	}
}

// Several processes write and rotate at once: no line is torn, and no newer log is
// lost over an older one. Others go on writing while one rotates, so the size of the
// rotated file has no bound here.
func TestManyLoggersOfOneFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "debug.log")
	const writers, each = 8, 40
	text := strings.Repeat("y", 5_000)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				log := debuglog.New(path, "1.0.0")
				log.Step("x", debuglog.Int("writer", w), debuglog.Int("i", i), debuglog.String("text", text))
				if err := log.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	lines := 0
	for _, p := range []string{path, path + ".1"} {
		data := read(t, p)
		if data == "" {
			t.Errorf("%s is empty", p)
		}
		for scan := bufio.NewScanner(strings.NewReader(data)); scan.Scan(); lines++ {
			if !jsontext.Value(scan.Bytes()).IsValid() {
				t.Fatalf("torn line: %.200q", scan.Text())
			}
		}
	}
	if want := writers * each; lines != want {
		t.Errorf("%d lines, want %d", lines, want)
	}
}

func TestALogThatCannotBeWrittenIsSilent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{"a directory": dir, "below a file": filepath.Join(blocked, "debug.log"), "a NUL": "a\x00b"}
	if fifo := filepath.Join(dir, "fifo"); exec.Command("mkfifo", fifo).Run() == nil {
		paths["a FIFO"] = fifo
	}
	for name, path := range paths {
		log := debuglog.New(path, "1.0.0")
		for i := range 3 {
			log.Step(fmt.Sprint("step ", i))
		}
		if err := log.Close(); err == nil {
			t.Errorf("%s: Close does not say why", name)
		}
	}
}
