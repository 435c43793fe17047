package specum

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// FuzzFiles reads random text as each of the files of a spec. Nothing panics, numbers
// stay within their limits, and every decision has a text.
func FuzzFiles(f *testing.F) {
	for _, seed := range []string{
		midway, tasksText, "[]", "null", "", "{", "\ufeff{}", "---\nenabled: false\nspecs_dirs:\n  - a\n---\n", "---\nspecs_dirs: [\"a, b\n",
		`{"specs":[{"name":"b","status":"x"}]}`, "- [ ] [P] a\n- [x] b\n", "I must not output ALL_TASKS_COMPLETE yet", "。ALL_TASKS_COMPLETE。\xff",
	} {
		f.Add(seed, seed, false)
	}
	f.Fuzz(func(t *testing.T, text, other string, active bool) {
		ParseSettings([]byte(text))
		tasks := ParseTasks([]byte(other))
		for i := range tasks.List {
			for _, task := range tasks.At(i) {
				if strings.ContainsAny(task.Block(), "\x1b\x00\u202e") || task.Block() == "" {
					t.Errorf("block %q", task.Block())
				}
				task.Title()
			}
		}
		if tasks.Checked()+tasks.Unchecked < 0 || tasks.Checked() > len(tasks.List) {
			t.Errorf("%+v", tasks)
		}
		state, content := ParseState([]byte(text))
		for _, n := range []int{state.TaskIndex, state.TotalTasks, state.TaskIteration, state.MaxTask, state.GlobalIteration, state.MaxGlobal} {
			if n < 0 || n > maxNumber {
				t.Errorf("%+v", state)
			}
		}
		final := protocol.Turn{Final: other, HasFinal: true}
		for _, kind := range []string{Specum, Speckit, Codex} {
			v := Decide(Facts{
				Kind: kind, Name: "x", Path: "./specs/x", Content: content, State: state, Tasks: tasks,
				StopHookActive: active, Signal: max(Completed(final, kind == Speckit), CompletedPlain(other, kind == Speckit)), Remembers: true,
			})
			if (v.Kind == protocol.Continue) != (v.Reason != "") {
				t.Errorf("kind %v, reason %q", v.Kind, v.Reason)
			}
		}
		if !strings.Contains(other, Token) && Completed(final, false) != Unsaid {
			t.Errorf("seen without the token in %q", other)
		}
	})
}

// FuzzEpic: an epic in which a spec was marked is still JSON, with one changed status,
// and is not changed again.
func FuzzEpic(f *testing.F) {
	f.Add(`{"specs":[{"name":"b","status":"x"}]}`, "b")
	f.Add("\ufeff{\n\"specs\":[1,{\"name\":\"b\"}],\"z\":{}}", "b")
	f.Fuzz(func(t *testing.T, text, name string) {
		marked, err := markCompleted([]byte(text), name)
		if err != nil || marked == nil {
			return
		}
		if _, err := statefile.ParseObject([]byte(text)); err == nil {
			if !jsontext.Value(bytes.TrimPrefix(marked, []byte("\ufeff"))).IsValid(jsontext.AllowInvalidUTF8(true)) {
				t.Errorf("%q became %q", text, marked)
			}
			if again, err := markCompleted(marked, name); again != nil || err != nil {
				t.Errorf("%q is marked again: %q, %v", marked, again, err)
			}
		}
	})
}
