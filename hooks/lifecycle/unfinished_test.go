package lifecycle

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// TestShownAtStart: the user sees one line about what the model is told.
func TestShownAtStart(t *testing.T) {
	t.Parallel()
	details := " Details: " + display.Bridge + " status"
	for _, test := range []struct {
		open unfinished
		want string
	}{
		{unfinished{}, ""},
		{unfinished{names: []string{"ralph loop, iteration 3/10"}, mine: []string{"x"}}, "[bridge] Active in this session: ralph loop, iteration 3/10." + details},
		{unfinished{lang: protocol.Chinese, names: []string{"smart ralph"}, waiting: []string{"x"}, orphans: []string{"x"}},
			"[bridge] 本会话中活跃: smart ralph。本项目中有 2 个未完成的循环。详情: " + display.Bridge + " status"},
		{unfinished{waiting: []string{"x"}}, "[bridge] Unfinished in this project: 1 loop." + details},
		{unfinished{names: []string{"ultrawork"}, mine: []string{"x"}, waiting: []string{"x"}, orphans: []string{"x"}},
			"[bridge] Active in this session: ultrawork. Unfinished in this project: 2 loops." + details},
	} {
		if got := test.open.shown(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	hostile := unfinished{names: []string{"autopilot, phase x\n\x1b[2J" + strings.Repeat("x", 500)}}.shown()
	if strings.ContainsAny(hostile, "\n\x1b") || len(hostile) > 400 {
		t.Errorf("%q", hostile)
	}
}
