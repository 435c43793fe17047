package stop

import (
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// exemption is a reason to let a stop pass whatever is active
// (docs/reference/stop-rules.md#exemptions). All are looked for before anything is
// decided or written.
type exemption struct {
	rule string
	// because ends the sentence "this stop is allowed, because".
	because string
}

// reason is an exemption of a stop that has a reason of its own. The client
// sends none today; callers in the way of oh-my-claudecode do, and older clients
// fire Stop after an error of the API.
type reason struct {
	exemption
	// words are sequences of words that stand anywhere in the reason. A number counts
	// only where it is a status: as the whole reason, or behind a word such as "error"
	// (a 429 in other text says nothing, Yeachan-Heo/oh-my-claudecode#777).
	words []string
	// whole are reasons of which nothing else may be said.
	whole []string
}

// reasons returns the table, in the order of the specification: what the user
// wants comes before what went wrong.
func reasons() []reason {
	return []reason{
		{
			exemption: exemption{"context-limit", "the context is full, and a loop cannot make room in it (use /compact or /clear)"},
			words: []string{"context limit", "context window", "context exceeded", "context full", "max context", "token limit", "max tokens",
				"conversation too long", "input too long", "prompt is too long"},
		},
		{
			exemption: exemption{"cancel", "you are cancelling"},
			whole:     []string{"cancel", "cancelled", "canceled", "user cancel", "cancel force", "force cancel"},
		},
		{
			exemption: exemption{"user-abort", "you interrupted the session"},
			words:     []string{"user cancel", "user cancelled", "user canceled", "user interrupt", "user interrupted", "ctrl c", "manual stop"},
			whole:     []string{"abort", "aborted", "interrupt", "interrupted"},
		},
		{
			exemption: exemption{"rate-limit", "the API's rate limit or capacity is reached, and going on at once would only meet it again"},
			words: []string{"rate limit", "rate limited", "ratelimit", "too many requests", "429", "529", "quota exceeded", "quota limit", "quota exhausted",
				"request limit", "api limit", "usage limit", "overloaded", "at capacity"},
			whole: []string{"capacity"},
		},
		{
			exemption: exemption{"authentication", "the API does not accept the login (log in anew, then go on)"},
			words: []string{"authentication error", "authentication failed", "auth error", "unauthorized", "unauthorised", "401", "403", "forbidden",
				"invalid token", "token invalid", "token expired", "expired token", "oauth expired", "invalid grant", "insufficient scope", "invalid api key"},
		},
		{
			exemption: exemption{"scheduled-wake-up", "the session has scheduled its own wake-up"},
			words:     []string{"schedulewakeup", "schedule wakeup", "scheduled wakeup", "scheduled task", "scheduled resume", "loop resume", "loop wakeup"},
		},
	}
}

// thinkingLimit is the number of consecutive turns that only thought after which a loop
// pauses (Yeachan-Heo/oh-my-claudecode#3280).
const thinkingLimit = 3

// exempt returns why this stop passes, if it does whatever is active. It counts turns
// without text and tools in the record.
func exempt(record *session.Record, in protocol.StopFields, turn protocol.Turn) (why exemption, ok bool) {
	if turn.Thought && turn.ToolCalls() == 0 && strings.TrimSpace(turn.Final) == "" {
		record.Thinking++
	} else {
		record.Thinking = 0
	}
	if in.UserRequested {
		return exemption{"user-abort", "you asked for it"}, true
	}
	texts := []string{in.StopReason, in.EndTurnReason, in.Reason}
	if turn.APIError != "" {
		texts = append(texts, turn.APIError)
	}
	for _, r := range reasons() {
		for _, text := range texts {
			if r.matches(wordsOf(text)) {
				return r.exemption, true
			}
		}
		if r.rule == "cancel" && cancelling(in, turn) {
			return r.exemption, true
		}
		if r.rule == "scheduled-wake-up" && scheduled(in, turn) {
			return r.exemption, true
		}
	}
	if turn.APIError != "" {
		return exemption{"api-error", "the turn ended with an error of the API"}, true
	}
	if record.Thinking >= thinkingLimit {
		record.Thinking = 0
		return exemption{"thinking-only", "the last three turns only thought, without a word or a tool call"}, true
	}
	return exemption{}, false
}

func (r reason) matches(words []string) bool {
	if len(words) == 0 {
		return false
	}
	for _, whole := range r.whole {
		if slices.Equal(words, strings.Fields(whole)) {
			return true
		}
	}
	for _, sequence := range r.words {
		if contains(words, strings.Fields(sequence)) {
			return true
		}
	}
	return false
}

// contains reports whether the sequence stands among the words.
func contains(words, sequence []string) bool {
	for i := 0; i+len(sequence) <= len(words); i++ {
		if slices.Equal(words[i:i+len(sequence)], sequence) && (!isNumber(sequence[0]) || isStatus(words, i)) {
			return true
		}
	}
	return false
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// isStatus reports whether the number at i is meant as an HTTP status.
func isStatus(words []string, i int) bool {
	if len(words) == 1 {
		return true
	}
	return i > 0 && slices.Contains([]string{"error", "status", "code", "http", "api"}, words[i-1])
}

// maxReason is how much of a reason is looked at.
const maxReason = 4 << 10

// wordsOf splits a text at everything that is neither letter nor digit, and
// before a capital letter inside a word.
func wordsOf(text string) []string {
	if len(text) > maxReason {
		text = text[:maxReason]
	}
	var b strings.Builder
	lower := false
	for _, c := range text {
		switch {
		case c >= 'A' && c <= 'Z':
			if lower {
				b.WriteByte(' ')
			}
			b.WriteRune(c - 'A' + 'a')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteRune(c)
		default:
			b.WriteByte(' ')
		}
		lower = c >= 'a' && c <= 'z'
	}
	return strings.Fields(b.String())
}

// cancelling reports whether the turn is a cancel: its prompt, or the skill that it
// called (Yeachan-Heo/oh-my-claudecode#921: the loop was armed again in the middle of a
// cancel).
func cancelling(in protocol.StopFields, turn protocol.Turn) bool {
	if isCancelCommand(in.Prompt) || isCancelCommand(transcript.Command(turn.Opening)) {
		return true
	}
	if strings.Contains(strings.ToLower(in.ToolName), "skill") && cancelSkill(in.ToolInput) {
		return true
	}
	return slices.ContainsFunc(turn.Entries, func(e protocol.Entry) bool {
		return e.Kind == protocol.EntryToolUse && e.ToolName == claude.ToolSkill && cancelSkill(e.ToolInput)
	})
}

func isCancelCommand(text string) bool {
	fields := strings.Fields(text)
	if len(fields) == 0 || len(fields) > 2 || len(fields) == 2 && fields[1] != "--force" {
		return false
	}
	if name, ok := strings.CutPrefix(fields[0], "/"); ok {
		return isCancel(name)
	}
	return len(fields) == 1 && (strings.EqualFold(fields[0], "cancelomc") || strings.EqualFold(fields[0], "stopomc"))
}

func cancelSkill(input []byte) bool {
	object, err := statefile.ParseObject(input)
	return err == nil && (isCancel(object.Text("skill")) || isCancel(object.Text("command")))
}

// isCancel reports whether a skill or command is a cancel, of whichever plugin.
func isCancel(name string) bool {
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	return strings.EqualFold(strings.TrimSpace(name), "cancel")
}

// scheduled reports whether the last thing that the turn did was to schedule its
// own wake-up: going on at once would undo that.
func scheduled(in protocol.StopFields, turn protocol.Turn) bool {
	last := in.ToolName
	for _, e := range turn.Entries {
		if e.Kind == protocol.EntryToolUse {
			last = e.ToolName
		}
	}
	return last == claude.ToolWakeup
}
