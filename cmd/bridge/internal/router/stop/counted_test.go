package stop_test

import (
	"fmt"
	"strings"
	"testing"
)

// used delivers a tool call that ran; extra are further fields.
func (w *world) used(session, extra string) {
	w.t.Helper()
	input := fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"}%s}`, session, w.project, extra)
	if out := w.deliver(event{hook: "post-tool-use"}, input); out != "" {
		w.t.Errorf("%q", out)
	}
}

// TestCountedToolsAreWork: what post-tool-use counted keeps the idle guard and the
// client's cap away also where no transcript can be read; the calls of another
// session and of a subagent do not.
func TestCountedToolsAreWork(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before func(w *world)
		idle   bool
	}{
		"none":            {func(*world) {}, true},
		"its own":         {func(w *world) { w.used("s1", "") }, false},
		"one that failed": {func(w *world) { w.used("s1", `,"error":"Exit code 1"`) }, false},
		"another's":       {func(w *world) { w.used("s2", "") }, true},
		"a subagent's":    {func(w *world) { w.used("s1", `,"agent_id":"a1","agent_type":"x"`) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start(w.project, "s1")
			// An answer that the transcript does not hold yet.
			extra := w.turn(`{"type":"user","message":{"role":"user","content":"go"}}`)
			released := false
			for range 12 {
				test.before(w)
				out := w.stop(event{session: "s1", extra: extra})
				if !blocks(out) {
					released = strings.Contains(out, "ended after 10 stops")
					break
				}
			}
			if released != test.idle {
				t.Errorf("released as idle: %v, want %v", released, test.idle)
			}
		})
	}
}

// TestCountedToolsResetTheCap: the client starts to count again with a tool call, and
// so does bridge.
func TestCountedToolsResetTheCap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] = "3"
	w.start(w.project, "s1")
	extra := w.turn(`{"type":"user","message":{"role":"user","content":"go"}}`)
	stops := func(n int) (blocked int) {
		for i := range n {
			if blocks(w.stop(event{session: "s1", message: fmt.Sprint("turn ", strings.Repeat("x", i)), extra: extra})) {
				blocked++
			}
		}
		return blocked
	}
	if got := stops(4); got != 3 {
		t.Errorf("%d blocks, want the cap of 3", got)
	}
	w.used("s1", "")
	if got := stops(4); got != 3 {
		t.Errorf("%d blocks after a tool call, want 3 again", got)
	}
}
