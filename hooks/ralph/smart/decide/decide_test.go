package decide_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// session is a running session with these tasks. Each task has two criteria, and the
// second one mentions tests.
func session(titles ...string) state.State {
	s := state.State{Active: true, MaxIterations: 50, CompletionThreshold: 90, StallDetection: 5, Briefed: true}
	var tasks []plan.Task
	for _, title := range titles {
		tasks = append(tasks, plan.Task{Title: title, Criteria: []plan.Criterion{{Text: "写代码"}, {Text: "测试通过"}}})
	}
	decide.Begin(&s, tasks)
	return s
}

// TestTheDecisionTable covers the cross product of the boundaries of
// docs/reference/smart-ralph.md#outcomes. The expected results are computed from a second
// implementation of that table.
func TestTheDecisionTable(t *testing.T) {
	t.Parallel()
	type row struct {
		status     assess.Status
		confidence int
		completion int
		strict     bool
		boxes      bool
		remaining  bool
		tests      signal.Tests
		errors     int
		iteration  int
		stall      int
		repeats    int
		blocker    string
	}
	expect := func(r row) decide.Outcome {
		threshold := 90
		if r.strict {
			threshold = 100
		}
		done := r.status == assess.Completed && r.confidence >= 80 && r.completion >= threshold && !r.remaining && r.blocker == "" && r.tests != signal.TestsFail
		if r.strict {
			done = done && r.boxes && r.errors == 0
		}
		switch {
		case done:
			return decide.TaskCompleted
		case r.status == assess.Blocked && r.blocker != "", r.status == assess.Skipped:
			return decide.Blocked
		case r.iteration >= 50:
			return decide.MaxIterations
		case r.stall >= 5, r.repeats >= 3:
			return decide.Stalled
		}
		return decide.Continue
	}
	n := 0
	for _, status := range []assess.Status{assess.Completed, assess.InProgress, assess.Blocked, assess.Skipped, assess.Unknown} {
		for _, confidence := range []int{0, 79, 80, 100} {
			for _, completion := range []int{0, 89, 90, 99, 100} {
				for bits := range 1 << 8 {
					bit := func(i int) bool { return bits>>i&1 == 1 }
					r := row{status: status, confidence: confidence, completion: completion, strict: bit(0), boxes: bit(1), remaining: bit(2), tests: signal.TestsPass, iteration: 49, stall: 4, repeats: 2}
					if bit(3) {
						r.tests = signal.TestsFail
					}
					if bit(4) {
						r.iteration = 50
					}
					if bit(5) {
						r.stall = 5
					}
					if bit(6) {
						r.repeats, r.errors = 3, 1
					}
					if bit(7) {
						r.blocker = "缺少密钥"
					}
					s := session("a")
					s.StrictMode, s.Iteration, s.StallCount = r.strict, r.iteration, r.stall
					for i := range s.Tasks[0].Criteria {
						s.Tasks[0].Criteria[i].Done = r.boxes
					}
					a := assess.Assessment{Status: r.status, Confidence: r.confidence, Completion: r.completion, Blocker: r.blocker}
					if r.remaining {
						a.Remaining = []string{"测试"}
					}
					if r.status == assess.Completed && (r.remaining || r.blocker != "") {
						// The result of reading the block (R3-25).
						a.Status, a.Contradiction = assess.InProgress, assess.ItemsRemain
					}
					got := decide.Decide(s, signal.Signals{Tests: r.tests, Errors: r.errors, Repeats: r.repeats}, &a, decide.ConfidenceThreshold)
					if want := expect(r); got.Outcome != want {
						t.Fatalf("%+v: %+v, want %s", r, got, want)
					}
					if got.Cause == "" {
						t.Fatalf("%+v: no cause", r)
					}
					n++
				}
			}
		}
	}
	if n != 5*4*5*256 {
		t.Errorf("%d rows", n)
	}
}

