package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// specDir is the spec that the scripted coordinator works through.
const specDir = "specs/shop"

// The coordinator's instructions, which the model reads in its first turn. Other tools found their own token there and
// ended the loop at the first stop.
const pattern = `# Coordinator
Delegate each task. When taskIndex >= totalTasks: delete the state file and output
ALL_TASKS_COMPLETE
Never output ALL_TASKS_COMPLETE before.
`

// step is what the coordinator records after a turn: how many tasks are done, and the number of the next attempt.
type step struct{ done, attempt int }

// Twelve tasks: the fifth fails twice, seven to nine run at once.
var specSteps = []step{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {4, 2}, {4, 3}, {5, 1}, {6, 1}, {9, 1}, {10, 1}, {11, 1}}

func specState(s step, iteration int) string {
	return fmt.Sprintf(`{"source":"spec","name":"shop","phase":"execution","taskIndex":%d,"totalTasks":12,"taskIteration":%d,"maxTaskIterations":5,"globalIteration":%d,"maxGlobalIterations":100,"epicName":"market","nativeTaskMap":{"1.1":"7"}}`+"\n", s.done, s.attempt, iteration)
}

func specTasks(done int) string {
	var b strings.Builder
	b.WriteString("# Tasks\n\n")
	for i := range 12 {
		box, mark := " ", ""
		if i < done {
			box = "x"
		}
		if i >= 6 && i < 9 {
			mark = "[P] "
		}
		fmt.Fprintf(&b, "- [%s] 1.%d %sBuild part %s\n  - **Done when**: part %s works\n", box, i+1, mark, words[i], words[i])
	}
	return b.String()
}

// coordinate is a coordinator that reads its instructions, takes one step in each turn with a tool call, and ends as the
// instructions say.
func coordinate(r Request) Turn {
	switch {
	case r.N == 1:
		return CallBash("cat coordinator-pattern.md")
	case r.N == 2:
		return Say("I have read the instructions and know when to output ALL_TASKS_COMPLETE. I begin.")
	}
	n := (r.N - 1) / 2 // the turn, counted from 1
	last := n == len(specSteps)+1
	switch {
	case n > len(specSteps)+1:
		return Say("script exhausted")
	case r.N%2 == 1 && last:
		return CallBash("cp steps/done.md " + specDir + "/tasks.md && rm " + specDir + "/.ralph-state.json")
	case r.N%2 == 1:
		return CallBash(fmt.Sprintf("cp steps/%d.md %s/tasks.md && cp steps/%d.json %s/.ralph-state.json", n, specDir, n, specDir))
	case last:
		return Say("Part twelve works, and with it everything.\n\nALL_TASKS_COMPLETE")
	}
	return Say("TASK_COMPLETE was verified; step " + words[n-1] + " is noted. It is too early to output ALL_TASKS_COMPLETE, which I will do at the end.")
}

func TestSpecumWorksThroughTwelveTasks(t *testing.T) {
	s := newStage(t, Slowly(think, coordinate))
	write := func(name, text string) {
		t.Helper()
		if err := s.Write(name, text); err != nil {
			t.Fatal(err)
		}
	}
	write("coordinator-pattern.md", pattern)
	write("specs/.current-spec", "shop\n")
	write(specDir+"/.ralph-state.json", specState(step{0, 1}, 1))
	write(specDir+"/tasks.md", specTasks(0))
	write("specs/_epics/market/.epic-state.json", `{"name":"market","specs":[{"status":"in_progress","name":"shop"}],"goal":"sell"}`)
	write("steps/done.md", specTasks(12))
	for i, st := range specSteps {
		write(fmt.Sprintf("steps/%d.json", i+1), specState(st, i+2))
		write(fmt.Sprintf("steps/%d.md", i+1), specTasks(st.done))
	}
	id := sessionID()
	settings := wired(t)
	settings.Permissions = &Permissions{Allow: []string{"Bash(cat *)", "Bash(cp *)", "Bash(rm *)"}}
	r := s.run(Client{
		Prompt:    "Run the coordinator of specs/shop. At the very end output ALL_TASKS_COMPLETE, and not before.",
		SessionID: id, Settings: settings,
	})

	requests := s.model.Requests(id, Main)
	if want := 2 + 2*(len(specSteps)+1); len(requests) != want {
		t.Fatalf("the model was asked %d times, want %d: %q\n%v\n%s", len(requests), want, r.Transcript.Says(), requests[len(requests)-1].ToolResults(), r.Stderr)
	}
	blocks := r.Transcript.StopBlocks()
	if len(blocks) != len(specSteps)+1 {
		t.Fatalf("%d blocks, want %d", len(blocks), len(specSteps)+1)
	}
	for i, block := range blocks {
		at := step{0, 1}
		if i > 0 {
			at = specSteps[i-1]
		}
		for _, want := range []string{
			fmt.Sprintf("Continue spec: shop (Task %d/12, Iter %d)", at.done+1, i+1),
			fmt.Sprintf("Index: %d | Iteration: %d/5", at.done, at.attempt),
			"Build part " + words[at.done],
		} {
			if !strings.Contains(block, want) {
				t.Errorf("block %d lacks %q:\n%s", i+1, want, block)
			}
		}
		parallel := at.done == 6
		if strings.Contains(block, "(PARALLEL)") != parallel || strings.Contains(block, "Build part "+words[min(at.done+1, 11)]) != (parallel || at.done == 11) {
			t.Errorf("block %d does not hold the current task or group alone:\n%s", i+1, block)
		}
	}
	messages := r.Transcript.SystemMessages("Stop")
	for _, want := range []string{"Ralph-specum iteration 1 | Task 1/12", "Ralph-specum iteration 7 | Task 5/12", "Task 7/12 (PARALLEL GROUP)", "Ralph-specum iteration 12 | Task 12/12"} {
		if len(containing(messages, want)) != 1 {
			t.Errorf("the user did not see %q once but %q", want, messages)
		}
	}
	if _, err := os.Lstat(filepath.Join(s.Project, specDir, ".ralph-state.json")); !os.IsNotExist(err) {
		t.Errorf("the coordinator's state came back (%v)", err)
	}
	if epic, err := s.Read("specs/_epics/market/.epic-state.json"); err != nil || epic != `{"name":"market","specs":[{"status":"completed","name":"shop"}],"goal":"sell"}` {
		t.Errorf("the epic: %s, %v", epic, err)
	}
	if index, err := s.Read("specs/.index/index-state.json"); err != nil || !strings.Contains(index, `"phase": "completed"`) {
		t.Errorf("the index: %s, %v", index, err)
	}
}

