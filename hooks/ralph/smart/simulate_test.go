package smart_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/loop"
	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/protocol"
)

// The simulated agent works in turns. A task needs k turns of work, k from 1 to 5. Every
// turn of the model counts, including those that only analyse or assess. The three loops
// use the real decisions of this program; the agent is the same for all:
//
//   - it ends a turn with the requested assessment with probability pAssess;
//
//   - it is sure of a finished task with probability pSure; otherwise it reports a
//
//     low confidence and is asked again;
//
//   - it claims an unfinished task with probability pClaim; with probability pCaught
//
//     a failing test run reveals that, and it continues;
//
//   - in ralph-loop, once everything is done, it keeps the promise with probability
//
//     pPromise at each turn; otherwise the same prompt comes again, and it finds
//
//     nothing to do and "looks once more".
const (
	pAssess = 0.95
	pSure   = 0.90
	pClaim  = 0.05
	pCaught = 0.70
	// pPromise is the value for which the requirement is tested; the report shows other
	// values as well.
	pPromise = 0.10
	limit    = 50
)

// job is the work of one seed.
type job struct{ turns []int }

func newJob(r *rand.Rand) job {
	var j job
	for range 2 + r.IntN(5) {
		j.turns = append(j.turns, 1+r.IntN(5))
	}
	return j
}

func (j job) tasks() []plan.Task {
	var tasks []plan.Task
	for i := range j.turns {
		tasks = append(tasks, plan.Task{Title: fmt.Sprint("task ", i+1), Criteria: []plan.Criterion{{Text: "tests pass"}}})
	}
	return tasks
}

// run is the cost of a loop: the turns of the model, and the tasks that were called done
// too early.
type run struct{ turns, wrong int }

// opinion returns what the agent says about a task that still needs this many turns of
// work, and what its test run shows.
func opinion(r *rand.Rand, needed, done int) (*assess.Assessment, signal.Signals) {
	a := &assess.Assessment{Status: assess.InProgress, Completion: 100 * done / (done + max(needed, 1)), Confidence: 90}
	s := signal.Signals{Files: 1, Tests: signal.TestsUnknown}
	switch {
	case needed <= 0:
		a.Status, a.Completion, s.Tests = assess.Completed, 100, signal.TestsPass
		if r.Float64() >= pSure {
			a.Confidence = 60
		}
	case r.Float64() < pClaim:
		a.Status, a.Completion = assess.Completed, 95
		if r.Float64() < pCaught {
			s.Tests = signal.TestsFail
		}
	}
	return a, s
}

// smartly runs the job with smart ralph. With separate, the assessment has a turn of its
// own after each turn of work, as in the original design
// (docs/reference/smart-ralph.md#differences).
func smartly(j job, r *rand.Rand, separate bool) run {
	s := state.State{Active: true, MaxIterations: limit, CompletionThreshold: 90, StallDetection: 5, AutoApprove: true, Phase: state.Analyzing, Briefed: true}
	out := run{turns: 1}
	s = decide.Plan(s, decide.Analysis{Tasks: j.tasks()}).State
	left, done := slices.Clone(j.turns), make([]int, len(j.turns))
	asked := false
	for s.Active && out.turns < 10*limit {
		out.turns++
		task := s.CurrentIndex
		if !asked {
			left[task]--
			done[task]++
		}
		a, signals := opinion(r, left[task], done[task])
		if separate && !asked || !separate && !asked && r.Float64() >= pAssess {
			a = nil
		}
		step := decide.Advance(s, &signals, a, decide.ConfidenceThreshold)
		asked = step.Kind == decide.AskAssessment
		if step.Verdict.Outcome == decide.TaskCompleted && left[task] > 0 {
			out.wrong++
		}
		s = step.State
	}
	return out
}

// loops runs the job with ralph-loop.
func loops(j job, r *rand.Rand, p float64) run {
	need := 0
	for _, n := range j.turns {
		need += n
	}
	out := run{}
	s := loop.State{Active: true, MaxIterations: limit, Promise: "DONE", Prompt: "do it all"}
	for s.Iteration = 1; ; s.Iteration++ {
		out.turns++
		need--
		text := "I went on with the work."
		if need <= 0 && r.Float64() < p || need > 0 && r.Float64() < pClaim/10 {
			text = "<promise>DONE</promise>"
			if need > 0 {
				out.wrong++
			}
		}
		if loop.Decide(s, protocol.Turn{Final: text, HasFinal: true}).Kind != protocol.Continue {
			return out
		}
	}
}

// TestFewerIterations tests the goal of docs/reference/smart-ralph.md#r3-47: over 1,000
// seeds, at least 30 % fewer turns than ralph-loop, and than an assessment with a stop of
// its own (R3-20, R3-47).
func TestFewerIterations(t *testing.T) {
	t.Parallel()
	const seeds = 1000
	promises := []float64{0, 0.05, pPromise, 0.2, 0.5, 1}
	costs := map[string][]int{}
	wrong := map[string]int{}
	note := func(name string, r run) {
		costs[name] = append(costs[name], r.turns)
		wrong[name] += r.wrong
	}
	name := func(p float64) string {
		if p == 0 {
			return "ralph-loop, a fixed count"
		}
		return fmt.Sprintf("ralph-loop, promise kept at %.2f", p)
	}
	const ours, apart = "smart ralph", "an assessment stop of its own"
	for seed := range uint64(seeds) {
		dice := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }
		j := newJob(dice())
		note(ours, smartly(j, dice(), false))
		note(apart, smartly(j, dice(), true))
		for _, p := range promises {
			note(name(p), loops(j, dice(), p))
		}
	}
	var report strings.Builder
	fmt.Fprintf(&report, "%-32s %6s %5s %5s %5s %5s %5s %8s %s\n", "turns of the model", "mean", "p5", "p25", "p50", "p75", "p95", "saved", "wrongly done")
	rows := []string{ours, apart}
	for _, p := range promises {
		rows = append(rows, name(p))
	}
	saved := map[string]float64{}
	for _, row := range rows {
		list := slices.Sorted(slices.Values(costs[row]))
		at := func(q float64) int { return list[int(q*float64(len(list)-1))] }
		saved[row] = 100 * (1 - mean(costs[ours])/mean(costs[row]))
		fmt.Fprintf(&report, "%-32s %6.1f %5d %5d %5d %5d %5d %6.1f %% %d\n", row, mean(list), at(.05), at(.25), at(.5), at(.75), at(.95), saved[row], wrong[row])
	}
	t.Logf("%d seeds, jobs of 2 to 6 tasks of 1 to 5 turns, limit %d:\n%s", seeds, limit, report.String())
	for _, row := range []string{apart, name(0), name(pPromise)} {
		if saved[row] < 30 {
			t.Errorf("%.1f %% fewer turns than %s, want at least 30 %%", saved[row], row)
		}
	}
}

func mean(list []int) float64 {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return float64(sum) / float64(len(list))
}
