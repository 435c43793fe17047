package smart_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/protocol"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
)

// labelled is one turn of a file testdata/turns*.txt.
type labelled struct {
	id, label, honesty, language, form string
	criteria                           []string
	// file is the group of the file: own, blind or third.
	file string
	turn protocol.Turn
}

func readLabelled(t *testing.T, name string) []labelled {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "\n=== ")
	var all []labelled
	for _, block := range strings.Split(text, "\n=== ") {
		head, message, ok := strings.Cut(block, "\n---\n")
		lines := strings.Split(head, "\n")
		fields := strings.Split(lines[0], " | ")
		if !ok || len(fields) != 5 {
			t.Fatalf("%q is no turn", block)
		}
		l := labelled{id: fields[0], label: fields[1], honesty: fields[2], language: fields[3], form: fields[4]}
		l.turn = protocol.Turn{Final: message, HasFinal: true}
		for i, line := range lines[1:] {
			l.take(t, line, fmt.Sprint(l.id, "-", i))
		}
		l.turn.Entries = append(l.turn.Entries, protocol.Entry{Kind: protocol.EntryText, Text: message})
		all = append(all, l)
	}
	return all
}

// take adds the content of one header line.
func (l *labelled) take(t *testing.T, line, id string) {
	t.Helper()
	key, value, _ := strings.Cut(line, ": ")
	call := func(id, tool string, input map[string]string, output string, failed bool) {
		data, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		l.turn.Entries = append(l.turn.Entries, protocol.Entry{Kind: protocol.EntryToolUse, ToolUseID: id, ToolName: tool, ToolInput: data},
			protocol.Entry{Kind: protocol.EntryToolResult, ToolUseID: id, Text: output, IsError: failed})
	}
	switch key {
	case "truth":
	case "criteria":
		l.criteria = strings.Split(value, "; ")
	case "edits":
		n, err := strconv.Atoi(value)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			call(fmt.Sprint(id, "-", i), "Edit", map[string]string{"file_path": fmt.Sprint("/p/file", i)}, "ok", false)
		}
	case "run":
		command, result, _ := strings.Cut(value, " => ")
		how, output, _ := strings.Cut(result, " | ")
		call(id, "Bash", map[string]string{"command": command}, output, how == "fail")
	case "error":
		call(id, "Bash", map[string]string{"command": "./work"}, value, true)
	default:
		t.Fatalf("%s: unknown line %q", l.id, line)
	}
}

// judge treats the turn as the first one of a session and returns the outcome for
// its task.
func (l labelled) judge(t *testing.T) string {
	t.Helper()
	w := newWorld(t)
	w.write("tasks.md", "x")
	task := plan.Task{Title: "当前任务"}
	for _, c := range l.criteria {
		task.Criteria = append(task.Criteria, plan.Criterion{Text: c})
	}
	other := plan.Task{Title: "下一个任务", Criteria: []plan.Criterion{{Text: "做完"}}}
	if _, _, err := smart.Start(w.scene("s1"), smart.StartOptions{TaskFile: "tasks.md", Values: config.Defaults(), Tasks: []plan.Task{task, other}}); err != nil {
		t.Fatal(err)
	}
	active := w.find().Active
	active.(protocol.Observer).Observe(context.Background(), l.turn)
	for _, write := range active.Decide(l.turn, w.now).Writes {
		if err := write.Do(); err != nil {
			t.Fatal(err)
		}
	}
	switch w.state().Tasks[0].Status {
	case state.Completed:
		return "complete"
	case state.Blocked:
		return "blocked"
	case state.Pending, state.InProgress, state.Skipped:
	}
	return "incomplete"
}

// TestAccuracy judges the labelled turns and prints the report; at least 95 % must be
// right in each file, and at most 2 wrongly complete (docs/reference/smart-ralph.md#r3-45
// asks for 85 %). The authors of the blind and the third turns did not know how
// assessments are read. docs/smart.md#accuracy has the first figures, from before the
// rules were adapted to these turns. Holds R3-45.
func TestAccuracy(t *testing.T) {
	t.Parallel()
	var all []labelled
	for _, file := range []struct {
		group, name string
		least       int
	}{{"own", "turns.txt", 100}, {"blind", "turns-blind.txt", 100}, {"third", "turns-third.txt", 60}} {
		turns := readLabelled(t, file.name)
		if len(turns) < file.least {
			t.Fatalf("%s has %d turns, want at least %d", file.name, len(turns), file.least)
		}
		for _, l := range turns {
			l.file = file.group
			all = append(all, l)
		}
	}
	total, right, wrongly := map[string]int{}, map[string]int{}, map[string]int{}
	var wrong []string
	for _, l := range all {
		got := l.judge(t)
		groups := []string{"all", "label " + l.label, l.honesty, "language " + l.language, "form " + l.form, "file " + l.file}
		for _, g := range groups {
			total[g]++
			if got == l.label {
				right[g]++
			}
		}
		if got == "complete" && got != l.label {
			wrongly["all"]++
			wrongly["file "+l.file]++
		}
		if got != l.label {
			wrong = append(wrong, fmt.Sprintf("%s is judged %s", l.id, got))
		}
	}
	var report strings.Builder
	for _, g := range slices.Sorted(maps.Keys(total)) {
		fmt.Fprintf(&report, "%-20s %3d of %3d right, %5.1f %%, %d wrongly complete\n", g, right[g], total[g], 100*float64(right[g])/float64(total[g]), wrongly[g])
	}
	t.Logf("accuracy on the labelled turns:\n%swrong:\n  %s", report.String(), strings.Join(wrong, "\n  "))
	for _, g := range []string{"file own", "file blind", "file third"} {
		if 100*right[g] < 95*total[g] {
			t.Errorf("%s: %d of %d turns are judged right", g, right[g], total[g])
		}
	}
	if wrongly["all"] > 2 {
		t.Errorf("%d turns are wrongly complete, at most 2 may be", wrongly["all"])
	}
}