// A coordinator that does nothing is sent back once, then the turn ends: a stop within a continued turn needs progress.
func TestSpecumLetsAnIdleCoordinatorGo(t *testing.T) {
	s := newStage(t, speak)
	for name, text := range map[string]string{
		"specs/.current-spec": "shop", specDir + "/tasks.md": specTasks(0), specDir + "/.ralph-state.json": specState(step{0, 1}, 1),
	} {
		if err := s.Write(name, text); err != nil {
			t.Fatal(err)
		}
	}
	id := sessionID()
	r := s.run(Client{Prompt: "Look at specs/shop.", SessionID: id, Settings: wired(t)})
	if n := len(s.model.Requests(id, Main)); n != 2 {
		t.Errorf("the model was asked %d times, want 2: %q", n, r.Transcript.Says())
	}
	if state, err := s.Read(specDir + "/.ralph-state.json"); err != nil || state != specState(step{0, 1}, 1) {
		t.Errorf("the state changed: %s, %v", state, err)
	}
}

// Quick mode continues the session through the phases before execution and into execution. In print mode the model has
// no tool for questions, so the test cannot check that bridge denies one.
func TestSpecumQuickMode(t *testing.T) {
	state := func(phase string, tasks int) string {
		return fmt.Sprintf(`{"source":"plan","name":"shop","phase":%q,"quickMode":true,"taskIndex":0,"totalTasks":%d,"taskIteration":1,"maxTaskIterations":5,"globalIteration":1,"maxGlobalIterations":100}`+"\n", phase, tasks)
	}
	next := func(file string) Turn { return CallBash("cp steps/" + file + " " + specDir + "/.ralph-state.json") }
	s := newStage(t, Slowly(think, Turns(
		next("design.json"), Say("The requirements are written."),
		next("execution.json"), Say("Design and tasks are written."),
		CallBash("rm "+specDir+"/.ralph-state.json && cp steps/done.md "+specDir+"/tasks.md"), Say("All of it works.\n\nALL_TASKS_COMPLETE"),
	)))
	for name, text := range map[string]string{
		"specs/.current-spec": "shop", specDir + "/.ralph-state.json": state("requirements", 0), specDir + "/tasks.md": "- [ ] 1.1 Build it\n",
		"steps/design.json": state("design", 0), "steps/execution.json": state("execution", 1), "steps/done.md": "- [x] 1.1 Build it\n",
	} {
		if err := s.Write(name, text); err != nil {
			t.Fatal(err)
		}
	}
	id := sessionID()
	settings := wired(t)
	settings.Permissions = &Permissions{Allow: []string{"Bash(cp *)", "Bash(rm *)"}}
	r := s.run(Client{Prompt: "Plan and build specs/shop without asking.", SessionID: id, Settings: settings})

	requests := s.model.Requests(id, Main)
	if len(requests) != 6 {
		t.Fatalf("the model was asked %d times, want 6: %q", len(requests), r.Transcript.Says())
	}
	blocks := r.Transcript.StopBlocks()
	for i, want := range []string{"Continue spec phase: design for shop", "Continue spec: shop (Task 1/1, Iter 1)"} {
		if i >= len(blocks) || !strings.Contains(blocks[i], want) {
			t.Errorf("block %d lacks %q: %q", i+1, want, blocks)
		}
	}
}