// TestCauses checks the text for each branch. Holds R3-25.
func TestCauses(t *testing.T) {
	t.Parallel()
	good := assess.Assessment{Status: assess.Completed, Confidence: 90, Completion: 100}
	edit := func(f func(*assess.Assessment)) *assess.Assessment { a := good; f(&a); return &a }
	for name, c := range map[string]struct {
		a       *assess.Assessment
		signals signal.Signals
		strict  bool
		limit   int
		want    decide.Verdict
	}{
		"done":                       {&good, signal.Signals{}, false, 50, decide.Verdict{Outcome: decide.TaskCompleted, Cause: decide.Done}},
		"no assessment":              {nil, signal.Signals{}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.NoAssessment}},
		"no limit":                   {nil, signal.Signals{}, false, 0, decide.Verdict{Outcome: decide.Continue, Cause: decide.NoAssessment}},
		"confidence":                 {edit(func(a *assess.Assessment) { a.Confidence = 79 }), signal.Signals{}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.LowConfidence, Against: []decide.Cause{decide.LowConfidence}}},
		"threshold":                  {edit(func(a *assess.Assessment) { a.Completion = 89 }), signal.Signals{}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.LowCompletion, Against: []decide.Cause{decide.LowCompletion}}},
		"strict threshold":           {edit(func(a *assess.Assessment) { a.Completion = 99 }), signal.Signals{}, true, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.LowCompletion, Against: []decide.Cause{decide.LowCompletion, decide.BoxesOpen}}},
		"cut off":                    {edit(func(a *assess.Assessment) { a.Partial, a.Confidence = true, 0 }), signal.Signals{}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.CutOff, Against: []decide.Cause{decide.CutOff}}},
		"tests fail":                 {&good, signal.Signals{Tests: signal.TestsFail}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.TestsFail, Against: []decide.Cause{decide.TestsFail}}},
		"a gap is admitted":          {&good, signal.Signals{Admitted: "It is untested."}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.Admitted, Against: []decide.Cause{decide.Admitted}}},
		"a TODO is found":            {&good, signal.Signals{Leftovers: true}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.Leftovers, Against: []decide.Cause{decide.Leftovers}}},
		"no tool, and tests asked":   {&good, signal.Signals{Nothing: true}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.NoWork, Against: []decide.Cause{decide.NoWork}}},
		"a named command failed":     {&good, signal.Signals{Refuted: "tsc passes"}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.Refuted, Against: []decide.Cause{decide.Refuted}}},
		"no tool, and not sure":      {edit(func(a *assess.Assessment) { a.Confidence = 89 }), signal.Signals{Nothing: true}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.NoWork, Against: []decide.Cause{decide.NoWork}}},
		"doubted before":             {edit(func(a *assess.Assessment) { a.Completion = 99 }), signal.Signals{Admitted: "x", Leftovers: true, Nothing: true, Doubted: true}, false, 50, decide.Verdict{Outcome: decide.TaskCompleted, Cause: decide.Done}},
		"errors, not strict":         {&good, signal.Signals{Errors: 3}, false, 50, decide.Verdict{Outcome: decide.TaskCompleted, Cause: decide.Done}},
		"blocked, no name":           {edit(func(a *assess.Assessment) { a.Status = assess.Blocked }), signal.Signals{}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.UnnamedBlocker}},
		"in progress":                {edit(func(a *assess.Assessment) { a.Status = assess.InProgress }), signal.Signals{}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.NotCompleted}},
		"the same error, but better": {edit(func(a *assess.Assessment) { a.Status = assess.InProgress }), signal.Signals{Repeats: 9, Better: true}, false, 50, decide.Verdict{Outcome: decide.Continue, Cause: decide.NotCompleted}},
		"the same error":             {edit(func(a *assess.Assessment) { a.Status = assess.InProgress }), signal.Signals{Repeats: 3}, false, 50, decide.Verdict{Outcome: decide.Stalled, Cause: decide.SameError}},
	} {
		s := session("a")
		s.StrictMode, s.MaxIterations = c.strict, c.limit
		got := decide.Decide(s, c.signals, c.a, 80)
		if got.Outcome != c.want.Outcome || got.Cause != c.want.Cause || !slices.Equal(got.Against, c.want.Against) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if doubt := slices.Contains([]decide.Cause{decide.Admitted, decide.Leftovers, decide.NoWork, decide.Refuted}, c.want.Cause); got.IsDoubt() != doubt {
			t.Errorf("%s: a doubt: %v", name, got.IsDoubt())
		}
	}
}

