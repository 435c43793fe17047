// Package specum drives specs. A coordinator works through the tasks of a spec and notes
// its position in .ralph-state.json; at each stop it is sent back to work until it says
// ALL_TASKS_COMPLETE (docs/reference/ralph-specum.md). The state belongs to the
// coordinator, so bridge only reads it. What bridge has to remember, such as the session
// that owns a spec, is in its own records.
package specum

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/statefile"
)

// PhaseExecution is the phase in which tasks are worked through.
const PhaseExecution = "execution"

// State is the content of a state file. Absent members have the defaults of
// docs/reference/ralph-specum.md#state.
type State struct {
	Phase, Name, Epic             string
	TaskIndex, TotalTasks         int
	TaskIteration, MaxTask        int
	GlobalIteration, MaxGlobal    int
	Awaiting, Recovery, QuickMode bool
	NativeSync                    bool
}

// Content is the kind of content that a state file has.
type Content int

const (
	// Object is a valid state.
	Object Content = iota
	// Nothing is valid JSON that is not a state, such as [] or null, or an empty file.
	// The plugins ignore it silently.
	Nothing
	// Corrupt is not valid JSON.
	Corrupt
	// Gone means that the state file no longer exists.
	Gone
)

// ParseState reads a state file leniently: numbers may be strings, fractions are cut off,
// negative numbers count as 0, and a member of the wrong type counts as absent.
func ParseState(data []byte) (State, Content) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return State{}, Nothing
	}
	object, err := statefile.ParseLax(data)
	switch {
	case err == nil:
	case jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return State{}, Nothing
	default:
		return State{}, Corrupt
	}
	m := members{object}
	return State{
		Phase: m.text("phase", "unknown"), Name: m.text("name", ""), Epic: m.text("epicName", ""),
		TaskIndex: m.number("taskIndex", 0), TotalTasks: m.number("totalTasks", 0),
		TaskIteration: m.number("taskIteration", 1), MaxTask: m.number("maxTaskIterations", 5),
		GlobalIteration: m.number("globalIteration", 1), MaxGlobal: m.number("maxGlobalIterations", 100),
		Awaiting: m.flag("awaitingApproval", false), Recovery: m.flag("recoveryMode", false),
		QuickMode: m.flag("quickMode", false), NativeSync: m.flag("nativeSyncEnabled", true),
	}, Object
}

// members reads the members of a state by the names that the coordinator uses.
type members struct{ statefile.Object }

func (m members) text(name, absent string) string { return cmp.Or(m.Text(name), absent) }

// maxNumber is the largest value of a counter.
const maxNumber = 1_000_000_000

func (m members) number(name string, absent int) int {
	v, _ := m.Raw(name)
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
	v, _ := m.Raw(name)
	switch v.Kind() {
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
