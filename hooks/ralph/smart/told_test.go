package smart_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/protocol"
)

// TestAReportIsAboutTheTaskThatWasTold: if a person changes the current task during a turn,
// the assessment of that turn completes no other task; the model is told the new one first.
func TestAReportIsAboutTheTaskThatWasTold(t *testing.T) {
	t.Parallel()
	cut := func(text string) string {
		before, rest, _ := strings.Cut(text, "## 任务 1")
		_, after, _ := strings.Cut(rest, "## 任务 2")
		return before + "## 任务 2" + after
	}
	for name, edit := range map[string]func(w *world){
		"completed by hand":   func(w *world) { w.write(stateFile, strings.Replace(w.read(stateFile), "in_progress", "completed", 1)) },
		"skipped by hand":     func(w *world) { w.write(stateFile, strings.Replace(w.read(stateFile), "in_progress", "skipped", 1)) },
		"its section removed": func(w *world) { w.write(stateFile, cut(w.read(stateFile))) },
		"its heading changed": func(w *world) { w.write(stateFile, strings.Replace(w.read(stateFile), "## 任务 1: ", "## ", 1)) },
		"skipped by command": func(w *world) {
			if _, err := w.resume(protocol.ResumeOptions{Force: true, Skip: true}); err != nil {
				t.Error(err)
			}
		},
	} {
		w := newWorld(t)
		w.start("1. 一", nil)
		w.decide(say(threeTasks))
		edit(w)
		d := w.decide(assessed("completed", 100, 95))
		for _, task := range w.state().Tasks {
			if task.Title != "一" && task.Status == state.Completed {
				t.Errorf("%s: %s is completed, and the model never heard of it", name, task.Title)
			}
		}
		if d.Kind != protocol.Continue || !strings.Contains(d.Reason, w.state().Tasks[w.state().CurrentIndex].Title) {
			t.Errorf("%s: the model is not told its task: %v, %q", name, d.Kind, d.Reason)
		}
		// Now the report is about the task that was told.
		told := w.state().Tasks[w.state().CurrentIndex].Title
		w.decide(assessed("completed", 100, 95))
		if at := w.state().CurrentIndex; w.state().Tasks[at].Title == told {
			t.Errorf("%s: %s is not completed", name, told)
		}
	}
}