// TestSureWithoutATool: a sure claim needs no tool if no criterion asks for tests.
func TestSureWithoutATool(t *testing.T) {
	t.Parallel()
	s := session("a")
	s.Tasks[s.CurrentIndex].Criteria = []state.Criterion{{Text: "The page is written"}}
	a := assess.Assessment{Status: assess.Completed, Confidence: 90, Completion: 100}
	if got := decide.Decide(s, signal.Signals{Nothing: true}, &a, 80); got.Outcome != decide.TaskCompleted {
		t.Errorf("%+v", got)
	}
	for _, figures := range [][2]int{{99, 90}, {100, 89}, {99, 89}} {
		a.Completion, a.Confidence = figures[0], figures[1]
		if got := decide.Decide(s, signal.Signals{Nothing: true}, &a, 80); got.Cause != decide.NoWork {
			t.Errorf("%v: %+v", figures, got)
		}
	}
}

// TestTheListOfAnotherTask: an assessment is about another task if it names that task and
// lists only criteria of that task.
func TestTheListOfAnotherTask(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		current, task int
		done          []string
		about         bool
	}{
		"no task":                  {0, 0, []string{"the second is green"}, false},
		"this task":                {0, 1, []string{"the second is green"}, false},
		"another task":             {0, 2, []string{"the second is green"}, true},
		"a task before":            {2, 1, []string{"the first is green"}, true},
		"the last task":            {0, 3, []string{"the third is green"}, true},
		"the title of another one": {0, 3, []string{"Third task"}, true},
		"no such task":             {0, 4, []string{"the third is green"}, false},
		"both tasks":               {0, 2, []string{"the first is green", "the second is green"}, false},
		"only this one":            {0, 2, []string{"the first is green"}, false},
		"neither":                  {0, 2, []string{"the cache is warm"}, false},
	} {
		s := session("First task", "Second task", "Third task")
		for i, text := range []string{"the first is green", "the second is green", "the third is green"} {
			s.Tasks[i].Criteria = []state.Criterion{{Text: text}}
		}
		s.CurrentIndex = c.current
		a := assess.Assessment{Status: assess.Completed, Confidence: 95, Completion: 100, Task: c.task, Done: c.done}
		got := decide.Decide(s, signal.Signals{}, &a, 80)
		if (got.Cause == decide.OtherTask) != c.about || !c.about && got.Outcome != decide.TaskCompleted {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestTestsCountOnlyWhereTheyAreAskedFor holds R3-31.
func TestTestsCountOnlyWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"测试通过": true, "All tests pass": true, "pytest is green": true, "unittest": true, "补充用例": true, "use the latest version": false, "写文档": false, "a contest": false, "re-test": true, "跑test": true} {
		if got := decide.MentionsTests(state.Task{Criteria: []state.Criterion{{Text: text}}}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	s := session("文档")
	s.Tasks[0].Criteria = s.Tasks[0].Criteria[:1]
	good := assess.Assessment{Status: assess.Completed, Confidence: 90, Completion: 100}
	fail := signal.Signals{Tests: signal.TestsFail}
	if got := decide.Decide(s, fail, &good, 80); got.Outcome != decide.TaskCompleted {
		t.Errorf("no test is asked for: %+v", got)
	}
	s.StrictMode, s.Tasks[0].Criteria[0].Done = true, true
	if got := decide.Decide(s, fail, &good, 80); got.Outcome != decide.Continue {
		t.Errorf("strict: %+v", got)
	}
}

// TestTicking holds R3-26.
func TestTicking(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		criterion       string
		done, remaining []string
		want            bool
	}{
		"equal":                    {"添加 try-catch", []string{"添加try-catch。"}, nil, true},
		"the criterion holds it":   {"实现登录 API 并写文档", []string{"实现登录 API"}, nil, true},
		"it holds the criterion":   {"添加 try-catch", []string{"添加 try-catch 块"}, nil, true},
		"in English, another case": {"Write the README", []string{"write the readme"}, nil, true},
		"another one":              {"测试错误场景", []string{"识别关键函数"}, nil, false},
		"it also remains":          {"测试错误场景", []string{"测试"}, []string{"测试错误场景"}, false},
		"a word that is too short": {"ok", []string{"it is ok now"}, nil, false},
		"nothing but marks":        {"……", []string{"——"}, nil, false},
	} {
		s := session("a")
		s.Tasks[0].Criteria = []state.Criterion{{Text: c.criterion}, {Text: "不相关的另一项", Done: true}}
		a := assess.Assessment{Status: assess.InProgress, Done: c.done, Remaining: c.remaining}
		step := decide.Advance(s, &signal.Signals{}, &a, 80)
		if got := step.State.Tasks[0].Criteria; got[0].Done != c.want || !got[1].Done {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestTheWorkedTrace plays the sixteen stops of
// docs/reference/smart-ralph.md#worked-trace.
func TestTheWorkedTrace(t *testing.T) {
	t.Parallel()
	for _, auto := range []bool{false, true} {
		t.Run(fmt.Sprint("auto_approve ", auto), func(t *testing.T) {
			t.Parallel()
			s := state.State{Active: true, MaxIterations: 50, CompletionThreshold: 90, StallDetection: 5, AutoApprove: auto, Phase: state.Analyzing}
			tasks, err := plan.ParseAnalysis("<task-analysis>\n## 任务 1: 一\n## 任务 2: 二\n## 任务 3: 三\n</task-analysis>")
			step := decide.Plan(s, decide.Analysis{Tasks: tasks, Err: err})
			check := func(stop int, want string) {
				t.Helper()
				s := step.State
				got := fmt.Sprintf("%s %s it %d index %d last %d stall %d asks %d active %v", step.Kind, step.Verdict.Outcome, s.Iteration, s.CurrentIndex, s.LastCompletion, s.StallCount, s.Asks, s.Active)
				if got != want {
					t.Fatalf("stop %d:\n got %s\nwant %s", stop, got, want)
				}
			}
			stop := func(a *assess.Assessment) { step = decide.Advance(step.State, &signal.Signals{}, a, 80) }
			say := func(status assess.Status, completion, confidence int) *assess.Assessment {
				return &assess.Assessment{Status: status, Completion: completion, Confidence: confidence}
			}
			check(1, "planned  it 0 index 0 last 0 stall 0 asks 0 active true")
			stop(say(assess.InProgress, 60, 85))
			check(2, "judged CONTINUE it 1 index 0 last 60 stall 0 asks 0 active true")
			stop(nil)
			check(3, "ask-assessment  it 1 index 0 last 60 stall 0 asks 1 active true")
			stop(say(assess.Completed, 95, 80))
			check(4, "judged TASK_COMPLETED it 2 index 1 last 0 stall 0 asks 0 active true")
			stop(say(assess.Completed, 95, 79))
			check(5, "judged CONTINUE it 3 index 1 last 95 stall 0 asks 0 active true")
			stop(say(assess.Completed, 89, 99))
			check(6, "judged CONTINUE it 4 index 1 last 95 stall 1 asks 0 active true")
			blocked := say(assess.Blocked, 89, 90)
			blocked.Blocker = "缺少密钥"
			stop(blocked)
			if auto {
				check(7, "judged BLOCKED it 5 index 2 last 0 stall 0 asks 0 active true")
				if step.State.Tasks[1].Status != state.Blocked || step.State.Tasks[2].Status != state.InProgress {
					t.Fatalf("%+v", step.State.Tasks)
				}
				return
			}
			check(7, "paused BLOCKED it 5 index 1 last 95 stall 2 asks 0 active false")
			if step.State.Tasks[1].Status != state.Blocked {
				t.Fatalf("%+v", step.State.Tasks)
			}
			if decide.Resume(&step.State, false) || step.State.Tasks[1].Status != state.InProgress || step.State.StallCount != 0 || !step.State.Active {
				t.Fatalf("stop 8: %+v", step.State)
			}
			stop(say(assess.Completed, 100, 95))
			check(9, "judged TASK_COMPLETED it 6 index 2 last 0 stall 0 asks 0 active true")
			for i := range 5 {
				stop(say(assess.InProgress, 40, 90))
				check(10+i, fmt.Sprintf("judged CONTINUE it %d index 2 last 40 stall %d asks 0 active true", 7+i, i))
			}
			stop(say(assess.InProgress, 40, 90))
			check(15, "paused STALLED it 12 index 2 last 40 stall 5 asks 0 active false")
			decide.Resume(&step.State, false)
			stop(say(assess.Completed, 100, 90))
			check(16, "finished TASK_COMPLETED it 13 index 2 last 100 stall 0 asks 0 active false")
			if n := step.State.Count(state.Completed); n != 3 || step.State.Phase != state.Done {
				t.Errorf("%d done, phase %s", n, step.State.Phase)
			}
		})
	}
}

// TestAssessmentIsAskedForTwice holds R3-20: after two requests, which are not counted
// as iterations, the rules alone decide.
func TestAssessmentIsAskedForTwice(t *testing.T) {
	t.Parallel()
	step := decide.Step{State: session("a")}
	var kinds []decide.Kind
	for range 6 {
		step = decide.Advance(step.State, &signal.Signals{}, nil, 80)
		kinds = append(kinds, step.Kind)
	}
	want := []decide.Kind{decide.AskAssessment, decide.AskAssessment, decide.Judged, decide.AskAssessment, decide.AskAssessment, decide.Judged}
	if !slices.Equal(kinds, want) || step.State.Iteration != 2 || step.State.StallCount != 2 {
		t.Errorf("%v, iteration %d, stall %d", kinds, step.State.Iteration, step.State.StallCount)
	}
}

// TestAnalysisIsAskedForThreeTimes holds R3-9 and R3-12.
func TestAnalysisIsAskedForThreeTimes(t *testing.T) {
	t.Parallel()
	s := state.State{Active: true, MaxIterations: 50, CompletionThreshold: 90, Phase: state.Analyzing, Briefed: true}
	fallback := []plan.Task{{Title: "a", Criteria: []plan.Criterion{{Text: "a"}}}}
	for i := range 3 {
		step := decide.Plan(s, decide.Analysis{Err: plan.ErrNoTasks, Fallback: fallback})
		if step.Kind != decide.AskAnalysis || step.State.Asks != i+1 || step.Problem == nil {
			t.Fatalf("%+v", step)
		}
		s = step.State
	}
	step := decide.Plan(s, decide.Analysis{Err: plan.ErrNoTasks, Fallback: fallback})
	if step.Kind != decide.Planned || !step.Fallback || len(step.State.Tasks) != 1 || step.State.Tasks[0].Status != state.InProgress || step.State.Phase != state.Running {
		t.Errorf("%+v", step)
	}
}

// TestWhatIsProgress holds R3-32.
func TestWhatIsProgress(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		signals signal.Signals
		a       *assess.Assessment
		want    int
	}{
		"nothing":            {signal.Signals{}, &assess.Assessment{Status: assess.InProgress, Completion: 50}, 3},
		"less than before":   {signal.Signals{}, &assess.Assessment{Status: assess.InProgress, Completion: 10}, 3},
		"more than ever":     {signal.Signals{}, &assess.Assessment{Status: assess.InProgress, Completion: 51}, 0},
		"a changed file":     {signal.Signals{Files: 1}, &assess.Assessment{Status: assess.InProgress, Completion: 50}, 0},
		"a commit":           {signal.Signals{Moved: true}, &assess.Assessment{Status: assess.InProgress, Completion: 50}, 0},
		"a ticked box":       {signal.Signals{}, &assess.Assessment{Status: assess.InProgress, Completion: 50, Done: []string{"写代码"}}, 0},
		"only errors":        {signal.Signals{Errors: 2, ToolCalls: 9}, &assess.Assessment{Status: assess.InProgress, Completion: 50}, 3},
		"rules alone":        {signal.Signals{Files: 2}, nil, 0},
		"rules alone, still": {signal.Signals{}, nil, 3},
	} {
		s := session("a")
		s.StallCount, s.LastCompletion, s.Asks = 2, 50, 2
		if got := decide.Advance(s, &c.signals, c.a, 80).State; got.StallCount != c.want || got.LastCompletion < 50 {
			t.Errorf("%s: stall %d, last %d, want stall %d", name, got.StallCount, got.LastCompletion, c.want)
		}
	}
}

// TestAutoApprove holds R3-34: with auto approve, the session leaves a blocked
// task and skips a stalled one, as long as another task waits.
func TestAutoApprove(t *testing.T) {
	t.Parallel()
	blocked := &assess.Assessment{Status: assess.Blocked, Blocker: "x"}
	idle := &assess.Assessment{Status: assess.InProgress}
	for name, c := range map[string]struct {
		auto   bool
		tasks  int
		stall  int
		a      *assess.Assessment
		kind   decide.Kind
		status state.Status
		active bool
	}{
		"blocked":                 {false, 2, 0, blocked, decide.Paused, state.Blocked, false},
		"blocked, auto":           {true, 2, 0, blocked, decide.Judged, state.Blocked, true},
		"blocked, auto, the last": {true, 1, 0, blocked, decide.Paused, state.Blocked, false},
		"stalled":                 {false, 2, 4, idle, decide.Paused, state.InProgress, false},
		"stalled, auto":           {true, 2, 4, idle, decide.Judged, state.Skipped, true},
		"stalled, auto, the last": {true, 1, 4, idle, decide.Paused, state.InProgress, false},
	} {
		s := session([]string{"a", "b"}[:c.tasks]...)
		s.AutoApprove, s.StallCount = c.auto, c.stall
		step := decide.Advance(s, &signal.Signals{}, c.a, 80)
		if step.Kind != c.kind || step.State.Tasks[0].Status != c.status || step.State.Active != c.active || step.Switched != c.active {
			t.Errorf("%s: %+v", name, step)
		}
	}
}

// TestHandEditedStates: a state that a person edited ends up with one task in progress
// again (R3-13, R3-17).
func TestHandEditedStates(t *testing.T) {
	t.Parallel()
	const p, i, c, b, k = state.Pending, state.InProgress, state.Completed, state.Blocked, state.Skipped
	for name, x := range map[string]struct {
		statuses []state.Status
		index    int
		want     int
		kind     decide.Kind
	}{
		"all in order":                 {[]state.Status{c, i, p}, 1, 1, decide.Judged},
		"the current one was ended":    {[]state.Status{c, c, p}, 1, 2, decide.Judged},
		"the current one was skipped":  {[]state.Status{k, p, p}, 0, 1, decide.Judged},
		"the current one never began":  {[]state.Status{p, p, p}, 0, 0, decide.Judged},
		"the index names another one":  {[]state.Status{c, i, p}, 2, 1, decide.Judged},
		"the index is past the end":    {[]state.Status{c, p, p}, 3, 1, decide.Judged},
		"a blocked one in an active":   {[]state.Status{c, b, p}, 1, 1, decide.Judged},
		"everything was ended by hand": {[]state.Status{c, k, c}, 1, -1, decide.Finished},
		"two are in progress":          {[]state.Status{i, i, p}, 1, 1, decide.Judged},
	} {
		s := session("a", "b", "c")
		for n, status := range x.statuses {
			s.Tasks[n].Status = status
		}
		s.CurrentIndex = x.index
		step := decide.Advance(s, &signal.Signals{}, &assess.Assessment{Status: assess.InProgress, Completion: 10}, 80)
		if step.Kind != x.kind || step.Task != x.want || x.want >= 0 && step.State.Tasks[x.want].Status != i {
			t.Errorf("%s: %+v", name, step)
		}
	}
}

// TestResume holds R3-39.
func TestResume(t *testing.T) {
	t.Parallel()
	const p, i, c, b, k = state.Pending, state.InProgress, state.Completed, state.Blocked, state.Skipped
	for name, x := range map[string]struct {
		before []state.Status
		skip   bool
		after  []state.Status
		index  int
		done   bool
	}{
		"a blocked task goes on":        {[]state.Status{c, b, p}, false, []state.Status{c, i, p}, 1, false},
		"a blocked task is skipped":     {[]state.Status{c, b, p}, true, []state.Status{c, k, i}, 2, false},
		"a stalled task is skipped":     {[]state.Status{c, i, p}, true, []state.Status{c, k, i}, 2, false},
		"a stalled task goes on":        {[]state.Status{c, i, p}, false, []state.Status{c, i, p}, 1, false},
		"the last is skipped":           {[]state.Status{c, b, c}, true, []state.Status{c, k, c}, 1, true},
		"only another blocked one left": {[]state.Status{b, b, c}, true, []state.Status{i, k, c}, 0, false},
	} {
		s := session("a", "b", "c")
		for n, status := range x.before {
			s.Tasks[n].Status = status
		}
		s.CurrentIndex, s.Active, s.Phase, s.StallCount = 1, false, state.Stopped, 5
		done := decide.Resume(&s, x.skip)
		var after []state.Status
		for _, task := range s.Tasks {
			after = append(after, task.Status)
		}
		if done != x.done || !slices.Equal(after, x.after) || s.CurrentIndex != x.index || s.Active == done || s.StallCount != 0 {
			t.Errorf("%s: done %v, %v, %+v", name, done, after, s)
		}
	}
}

// TestAStateIsNotChanged: a decision does not change its input.
func TestAStateIsNotChanged(t *testing.T) {
	t.Parallel()
	s := session("a", "b")
	before := fmt.Sprintf("%+v", s)
	decide.Advance(s, &signal.Signals{}, &assess.Assessment{Status: assess.Completed, Completion: 100, Confidence: 100, Done: []string{"写代码"}}, 80)
	decide.Plan(s, decide.Analysis{Err: plan.ErrNoTasks})
	if after := fmt.Sprintf("%+v", s); after != before {
		t.Errorf("%s\nwas\n%s", after, before)
	}
}

// TestTheLimitHoldsForTheSession completes a task with the last iteration: the next one
// does not start. Holds R3-33.
func TestTheLimitHoldsForTheSession(t *testing.T) {
	t.Parallel()
	for _, status := range []assess.Status{assess.Completed, assess.Blocked} {
		s := session("a", "b")
		s.Iteration, s.AutoApprove = 49, true
		a := &assess.Assessment{Status: status, Completion: 100, Confidence: 100}
		if status == assess.Blocked {
			a.Blocker = "x"
		}
		step := decide.Advance(s, &signal.Signals{}, a, 80)
		if step.Kind != decide.Paused || step.State.Active || step.State.EndReason != decide.ReasonLimit || step.State.CurrentIndex != 1 || step.State.Tasks[1].Status != state.InProgress {
			t.Errorf("%s: %+v", status, step)
		}
		if last := decide.Advance(session("a"), &signal.Signals{}, &assess.Assessment{Status: assess.Completed, Completion: 100, Confidence: 100}, 80); last.Kind != decide.Finished {
			t.Errorf("the last task: %+v", last)
		}
	}
}

// TestPlanWithoutATask: an answer with an error is requested again even if it contains
// tasks, as is an answer without tasks; a file without tasks starts none.
func TestPlanWithoutATask(t *testing.T) {
	t.Parallel()
	tasks := []plan.Task{{Title: "a"}}
	for name, a := range map[string]decide.Analysis{"an error": {Tasks: tasks, Err: errors.New("cut off")}, "no tasks": {}} {
		if step := decide.Plan(state.State{Briefed: true}, a); step.Kind != decide.AskAnalysis || step.State.Asks != 1 {
			t.Errorf("%s: %+v", name, step)
		}
	}
	if step := decide.Plan(state.State{Briefed: true}, decide.Analysis{Tasks: tasks}); step.Kind != decide.Planned || step.State.Tasks[0].Status != state.InProgress {
		t.Errorf("%+v", step)
	}
	if step := decide.Plan(state.State{Briefed: true, Asks: 3}, decide.Analysis{}); step.Kind != decide.Planned || !step.Fallback || len(step.State.Tasks) != 0 {
		t.Errorf("%+v", step)
	}
}

// TestEndsAndSwitches: what ends a session, what switches to another task, and the texts
// of both.
func TestEndsAndSwitches(t *testing.T) {
	t.Parallel()
	done := assess.Assessment{Status: assess.Completed, Confidence: 100, Completion: 100}
	blocked := assess.Assessment{Status: assess.Blocked, Blocker: "a key"}
	going := assess.Assessment{Status: assess.InProgress, Confidence: 90, Completion: 10}
	for name, c := range map[string]struct {
		change  func(s *state.State)
		a       *assess.Assessment
		signals signal.Signals
		kind    decide.Kind
		reason  string
		current int
	}{
		"not told of its task":                {func(s *state.State) { s.Briefed = false }, nil, signal.Signals{}, decide.Brief, "", 0},
		"not told of its task, but assessed":  {func(s *state.State) { s.Briefed = false }, &done, signal.Signals{}, decide.Judged, "", 1},
		"without a limit":                     {func(s *state.State) { s.MaxIterations = 0 }, &done, signal.Signals{}, decide.Judged, "", 1},
		"done at the limit":                   {func(s *state.State) { s.Iteration = 49 }, &done, signal.Signals{}, decide.Paused, "max_iterations", 1},
		"blocked at the limit":                {func(s *state.State) { s.Iteration = 49 }, &blocked, signal.Signals{}, decide.Paused, "blocked", 0},
		"going on before the limit":           {func(s *state.State) { s.Iteration = 48 }, &going, signal.Signals{}, decide.Judged, "", 0},
		"stalled":                             {func(s *state.State) { s.StallCount, s.LastCompletion = 4, 50 }, &going, signal.Signals{}, decide.Paused, "stalled", 0},
		"the same error":                      {func(s *state.State) { s.LastCompletion = 50 }, &going, signal.Signals{Repeats: 3}, decide.Paused, "repeated_error", 0},
		"blocked, the first task waits":       {func(s *state.State) { first(s); s.AutoApprove = true }, &blocked, signal.Signals{}, decide.Judged, "", 0},
		"stalled, the first task waits":       {func(s *state.State) { first(s); s.AutoApprove, s.StallCount, s.LastCompletion = true, 4, 50 }, &going, signal.Signals{}, decide.Judged, "", 0},
		"blocked, the first waits for a word": {first, &blocked, signal.Signals{}, decide.Paused, "blocked", 1},
		"done, the first task waits":          {first, &done, signal.Signals{}, decide.Judged, "", 0},
	} {
		s := session("a", "b")
		c.change(&s)
		before := s.Tasks[s.CurrentIndex].Iterations
		judged := s.CurrentIndex
		step := decide.Advance(s, &c.signals, c.a, 80)
		if step.Kind != c.kind || step.State.EndReason != c.reason || step.State.CurrentIndex != c.current || step.State.Active != (c.reason == "") {
			t.Errorf("%s: %s, %q, task %d, active %v", name, step.Kind, step.State.EndReason, step.State.CurrentIndex, step.State.Active)
		}
		if counted := step.State.Tasks[judged].Iterations - before; counted != 1 && c.kind != decide.Brief {
			t.Errorf("%s: the iterations of the task changed by %d", name, counted)
		}
	}
}

// first makes the second task the current one, as a person may do by editing the file.
func first(s *state.State) {
	s.CurrentIndex = 1
	s.Tasks[0].Status, s.Tasks[1].Status = state.Pending, state.InProgress
}

// TestSuggestion: a suggestion is kept up to its limit and shortened beyond it.
func TestSuggestion(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{500: strings.Repeat("长", 500), 501: strings.Repeat("长", 500) + "…"} {
		a := assess.Assessment{Status: assess.InProgress, Suggestion: " " + strings.Repeat("长", n) + " "}
		if step := decide.Advance(session("a"), &signal.Signals{}, &a, 80); step.State.Suggestion != want {
			t.Errorf("%d characters became %d", n, len([]rune(step.State.Suggestion)))
		}
	}
}

// TestMentionsTests: a word that merely contains the letters does not count.
func TestMentionsTests(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"Tests pass": true, "the test": true, "pytest": true, "a unittest": true, "运行test": true, "测试": true, "用例": true, "2test": true, "latest, then test": true,
		"the latest contest": false, "tes": false, "": false, "greatest": false,
	} {
		if got := decide.MentionsTests(state.Task{Title: title}); got != want {
			t.Errorf("%q: %v", title, got)
		}
		if got := decide.MentionsTests(state.Task{Criteria: []state.Criterion{{Text: "x"}, {Text: title}}}); got != want {
			t.Errorf("criterion %q: %v", title, got)
		}
	}
}

// TestShortItemsMatchOnlyThemselves: a short word such as "ok" does not tick a criterion
// that contains it.
func TestShortItemsMatchOnlyThemselves(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]bool{"ok": false, "the": false, "book": true, "books": true, "书": false, "书店": true, "looks ok": true, "": false} {
		s := session("a")
		s.Tasks[0].Criteria = []state.Criterion{{Text: "the BOOKS of the 书店"}, {Text: "looks OK!"}}
		a := assess.Assessment{Status: assess.InProgress, Done: []string{item}}
		step := decide.Advance(s, &signal.Signals{}, &a, 80)
		if got := step.State.Tasks[0].Criteria[0].Done || step.State.Tasks[0].Criteria[1].Done; got != want {
			t.Errorf("%q: %v", item, got)
		}
	}
	// A criterion of three letters matches only itself.
	s := session("a")
	s.Tasks[0].Criteria = []state.Criterion{{Text: "doc"}, {Text: "docs"}}
	step := decide.Advance(s, &signal.Signals{}, &assess.Assessment{Status: assess.InProgress, Done: []string{"the docs are written"}}, 80)
	if c := step.State.Tasks[0].Criteria; c[0].Done || !c[1].Done {
		t.Errorf("%+v", c)
	}
}

// TestOffIsOff: a limit of 0 and a stall detection of 0 end nothing.
func TestOffIsOff(t *testing.T) {
	t.Parallel()
	s := session("a")
	s.MaxIterations, s.StallDetection, s.Iteration, s.StallCount = 0, 0, 99, 99
	a := assess.Assessment{Status: assess.InProgress}
	if v := decide.Decide(s, signal.Signals{Repeats: 9}, &a, 80); v.Outcome != decide.Continue {
		t.Errorf("%+v", v)
	}
}
