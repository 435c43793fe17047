package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/go-json-experiment/json"
)

// HookRun is the client's record of one run of a hook line.
type HookRun struct {
	// Name is the client's name of the hook, such as "PreToolUse:Bash".
	Name     string
	At       time.Time
	Duration time.Duration
	// Failed is a hook that failed or was ended; its duration is not known.
	Failed bool
}

// MaxHookLine is how long in bytes a line with a hook run may be. A longer line is skipped.
const MaxHookLine = 8 << 20

// HookRuns returns the hook runs of a transcript. lines has room for
// MaxHookLine bytes; several calls can share it.
func HookRuns(file io.Reader, lines *bufio.Reader) iter.Seq[HookRun] {
	return func(yield func(HookRun) bool) {
		lines.Reset(file)
		for tooLong := false; ; {
			line, err := lines.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) {
				tooLong = true
				continue
			}
			if run, ok := hookRun(line); ok && !tooLong && !yield(run) || err != nil {
				return
			}
			tooLong = false
		}
	}
}

func hookRun(line []byte) (run HookRun, ok bool) {
	if !bytes.Contains(line, []byte(`"hook_`)) {
		return HookRun{}, false
	}
	var entry struct {
		Timestamp  time.Time `json:"timestamp"`
		Attachment struct {
			Type       string  `json:"type"`
			HookName   string  `json:"hookName"`
			DurationMS float64 `json:"durationMs"`
		} `json:"attachment"`
	}
	if json.Unmarshal(line, &entry) != nil || entry.Attachment.HookName == "" {
		return HookRun{}, false
	}
	run = HookRun{Name: entry.Attachment.HookName, At: entry.Timestamp}
	switch entry.Attachment.Type {
	case "hook_success":
		run.Duration = time.Duration(entry.Attachment.DurationMS * float64(time.Millisecond))
	case "hook_non_blocking_error", "hook_cancelled", "hook_error_during_execution":
		run.Failed = true
	default:
		return HookRun{}, false
	}
	return run, true
}
