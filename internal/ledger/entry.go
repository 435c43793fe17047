package ledger

import (
	"bytes"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// Command is the type of an entry about a person's command that changed a loop: its rule is
// cancel, pause or resume.
const Command protocol.Type = "command"

// Entry is one decision of a hook, or a command. It contains ids, sizes and times, but never prompts,
// messages or command text (docs/design.md#ledger).
type Entry struct {
	// Time is when the hook started.
	Time time.Time
	// Session is the client's session id.
	Session string
	Type    protocol.Type
	Event   protocol.Event
	// Step is the step of the Stop chain that decided; it is empty for other events.
	Step string
	// Decision is the kind of the answer, such as block, allow or deny.
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
	// Project is the id of the project's root (project.ID). It is empty if a hook failed
	// before it looked for the root. The index of projects knows the path.
	Project string
	// Client is the coding agent that called the hook.
	Client string
	// Loop is the kind of the loop or mode that the decision is about; Iteration is its
	// counter, from 1. They are empty and 0 if there is none.
	Loop      string
	Iteration int
	// Prompt and ToolUse are the client's ids of the prompt and of the tool call.
	Prompt, ToolUse string
}

// maxText is how many bytes of one member are kept. Every text is an id, and a longer one
// is not one of ours.
const maxText = 128

// appendLine appends the entry as one JSON object and a line end.
func (e Entry) appendLine(dst []byte) []byte {
	w := protocol.WriteObject(dst, "")
	text := func(name, value string) {
		if value != "" {
			w.Text(name, display.Text(value[:min(len(value), maxText)]))
		}
	}
	w.Text("time", e.Time.UTC().Format("2006-01-02T15:04:05.000000Z07:00"))
	text("session", e.Session)
	text("type", string(e.Type))
	text("event", string(e.Event))
	text("step", e.Step)
	text("decision", e.Decision)
	text("rule", e.Rule)
	w.Int("input_bytes", e.InputBytes)
	w.Int("output_bytes", e.OutputBytes)
	w.Int("duration_us", int(e.Duration.Microseconds()))
	w.Int("pid", e.PID)
	text("version", e.Version)
	text("project", e.Project)
	text("client", e.Client)
	text("loop", e.Loop)
	if e.Iteration != 0 {
		w.Int("iteration", e.Iteration)
	}
	text("prompt", e.Prompt)
	text("tool_use", e.ToolUse)
	dst, _ = w.End()
	return append(dst, '\n')
}

// parseEntry reads one line. ok is false if the line is not a complete object with a
// time. Unknown members are skipped, so that an older bridge can read the ledger of a
// newer one.
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
		Session:     display.Text(members["session"]),
		Type:        protocol.Type(display.Text(members["type"])),
		Event:       protocol.Event(display.Text(members["event"])),
		Step:        display.Text(members["step"]),
		Decision:    display.Text(members["decision"]),
		Rule:        display.Text(members["rule"]),
		InputBytes:  number("input_bytes"),
		OutputBytes: number("output_bytes"),
		Duration:    time.Duration(number("duration_us")) * time.Microsecond,
		PID:         number("pid"),
		Version:     display.Text(members["version"]),
		Project:     display.Text(members["project"]),
		Client:      display.Text(members["client"]),
		Loop:        display.Text(members["loop"]),
		Iteration:   number("iteration"),
		Prompt:      display.Text(members["prompt"]),
		ToolUse:     display.Text(members["tool_use"]),
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
