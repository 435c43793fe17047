package ledger

import (
	"bytes"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/clean"
)

// Entry is one decision of a hook. It holds ids, sizes and times, never prompts,
// messages or command text (design decision 17).
type Entry struct {
	// Time is when the hook started.
	Time time.Time
	// Session is the client's session id.
	Session string
	Type    hooks.Type
	Event   hooks.Event
	// Step is the step of the Stop chain that decided; empty elsewhere.
	Step string
	// Decision is what was answered, such as block, allow or deny.
	Decision string
	// Rule is the stable id of the rule that decided.
	Rule string
	// InputBytes and OutputBytes are the sizes of stdin and stdout.
	InputBytes, OutputBytes int
	// Duration is from the hook's start to its answer; it is kept in whole
	// microseconds.
	Duration time.Duration
	PID      int
	// Version is bridge's own.
	Version string
}

// maxText is how many bytes of one member's text are kept. Every text is an id;
// what is longer is not one of ours.
const maxText = 128

// appendLine appends the entry as one JSON object and a line end.
func (e Entry) appendLine(dst []byte) []byte {
	text := func(name, value string) {
		if value == "" {
			return
		}
		if len(value) > maxText {
			value = value[:maxText]
		}
		dst = append(dst, `,"`+name+`":`...)
		// What clean returns is UTF-8, so this cannot fail.
		dst, _ = jsontext.AppendQuote(dst, clean.Text(value))
	}
	number := func(name string, value int64) {
		dst = append(dst, `,"`+name+`":`...)
		dst = strconv.AppendInt(dst, value, 10)
	}
	dst = append(dst, `{"time":"`...)
	dst = e.Time.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000000Z07:00")
	dst = append(dst, '"')
	text("session", e.Session)
	text("type", string(e.Type))
	text("event", string(e.Event))
	text("step", e.Step)
	text("decision", e.Decision)
	text("rule", e.Rule)
	number("input_bytes", int64(e.InputBytes))
	number("output_bytes", int64(e.OutputBytes))
	number("duration_us", e.Duration.Microseconds())
	number("pid", int64(e.PID))
	text("version", e.Version)
	return append(dst, '}', '\n')
}

// parseEntry reads one line. ok is false for a line that is not a whole object
// with a time. Unknown members are skipped, so an older bridge reads the ledger
// of a newer one.
func parseEntry(line []byte) (e Entry, ok bool) {
	members, ok := parseMembers(line)
	if !ok {
		return Entry{}, false
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(members[name])
		return n
	}
	at, err := time.Parse(time.RFC3339Nano, members["time"])
	if err != nil {
		return Entry{}, false
	}
	return Entry{
		Time:        at,
		Session:     clean.Text(members["session"]),
		Type:        hooks.Type(clean.Text(members["type"])),
		Event:       hooks.Event(clean.Text(members["event"])),
		Step:        clean.Text(members["step"]),
		Decision:    clean.Text(members["decision"]),
		Rule:        clean.Text(members["rule"]),
		InputBytes:  number("input_bytes"),
		OutputBytes: number("output_bytes"),
		Duration:    time.Duration(number("duration_us")) * time.Microsecond,
		PID:         number("pid"),
		Version:     clean.Text(members["version"]),
	}, true
}

// parseMembers reads the strings and numbers of a flat object.
func parseMembers(line []byte) (members map[string]string, ok bool) {
	if !jsontext.Value(line).IsValid() || jsontext.Value(line).Kind() != '{' {
		return nil, false
	}
	members = make(map[string]string, 16)
	dec := jsontext.NewDecoder(bytes.NewReader(line))
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, false
		}
		key := name.String()
		switch dec.PeekKind() {
		case '"', '0':
			value, err := dec.ReadToken()
			if err != nil {
				return nil, false
			}
			members[key] = value.String()
		default:
			if err := dec.SkipValue(); err != nil {
				return nil, false
			}
		}
	}
	return members, true
}
