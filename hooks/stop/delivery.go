package stop

import (
	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/protocol"
)

// continues returns the answer that makes the turn continue, in the form that the user's configuration chooses
// (docs/reference/claude-code.md#stop-delivery). A text that is too long for additionalContext is always the reason of a
// block.
func continues(d protocol.Decision, message string, delivery protocol.StopDelivery) protocol.Output {
	switch delivery {
	case protocol.DeliverContext:
		text := d.Reason
		if d.Context != "" {
			text += "\n\n" + d.Context
		}
		if claude.Length(text) <= claude.MaxContext {
			out := protocol.Context(protocol.EventStop, text)
			out.SystemMessage = message
			return out
		}
	case protocol.DeliverBlock, "":
	}
	return protocol.BlockWith(d.Reason, message, protocol.EventStop, d.Context)
}
