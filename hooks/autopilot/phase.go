package autopilot

import "fmt"

// Phase is a phase of autopilot (docs/reference/stop-rules.md#autopilot).
type Phase string

// The five phases in order, and the two final states.
const (
	Expansion  Phase = "expansion"
	Planning   Phase = "planning"
	Execution  Phase = "execution"
	QA         Phase = "qa"
	Validation Phase = "validation"
	Complete   Phase = "complete"
	Failed     Phase = "failed"
)

// stage describes one phase.
type stage struct {
	phase Phase
	// signal is the word with which the model says that the phase is done.
	signal string
	// work says what to do. If file is not empty, work has one %s for the path of that file.
	work, file string
	next       Phase
}

// stages returns the table of phases.
func stages(specFile, planFile string) []stage {
	return []stage{
		{Expansion, "EXPANSION_COMPLETE", "Turn the idea into a specification: what to build and for whom, the requirements, what is out of scope, and the technology. Write it to %s.", specFile, Planning},
		{Planning, "PLANNING_COMPLETE", "Turn the specification into a plan: tasks in the order of their dependencies, each with the way to check it. Write it to %s.", planFile, Execution},
		{Execution, "EXECUTION_COMPLETE", "Carry out the tasks of the plan in %s, independent ones in parallel, and tick off each when it is done and checked.", planFile, QA},
		{QA, "QA_COMPLETE", "Build the project, run its linters and all of its tests. Fix what fails, and run them again until everything passes.", "", Validation},
		{Validation, "VALIDATION_COMPLETE", "Have reviewers check the result against the specification in %s: does it do what was asked, is it secure, is the code sound? Fix what they find, and let them check again.", specFile, Complete},
	}
}

// stageOf returns the stage of a phase; ok is false for an unknown phase. A state without
// a phase, which a keyword creates, is in the first phase.
func stageOf(phase Phase, specFile, planFile string) (s stage, ok bool) {
	if phase == "" || phase == "unspecified" {
		phase = Expansion
	}
	for _, s := range stages(specFile, planFile) {
		if s.phase == phase {
			return s, true
		}
	}
	return stage{}, false
}

func (s stage) instruction() string {
	if s.file == "" {
		return s.work
	}
	return fmt.Sprintf(s.work, s.file)
}
