package transcript

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/protocol"
)

const (
	assistantRole = "assistant"
	userRole      = "user"

	// feedbackPrefix begins the line with which the client gives the reason of a blocked
	// stop to the model (observed with 2.1.197 and 2.1.329).
	feedbackPrefix = "Stop hook feedback:"
	// contextType is the type, in quotes, of the attachment that contains the context with which a Stop hook continued
	// the turn (observed with 2.1.197 and 2.1.330).
	contextType = `"hook_additional_context"`
)

// message is the content of one line of a transcript.
type message struct {
	role string
	// ignored lines belong to a subagent or report an API error.
	ignored bool
	// begins says that the line is a prompt or a hook feedback; opening is its text.
	begins  bool
	opening string
	entries []protocol.Entry
	thought bool
	// apiError is the text of an API error.
	apiError string
}

// mayMatter is a cheap filter: only lines that name a role, or are context from a hook, are
// parsed. In a JSON string, a
// quotation mark has a backslash before it, so text is not mistaken for a role. The longest
// lines are tool results; their role is user.
func mayMatter(line []byte) bool {
	return bytes.Contains(line, []byte(`"user"`)) || bytes.Contains(line, []byte(`"assistant"`)) || bytes.Contains(line, []byte(contextType))
}

// trim removes white space around a line, such as the CR of a CRLF, and a leading byte
// order mark.
func trim(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
}

