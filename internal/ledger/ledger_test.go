package ledger_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/protocol"
)

func noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC) }

func entry() ledger.Entry {
	return ledger.Entry{
		Time: noon(), Session: "1d5b1db1-2ee4-4064-bbff-d571cf5b7463", Type: protocol.Ralph, Event: protocol.EventStop,
		Step: "ralph", Decision: "block", Rule: "loop-continue", InputBytes: 512, OutputBytes: 130,
		Duration: 1234 * time.Microsecond, PID: 4242, Version: "1.0.0",
		Project: "452e666cd3e142aff6e139ba", Client: "claude", Loop: "loop", Iteration: 3, Prompt: "357edadb", ToolUse: "toolu_9",
	}
}

// open returns a ledger in a new directory; the test fails if the ledger reports an
// error.
func open(t *testing.T) ledger.Ledger {
	t.Helper()
	return ledger.Ledger{
		Dir:    filepath.Join(t.TempDir(), "bridge", "ledger"),
		Report: func(err error) { t.Errorf("reported: %v", err) },
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

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAppendWritesOneLineOfTheDocumentedShape(t *testing.T) {
	t.Parallel()
	l := open(t)
	l.Append(entry())
	const want = `{"time":"2026-11-20T12:00:00.123456Z","session":"1d5b1db1-2ee4-4064-bbff-d571cf5b7463",` +
		`"type":"ralph","event":"Stop","step":"ralph","decision":"block","rule":"loop-continue",` +
		`"input_bytes":512,"output_bytes":130,"duration_us":1234,"pid":4242,"version":"1.0.0",` +
		`"project":"452e666cd3e142aff6e139ba","client":"claude","loop":"loop","iteration":3,"prompt":"357edadb","tool_use":"toolu_9"}` + "\n"
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	if got := read(t, path); got != want {
		t.Errorf("line:\n got %s\nwant %s", got, want)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{path: 0o600, l.Dir: 0o700, filepath.Dir(l.Dir): 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

func TestAppendNamesTheFileByTheDayInUTC(t *testing.T) {
	t.Parallel()
	l := open(t)
	e := entry()
	e.Time = time.Date(2026, 11, 21, 1, 0, 0, 0, time.FixedZone("CET", 2*3600))
	l.Append(e)
	if got := read(t, filepath.Join(l.Dir, "2026-11-20.jsonl")); !strings.Contains(got, `"2026-11-20T23:00:00.000000Z"`) {
		t.Errorf("line: %s", got)
	}
}

func TestAppendKeepsTextOfPayloadsOnOneShortLine(t *testing.T) {
	t.Parallel()
	l := open(t)
	e := entry()
	e.Session = "evil\n\x1b[2J\xff\u202e" + strings.Repeat("x", 10_000)
	l.Append(e)
	got := read(t, filepath.Join(l.Dir, "2026-11-20.jsonl"))
	if strings.Count(got, "\n") != 1 || strings.ContainsAny(got, "\x1b\u202e") || len(got) > 600 {
		t.Errorf("line of %d bytes: %q", len(got), got)
	}
	for e := range l.Entries(ledger.Filter{}) {
		if !strings.HasPrefix(e.Session, `evil\u000A\u001B[2J`) {
			t.Errorf("session: %q", e.Session)
		}
	}
}

func TestEntriesAreNewestFirstAcrossDays(t *testing.T) {
	t.Parallel()
	l := open(t)
	var want []int
	for i := range 6 {
		e := entry()
		e.Time = noon().Add(time.Duration(i) * 13 * time.Hour)
		e.PID = i
		l.Append(e)
		want = append(want, i)
	}
	slices.Reverse(want)
	var got []int
	for e := range l.Entries(ledger.Filter{}) {
		got = append(got, e.PID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestEntriesGiveBackWhatWasAppended(t *testing.T) {
	t.Parallel()
	l := open(t)
	l.Append(entry())
	for got := range l.Entries(ledger.Filter{}) {
		if got != entry() {
			t.Errorf("got %+v\nwant %+v", got, entry())
		}
		return
	}
	t.Error("no entry")
}

// TestEntriesOfAnOlderBridge: its lines contain neither projects nor prompts.
func TestEntriesOfAnOlderBridge(t *testing.T) {
	t.Parallel()
	l := open(t)
	want := entry()
	want.Project, want.Client, want.Loop, want.Iteration, want.Prompt, want.ToolUse = "", "", "", 0, "", ""
	write(t, filepath.Join(l.Dir, "2026-11-20.jsonl"), `{"time":"2026-11-20T12:00:00.123456Z","session":"1d5b1db1-2ee4-4064-bbff-d571cf5b7463",`+
		`"type":"ralph","event":"Stop","step":"ralph","decision":"block","rule":"loop-continue",`+
		`"input_bytes":512,"output_bytes":130,"duration_us":1234,"pid":4242,"version":"1.0.0"}`+"\n")
	if got := slices.Collect(l.Entries(ledger.Filter{})); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestEntriesSkipTornAndForeignLines(t *testing.T) {
	t.Parallel()
	l := open(t)
	l.Append(entry())
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	good := read(t, path)
	write(t, path, good[:40]+"\n"+good+"\n\n[]\n{}\nnull\n"+`{"time":"soon"}`+"\n"+
		`{"time":"2026-11-20T12:00:00Z","future":{"a":[1]},"pid":7,"rule":5}`+"\n"+good[:100])
	write(t, filepath.Join(l.Dir, "notes.jsonl"), good)
	write(t, filepath.Join(l.Dir, "2026-13-45.jsonl"), good)
	var pids []int
	for e := range l.Entries(ledger.Filter{}) {
		pids = append(pids, e.PID)
	}
	if !slices.Equal(pids, []int{7, 4242}) {
		t.Errorf("entries of processes %v, want 7 and 4242", pids)
	}
}

func TestEntriesOfNoLedgerAreNone(t *testing.T) {
	t.Parallel()
	var reported error
	l := ledger.Ledger{Dir: filepath.Join(t.TempDir(), "none"), Report: func(err error) { reported = err }}
	for e := range l.Entries(ledger.Filter{}) {
		t.Errorf("entry %+v", e)
	}
	if reported == nil {
		t.Error("nothing was reported")
	}
}

func TestAppendDropsLinesPastTheSizeOfADay(t *testing.T) {
	t.Parallel()
	l := open(t)
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	write(t, path, "")
	if err := os.Truncate(path, ledger.MaxDay-50); err != nil {
		t.Fatal(err)
	}
	l.Append(entry())
	if info, _ := os.Stat(path); info.Size() != ledger.MaxDay-50 {
		t.Errorf("file has %d bytes, want it unchanged", info.Size())
	}
	e := entry()
	e.Time = e.Time.AddDate(0, 0, 1)
	l.Append(e)
	if got := read(t, filepath.Join(l.Dir, "2026-11-21.jsonl")); got == "" {
		t.Error("the next day took no line")
	}
}

func TestANewDayRemovesOneFileOver30Days(t *testing.T) {
	t.Parallel()
	l := open(t)
	names := []string{
		"2025-01-01.jsonl", "2026-10-20.jsonl", // 31 days and more
		"2026-10-21.jsonl", "2026-11-19.jsonl", // 30 days and less
		"notes.txt", "2020-01-01.jsonl.bak", "x2020-01-01.jsonl",
	}
	for _, name := range names {
		write(t, filepath.Join(l.Dir, name), "{}\n")
	}
	if err := os.Mkdir(filepath.Join(l.Dir, "2020-02-02.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.Append(entry())
	left := list(t, l.Dir)
	want := []string{"2020-01-01.jsonl.bak", "2020-02-02.jsonl", "2026-10-20.jsonl", "2026-10-21.jsonl", "2026-11-19.jsonl", "2026-11-20.jsonl", "notes.txt", "x2020-01-01.jsonl"}
	if !slices.Equal(left, want) {
		t.Errorf("left: %v\nwant: %v", left, want)
	}

	// Only the line that creates the day's file looks for old files.
	write(t, filepath.Join(l.Dir, "2025-01-01.jsonl"), "{}\n")
	l.Append(entry())
	if !slices.Contains(list(t, l.Dir), "2025-01-01.jsonl") {
		t.Error("a later line of the day removed files")
	}
}

func TestALineAfterATornOneCanBeRead(t *testing.T) {
	t.Parallel()
	l := open(t)
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	write(t, path, `{"time":"2026-11-20T11:59`)
	l.Append(entry())
	l.Append(entry())
	if n := len(slices.Collect(l.Entries(ledger.Filter{}))); n != 2 || strings.Count(read(t, path), "\n") != 3 {
		t.Errorf("%d entries in %q", n, read(t, path))
	}
}

// TestEntriesOfASession: the beginning of an id is enough, whatever characters it contains.
func TestEntriesOfASession(t *testing.T) {
	t.Parallel()
	l := open(t)
	for i, id := range []string{"abc-1", "x", "abc-2", "", "xabc", "a b"} {
		for day := range 2 {
			e := entry()
			e.Session, e.PID, e.Time = id, 10*day+i, noon().AddDate(0, 0, day)
			l.Append(e)
		}
	}
	for prefix, want := range map[string][]int{"abc": {12, 10, 2, 0}, "abc-2": {12, 2}, "a b": {15, 5}, "b": nil, `x","`: nil} {
		var got []int
		for e := range l.Entries(ledger.Filter{Session: prefix}) {
			got = append(got, e.PID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", prefix, got, want)
		}
	}
}

// TestEntriesOfAProject: its whole id counts, with and without a session.
func TestEntriesOfAProject(t *testing.T) {
	t.Parallel()
	l := open(t)
	for i, id := range []string{"aa", "", "a", "aab", "a"} {
		e := entry()
		e.Project, e.PID, e.Session = id, i, fmt.Sprintf("s%d", i)
		l.Append(e)
	}
	for filter, want := range map[ledger.Filter][]int{{Project: "a"}: {4, 2}, {Project: "a", Session: "s2"}: {2}, {Project: "b"}: nil} {
		var got []int
		for e := range l.Entries(filter) {
			got = append(got, e.PID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", filter, got, want)
		}
	}
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAppendNeverFailsAndReports(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		make func(t *testing.T, dir string)
	}{
		{"file in the directory's place", func(t *testing.T, dir string) { write(t, dir, "") }},
		{"directory in the file's place", func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, "2026-11-20.jsonl"), 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{"fifo in the file's place", func(t *testing.T, dir string) {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := exec.Command("mkfifo", filepath.Join(dir, "2026-11-20.jsonl")).Run(); err != nil {
				t.Skip("no mkfifo")
			}
		}},
		{"device in the file's place", func(t *testing.T, dir string) {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(os.DevNull, filepath.Join(dir, "2026-11-20.jsonl")); err != nil {
				t.Skip("no links")
			}
		}},
		{"name that no system takes", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "ledger")
			if tc.make == nil {
				dir += "\x00"
			} else {
				tc.make(t, dir)
			}
			var reported error
			ledger.Ledger{Dir: dir, Report: func(err error) { reported = err }}.Append(entry())
			ledger.Ledger{Dir: dir}.Append(entry())
			if reported == nil || !strings.HasPrefix(reported.Error(), "ledger: ") {
				t.Errorf("reported %v", reported)
			}
		})
	}
}

func TestALedgerWithoutADirectoryKeepsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	ledger.Ledger{Report: func(err error) { t.Errorf("reported %v", err) }}.Append(entry())
	if left := list(t, "."); len(left) != 0 {
		t.Errorf("files: %v", left)
	}
}

func TestLinesOfManyWritersDoNotMix(t *testing.T) {
	t.Parallel()
	l := open(t)
	const writers, each = 16, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				e := entry()
				e.PID, e.InputBytes = w, i
				l.Append(e)
			}
		})
	}
	wg.Wait()
	next := [writers]int{}
	for i := range next {
		next[i] = each - 1
	}
	for e := range l.Entries(ledger.Filter{}) {
		if next[e.PID] != e.InputBytes {
			t.Fatalf("writer %d: line %d, want %d", e.PID, e.InputBytes, next[e.PID])
		}
		next[e.PID]--
	}
	for w, n := range next {
		if n != -1 {
			t.Errorf("writer %d: %d lines missing", w, n+1)
		}
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	l := open(t)
	add := func(pid, day int) {
		e := entry()
		e.PID, e.Time = pid, noon().AddDate(0, 0, day)
		l.Append(e)
	}
	for i := range 5 {
		add(i, 0)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	got := make(chan int, 100)
	done := make(chan error)
	go func() {
		done <- l.Follow(ctx, ledger.Filter{}, 2, time.Millisecond, func(e ledger.Entry) { got <- e.PID })
	}()
	expect := func(want ...int) {
		t.Helper()
		for _, w := range want {
			select {
			case pid := <-got:
				if pid != w {
					t.Fatalf("entry %d, want %d", pid, w)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("entry %d never came", w)
			}
		}
	}
	expect(3, 4)
	add(5, 0)
	expect(5)

	// The reader waits for the rest of a half-written line.
	path := filepath.Join(l.Dir, "2026-11-20.jsonl")
	line := strings.Replace(strings.SplitAfter(read(t, path), "\n")[0], `"pid":0`, `"pid":6`, 1)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fmt.Fprint(file, line[:50])
	time.Sleep(5 * time.Millisecond)
	fmt.Fprint(file, line[50:])
	expect(6)

	add(7, 1)
	expect(7)
	// After the clock was set back, lines go to the file of an older day.
	add(8, 0)
	expect(8)
	add(9, -1)
	expect(9)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFollowWaitsForALedgerThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	l := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	got := make(chan ledger.Entry, 1)
	go l.Follow(ctx, ledger.Filter{}, 10, time.Millisecond, func(e ledger.Entry) { got <- e })
	time.Sleep(5 * time.Millisecond)
	l.Append(entry())
	select {
	case e := <-got:
		if e != entry() {
			t.Errorf("got %+v", e)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the entry never came")
	}
}

func BenchmarkAppend(b *testing.B) {
	l := ledger.Ledger{Dir: b.TempDir()}
	for b.Loop() {
		l.Append(entry())
	}
}
