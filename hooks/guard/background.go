package guard

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/protocol"
)

// Background describes the session's background tasks when a call asks to start another one. It is zero if the call
// starts none.
type Background struct {
	// Running is the number of running tasks, Limit the number that may run; 0 means no limit.
	Running, Limit int
	// Tool is the tool that starts the task.
	Tool string
}

// background returns the facts about a call that starts a background task. An agent that does not say where it runs is
// not counted: an older client runs it in the foreground.
func background(in protocol.Input, env protocol.Env) Background {
	if kind := claude.Kind(in.Tool.ToolName); kind != protocol.ToolShell && kind != protocol.ToolAgent {
		return Background{}
	}
	var input struct {
		RunInBackground bool `json:"run_in_background"`
	}
	if json.Unmarshal(in.Tool.ToolInput, &input) != nil || !input.RunInBackground {
		return Background{}
	}
	limit := env.Config.Permissions.BackgroundLimit()
	// The variable of oh-my-claudecode. A repository can set it, so it can only lower the
	// limit.
	if n, err := strconv.Atoi(strings.TrimSpace(env.Getenv("OMC_MAX_BACKGROUND_TASKS"))); err == nil && n > 0 && (limit == 0 || n < limit) {
		limit = n
	}
	if limit == 0 {
		return Background{}
	}
	return Background{Running: transcript.RunningTasks(in.TranscriptPath, env.Now), Limit: limit, Tool: in.Tool.ToolName}
}

// verdict compares the call with the limit
// (docs/reference/records.md#background-limit).
func (b Background) verdict() Verdict {
	if b.Limit == 0 || b.Running < b.Limit {
		return Verdict{}
	}
	return Verdict{Decision: Deny, Rule: "background-limit", Token: fmt.Sprintf("%d of %d", b.Running, b.Limit), Reason: fmt.Sprintf(
		"the session already runs %d of at most %d background tasks. Wait until one ends, stop one that is no longer needed, or call %s without run_in_background. The user can raise the limit: permissions.max_background_tasks in bridge's config.json",
		b.Running, b.Limit, b.Tool)}
}
