package doctor

import (
	"fmt"
	"path/filepath"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

// longPrompt is the length from which doctor mentions that a prompt is sent twice.
const longPrompt = 2000

// delivery reports a loop whose prompt costs twice as much as necessary
// (docs/reference/claude-code.md#stop-delivery).
func (e *examination) delivery(st protocol.Status) {
	if st.PromptLength <= longPrompt || st.PromptLength > claude.MaxContext || e.Config.StopDelivery == protocol.DeliverContext {
		return
	}
	e.found(Finding{
		ID: "stop-delivery", Severity: Note, Where: st.Path, What: fmt.Sprintf("the prompt of the %s has %d characters", st.Label, st.PromptLength),
		Means: fmt.Sprintf("Newer clients (2.1.330) give the model two copies of it at each iteration, which stay in the conversation. One copy would save about %d tokens per iteration.", st.PromptLength/charactersPerToken),
		Do:    fmt.Sprintf(`Set "stop_delivery": "context" in %s.`, filepath.Join(e.ConfigHome, settings.FileName)),
	})
}

// charactersPerToken is a rule of thumb for English.
const charactersPerToken = 4
