package stop

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// idleLimit is the number of consecutive stops without a tool call and with the same
// message after which a loop is released (docs/design.md#idle-guard).
const idleLimit = 10

// clientCap is the number of consecutive blocks without a tool call after which the
// client overrides the next one, unless CLAUDE_CODE_STOP_HOOK_BLOCK_CAP says otherwise
// (docs/reference/claude-code.md#block-cap).
const clientCap = 8

// blockCap reads the client's cap; 0 is no cap.
func blockCap(getenv func(string) string) int {
	text := strings.TrimSpace(getenv(claude.EnvBlockCap))
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return clientCap
	}
	return n
}

// guardResult says which guard stands against a block.
type guardResult int

const (
	mayBlock guardResult = iota
	// isIdle means that the loop has come to nothing and must end.
	isIdle
	// isCapped means that the client would override the block.
	isCapped
)

// guard counts this stop in the record and says whether a block may be printed.
// A turn whose transcript could not be read counts for neither guard: nobody
// knows whether it used a tool. The first stop of a session is another matter:
// the client writes its transcript about 100 ms late, so there is none yet, or
// one without an answer.
//
// counted is what post-tool-use counted in the session. It is exact where the
// transcript lags, and tells where it cannot be read.
func guard(record *session.Record, in protocol.Input, turn protocol.Turn, counted, limit int) guardResult {
	since, known := record.NoteTools(counted)
	tools := max(turn.ToolCalls(), since)
	if !in.Stop.StopHookActive || tools > 0 {
		record.Blocks = 0
	}
	readable := known || turn.Err == protocol.TurnOK || turn.Err == protocol.TranscriptNoAssistant
	if !readable && record.Idle.Count > 0 {
		return mayBlock
	}
	if record.NoteIdle(turn.Final, tools) >= idleLimit {
		record.Idle = session.Idle{}
		return isIdle
	}
	if limit > 0 && record.Blocks >= limit {
		return isCapped
	}
	return mayBlock
}

// mayForget says whether a block may be printed where no record tells what was before
// it. Then the loop's own counter bounds it: a turn that used a tool goes on; without
// one the loop pauses at the number of steps at which the idle guard would have ended it
// or the client overridden it. A loop without a counter goes on once after a prompt.
func mayForget(in protocol.StopFields, turn protocol.Turn, count, limit int) bool {
	switch {
	case turn.ToolCalls() > 0:
		return true
	case count == 0:
		return !in.StopHookActive
	}
	return count%pauseAfter(limit) != 0
}

// pauseAfter is how many steps without a record a loop makes before it pauses.
func pauseAfter(limit int) int {
	if limit > 0 {
		return min(idleLimit, limit+1)
	}
	return idleLimit
}

func forgetMessage(label string) string {
	return fmt.Sprintf("%s: this stop is allowed, because nothing can be remembered between two stops, so nobody can tell a loop that works from one that is stuck. "+
		"The loop and its counter are kept; it goes on with the next turn that uses a tool. To lift this: let HOME or XDG_STATE_HOME name a directory that you may write.", title(label))
}

func idleMessage(label, resume string) string {
	return fmt.Sprintf("%s: released after %d stops in a row with the same message and no tool call: it was getting nowhere. %s", title(label), idleLimit, resume)
}

func capMessage(label string, limit int) string {
	return fmt.Sprintf("%s: this stop is allowed, because Claude Code overrides a hook that blocks more than %d times in a row without a tool call. "+
		"The loop and its counter are kept; it goes on with your next prompt. To lift the cap: set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0 in the env of your settings.", title(label), limit)
}

// pending returns the number of background agents that still run. Shells and kinds that
// are not known never count: a development server runs for ever
// (docs/design.md#pending-work).
func pending(tasks []protocol.BackgroundTask) int {
	n := 0
	for _, task := range tasks {
		if task.Type == "subagent" && task.Status == "running" {
			n++
		}
	}
	return n
}

// title begins a sentence with the label.
func title(label string) string { return display.Title(label) }
