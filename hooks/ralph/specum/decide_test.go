package specum

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

const tasksText = "# Tasks\n\n## Phase 1\n\n- [x] 1.1 Lay the ground\n- [ ] 1.2 Build the wall\n  - **Do**: stones\n- [ ] 1.3 [VERIFY] Look at it\n"

// Decide decides with the constants that belong to the kind of the facts.
func Decide(f Facts) protocol.Decision {
	d, _ := decide(variantOf(f.Kind), f)
	return d
}

// variantOf returns the constants of a variant.
func variantOf(kind string) variant {
	if kind == Codex {
		return specumVariant().asCodex()
	}
	for _, v := range variants() {
		if v.kind == kind {
			return v
		}
	}
	return specumVariant()
}

// facts is a spec in phase execution, at the first stop of a turn.
func facts(change ...func(*Facts)) Facts {
	f := Facts{
		Kind: Specum, Name: "test-spec", Path: "./specs/test-spec", Remembers: true,
		State: State{Phase: PhaseExecution, TaskIndex: 1, TotalTasks: 3, TaskIteration: 1, MaxTask: 5, GlobalIteration: 2, MaxGlobal: 100, NativeSync: true},
		Tasks: ParseTasks([]byte(tasksText)),
	}
	for _, c := range change {
		c(&f)
	}
	return f
}

// blockedAt is the record of a block with the progress of f.
func blockedAt(f *Facts) {
	f.Record.Bound, f.Record.Blocked, f.Record.Blocks = true, true, 1
	f.Record.Progress = progressOf(f.State, f.Tasks)
}

func active(f *Facts) { f.StopHookActive = true }

