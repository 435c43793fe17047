//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
