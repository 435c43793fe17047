package stop

import (
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// idleLimit is how many stops in a row, without a tool call and with the same message,
// end a loop (docs/design.md#idle-guard).
const idleLimit = 10

// clientCap is how many blocks in a row without a tool call the client accepts before it
// overrides the next one, unless CLAUDE_CODE_STOP_HOOK_BLOCK_CAP says otherwise
// (docs/reference/claude-code.md#block-cap).
const clientCap = 8

// blockCap reads the client's cap; 0 means no cap.
func blockCap(getenv func(string) string) int {
	text := strings.TrimSpace(getenv(claude.EnvBlockCap))
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return clientCap
	}
	return n
}

// guardResult says which guard prevents a block.
type guardResult int

const (
	mayBlock guardResult = iota
	// isIdle means that the loop makes no progress and must end.
	isIdle
	// isCapped means that the client would override the block.
	isCapped
)

// guard counts this stop in the record and says whether a block may be printed. A turn
// whose transcript could not be read counts for neither guard, because it may have used a
// tool. The first stop of a session is an exception: the client writes its transcript
// about 100 ms late, so the file may not exist yet or may have no answer in it.
//
// counted is the number of tool calls that post-tool-use counted in the session. It is
// exact even if the transcript lags or cannot be read.
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
		// The turn ends, so counting starts again at the user's next prompt.
		record.Idle = session.Idle{}
		return isCapped
	}
	return mayBlock
}

// mayForget says whether a block may be printed although there is no record of earlier stops. The loop's own counter
// then limits the blocks. If the turn used a tool, the loop continues; otherwise it pauses after as many steps as the
// idle guard or the client's cap would allow. A loop without a counter continues once per prompt.
func mayForget(in protocol.StopFields, turn protocol.Turn, count, limit int) bool {
	switch {
	case turn.ToolCalls() > 0:
		return true
	case count == 0:
		return !in.StopHookActive
	}
	return count%pauseAfter(limit) != 0
}

// pauseAfter is how many steps a loop makes without a record before it pauses.
func pauseAfter(limit int) int {
	if limit > 0 {
		return min(idleLimit, limit+1)
	}
	return idleLimit
}

// title puts the label at the beginning of a sentence.
func title(label string) string { return display.Title(label) }
