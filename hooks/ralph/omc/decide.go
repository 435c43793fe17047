package omc

import (
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// The limits of seed 004, section 2.1: a loop that reaches its limit is extended
// by ten, five times at most.
const (
	extension     = 10
	maxExtensions = 5
)

// maxEchoed is how much of a text from a file goes back to the model, in
// characters: the peer's endless loops fed ever longer prompts to themselves
// (#2542).
const maxEchoed = 500

// Facts are what a loop looks at when the session stops.
type Facts struct {
	Iteration, Max, Extensions int
	Prompt                     string
	// Cancelled says that a cancel of this session's loop is under way, and
	// CancelNear that somebody in the project cancels something.
	Cancelled, CancelNear bool
	// Team is the last phase of the team that works for the loop, if it has
	// ended.
	Team string
	// Stories are those of prd.json.
	Stories Stories
	// Verification is nil when none is pending.
	Verification *Verification
	ToolError    *ToolError
	// Ultrawork says that the loop brought ultrawork along.
	Ultrawork bool
}

// Stories are the user stories of a prd.json.
type Stories struct {
	Total, Passing int
	// Next names the first that does not pass.
	Next string
}

// Done reports whether there are stories and all pass.
func (s Stories) Done() bool { return s.Total > 0 && s.Passing == s.Total }

// ToolError is the last tool that failed, not longer than a minute ago.
type ToolError struct {
	Tool, Error string
	Retries     int
}

// Verdict is what Decide found, with the counters as they are after it.
type Verdict struct {
	Kind            protocol.DecisionKind
	Rule            string
	Reason, Message string
	// Iteration, Max and Extensions are to be written when Kind is Continue.
	Iteration, Max, Extensions int
	// Attempts and Feedback are to be written into the verification when
	// Rejected is true.
	Rejected bool
	Attempts int
	Feedback string
}

// Decide decides about one stop. It is pure. What ends the loop comes first, then
// its limit, then the next iteration (spec/omc-modes.md, section 6.3).
func Decide(f Facts, turn protocol.Turn) Verdict {
	switch {
	case f.Cancelled:
		return Verdict{Kind: protocol.Finish, Rule: "cancel-signal", Message: "[RALPH LOOP CANCELLED] The loop was cancelled."}
	case f.CancelNear:
		return Verdict{Kind: protocol.Allow, Rule: "cancel-signal", Message: "Omc ralph loop: this stop is allowed, because a cancel is under way in this project. If the loop was not meant, it goes on with your next prompt."}
	}
	switch f.Team {
	case "":
	case "complete", "completed", "done":
		return Verdict{Kind: protocol.Finish, Rule: "team-complete", Message: "[RALPH LOOP COMPLETE - TEAM] The team finished its work, and the loop with it."}
	case "failed":
		return Verdict{Kind: protocol.Finish, Rule: "team-failed", Message: "[RALPH LOOP STOPPED - TEAM FAILED] The team gave up, so the loop has nobody to wait for."}
	default:
		return Verdict{Kind: protocol.Finish, Rule: "team-cancelled", Message: "[RALPH LOOP CANCELLED - TEAM] The team was cancelled, and the loop with it."}
	}
	if f.Verification != nil {
		return verify(f, turn)
	}
	if f.Stories.Done() {
		return Verdict{Kind: protocol.Finish, Rule: "prd-complete", Message: fmt.Sprintf("[RALPH LOOP COMPLETE - PRD] All %d stories of prd.json pass.", f.Stories.Total)}
	}
	return next(f, "continue", work(f))
}

// verify looks for what a reviewer said in this turn.
func verify(f Facts, turn protocol.Turn) Verdict {
	v := *f.Verification
	review := v.Review(turn)
	switch {
	case review.Approved:
		return Verdict{Kind: protocol.Finish, Rule: "approved", Message: "[RALPH LOOP VERIFIED COMPLETE] A reviewer checked the work and approved it."}
	case !review.Answered:
		return next(f, "verification-pending", v.ask())
	}
	attempts := v.Attempts + 1
	if attempts >= v.MaxAttempts {
		return Verdict{Kind: protocol.Finish, Rule: "verification-exhausted", Rejected: true, Attempts: attempts,
			Message: fmt.Sprintf("[RALPH LOOP STOPPED] %d reviews ended without an approval, so the work is not verified. The stop is allowed; please look at it yourself.", attempts)}
	}
	verdict := next(f, "verification-rejected", fmt.Sprintf("The reviewer did not approve (review %d of %d). What was found:\n\n%s\n\nMend that first, then have it reviewed again.\n\n%s",
		attempts, v.MaxAttempts, display.Clip(review.Text, 2*maxEchoed), v.ask()))
	if verdict.Kind == protocol.Continue {
		verdict.Rejected, verdict.Attempts, verdict.Feedback = true, attempts, display.Clip(review.Text, 2*maxEchoed)
	}
	return verdict
}

// next goes on with the given instruction, or stops at the limit. The iteration
// advances in the step that extends the limit, too.
func next(f Facts, rule, instruction string) Verdict {
	v := Verdict{Kind: protocol.Continue, Rule: rule, Iteration: f.Iteration + 1, Max: f.Max, Extensions: f.Extensions}
	head := "RALPH LOOP - ITERATION"
	if f.Iteration >= f.Max {
		if f.Extensions >= maxExtensions {
			return Verdict{Kind: protocol.Finish, Rule: "max-iterations",
				Message: fmt.Sprintf("[RALPH LOOP STOPPED] Max iterations (%d) reached without completion, after %d extensions.", f.Max, f.Extensions)}
		}
		v.Rule = "extended"
		// A limit may have been lowered by hand below the counter.
		v.Max, v.Extensions = max(f.Max+extension, v.Iteration), f.Extensions+1
		head = "RALPH LOOP - EXTENDED"
	}
	var b strings.Builder
	if f.ToolError != nil {
		b.WriteString(f.ToolError.guidance())
	}
	fmt.Fprintf(&b, "[%s %d/%d]\n\n%s", head, v.Iteration, v.Max, instruction)
	fmt.Fprintf(&b, "\n\nOriginal task:\n%s", display.Clip(f.Prompt, maxEchoed))
	v.Reason = b.String()
	v.Message = fmt.Sprintf("🔄 Ralph (omc) iteration %d/%d", v.Iteration, v.Max)
	if v.Rule == "extended" {
		v.Message += fmt.Sprintf(" (limit extended, %d of %d)", v.Extensions, maxExtensions)
	}
	v.Message += " | To stop: " + display.Bridge + " mode stop ralph"
	return v
}

// work is the instruction of an ordinary iteration.
func work(f Facts) string {
	text := "The task is not complete yet. Go on with it: take the next open part, do it fully, and check it."
	if f.Stories.Total > 0 {
		text += fmt.Sprintf(" %d of %d stories in prd.json pass; the next one is %s.", f.Stories.Passing, f.Stories.Total, display.Clip(f.Stories.Next, 200))
	}
	if f.Ultrawork {
		text += " Ultrawork is on: hand independent parts to subagents that work in parallel."
	}
	return text + " Only when everything is done and a reviewer has confirmed it, end the loop with /oh-my-claudecode:cancel or `" + display.Bridge + " mode stop ralph`."
}

func (e ToolError) guidance() string {
	if e.Retries < 5 {
		return fmt.Sprintf("[TOOL ERROR - RETRY REQUIRED]\nThe last call of %q failed: %s\nFind out why, and try again with that corrected.\n\n", e.Tool, display.Clip(e.Error, maxEchoed))
	}
	return fmt.Sprintf("[TOOL ERROR - ALTERNATIVE APPROACH NEEDED]\n%q has failed %d times: %s\nDo not repeat it. Take another way to the same end.\n\n", e.Tool, e.Retries, display.Clip(e.Error, maxEchoed))
}