// TestDecide has a row for each row of docs/reference/ralph-specum.md#decision. Rows 0 to
// 4 are tested in find_test.go.
func TestDecide(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		facts Facts
		kind  protocol.DecisionKind
		rule  string
		// reason, message and line are parts of the texts.
		reason, message, line string
	}{
		{"row 5: the coordinator says that all is done", facts(func(f *Facts) { f.Signal = Stated; f.State.TaskIndex = 3; f.Tasks.Unchecked = 0 }),
			protocol.Allow, RuleComplete, "", "", "[ralph-specum] ALL_TASKS_COMPLETE detected in transcript"},
		{"row 5: its word does not outweigh open tasks", facts(func(f *Facts) { f.Signal = Stated }), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"row 5: it counts when the state agrees, with a warning about tasks.md", facts(func(f *Facts) { f.Signal = Stated; f.State.TaskIndex = 3 }),
			protocol.Allow, RuleComplete, "", "tasks.md has unchecked items (2)", "ALL_TASKS_COMPLETE detected"},
		{"row 5: it counts when tasks.md has nothing open", facts(func(f *Facts) { f.Signal = Stated; f.Tasks.Unchecked = 0 }), protocol.Allow, RuleComplete, "", "", "ALL_TASKS_COMPLETE detected"},
		{"row 5: it counts without a tasks.md", facts(func(f *Facts) { f.Signal = Stated; f.Tasks = Tasks{} }), protocol.Allow, RuleComplete, "", "", "ALL_TASKS_COMPLETE detected"},
		{"row 5: it does not count beside a tasks.md that cannot be read", facts(func(f *Facts) { f.Signal = Stated; f.Tasks = Tasks{Unread: true} }), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"row 6 comes before row 5 while tasks are open", facts(func(f *Facts) { f.Signal = Stated; f.Content = Corrupt; f.State = State{} }), protocol.Continue, RuleCorrupt, "Corrupt state", "corrupt state file", "Corrupt state file"},
		{"row 5: a mention does not outweigh open tasks", facts(func(f *Facts) { f.Signal = Mentioned }), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"row 5: a mention that the files agree with", facts(func(f *Facts) { f.Signal = Mentioned; f.State.TaskIndex = 3 }), protocol.Allow, RuleComplete, "", "tasks.md has unchecked items (2)", "ALL_TASKS_COMPLETE detected"},
		{"row 5: a mention while the spec is written in quick mode", facts(func(f *Facts) { f.Signal = Mentioned; f.State.Phase, f.State.QuickMode = "design", true }), protocol.Continue, RuleQuick, "Continue spec phase", "", ""},
		{"row 5: a mention without any tasks to agree", facts(func(f *Facts) { f.Signal = Mentioned; f.Tasks = Tasks{} }), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"row 5 comes before row 6", facts(func(f *Facts) { f.Signal = Stated; f.Content = Corrupt; f.State = State{}; f.Tasks.Unchecked = 0 }), protocol.Allow, RuleComplete, "", "", "ALL_TASKS_COMPLETE detected"},
		{"row 5: the state is gone already", facts(func(f *Facts) { f.Signal = Stated; f.Content = Gone; f.State = State{} }), protocol.Allow, RuleComplete, "", "", "ALL_TASKS_COMPLETE detected"},
		{"row 3: the state is gone and nothing was said", facts(func(f *Facts) { f.Content = Gone; f.State = State{} }), protocol.Allow, RuleGone, "", "", ""},

		{"row 6: corrupt state", facts(func(f *Facts) { f.Content = Corrupt; f.State = State{} }), protocol.Continue, RuleCorrupt,
			"ERROR: Corrupt state file at ./specs/test-spec/.ralph-state.json\n\nRecovery options:\n1. Reset state: /ralph-specum:implement (reinitializes from tasks.md)\n2. Cancel spec: /ralph-specum:cancel\n", "Ralph-specum: corrupt state file", "Corrupt state file"},
		{"row 6 fires when stop_hook_active", facts(active, func(f *Facts) { f.Content = Corrupt; f.State = State{} }), protocol.Continue, RuleCorrupt, "Recovery options", "corrupt state file", ""},
		{"row 6: once until it clears", facts(active, func(f *Facts) { f.Content = Corrupt; f.State = State{}; f.Record.SaidCorrupt = true }), protocol.Allow, RuleCorruptSaid, "", "stops are allowed", "Corrupt state file"},
		{"row 6: without a memory once a turn", facts(active, func(f *Facts) { f.Content = Corrupt; f.State = State{}; f.Remembers = false }), protocol.Allow, RuleCorruptSaid, "", "stops are allowed", ""},

		{"row 6: a corrupt state of a spec that was let go", facts(func(f *Facts) {
			f.Content = Corrupt
			f.State = State{}
			f.Record.Released = Idle
			f.Record.ReleasedAt = progressOf(f.State, f.Tasks)
		}), protocol.Continue, RuleCorrupt, "Corrupt state", "corrupt state file", ""},
		{"row 6: a corrupt state of a spec that is done", facts(func(f *Facts) {
			f.Content = Corrupt
			f.State = State{}
			f.Record.Released = Done
			f.Record.ReleasedAt = progressOf(f.State, f.Tasks)
		}), protocol.Continue, RuleCorrupt, "Corrupt state", "corrupt state file", ""},
		{"row 6: a corrupt state of a spec that somebody cancelled", facts(func(f *Facts) { f.Content = Corrupt; f.State = State{}; f.Record.Released = Cancelled }), protocol.Allow, RuleReleased, "", "", ""},
		{"row 6: a corrupt state, nothing open and a mention", facts(func(f *Facts) { f.Signal = Mentioned; f.Content = Corrupt; f.State = State{}; f.Tasks.Unchecked = 0 }), protocol.Allow, RuleComplete, "", "", ""},
		{"a mention where there are no tasks", facts(func(f *Facts) { f.Signal = Mentioned; f.State.TaskIndex, f.State.TotalTasks = 0, 0 }), protocol.Allow, RuleNoTasks, "", "has no tasks", ""},
		{"a cancelled spec that went back by itself", facts(active, func(f *Facts) {
			f.Record.Released = Cancelled
			f.Record.ReleasedAt = progressOf(f.State, f.Tasks)
			f.State.TaskIndex = 0
		}), protocol.Allow, RuleReleased, "", "", ""},
		{"a cancelled spec that went back after a prompt", facts(func(f *Facts) {
			f.Record.Released = Cancelled
			f.Record.ReleasedAt = progressOf(f.State, f.Tasks)
			f.State.TaskIndex = 0
		}), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"a phase before the execution without quick mode", facts(func(f *Facts) { f.State.Phase = "design" }), protocol.Allow, RuleGone, "", "", ""},
		{"a feature has no quick mode", facts(func(f *Facts) { f.Kind = Speckit; f.State.Phase, f.State.QuickMode = "design", true }), protocol.Allow, RuleGone, "", "", ""},

		{"row 7: maximum iterations", facts(func(f *Facts) { f.State.GlobalIteration = 100 }), protocol.Continue, RuleLimit,
			"ERROR: Maximum global iterations (100) reached.\n\nThis safety limit prevents infinite execution loops.\n\nRecovery options:\n1. Review .progress.md for failure patterns\n2. Fix issues manually, then run: /ralph-specum:implement\n3. Cancel and restart: /ralph-specum:cancel\n",
			"Ralph-specum: max iterations (100) reached", "[ralph-specum] ERROR: Maximum global iterations (100) reached. Review .progress.md for failure patterns."},
		{"row 7 fires when stop_hook_active", facts(active, func(f *Facts) { f.State.GlobalIteration = 101 }), protocol.Continue, RuleLimit, "Maximum global iterations", "max iterations", ""},
		{"row 7: once until it clears", facts(active, func(f *Facts) { f.State.GlobalIteration = 100; f.Record.SaidLimit = true }), protocol.Allow, RuleLimitSaid, "", "To continue: raise maxGlobalIterations", "ERROR: Maximum"},
		{"row 7: a limit that was raised", facts(active, blockedAt, func(f *Facts) { f.State.GlobalIteration = 100; f.State.MaxGlobal = 200; f.Record.SaidLimit = true }), protocol.Continue, RuleContinue, "Continue spec", "Task 2/3", ""},
		{"row 7 comes before row 8", facts(func(f *Facts) { f.State.GlobalIteration = 100; f.State.QuickMode = true; f.State.Phase = "design" }), protocol.Continue, RuleLimit, "Maximum", "", ""},
		{"defect 13: a limit of 0 is none", facts(func(f *Facts) { f.State.MaxGlobal = 0; f.State.GlobalIteration = 9999 }), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"defect 9: our own count is a limit too", facts(active, blockedAt, func(f *Facts) { f.Record.Blocks = 100; f.State.TaskIndex = 2 }), protocol.Continue, RuleLimit, "this session was sent back to work 100 times", "max iterations (100) reached", ""},
		{"defect 9: and begins anew with a prompt after it was said", facts(blockedAt, func(f *Facts) { f.Record.Blocks = 100; f.Record.SaidLimit = true }), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"defect 9: or when the coordinator begins anew", facts(blockedAt, func(f *Facts) { f.Record.Blocks = 100; f.State.GlobalIteration = 1 }), protocol.Continue, RuleContinue, "Continue spec", "", ""},

		{"row 8: quick mode", facts(func(f *Facts) { f.State.QuickMode = true; f.State.Phase = "design" }), protocol.Continue, RuleQuick,
			"Quick mode active — do NOT stop. Continue spec phase: design for test-spec. ", "Ralph-specum quick mode: continue design phase", ""},
		{"row 8: quick mode yields when stop_hook_active", facts(active, func(f *Facts) { f.State.QuickMode = true; f.State.Phase = "design" }), protocol.Allow, RuleQuickActive, "", "", "stop_hook_active=true"},
		{"row 8: quick mode yields without progress", facts(active, func(f *Facts) { f.State.QuickMode = true; f.State.Phase = "design"; blockedAt(f) }), protocol.Allow, RuleQuickActive, "", "no progress since the last block, so this stop is allowed. Spec test-spec is in phase design.", "stop_hook_active=true"},
		{"row 8: a new phase is progress", facts(active, func(f *Facts) {
			f.State.QuickMode, f.State.Phase = true, "design"
			blockedAt(f)
			f.State.Phase = "tasks"
		}), protocol.Continue, RuleQuick, "Continue spec phase: tasks", "continue tasks phase", ""},
		{"row 8: quick mode in phase execution is an ordinary stop", facts(func(f *Facts) { f.State.QuickMode = true }), protocol.Continue, RuleContinue, "Continue spec", "", ""},

		{"row 9: the line on stderr", facts(func(f *Facts) { f.State.TaskIteration = 3 }), protocol.Continue, RuleContinue, "", "", "[ralph-specum] Session stopped during spec: test-spec | Task: 2/3 | Attempt: 3"},

		{"row 10: unchecked tasks", facts(func(f *Facts) { f.State.TaskIndex = 3 }), protocol.Continue, RuleIncomplete,
			"Tasks incomplete: state index (3) reached total (3), but tasks.md has 2 unchecked items.\n\n## Action Required", "Ralph-specum: 2 unchecked tasks remain in tasks.md", "Session stopped"},
		{"row 10 is not held back by stop_hook_active", facts(active, func(f *Facts) { f.State.TaskIndex = 3 }), protocol.Continue, RuleIncomplete, "Tasks incomplete", "", ""},
		{"row 10: none is unchecked", facts(func(f *Facts) { f.State.TaskIndex = 3; f.Tasks.Unchecked = 0 }), protocol.Allow, RuleVerified, "", "", "[ralph-specum] All tasks verified complete for test-spec"},
		{"row 10: the index is past the total", facts(func(f *Facts) { f.State.TaskIndex = 7; f.Tasks.Unchecked = 0 }), protocol.Allow, RuleVerified, "", "", "Task: 3/3 |"},
		{"defect 12: not without limit", facts(active, func(f *Facts) {
			f.State.TaskIndex = 3
			f.Record.Incomplete, f.Record.Unchecked = 3, 2
		}), protocol.Allow, RuleIncompleteMax, "", "sent back to them 3 times in a row without a change", ""},
		{"defect 12: a box that was ticked counts anew", facts(active, func(f *Facts) {
			f.State.TaskIndex = 3
			f.Record.Incomplete, f.Record.Unchecked = 3, 5
		}), protocol.Continue, RuleIncomplete, "2 unchecked items", "", ""},
		{"no tasks at all", facts(func(f *Facts) { f.State.TaskIndex, f.State.TotalTasks = 1, 0 }), protocol.Allow, RuleNoTasks, "", "Ralph-specum: spec test-spec has no tasks, so stops are allowed: totalTasks is 0 in ./specs/test-spec/.ralph-state.json. To count the tasks of tasks.md: /ralph-specum:implement.", "Task: 0/0"},

		{"row 11: awaiting approval", facts(func(f *Facts) { f.State.Awaiting = true }), protocol.Allow, RuleApproval, "", "", "[ralph-specum] awaitingApproval=true, allowing stop for user gate"},
		{"row 12: stop_hook_active without a record", facts(active), protocol.Allow, RuleNoProgress, "", "", "[ralph-specum] stop_hook_active=true, skipping continuation to prevent re-invocation loop"},
		{"row 12: stop_hook_active without progress", facts(active, blockedAt), protocol.Allow, RuleNoProgress, "", "Ralph-specum: no progress since the last block, so this stop is allowed. Spec test-spec is at task 2/3 (1.2 Build the wall). bridge continues it after your next prompt.", "stop_hook_active=true"},
		{"row 12: strict guard, although there is progress", facts(active, blockedAt, func(f *Facts) { f.State.TaskIndex = 2; f.Strict = true }), protocol.Allow, RuleNoProgress, "", "strict_guard is on", "stop_hook_active=true"},
		{"defect 4: the next task is progress", facts(active, blockedAt, func(f *Facts) { f.State.TaskIndex = 2 }), protocol.Continue, RuleContinue, "Task 3/3", "", ""},
		{"defect 4: another attempt is progress", facts(active, blockedAt, func(f *Facts) { f.State.TaskIteration = 2 }), protocol.Continue, RuleContinue, "Iteration: 2/5", "", ""},
		{"defect 4: a counted iteration is progress", facts(active, blockedAt, func(f *Facts) { f.State.GlobalIteration = 3 }), protocol.Continue, RuleContinue, "Iter 3", "", ""},
		{"defect 4: a task that was added is progress", facts(active, blockedAt, func(f *Facts) { f.State.TotalTasks = 4 }), protocol.Continue, RuleContinue, "Task 2/4", "", ""},
		{"defect 4: a ticked box is progress", facts(active, blockedAt, func(f *Facts) { f.Tasks = ParseTasks([]byte(strings.Replace(tasksText, "[ ]", "[x]", 1))) }), protocol.Continue, RuleContinue, "Continue spec", "", ""},

		{"row 13: tasks remain", facts(), protocol.Continue, RuleContinue, "Continue spec: test-spec (Task 2/3, Iter 2)\n\n## State\nPath: ./specs/test-spec | Index: 1 | Iteration: 1/5 | Recovery: false\n", "Ralph-specum iteration 2 | Task 2/3", ""},

		{"released by the idle guard, nothing done since", facts(func(f *Facts) { f.Record.Released, f.Record.ReleasedAt = Idle, progressOf(f.State, f.Tasks) }), protocol.Allow, RuleReleased, "", "", ""},
		{"released by the idle guard, progress since", facts(func(f *Facts) { f.Record.Released = Idle }), protocol.Continue, RuleContinue, "Continue spec", "", ""},
		{"paused", facts(func(f *Facts) { f.Record.Released = Paused }), protocol.Allow, RuleReleased, "", "", ""},
		{"cancelled", facts(func(f *Facts) { f.Record.Released, f.Record.ReleasedAt = Cancelled, progressOf(f.State, f.Tasks) }), protocol.Allow, RuleReleased, "", "", ""},
		{"cancelled, and begun anew", facts(func(f *Facts) {
			f.Record.Released, f.Record.ReleasedAt = Cancelled, progressOf(f.State, f.Tasks)
			f.State.GlobalIteration = 1
		}), protocol.Continue, RuleContinue, "Continue spec", "", ""},

		{"speckit has no approval", facts(func(f *Facts) { f.Kind = Speckit; f.State.Awaiting = true }), protocol.Continue, RuleContinue, "Continue feature: test-spec (Task 2/3, Iter 2)", "Ralph-speckit iteration 2 | Task 2/3", "[ralph-speckit] Session stopped during feature"},
		{"speckit does not check tasks.md", facts(func(f *Facts) { f.Kind = Speckit; f.State.TaskIndex = 3 }), protocol.Allow, RuleVerified, "", "", ""},
		{"speckit names its own commands", facts(func(f *Facts) { f.Kind = Speckit; f.Content = Corrupt }), protocol.Continue, RuleCorrupt, "Reset state: /speckit:implement", "Ralph-speckit: corrupt state file", ""},
		{"codex says one sentence", facts(func(f *Facts) { f.Kind = Codex }), protocol.Continue, RuleContinue, "Continue to task 2/3. Read .ralph-state.json", "", ""},
		{"codex has no guard", facts(active, func(f *Facts) { f.Kind = Codex }), protocol.Continue, RuleContinue, "Continue to task", "", ""},
		{"codex without a memory goes on once a turn", facts(active, func(f *Facts) { f.Kind = Codex; f.Remembers = false }), protocol.Allow, RuleNoProgress, "", "cannot keep records", "stop_hook_active=true"},
		{"codex without a memory works after a prompt", facts(func(f *Facts) { f.Kind = Codex; f.Remembers = false }), protocol.Continue, RuleContinue, "Continue to task", "", ""},
		{"codex knows approval", facts(func(f *Facts) { f.Kind = Codex; f.State.Awaiting = true }), protocol.Allow, RuleApproval, "", "", "[ralph-specum-codex]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := Decide(test.facts)
			if v.Kind != test.kind || v.Rule != test.rule {
				t.Fatalf("kind %v, rule %s; want %v, %s", v.Kind, v.Rule, test.kind, test.rule)
			}
			if !strings.Contains(v.Reason, test.reason) {
				t.Errorf("reason %q lacks %q", v.Reason, test.reason)
			}
			if !strings.Contains(v.Message, test.message) {
				t.Errorf("message %q lacks %q", v.Message, test.message)
			}
			if test.kind == protocol.Allow && test.message == "" && v.Message != "" {
				t.Errorf("the user is told %q", v.Message)
			}
			if lines := strings.Join(v.Lines, "\n"); !strings.Contains(lines, test.line) {
				t.Errorf("stderr %q lacks %q", lines, test.line)
			}
			for _, line := range v.Lines {
				if !strings.HasPrefix(line, "[ralph-") {
					t.Errorf("the line %q has no tag", line)
				}
			}
			if (v.Kind == protocol.Continue) != (v.Reason != "") {
				t.Errorf("kind %v with reason %q", v.Kind, v.Reason)
			}
		})
	}
}

