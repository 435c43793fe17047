// Package stats shows how often hooks ran and how long they took, from the client's own
// transcripts and from bridge's ledger.
package stats

import (
	"bufio"
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Row is the figures of one hook.
type Row struct {
	// Name is the client's name of the hook, such as "PreToolUse:Bash", or bridge's
	// hook type; a stop is "stop", followed by the loop or mode that answered.
	Name string `json:"name"`
	// Source is "client" or "bridge".
	Source string `json:"source"`
	Count  int    `json:"count"`
	// Failed counts calls that ended in an error or were cancelled.
	Failed int `json:"failed"`
	// P50 and P95 are microseconds.
	P50 int64 `json:"p50_us"`
	P95 int64 `json:"p95_us"`

	times []time.Duration
}

// maxFiles is how many of the newest transcripts are read.
const maxFiles = 500

// Client reads the hook entries of the transcripts below the client's home that changed
// since the given time (docs/reference/claude-code.md#hook-attachments). It skips what it
// cannot read.
func Client(clientHome string, since time.Time) []Row {
	type found struct {
		path string
		at   time.Time
	}
	var files []found
	_ = filepath.WalkDir(filepath.Join(clientHome, "projects"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
			if info, err := entry.Info(); err == nil && info.ModTime().After(since) {
				files = append(files, found{path, info.ModTime()})
			}
		}
		return nil
	})
	slices.SortFunc(files, func(a, b found) int { return b.at.Compare(a.at) })
	rows := table{}
	lines := bufio.NewReaderSize(nil, transcript.MaxHookLine)
	for _, f := range files[:min(len(files), maxFiles)] {
		rows.readTranscript(lines, f.path, since)
	}
	return rows.list("client")
}

// table collects the rows by name.
type table map[string]*Row

func (t table) row(name string) *Row {
	if t[name] == nil {
		t[name] = &Row{Name: name}
	}
	return t[name]
}

func (t table) readTranscript(lines *bufio.Reader, path string, since time.Time) {
	file, _, err := statefile.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	for run := range transcript.HookRuns(file, lines) {
		if run.At.Before(since) {
			continue
		}
		r := t.row(run.Name)
		r.Count++
		if run.Failed {
			r.Failed++
		} else {
			r.times = append(r.times, run.Duration)
		}
	}
}

// Ledger reads the figures from bridge's own ledger since the given time.
func Ledger(dir string, since time.Time) []Row {
	rows := table{}
	for e := range (ledger.Ledger{Dir: dir}).Entries(ledger.Filter{}) {
		if e.Time.Before(since) {
			break
		}
		if e.Type == ledger.Command {
			continue
		}
		r := rows.row(nameOf(e))
		r.Count++
		r.times = append(r.times, e.Duration)
		if failed(e.Rule) {
			r.Failed++
		}
	}
	return rows.list("bridge")
}

// nameOf is the hook of an entry. Every stop has the same type, so a stop has the name of
// the chain and of the loop or mode that answered.
func nameOf(e ledger.Entry) string {
	switch {
	case e.Event != protocol.EventStop:
		return string(e.Type)
	case e.Loop == "":
		return "stop"
	}
	return "stop " + e.Loop
}

// failed reports whether a rule means a failure.
func failed(rule string) bool {
	return rule == "deadline" || rule == "handler-failed" || rule == "write-failed" || rule == "configuration" || strings.HasPrefix(rule, "malformed")
}

// list returns the rows with their times, the most frequent first.
func (t table) list(source string) []Row {
	var rows []Row
	for _, r := range t {
		slices.Sort(r.times)
		r.Source, r.P50, r.P95 = source, median(r.times), quantile(r.times, 95)
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Name, b.Name)) })
	return rows
}

// median is the middle of sorted times, or the mean of the two in the middle.
func median(times []time.Duration) int64 {
	n := len(times)
	if n == 0 {
		return 0
	}
	return ((times[(n-1)/2] + times[n/2]) / 2).Microseconds()
}

func quantile(times []time.Duration, percent int) int64 {
	if len(times) == 0 {
		return 0
	}
	return times[min(len(times)*percent/100, len(times)-1)].Microseconds()
}
