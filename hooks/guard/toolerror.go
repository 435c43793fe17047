package guard

import (
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
)

// The bounds of the record of the last tool error
// (docs/reference/records.md#tool-errors), in characters and in time.
const (
	maxPreview = 200
	maxError   = 500
	// retryTime is the longest time between two failures of a tool that count as a retry.
	retryTime = time.Minute
)

// toolUse is one tool call as post-tool-use notes it.
type toolUse struct {
	Tool    string    `json:"tool_name"`
	Preview string    `json:"tool_input_preview,omitempty"`
	Failed  bool      `json:"failed,omitempty"`
	Error   string    `json:"error,omitempty"`
	At      time.Time `json:"timestamp"`
	// Interrupted means that the user ended the call: neither a failure nor a
	// success of the tool.
	Interrupted bool `json:"is_interrupt,omitempty"`
}

// after returns the record of the last tool error after a tool call. A failure of the same
// tool within a minute is a retry; a success of the tool clears its error. The note about
// a late hook stays until another hook is late.
func after(record statefile.Object, use toolUse) statefile.Object {
	switch {
	case use.Interrupted:
		return record
	case use.Failed:
		retries := 1
		age := use.At.Sub(record.Time("timestamp"))
		if record.Text("tool_name") == use.Tool && age >= 0 && age < retryTime {
			if before, err := record.Count("retry_count", 1); err == nil {
				retries = before + 1
			}
		}
		next := statefile.Object{}.
			Set("tool_name", use.Tool).
			Set("tool_input_preview", display.Clip(use.Preview, maxPreview)).
			Set("error", display.Clip(use.Error, maxError)).
			Set("timestamp", use.At).
			Set("retry_count", retries)
		return keepTimeout(next, record)
	case record.Text("tool_name") == use.Tool:
		return keepTimeout(statefile.Object{}, record)
	}
	return record
}

// timeoutMember holds the last tool hook that missed its deadline. It is a separate member, so that other tools that
// read the record do not mistake it for a tool error.
const timeoutMember = "hook_timeout"

func keepTimeout(next, record statefile.Object) statefile.Object {
	if timeout, ok := record.Raw(timeoutMember); ok {
		next = next.Set(timeoutMember, timeout)
	}
	return next
}

// isEmpty reports a record that says nothing.
func isEmpty(record statefile.Object) bool {
	_, timeout := record.Raw(timeoutMember)
	return !timeout && record.Text("tool_name") == ""
}