// TestExactTexts compares the texts of docs/reference/ralph-specum.md#texts literally.
func TestExactTexts(t *testing.T) {
	t.Parallel()
	v := Decide(facts(func(f *Facts) { f.Tasks = Tasks{} }))
	want := `Continue spec: test-spec (Task 2/3, Iter 2)

## State
Path: ./specs/test-spec | Index: 1 | Iteration: 1/5 | Recovery: false
NativeSync: true

## Resume
1. Read ./specs/test-spec/.ralph-state.json and ./specs/test-spec/tasks.md
2. Delegate task 1 to spec-executor (or qa-engineer for [VERIFY])
3. On TASK_COMPLETE: verify, update state, advance
4. If taskIndex >= totalTasks: delete state file, output ALL_TASKS_COMPLETE

## Critical
- Delegate via Task tool - do NOT implement yourself
- Verify all 4 layers before advancing (see implement.md Section 7)
- On failure: increment taskIteration, retry or generate fix task if recoveryMode
`
	if v.Reason != want {
		t.Errorf("got:\n%s\nwant:\n%s", v.Reason, want)
	}
	if v.Message != "Ralph-specum iteration 2 | Task 2/3" {
		t.Errorf("message %q", v.Message)
	}
}

// TestOneTaskNotTheRest: the peers printed every task that remained (defect 6).
func TestOneTaskNotTheRest(t *testing.T) {
	t.Parallel()
	v := Decide(facts())
	if !strings.Contains(v.Reason, "\n## Current Task\n- [ ] 1.2 Build the wall\n  - **Do**: stones\n") {
		t.Errorf("the task is missing:\n%s", v.Reason)
	}
	if strings.Contains(v.Reason, "1.3") || strings.Contains(v.Reason, "1.1") {
		t.Errorf("there is more than one task:\n%s", v.Reason)
	}
}

