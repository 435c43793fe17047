package router_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// TestWrongClock: on a machine whose clock is in 1970 or 2100, or jumps between two stops,
// a loop of the session continues, and every type answers.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	past, future := time.Unix(0, 0), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, clocks := range map[string][2]time.Time{
		"1970": {past, past.Add(time.Minute)}, "2100": {future, future.Add(time.Minute)}, "back": {future, past}, "forth": {past, future},
	} {
		for _, row := range protocol.AllRows() {
			w := newWorld(t)
			w.loopState("s1")
			for i, now := range clocks {
				input := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":%q,"prompt_id":"p%d","source":"startup","reason":"other","trigger":"init","prompt":"hello",`+
					`"tool_name":"Read","tool_input":{"file_path":"x"},"agent_id":%q,"agent_type":"Explore","last_assistant_message":"part %s","background_tasks":[]}`,
					w.project, row.Events[0], i, agent(row), strings.Repeat("x", i+1))
				var out, errs bytes.Buffer
				code := router.Run(router.Process{
					Args: []string{"bridge"}, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Version: "test",
					Getenv: func(name string) string { return w.env[name] }, Now: func() time.Time { return now },
				}, string(row.Type), nil)
				schematest.ValidateStdout(t, row.Events[0], out.Bytes())
				if code != 0 || strings.Contains(errs.String(), "could not") || strings.Contains(out.String(), `"deny"`) {
					t.Errorf("%s, %s: exit code %d, %q %q", name, row.Type, code, out.String(), errs.String())
				}
				if row.Type == protocol.Ralph && !strings.Contains(out.String(), `"decision": "block"`) {
					t.Errorf("%s: the loop ended at stop %d: %q %q", name, i+1, out.String(), errs.String())
				}
			}
			state, err := os.ReadFile(filepath.Join(w.project, ".claude", "ralph-loop.local.md"))
			if err != nil || !strings.HasSuffix(string(state), "Go on.\n") {
				t.Errorf("%s, %s: the loop's file: %q, %v", name, row.Type, state, err)
			}
		}
	}
}

// TestAWrongClockKeepsTheLedger: one stop in the year 2100 removes at most one day of
// the ledger.
func TestAWrongClockKeepsTheLedger(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := func(now time.Time) []os.DirEntry {
		w.loopState("s1")
		var out, errs bytes.Buffer
		router.Run(router.Process{
			Args: []string{"bridge"}, Stdin: strings.NewReader(fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":"Stop","prompt_id":"p","stop_hook_active":true,"last_assistant_message":"part %s"}`, w.project, strings.Repeat("x", now.YearDay()))),
			Stdout: &out, Stderr: &errs, Version: "test", Getenv: func(name string) string { return w.env[name] }, Now: func() time.Time { return now },
		}, "stop", nil)
		var entries []os.DirEntry
		_ = filepath.WalkDir(w.home, func(path string, entry os.DirEntry, err error) error {
			if err == nil && filepath.Base(filepath.Dir(path)) == "ledger" {
				entries = append(entries, entry)
			}
			return err
		})
		return entries
	}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for day := range 30 {
		stop(now.AddDate(0, 0, day-29))
	}
	if left := stop(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)); len(left) != 30 {
		t.Errorf("%d days are left, want 29 and the new one: %v", len(left), left)
	}
}

// agent is the id of the agent that an event is about.
func agent(row protocol.Row) string {
	if row.Events[0] == protocol.EventSubagentStart || row.Events[0] == protocol.EventSubagentStop {
		return "a1"
	}
	return ""
}
