package doctor

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// TestLongPromptIsMentioned: a loop with a long prompt is told what stop_delivery saves, if
// it can save anything.
func TestLongPromptIsMentioned(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		length int
		state  protocol.LoopState
		config string
		found  bool
	}{
		{2000, protocol.LoopActive, "{}", false},
		{2001, protocol.LoopActive, "{}", true},
		{2001, protocol.LoopPaused, `{"stop_delivery": "block"}`, true},
		{2001, protocol.LoopEnded, "{}", false},
		{2001, protocol.LoopActive, `{"stop_delivery": "context"}`, false},
		{10_000, protocol.LoopActive, "{}", true},
		{10_001, protocol.LoopActive, "{}", false},
	} {
		w := newWorld(t)
		w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), test.config)
		w.loops = []protocol.Status{{Label: "ralph loop", Path: "/p/loop.md", State: test.state, PromptLength: test.length}}
		o := w.options()
		o.NoProbe = true
		findings := Run(o).Findings
		if at := slices.IndexFunc(findings, func(f Finding) bool { return f.ID == "stop-delivery" }); (at >= 0) != test.found {
			t.Errorf("%+v: %v", test, ids(findings))
		} else if at >= 0 && (!strings.Contains(findings[at].Do, "config.json") || test.length == 10_000 && !strings.Contains(findings[at].Means, "about 2500 tokens")) {
			t.Errorf("%+v", findings[at])
		}
	}
}
