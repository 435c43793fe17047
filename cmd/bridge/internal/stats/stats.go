// Package stats counts what hooks did and how long they took, from the client's
// own transcripts and from bridge's ledger.
package stats

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Row is what is known of one hook.
type Row struct {
	// Name is the client's name of the hook, such as "PreToolUse:Bash", or bridge's
	// hook type.
	Name string `json:"name"`
	// Source is "client" or "bridge".
	Source string `json:"source"`
	Count  int    `json:"count"`
	// Failed counts calls that ended in an error, or were cancelled.
	Failed int `json:"failed"`
	// P50 and P95 are microseconds.
	P50 int64 `json:"p50_us"`
	P95 int64 `json:"p95_us"`

	times []time.Duration
}

// maxFiles is how many transcripts are read, the newest.
const maxFiles = 500

// Client reads the hook entries of the transcripts below the client's home that changed
// since the given time (docs/reference/claude-code.md#hook-attachments). What cannot be
// read is passed over.
func Client(clientHome string, since time.Time) []Row {
	type transcript struct {
		path string
		at   time.Time
	}
	var files []transcript
	_ = filepath.WalkDir(filepath.Join(clientHome, "projects"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
			if info, err := entry.Info(); err == nil && info.ModTime().After(since) {
				files = append(files, transcript{path, info.ModTime()})
			}
		}
		return nil
	})
	slices.SortFunc(files, func(a, b transcript) int { return b.at.Compare(a.at) })
	rows := table{}
	lines := bufio.NewReaderSize(nil, maxLine)
	for _, f := range files[:min(len(files), maxFiles)] {
		rows.readTranscript(lines, f.path, since)
	}
	return rows.list("client")
}

// table collects rows by name.
type table map[string]*Row

func (t table) row(name string) *Row {
	if t[name] == nil {
		t[name] = &Row{Name: name}
	}
	return t[name]
}

// maxLine is how long a line with a hook entry may be. A longer one is passed over.
const maxLine = 8 << 20

func (t table) readTranscript(lines *bufio.Reader, path string, since time.Time) {
	file, _, err := statefile.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	lines.Reset(file)
	tooLong, ended := false, false
	for !ended {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			tooLong = true
			continue
		}
		ended = err != nil
		if tooLong {
			tooLong = false
			continue
		}
		if !bytes.Contains(line, []byte(`"hook_`)) {
			continue
		}
		var entry struct {
			Timestamp  time.Time `json:"timestamp"`
			Attachment struct {
				Type       string  `json:"type"`
				HookName   string  `json:"hookName"`
				DurationMS float64 `json:"durationMs"`
			} `json:"attachment"`
		}
		if json.Unmarshal(line, &entry) != nil || entry.Attachment.HookName == "" || entry.Timestamp.Before(since) {
			continue
		}
		switch a := entry.Attachment; a.Type {
		case "hook_success":
			r := t.row(a.HookName)
			r.Count++
			r.times = append(r.times, time.Duration(a.DurationMS*float64(time.Millisecond)))
		case "hook_non_blocking_error", "hook_cancelled", "hook_error_during_execution":
			r := t.row(a.HookName)
			r.Count++
			r.Failed++
		}
	}
}

// Ledger reads bridge's own ledger since the given time.
func Ledger(dir string, since time.Time) []Row {
	rows := table{}
	for e := range (ledger.Ledger{Dir: dir}).Entries(ledger.Filter{}) {
		if e.Time.Before(since) {
			break
		}
		r := rows.row(string(e.Type))
		r.Count++
		r.times = append(r.times, e.Duration)
		if failed(e.Rule) {
			r.Failed++
		}
	}
	return rows.list("bridge")
}

// failed reports a rule that stands for a failure.
func failed(rule string) bool {
	return rule == "deadline" || rule == "handler-failed" || rule == "write-failed" || rule == "configuration" || strings.HasPrefix(rule, "malformed")
}

// list returns the rows with their times, the most frequent first.
func (t table) list(source string) []Row {
	var rows []Row
	for _, r := range t {
		slices.Sort(r.times)
		r.Source, r.P50, r.P95 = source, quantile(r.times, 50), quantile(r.times, 95)
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Name, b.Name)) })
	return rows
}

func quantile(times []time.Duration, percent int) int64 {
	if len(times) == 0 {
		return 0
	}
	return times[min(len(times)*percent/100, len(times)-1)].Microseconds()
}