func isObject(line []byte) bool {
	return line[0] == '{' && jsontext.Value(line).IsValid(
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// parser reads lines and reuses its buffers.
type parser struct {
	dec         jsontext.Decoder
	wantResults bool
}

// errEnough ends the parsing of a line when the rest cannot matter.
var errEnough = errors.New("enough of this line")

// parse reads one line. ok is false if the line is not a JSON object, for example because
// it is only half written. Raw control characters, which JSON forbids, are read as spaces
// (anthropics/claude-code#68665: one of them ended a loop).
func (p *parser) parse(line []byte) (m message, ok bool) {
	if m, ok = p.parseStrict(line); ok {
		return m, true
	}
	repaired := false
	for i, c := range line {
		if c < ' ' {
			line[i], repaired = ' ', true
		}
	}
	if !repaired {
		return message{}, false
	}
	return p.parseStrict(line)
}

func (p *parser) parseStrict(line []byte) (message, bool) {
	p.dec.Reset(bytes.NewBuffer(line),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var l fields
	err := p.members(func(name []byte) error {
		switch string(name) {
		case "type":
			return p.text(&l.typ)
		case "role":
			return p.text(&l.role)
		case "message":
			return p.message(&l)
		case "content":
			if !l.inner {
				return p.content(&l)
			}
		case "isMeta":
			return p.flag(&l.meta)
		case "isCompactSummary":
			return p.flag(&l.summary)
		case "isSidechain":
			return p.flag(&l.sidechain)
		case "isApiErrorMessage":
			return p.flag(&l.apiError)
		case "promptSource", "turnOrigin":
			l.submitted = true
		case "attachment":
			return p.attachment(&l)
		}
		return p.dec.SkipValue()
	})
	if errors.Is(err, errEnough) {
		return message{role: userRole}, true
	}
	if err != nil {
		return message{}, false
	}
	if _, err := p.dec.ReadToken(); err != io.EOF {
		return message{}, false
	}
	return l.message(), true
}

// fields are the parts of a line that matter, whatever their order.
type fields struct {
	typ, role, innerRole               string
	meta, summary, sidechain, apiError bool
	inner                              bool // there is an inner message

	entries []protocol.Entry
	prompt  bool // there is content other than tool results
	// submitted says that the line was submitted as a prompt. The client marks some prompts as meta, too: those that
	// nobody typed, such as a wake-up (observed with 2.1.330).
	submitted bool
	// stopContext says that the line is context from a Stop hook.
	stopContext bool
	opening     string
	thought     bool
}

func (l *fields) message() message {
	m := message{role: l.innerRole, entries: l.entries, opening: l.opening, thought: l.thought}
	if m.role == "" {
		m.role = l.role
	}
	switch l.typ {
	case assistantRole, userRole:
		if m.role == "" {
			m.role = l.typ
		}
	case "", "message":
	default:
		// A line about something else may quote a message, for example the progress of a
		// subagent.
		m.ignored = true
	}
	if m.role != assistantRole && m.role != userRole || l.sidechain || l.apiError {
		m.ignored = true
	}
	if l.apiError && !l.sidechain {
		m.apiError = l.opening
	}
	if m.role == userRole {
		m.entries = slices.DeleteFunc(m.entries, func(e protocol.Entry) bool {
			return e.Kind != protocol.EntryToolResult
		})
	}
	if l.stopContext && !l.sidechain {
		return message{role: userRole, begins: true, opening: l.opening}
	}
	// After a compaction in the middle of a turn, the summary replaces the prompt.
	m.begins = m.role == userRole && l.prompt && !l.summary &&
		(!l.meta || l.submitted || strings.HasPrefix(l.opening, feedbackPrefix))
	return m
}

// message reads the inner message: an object with role and content, or a string.
func (p *parser) message(l *fields) error {
	l.inner = true
	if p.dec.PeekKind() != '{' {
		return p.content(l)
	}
	err := p.members(func(name []byte) error {
		switch string(name) {
		case "role":
			return p.text(&l.innerRole)
		case "content":
			return p.content(l)
		}
		return p.dec.SkipValue()
	})
	if err == nil && !p.wantResults && l.innerRole == userRole && !l.prompt {
		return errEnough
	}
	return err
}

// attachment reads an attachment, of which only context from a Stop hook matters.
func (p *parser) attachment(l *fields) error {
	if p.dec.PeekKind() != '{' {
		return p.dec.SkipValue()
	}
	var kind, event, text string
	err := p.members(func(name []byte) error {
		switch string(name) {
		case "type":
			return p.text(&kind)
		case "hookEvent":
			return p.text(&event)
		case "content":
			return p.first(&text)
		}
		return p.dec.SkipValue()
	})
	if `"`+kind+`"` == contextType && event == string(protocol.EventStop) {
		l.stopContext, l.opening = true, text
	}
	return err
}

// first reads the first text of an array.
func (p *parser) first(dst *string) error {
	if p.dec.PeekKind() != '[' {
		return p.dec.SkipValue()
	}
	return p.elements(func() error {
		if *dst != "" {
			return p.dec.SkipValue()
		}
		return p.text(dst)
	})
}

// content reads a string or an array of blocks.
func (p *parser) content(l *fields) error {
	l.entries, l.prompt, l.opening, l.thought = nil, false, "", false
	switch p.dec.PeekKind() {
	case '"':
		l.prompt = true
		if err := p.text(&l.opening); err != nil {
			return err
		}
		l.entries = append(l.entries, protocol.Entry{Kind: protocol.EntryText, Text: l.opening})
		return nil
	case '[':
		return p.elements(func() error { return p.block(l) })
	}
	return p.dec.SkipValue()
}

// block reads one content block. Thinking is not text, and a promise in it does not
// count.
func (p *parser) block(l *fields) error {
	if p.dec.PeekKind() != '{' {
		l.prompt = true
		return p.dec.SkipValue()
	}
	var (
		e                protocol.Entry
		kind, text, body string
		id, resultOf     string
		hasText          bool
	)
	err := p.members(func(name []byte) error {
		switch string(name) {
		case "type":
			return p.text(&kind)
		case "text":
			hasText = p.dec.PeekKind() == '"'
			return p.text(&text)
		case "id":
			return p.text(&id)
		case "tool_use_id":
			return p.text(&resultOf)
		case "name":
			return p.text(&e.ToolName)
		case "is_error":
			return p.flag(&e.IsError)
		case "input":
			v, err := p.dec.ReadValue()
			e.ToolInput = v.Clone()
			return err
		case "content":
			if p.wantResults {
				return p.resultText(&body)
			}
		}
		return p.dec.SkipValue()
	})
	if err != nil {
		return err
	}
	if kind != "tool_result" {
		l.prompt = true
	}
	switch kind {
	case "thinking", "redacted_thinking":
		l.thought = true
	case "text":
		if !hasText {
			return nil
		}
		if l.opening == "" {
			l.opening = text
		}
		l.entries = append(l.entries, protocol.Entry{Kind: protocol.EntryText, Text: text})
	case "tool_use":
		e.Kind, e.ToolUseID = protocol.EntryToolUse, id
		l.entries = append(l.entries, protocol.Entry{
			Kind: protocol.EntryToolUse, ToolUseID: id, ToolName: e.ToolName, ToolInput: e.ToolInput,
		})
	case "tool_result":
		if p.wantResults {
			l.entries = append(l.entries, protocol.Entry{
				Kind: protocol.EntryToolResult, Text: body, ToolUseID: resultOf, IsError: e.IsError,
			})
		}
	}
	return nil
}

// resultText reads the content of a tool result: a string, or blocks whose texts are
// joined by line ends.
func (p *parser) resultText(dst *string) error {
	if p.dec.PeekKind() != '[' {
		return p.text(dst)
	}
	var parts []string
	err := p.elements(func() error {
		if p.dec.PeekKind() != '{' {
			return p.dec.SkipValue()
		}
		return p.members(func(name []byte) error {
			if string(name) != "text" || p.dec.PeekKind() != '"' {
				return p.dec.SkipValue()
			}
			var s string
			err := p.text(&s)
			parts = append(parts, s)
			return err
		})
	})
	*dst = strings.Join(parts, "\n")
	return err
}

// members calls f with each name of the next object, as it is written between its quotes;
// f reads the value.
func (p *parser) members(f func(name []byte) error) error {
	if tok, err := p.dec.ReadToken(); err != nil {
		return err
	} else if tok.Kind() != '{' {
		return errors.New("not an object")
	}
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := f(name[1 : len(name)-1]); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// elements calls f for each element of the next array; f reads it.
func (p *parser) elements(f func() error) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != ']' {
		if p.dec.PeekKind() == 0 {
			_, err := p.dec.ReadToken()
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// text reads a string; any other value is skipped and leaves dst empty.
func (p *parser) text(dst *string) error {
	*dst = ""
	if p.dec.PeekKind() != '"' {
		return p.dec.SkipValue()
	}
	tok, err := p.dec.ReadToken()
	if err == nil {
		*dst = tok.String()
	}
	return err
}

// flag reads a boolean; any other value is skipped and counts as false.
func (p *parser) flag(dst *bool) error {
	*dst = p.dec.PeekKind() == 't'
	return p.dec.SkipValue()
}
