//go:build unix

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var quotedReason = regexp.MustCompile("`([^`]+)`")

// TestReasonsOfTheTable: docs/reference/stop-rules.md#stop-reasons names the reasons that
// let a stop pass, and each of them does.
func TestReasonsOfTheTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "stop-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), `<a id="stop-reasons">`)
	section, _, _ = strings.Cut(section, "\n#")
	fields := []string{"stop_reason", "stopReason", "end_turn_reason", "endTurnReason", "reason"}
	rules, reasons := map[string]bool{}, 0
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(cells[1], "rule") {
			continue
		}
		rule := strings.Trim(cells[1], " `")
		rules[rule] = true
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			path := s.mode("ralph", `"iteration":2,"max_iterations":1000,"prompt":"Do it"`)
			for i, cell := range cells[2:4] {
				for _, quoted := range quotedReason.FindAllStringSubmatch(cell, -1) {
					reason := quoted[1]
					texts := []string{reason, strings.ToUpper(reason), strings.ReplaceAll(reason, "_", "-")}
					if i == 0 {
						texts = append(texts, "it ended: "+reason+" (again)")
					}
					for n, text := range texts {
						field := fields[(len(reason)+n)%len(fields)]
						before, _ := os.ReadFile(path)
						a := s.hook("stop", s.stopWith(text, fmt.Sprintf(`,%q:%q`, field, text)))
						after, _ := os.ReadFile(path)
						if allowed := !a.blocks(); allowed != (rule != "none") || allowed != (string(before) == string(after)) {
							t.Errorf("%s %q: %s", field, text, a.stdout)
						}
					}
				}
			}
		})
		reasons += len(quotedReason.FindAllString(cells[2]+cells[3], -1))
	}
	if len(rules) != 7 || reasons < 60 {
		t.Errorf("the table has %d reasons of %v", reasons, rules)
	}
}

// TestWakeupToolOfAnotherCaller: a caller may name the tool in its own way.
func TestWakeupToolOfAnotherCaller(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it"`)
	for tool, allowed := range map[string]bool{"native.schedule_wakeup": true, "ScheduleWakeup": true, "native.list_wakeups": false} {
		if a := s.hook("stop", s.stopWith(tool, fmt.Sprintf(`,"tool_name":%q`, tool))); a.blocks() == allowed {
			t.Errorf("%s: %s", tool, a.stdout)
		}
	}
}

// TestAutopilotIsCancelledByTheParsedState: the checksum in a cancel signal is that of the
// state as oh-my-claudecode writes it after parsing, whatever the layout of the file
// (docs/reference/stop-rules.md#cancel-signal).
func TestAutopilotIsCancelledByTheParsedState(t *testing.T) {
	t.Parallel()
	at := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	pretty := fmt.Sprintf(`{
  "active": true, "phase": "qa",
  "iteration": 2.0,
  "originalIdea": "Caf\u00e9 \/ 1",
  "phase_durations": {"b": 1e2, "2": -0, "1": [ ]},
  "session_id": %q,
  "started_at": %q
}
`, sessionID, at)
	parsed := fmt.Sprintf(`{"active":true,"phase":"qa","iteration":2,"originalIdea":"Café / 1","phase_durations":{"1":[],"2":0,"b":100},"session_id":%q,"started_at":%q}`, sessionID, at)
	const run = `,"target_workflow_run_id":"r1"`
	for name, test := range map[string]struct {
		state, checksum, more string
		ends                  bool
	}{
		"of the parsed state":       {pretty, sum(parsed), "", true},
		"of the bytes":              {pretty, sum(pretty), "", false},
		"of another state":          {pretty, sum(strings.Replace(parsed, `"qa"`, `"planning"`, 1)), "", false},
		"with a run of no state":    {pretty, sum(parsed), run, false},
		"without the state's run":   {withRun(pretty), sum(withRun(parsed)), "", false},
		"with the run of the state": {withRun(pretty), sum(withRun(parsed)), run, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			dir := filepath.Join(s.omc(), "state", "sessions", sessionID)
			s.put(filepath.Join(dir, "autopilot-state.json"), test.state)
			now := time.Now().UTC()
			s.put(filepath.Join(dir, "cancel-signal-state.json"), fmt.Sprintf(`{"active":true,"mode":"autopilot","source":"skill","requested_at":%q,"expires_at":%q,"target_state_sha256":%q%s}`,
				now.Format(time.RFC3339Nano), now.Add(25*time.Second).Format(time.RFC3339Nano), test.checksum, test.more))
			if a := s.hook("stop", s.stopInput(1)); a.blocks() == test.ends || strings.Contains(a.stdout, "AUTOPILOT CANCELLED") != test.ends {
				t.Errorf("%s", a.stdout)
			}
		})
	}
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func withRun(state string) string { return strings.Replace(state, "{", `{"workflowRunId":"r1",`, 1) }
