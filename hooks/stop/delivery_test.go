package stop

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// TestDelivery: the text is the reason of a block unless the user asked for context and it
// fits into one.
func TestDelivery(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("長", 9_990)
	for _, test := range []struct {
		name     string
		delivery protocol.StopDelivery
		d        protocol.Decision
		want     string // of the context; empty for a block
	}{
		{"by default", "", protocol.Decision{Reason: "go on"}, ""},
		{"block", protocol.DeliverBlock, protocol.Decision{Reason: "go on"}, ""},
		{"context", protocol.DeliverContext, protocol.Decision{Reason: "go on"}, "go on"},
		{"with a promise", protocol.DeliverContext, protocol.Decision{Reason: "go on", Context: "until DONE"}, "go on\n\nuntil DONE"},
		{"the longest", protocol.DeliverContext, protocol.Decision{Reason: fits, Context: "12345678"}, fits + "\n\n12345678"},
		{"too long", protocol.DeliverContext, protocol.Decision{Reason: fits, Context: "123456789"}, ""},
		{"too long as the client counts", protocol.DeliverContext, protocol.Decision{Reason: strings.Repeat("😀", 5_001)}, ""},
	} {
		out := continues(test.d, "a message", test.delivery)
		context, _ := out.HookSpecific.(protocol.ContextOutput)
		if out.SystemMessage != "a message" {
			t.Errorf("%s: message %q", test.name, out.SystemMessage)
		}
		if test.want != "" {
			if out.Decision != "" || out.Reason != "" || context.AdditionalContext != test.want || context.HookEventName != protocol.EventStop {
				t.Errorf("%s: %+v", test.name, out)
			}
		} else if out.Decision != "block" || out.Reason != test.d.Reason || context.AdditionalContext != test.d.Context {
			t.Errorf("%s: %+v", test.name, out)
		}
	}
}
