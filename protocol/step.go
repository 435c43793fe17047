package protocol

import (
	"context"
	"time"
)

// StepName names a step of the Stop chain in the order of
// docs/reference/hook-standard.md#stop-order.
type StepName string

// The four steps; there is no other (docs/design.md#four-steps).
const (
	StepRalph            StepName = "ralph"
	StepAutopilot        StepName = "autopilot"
	StepUltrawork        StepName = "ultrawork"
	StepStopContinuation StepName = "stop-continuation"
)

// Finder looks for an active loop or mode of one step, or of one dialect of the ralph step, for the session of a Stop
// event. It must not write.
type Finder func(s *Stop) (Found, error)

// Found is the result of a Finder.
type Found struct {
	// Active is nil when nothing is active for this session.
	Active Active
	// Notices tell the user about something that was ignored, such as a loop that came
	// with the repository. Each is shown once a session.
	Notices []KeyedNotice
}

// KeyedNotice is a notice with an id that identifies repetitions.
type KeyedNotice struct{ Key, Text string }

// Active is a loop or mode that owns a Stop event. It has already been read; Decide is a
// pure function of what was read and of the turn.
type Active interface {
	// Label names it for the user, such as "ralph loop".
	Label() string
	// Decide says what happens at this stop.
	Decide(turn Turn, now time.Time) Decision
	// End returns the writes that end the loop or mode so that it can be resumed, and the sentence that says how to
	// resume it.
	End(now time.Time) (writes []Write, resume string)
}

// ToolResultReader is an Active that also reads tool results. They are by far the largest
// lines of a transcript, so they are read only for such an Active.
type ToolResultReader interface{ ReadsToolResults() bool }

// Observer is an Active that reads more than the turn before it decides, such as the HEAD
// of a repository. Observe is called once per event, if the Active owns the event, under
// the lock; ctx ends with the hook's deadline.
type Observer interface {
	Observe(ctx context.Context, turn Turn)
}

// Runner is an Active that runs programs of the user before it decides. They may use all
// of the hook's time, so they run without the project's lock, and the event is decided
// only if the state has not changed since.
type Runner interface {
	Active
	// Programs returns a function that runs the programs for this stop, or nil. It is
	// called after Observe.
	Programs(ctx context.Context, turn Turn) func()
	// Unchanged reports whether the state is still as it was read.
	Unchanged() bool
}

// DecisionKind is what a step does with a stop.
type DecisionKind int

const (
	// Allow lets the turn end; the loop or mode stays as it is.
	Allow DecisionKind = iota
	// Continue blocks the stop.
	Continue
	// Finish lets the turn end, and ends the loop or mode.
	Finish
)

// Decision is the answer of a step to a stop.
type Decision struct {
	Kind DecisionKind
	// Rule is the stable id of the rule that decided, such as "max-iterations".
	Rule string
	// Count is the number of this step according to the state's own counter, from 1; 0 means that there is no counter. If
	// no record can be kept, it is the only limit of the loop. Only with Continue.
	Count int
	// Reason is what the model reads next. Only with Continue.
	Reason string
	// Context tells the model, in addition to the reason, how the loop ends. Only with
	// Continue.
	Context string
	// Message is shown to the user. With MessageKey it is shown once a session, like a
	// notice.
	Message, MessageKey string
	// Diagnostic is for stderr; a decision that ends something has one.
	Diagnostic string
	// Lines are for stderr, too, each with the tag that the callers of a replaced system
	// expect.
	Lines  []string
	Writes []Write
	// Kept replaces Writes if a Continue has to wait for background agents: it saves what ended in this turn, and counts
	// nothing.
	Kept []Write
	// After is the same as Outcome.After.
	After []Write
}

// Allowed is the decision to let the turn end without any change.
func Allowed(rule, message string) Decision {
	return Decision{Kind: Allow, Rule: rule, Message: message}
}

// Finished is the decision to let the turn end, and to end the loop or mode.
func Finished(rule, message string) Decision {
	return Decision{Kind: Finish, Rule: rule, Message: message}
}

// Stop is what a Finder may use.
type Stop struct {
	Input Input
	Env   Env
	// Places are the directories in which state is searched, nearest first.
	Places []string
	// Root is the project root.
	Root string
	// BeforeWait is called by a Finder that is about to wait; it releases the lock. It is
	// nil if no lock is held.
	BeforeWait func()
	// Omc says where oh-my-claudecode's state is. The first step that needs it fills it
	// in, so that the others do not have to search again.
	Omc *OmcDirs
}

// OmcDirs are the directories of oh-my-claudecode's state for a project. They may not
// exist.
type OmcDirs struct {
	// Home is the directory for the state of a mode that starts.
	Home string
	// Search lists the directories in which state is searched, nearest first.
	Search []string
	// If a state directory is a link, it must lead to one of Roots or below.
	Roots []string
	// Lock is the path whose lock protects the modes in Home.
	Lock string
	// Absent says that no directory in Search existed when the hook began.
	Absent bool
}

// Turn is what the model said and did since the last prompt or hook feedback, according
// to the input's last_assistant_message and then to the transcript.
type Turn struct {
	// Final is the last message of the turn. HasFinal is false if neither the input nor
	// the transcript contains one.
	Final    string
	HasFinal bool
	// Entries are the parts of the turn in order, from the transcript. The final message
	// may be missing, because the transcript lags.
	Entries []Entry
	// Opening is the prompt, command or hook feedback that began the turn.
	Opening string
	// Thought says that the turn contains thinking, which is neither text nor a tool
	// call.
	Thought bool
	// APIError is the text of the API error that ended the turn, if one did.
	APIError string
	// Err says why the transcript could not be used.
	Err TurnError
}

// TurnError says what is wrong with a transcript.
type TurnError string

// The faults of a transcript (docs/reference/ralph-loop.md#decision).
const (
	TurnOK                TurnError = ""
	TranscriptMissing     TurnError = "transcript missing"
	TranscriptUnreadable  TurnError = "transcript unreadable"
	TranscriptUnparsable  TurnError = "transcript unparsable"
	TranscriptNoAssistant TurnError = "no assistant message"
)

// EntryKind is the kind of a part of a turn.
type EntryKind string

// The kinds of parts that handlers read.
const (
	EntryText       EntryKind = "text"
	EntryToolUse    EntryKind = "tool_use"
	EntryToolResult EntryKind = "tool_result"
)

// Entry is one part of a turn.
type Entry struct {
	Kind EntryKind
	// Text is the assistant's text, or the text of a tool result.
	Text string
	// ToolUseID links a tool use to its result.
	ToolUseID string
	// ToolName and ToolInput belong to a tool use.
	ToolName  string
	ToolInput []byte
	// IsError marks the result of a failed tool.
	IsError bool
}

// ToolCalls counts the tool calls of the turn.
func (t Turn) ToolCalls() int {
	n := 0
	for _, e := range t.Entries {
		if e.Kind == EntryToolUse {
			n++
		}
	}
	return n
}
