package autopilot

import "fmt"

// Phase is a phase of autopilot (docs/reference/stop-rules.md#autopilot).
type Phase string

// The five phases in their order, and the two in which nothing comes after them.
const (
	Expansion  Phase = "expansion"
	Planning   Phase = "planning"
	Execution  Phase = "execution"
	QA         Phase = "qa"
	Validation Phase = "validation"
	Complete   Phase = "complete"
	Failed     Phase = "failed"
)

// stage is what is known about one phase.
type stage struct {
	phase Phase
	// signal is the word with which the model says that the phase is done.
	signal string
	// work says what is to be done. It has one verb for the file that belongs to
	// the phase, if file is not empty.
	work, file string
	next       Phase
}

// stages returns the table of phases.
func stages(specFile, planFile string) []stage {
	return []stage{
		{Expansion, "EXPANSION_COMPLETE", "Turn the idea into a specification: what is to be built and for whom, what it must hold, what is left out, the technology. Write it to %s.", specFile, Planning},
		{Planning, "PLANNING_COMPLETE", "Turn the specification into a plan of tasks in the order of their dependencies, each with how it will be checked. Write it to %s.", planFile, Execution},
		{Execution, "EXECUTION_COMPLETE", "Carry out the tasks of the plan in %s, independent ones in parallel, and tick off each when it is done and checked.", planFile, QA},
		{QA, "QA_COMPLETE", "Build the project, run its linters and all of its tests. Mend what fails, and run them again until everything passes.", "", Validation},
		{Validation, "VALIDATION_COMPLETE", "Have reviewers check the result against the specification in %s: does it do what was asked, is it secure, is the code sound? Mend what they find, and let them look again.", specFile, Complete},
	}
}

// stageOf returns the stage of a phase; ok is false for one that is not known.
// Without a phase, as a keyword leaves it, autopilot is at its beginning.
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
