package display_test

import (
	"testing"

	"github.com/hookbridge/bridge/internal/display"
)

// TestTheNameIsLookedUpOnlyForATextThatHoldsIt: searching the PATH costs every hook.
func TestTheNameIsLookedUpOnlyForATextThatHoldsIt(t *testing.T) {
	t.Parallel()
	asked := 0
	name := func() string { asked++; return "/opt/bridge" }
	if got := display.Named("bridge is silent", name); got != "bridge is silent" || asked != 0 {
		t.Errorf("%q, asked %d times", got, asked)
	}
	text := display.Text("run " + display.Bridge + " status,\x1b or " + display.Bridge + " log \xff")
	if got := display.Named(text, name); got != `run /opt/bridge status,\u001B or /opt/bridge log `+"\ufffd" || asked != 1 {
		t.Errorf("%q, asked %d times", got, asked)
	}
}
