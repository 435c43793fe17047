// Package specum drives specs: a coordinator works through the tasks of a spec and
// notes in .ralph-state.json where it is; at each stop it is sent back to work until it
// says ALL_TASKS_COMPLETE (docs/reference/ralph-specum.md). The state belongs to the
// coordinator and is only read. What bridge itself has to remember, such as whose spec
// it is, lies in its own records.
package specum

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// PhaseExecution is the phase in which tasks are worked through.
const PhaseExecution = "execution"

// State is what a state file says; absent members have the defaults of
// docs/reference/ralph-specum.md#state.
type State struct {
	Phase, Name, Epic             string
	TaskIndex, TotalTasks         int
	TaskIteration, MaxTask        int
	GlobalIteration, MaxGlobal    int
	Awaiting, Recovery, QuickMode bool
	NativeSync                    bool
}

// Content says what a state file holds.
type Content int

const (
	// Object is a state.
	Object Content = iota
	// Nothing is valid JSON that is no state, such as [] or null, or an empty file:
	// the peers pass it over in silence.
	Nothing
	// Corrupt is no JSON.
	Corrupt
	// Gone means that there is no state file any more.
	Gone
)

// ParseState reads a state file tolerantly: numbers may be strings, fractions are
// cut off, negative numbers are 0, what is of the wrong kind is as good as absent.
func ParseState(data []byte) (State, Content) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return State{}, Nothing
	}
	lax := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	if !jsontext.Value(data).IsValid(lax...) {
		return State{}, Corrupt
	}
	if data[0] != '{' {
		return State{}, Nothing
	}
	m := members{}
	dec := jsontext.NewDecoder(bytes.NewReader(data), lax...)
	for _, err := dec.ReadToken(); err == nil && dec.PeekKind() == '"'; {
		var name jsontext.Token
		if name, err = dec.ReadToken(); err != nil {
			break
		}
		key := name.String()
		var value jsontext.Value
		if value, err = dec.ReadValue(); err == nil {
			m[key] = value.Clone()
		}
	}
	return State{
		Phase: m.text("phase", "unknown"), Name: m.text("name", ""), Epic: m.text("epicName", ""),
		TaskIndex: m.number("taskIndex", 0), TotalTasks: m.number("totalTasks", 0),
		TaskIteration: m.number("taskIteration", 1), MaxTask: m.number("maxTaskIterations", 5),
		GlobalIteration: m.number("globalIteration", 1), MaxGlobal: m.number("maxGlobalIterations", 100),
		Awaiting: m.flag("awaitingApproval", false), Recovery: m.flag("recoveryMode", false),
		QuickMode: m.flag("quickMode", false), NativeSync: m.flag("nativeSyncEnabled", true),
	}, Object
}

// members are the members of the state; of a name that stands twice the last.
type members map[string]jsontext.Value

func (m members) text(name, absent string) string {
	if v, ok := m[name]; ok && v.Kind() == '"' {
		// A string that the decoder accepted; bytes that are no UTF-8 become U+FFFD.
		if text, _ := jsontext.AppendUnquote(nil, v); len(text) > 0 {
			return string(text)
		}
	}
	return absent
}

// maxNumber bounds what a counter may say.
const maxNumber = 1_000_000_000

func (m members) number(name string, absent int) int {
	v, ok := m[name]
	if !ok {
		return absent
	}
	text := string(v)
	switch v.Kind() {
	case '0':
	case '"':
		text = strings.TrimSpace(m.text(name, ""))
	default:
		return absent
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != f {
		return absent
	}
	return int(min(max(f, 0), maxNumber))
}

func (m members) flag(name string, absent bool) bool {
	switch m[name].Kind() {
	case 't':
		return true
	case 'f':
		return false
	case '"':
		switch strings.ToLower(m.text(name, "")) {
		case "true":
			return true
		case "false":
			return false
		}
	}
	return absent
}
