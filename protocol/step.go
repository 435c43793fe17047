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

// Finder looks for what one step, or one dialect of the ralph step, has active
// for the session of a Stop event. It must not write.
type Finder func(s *Stop) (Found, error)

// Found is the answer of a Finder.
type Found struct {
	// Active is nil when nothing is active for this session.
	Active Active
	// Notices tell the user about something that was left alone, such as a
	// loop that came with the repository. Each is shown once a session.
	Notices []KeyedNotice
}

// KeyedNotice is a notice with an id that says when it is the same one again.
type KeyedNotice struct{ Key, Text string }

// Active is a loop or mode that owns a Stop event. It is read already; Decide
// is a pure function of what was read and of the turn.
type Active interface {
	// Label names it for the user, such as "ralph loop".
	Label() string
	// Decide says what happens at this stop.
	Decide(turn Turn, now time.Time) Decision
	// End gives up: it returns the writes that end the loop or mode so that it
	// can be resumed, and the sentence that says how.
	End(now time.Time) (writes []Write, resume string)
}

// ToolResultReader is an Active that also looks at what tools answered. Their
// results are by far the largest lines of a transcript, so they are read only for
// it.
type ToolResultReader interface{ ReadsToolResults() bool }

// Observer is an Active that looks at more than the turn before it decides, such as
// the place of HEAD. It is asked once an event, when the event is its own, under
// the lock; ctx ends with the hook's deadline.
type Observer interface {
	Observe(ctx context.Context, turn Turn)
}

// Runner is an Active that runs programs of the user before it decides. They may
// take as long as the hook has, so they run without the project's lock, and the
// event is decided only if the state was left alone meanwhile.
type Runner interface {
	Active
	// Programs is what has to run at this stop, or nil. It is asked after Observe.
	Programs(ctx context.Context, turn Turn) func()
	// Unchanged reports whether the state is still as it was found.
	Unchanged() bool
}

// DecisionKind is what a step does with a stop.
type DecisionKind int

const (
	// Allow lets the turn end; the loop or mode stays as it is.
	Allow DecisionKind = iota
	// Continue blocks the stop.
	Continue
	// Finish lets the turn end and ends the loop or mode.
	Finish
)

// Decision is a step's answer to a stop.
type Decision struct {
	Kind DecisionKind
	// Rule is the stable id of the rule that decided, such as "max-iterations".
	Rule string
	// Count is which step this is by the state's own counter, from 1 on; 0 where it has
	// none. It bounds a loop of which nothing else can be remembered. Only with Continue.
	Count int
	// Reason is what the model reads next. Only with Continue.
	Reason string
	// Message is shown to the user. With MessageKey it is shown once a session, as
	// a notice is.
	Message, MessageKey string
	// Diagnostic is for stderr; a decision that ends something has one.
	Diagnostic string
	// Lines are for stderr too, each with the tag of a system that callers know.
	Lines  []string
	Writes []Write
	// Kept takes the place of Writes where a Continue has to wait for background
	// agents: what the turn brought to an end must not be lost, and nothing counts.
	Kept []Write
	// After is what Outcome.After is.
	After []Write
}

// Allowed is the decision to let the turn end and to leave everything as it is.
func Allowed(rule, message string) Decision {
	return Decision{Kind: Allow, Rule: rule, Message: message}
}

// Finished is the decision to let the turn end, and the loop or mode with it.
func Finished(rule, message string) Decision {
	return Decision{Kind: Finish, Rule: rule, Message: message}
}

// Stop is what a Finder may look at.
type Stop struct {
	Input Input
	Env   Env
	// Places are the directories in which state is searched, nearest first.
	Places []string
	// Root is the project root.
	Root string
	// BeforeWait is called by a Finder that is about to wait, and lets go of the
	// lock; nil where none is held.
	BeforeWait func()
	// Omc is where oh-my-claudecode's state lies. The first who asks fills it in,
	// because each step would otherwise look for it again.
	Omc *OmcDirs
}

// OmcDirs are the directories of oh-my-claudecode's state for a project. None of
// them needs to exist.
type OmcDirs struct {
	// Home is where a mode that starts gets its state.
	Home string
	// Search lists where state is looked for, nearest first.
	Search []string
	// Roots are the directories out of which no link in the place of one of these may
	// lead.
	Roots []string
	// Lock is the path whose lock guards what starts in Home.
	Lock string
	// Absent says that none of Search was there when a hook began.
	Absent bool
}

// Turn is what the model said and did since the last prompt or hook feedback.
// It comes from the input's last_assistant_message first and from the transcript
// second.
type Turn struct {
	// Final is the last message of the turn; HasFinal is false when neither the
	// input nor the transcript had one.
	Final    string
	HasFinal bool
	// Entries are the parts of the turn in order, from the transcript. The final
	// message may be missing from them, because the transcript lags.
	Entries []Entry
	// Opening is the prompt, command or hook feedback that began the turn.
	Opening string
	// Thought says that the model thought, which is no text and no tool call.
	Thought bool
	// APIError is the text of the API error that ended the turn, if one did.
	APIError string
	// Err says why the transcript gave nothing, in the words of TurnError.
	Err TurnError
}

// TurnError says what was wrong with a transcript.
type TurnError string

// The faults of a transcript (docs/reference/ralph-loop.md#decision).
const (
	TurnOK                TurnError = ""
	TranscriptMissing     TurnError = "transcript missing"
	TranscriptUnreadable  TurnError = "transcript unreadable"
	TranscriptUnparsable  TurnError = "transcript unparsable"
	TranscriptNoAssistant TurnError = "no assistant message"
)

// EntryKind says what a part of a turn is.
type EntryKind string

// The kinds of parts that handlers look at.
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
	// ToolUseID joins a tool use with its result.
	ToolUseID string
	// ToolName and ToolInput belong to a tool use.
	ToolName  string
	ToolInput []byte
	// IsError marks the result of a failed tool.
	IsError bool
}

// ToolCalls counts the tools that the turn used.
func (t Turn) ToolCalls() int {
	n := 0
	for _, e := range t.Entries {
		if e.Kind == EntryToolUse {
			n++
		}
	}
	return n
}
