package omc

import (
	"fmt"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// ralph is the row of the mode, with the limits of docs/reference/omc-ralph.md#limit.
func ralph() moderegistry.Row {
	row, _ := moderegistry.RowOf(moderegistry.Ralph)
	return row
}

// maxEchoed is how many characters of a text from a file are sent to the model: the
// endless loops of oh-my-claudecode sent themselves ever longer prompts
// (Yeachan-Heo/oh-my-claudecode#2542).
const maxEchoed = 500

// Facts are the input of a decision about a stop.
type Facts struct {
	Iteration, Max, Extensions int
	Prompt                     string
	Ending                     moderegistry.Ending
	// Cancel is the cancel signal, if one is in progress.
	Cancel moderegistry.Signal
	// Team is the final phase of the team that works for the loop, if the team has ended.
	Team string
	// Stories are the stories of prd.json. Unreviewed are those that pass and still need a review. Decide sets Approved:
	// those that a reviewer approved in this turn.
	Stories    Stories
	Unreviewed []Story
	Approved   []Story
	// Verification is nil if no verification is pending.
	Verification *Verification
	ToolError    *ToolError
	// Ultrawork says that the loop started ultrawork as well.
	Ultrawork bool
}

// ToolError is the last tool error, if it is less than a minute old.
type ToolError struct {
	Tool, Error string
	Retries     int
}

// Decide decides about one stop. With protocol.Continue, the facts that it returns have
// the new counters and the verification to write. It is pure. What ends the loop is
// checked first, then the limit, then the next iteration
// (docs/reference/omc-ralph.md#decision).
func Decide(f Facts, turn protocol.Turn) (protocol.Decision, Facts) {
	switch {
	case f.Cancel == moderegistry.SignalHere:
		return protocol.Finished("cancel-signal", "[RALPH LOOP CANCELLED] The loop was cancelled."), f
	case f.Cancel == moderegistry.SignalAnywhere:
		return protocol.Allowed("cancel-signal", "Omc ralph loop: this stop is allowed, because a cancel is in progress in this project. If the cancel is not for this loop, the loop continues with your next prompt."), f
	}
	switch f.Team {
	case "":
	case "complete", "completed", "done":
		return protocol.Finished("team-complete", "[RALPH LOOP COMPLETE - TEAM] The team finished its work, so the loop ended."), f
	case "failed":
		return protocol.Finished("team-failed", "[RALPH LOOP STOPPED - TEAM FAILED] The team failed, so the loop ended."), f
	default:
		return protocol.Finished("team-cancelled", "[RALPH LOOP CANCELLED - TEAM] The team was cancelled, so the loop ended."), f
	}
	f, review := reviewed(f, turn)
	if v := f.Verification; v != nil {
		if !v.Story || f.Stories.Total == 0 || !v.Review(turn).Approved {
			return verify(f, turn)
		}
		// The approval of one story ends its verification, not the loop.
		f.Verification = nil
	}
	switch {
	case f.Stories.Done() && len(f.Approved) > 0:
		return protocol.Finished("approved", fmt.Sprintf("[RALPH LOOP VERIFIED COMPLETE] All %d stories of prd.json pass, and a reviewer approved them.", f.Stories.Total)), f
	case f.Stories.Done():
		return protocol.Finished("prd-complete", fmt.Sprintf("[RALPH LOOP COMPLETE - PRD] All %d stories of prd.json pass.", f.Stories.Total)), f
	case len(f.Unreviewed) == 0 || f.Stories.Passing+len(f.Unreviewed) < f.Stories.Total:
		return next(f, "continue", work(f))
	case review.Answered && len(f.Approved) == 0:
		return next(f, "stories-rejected", fmt.Sprintf("The reviewer approved none of the stories. Findings:\n\n%s\n\nFix these first, then have the stories reviewed again.\n\n%s",
			display.Clip(review.Text, 2*maxEchoed), askForReviews(f)))
	}
	return next(f, "stories-unreviewed", askForReviews(f))
}

// verify evaluates what a reviewer said in this turn.
func verify(f Facts, turn protocol.Turn) (protocol.Decision, Facts) {
	v := *f.Verification
	review := v.Review(turn)
	switch {
	case review.Approved:
		return protocol.Finished("approved", "[RALPH LOOP VERIFIED COMPLETE] A reviewer checked the work and approved it."), f
	case !review.Answered:
		return next(f, "verification-pending", v.ask())
	}
	v.Attempts++
	v.Feedback = display.Clip(review.Text, 2*maxEchoed)
	f.Verification = &v
	if v.Attempts >= v.MaxAttempts {
		return protocol.Finished("verification-exhausted",
			fmt.Sprintf("[RALPH LOOP STOPPED] %d reviews ended without an approval, so the work is not verified. The stop is allowed; please check the work yourself.", v.Attempts)), f
	}
	return next(f, "verification-rejected", fmt.Sprintf("The reviewer did not approve (review %d of %d). Findings:\n\n%s\n\nFix these first, then have the work reviewed again.\n\n%s",
		v.Attempts, v.MaxAttempts, v.Feedback, v.ask()))
}

// next continues with the given instruction, or stops at the limit. The step that extends
// the limit also counts as an iteration.
func next(f Facts, rule, instruction string) (protocol.Decision, Facts) {
	head, extended := "RALPH LOOP - ITERATION", ""
	f.Iteration++
	if f.Iteration > f.Max {
		row := ralph()
		if f.Extensions >= row.Extensions {
			return protocol.Finished("max-iterations", fmt.Sprintf("[RALPH LOOP STOPPED] Max iterations (%d) reached without completion, after %d extensions.", f.Max, f.Extensions)), f
		}
		// A person may have lowered the limit below the counter.
		f.Max, f.Extensions = max(f.Max+row.Extension, f.Iteration), f.Extensions+1
		rule, head = "extended", "RALPH LOOP - EXTENDED"
		extended = fmt.Sprintf(" (limit extended, %d of %d)", f.Extensions, row.Extensions)
	}
	guidance := ""
	if f.ToolError != nil {
		guidance = f.ToolError.guidance()
	}
	return protocol.Decision{
		Kind: protocol.Continue, Rule: rule, Count: f.Iteration,
		Reason:  fmt.Sprintf("%s[%s %d/%d]\n\n%s\n\nOriginal task:\n%s", guidance, head, f.Iteration, f.Max, instruction, display.Clip(f.Prompt, maxEchoed)),
		Message: fmt.Sprintf("🔄 Ralph (omc) iteration %d/%d%s | To stop: %s", f.Iteration, f.Max, extended, f.Ending.ForUser(moderegistry.Ralph)),
	}, f
}

// work is the instruction of an ordinary iteration.
func work(f Facts) string {
	text := "The task is not complete yet. Continue: take the next open part, finish it, and check it."
	if f.Stories.Total > 0 {
		text += fmt.Sprintf(" %d of %d stories in prd.json pass; the next one is %s.", f.Stories.Passing+len(f.Unreviewed), f.Stories.Total, display.Data(f.Stories.Next, 200))
		if n := len(f.Unreviewed); n > 0 {
			text += fmt.Sprintf(" %d of those that pass have not been reviewed.", n)
		}
	}
	if f.Ultrawork {
		text += " Ultrawork is on: hand independent parts to subagents that work in parallel."
	}
	return text + " Only when everything is done and a reviewer has confirmed it, end the loop with " + f.Ending.ForModel(moderegistry.Ralph) + "."
}

func (e ToolError) guidance() string {
	if e.Retries < 5 {
		return fmt.Sprintf("[TOOL ERROR - RETRY REQUIRED]\nThe last call of %q failed: %s\nFind the cause, correct it, and try again.\n\n", e.Tool, display.Clip(e.Error, maxEchoed))
	}
	return fmt.Sprintf("[TOOL ERROR - ALTERNATIVE APPROACH NEEDED]\n%q has failed %d times: %s\nDo not repeat it. Try a different approach.\n\n", e.Tool, e.Retries, display.Clip(e.Error, maxEchoed))
}