func TestParallelGroup(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 7 {
		fmt.Fprintf(&b, "- [ ] 1.%d [P] Part %d\n", i+1, i+1)
	}
	v := Decide(facts(func(f *Facts) {
		f.State.TaskIndex, f.State.TotalTasks = 0, 7
		f.Tasks = ParseTasks([]byte(b.String()))
	}))
	if !strings.HasSuffix(v.Message, "Task 1/7 (PARALLEL GROUP)") {
		t.Errorf("message %q", v.Message)
	}
	for _, want := range []string{"## Current Task Group (PARALLEL)", "1.5 [P]", "These 5 tasks", ".progress-task-0.md to .progress-task-4.md", "taskIndex to 5"} {
		if !strings.Contains(v.Reason, want) {
			t.Errorf("the reason lacks %q:\n%s", want, v.Reason)
		}
	}
	if strings.Contains(v.Reason, "1.6 [P]") {
		t.Error("a group has five tasks at most")
	}
}

// TestNativeSyncOff: the peers read false as true (defect 5).
func TestNativeSyncOff(t *testing.T) {
	t.Parallel()
	state, _ := ParseState([]byte(`{"phase":"execution","totalTasks":1,"nativeSyncEnabled":false}`))
	v := Decide(facts(func(f *Facts) { f.State = state }))
	if !strings.Contains(v.Reason, "NativeSync: false") {
		t.Errorf("reason:\n%s", v.Reason)
	}
}

// TestEveryLoopEnds runs a coordinator that never makes progress through the decisions:
// whatever it does, it is released.
func TestEveryLoopEnds(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]func(*State, int){
		"does nothing":              func(*State, int) {},
		"only counts":               func(s *State, _ int) { s.GlobalIteration++ },
		"only tries again":          func(s *State, _ int) { s.TaskIteration++ },
		"flips between two tasks":   func(s *State, n int) { s.TaskIndex = n % 2 },
		"counts to and fro":         func(s *State, n int) { s.GlobalIteration = 2 + n%2 },
		"says that all are through": func(s *State, _ int) { s.TaskIndex = s.TotalTasks },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := facts(func(f *Facts) { f.State.MaxGlobal = 20 })
			blocks := 0
			for ; ; blocks++ {
				v, record := decide(variantOf(f.Kind), f)
				if v.Kind != protocol.Continue {
					break
				}
				if blocks > 100 {
					t.Fatal("it never ends")
				}
				f.Record, f.StopHookActive = record, true
				step(&f.State, blocks)
			}
			// The limit, and one text that reports it.
			if blocks > 21 {
				t.Errorf("%d blocks with a limit of 20", blocks)
			}
		})
	}
}
