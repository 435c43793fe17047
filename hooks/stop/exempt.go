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

// exemption is a reason to allow a stop, whatever is active
// (docs/reference/stop-rules.md#exemptions). All exemptions are checked before anything
// is decided or written.
type exemption struct {
	rule string
	// because completes the sentence "this stop is allowed, because".
	because string
}

// reason is an exemption for a stop whose payload gives a reason. Claude Code sends none
// today, but callers from oh-my-claudecode do, and older clients fire Stop after an API
// error.
type reason struct {
	exemption
	// words are sequences of words that may occur anywhere in the reason. A number counts
	// only if it is a status: if it is the whole reason, or if it follows a word such as
	// "error" (a 429 in other text means nothing, Yeachan-Heo/oh-my-claudecode#777).
	words []string
	// whole are reasons that must match completely.
	whole []string
}

// reasons returns the table in the order of the specification: the user's wishes come before errors.
func reasons() []reason {
	return []reason{
		{
			exemption: exemption{"context-limit", "the context is full, and a loop cannot free any of it (use /compact or /clear)"},
			words: []string{"context limit", "context window", "context exceeded", "context full", "max context", "token limit", "max tokens",
				"conversation too long", "input too long", "prompt is too long"},
		},
		{
			exemption: exemption{"cancel", "you are cancelling"},
			whole:     []string{"cancel", "cancelled", "canceled", "user cancel", "cancel force", "force cancel"},
		},
		{
			exemption: exemption{"user-abort", "you interrupted the session"},
			words:     []string{"user abort", "user aborted", "user cancel", "user cancelled", "user canceled", "user interrupt", "user interrupted", "ctrl c", "manual stop"},
			// "interrupt" is not in this list: it can also mean that a new prompt interrupted the turn, and then the loop
			// must continue after the answer (Yeachan-Heo/oh-my-claudecode#2478).
			whole: []string{"abort", "aborted"},
		},
		{
			exemption: exemption{"rate-limit", "the API's rate limit or capacity is reached, and continuing at once would only hit it again"},
			words: []string{"rate limit", "rate limited", "ratelimit", "too many requests", "429", "529", "quota exceeded", "quota limit", "quota exhausted",
				"request limit", "api limit", "usage limit", "overloaded", "at capacity", "over capacity", "insufficient capacity", "capacity exceeded",
				"capacity error", "capacity limit", "capacity reached"},
			whole: []string{"capacity"},
		},
		{
			exemption: exemption{"authentication", "the API rejected the login (log in again, then continue)"},
			words: []string{"authentication error", "authentication failed", "auth error", "unauthorized", "unauthorised", "401", "403", "forbidden",
				"invalid token", "token invalid", "token expired", "expired token", "oauth expired", "invalid grant", "insufficient scope", "invalid api key"},
		},
		{
			exemption: exemption{"scheduled-wake-up", "the session has scheduled its own wake-up"},
			words:     wakeupWords(),
		},
	}
}

// thinkingLimit is how many turns in a row may contain only thinking before the loop
// pauses (Yeachan-Heo/oh-my-claudecode#3280).
const thinkingLimit = 3

// exempt returns the reason why this stop must be allowed, if there is one, no matter
// which loops are active. It counts turns without text and tools in the record.
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
		return exemption{"api-error", "the turn ended with an API error"}, true
	}
	if record.Thinking >= thinkingLimit {
		record.Thinking = 0
		return exemption{"thinking-only", "the last three turns held only thinking, no text and no tool call"}, true
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

// contains reports whether the words include the sequence.
func contains(words, sequence []string) bool {
	for i := 0; i+len(sequence) <= len(words); i++ {
		if slices.Equal(words[i:i+len(sequence)], sequence) && (!isNumber(sequence[0]) || isStatus(words, i)) {
			return true
		}
	}
	return false
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// isStatus reports whether the number at i is an HTTP status.
func isStatus(words []string, i int) bool {
	if len(words) == 1 {
		return true
	}
	return i > 0 && slices.Contains([]string{"error", "status", "code", "http", "api"}, words[i-1])
}

// maxReason is how much of a reason is searched.
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

// cancelling reports whether the turn is a cancel, judging by its prompt or the skill
// that it called (Yeachan-Heo/oh-my-claudecode#921: the loop was started again during a
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

// isCancel reports whether a skill or command of any plugin is a cancel.
func isCancel(name string) bool {
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	return strings.EqualFold(strings.TrimSpace(name), "cancel")
}
