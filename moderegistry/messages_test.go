package moderegistry

import (
	"os"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/statefile"
)

// TestNamesOfModes: the list of one mode has only that mode, under its name. The mode
// ralph is the loop omc, with commands of its own.
func TestNamesOfModes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, mode := range AllModes() {
		if mode == Swarm {
			w.write("state/swarm-active.marker", `{"startedAt":"{now-1s}"}`)
			continue
		}
		w.write("state/sessions/s1/"+string(mode)+"-state.json", `{"active":true,"started_at":"{now-1s}"}`)
	}
	for _, mode := range AllModes() {
		label, kind, resume := string(mode), string(mode), " mode start "+string(mode)+" --resume"
		if mode == Ralph {
			label, kind, resume = "omc ralph loop", "omc", " ralph resume"
		}
		if list := w.list(mode); len(list) != 1 || list[0].Status.Label != label || list[0].Status.Kind != kind {
			t.Errorf("%s: %+v", mode, list)
		}
		if got := ResumeCommand(mode); !strings.HasSuffix(got, resume) {
			t.Errorf("%s: %s", mode, got)
		}
	}
}

// TestCancelOfOne: a cancel keeps the state as a backup and says so.
func TestCancelOfOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.write("state/sessions/s1/ultrawork-state.json", `{"active":true}`)
	text, err := w.list(Ultrawork)[0].Cancel()
	if err != nil || !strings.HasPrefix(text, "Cancelled ultrawork. ") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(statefile.Backup(path)); err != nil {
		t.Error(err)
	}
}

// TestWhoIsInTheWay: if another mode prevents a start, the message names that mode's session, if it has one.
func TestWhoIsInTheWay(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err       error
		with, not string
	}{
		"excluded by a session's":      {&ConflictError{Mode: Autopilot, Blocker: State{Mode: Pipeline, SessionID: "s1"}}, "pipeline of session s1 is", "without a session"},
		"excluded by nobody's":         {&ConflictError{Mode: Autopilot, Blocker: State{Mode: Pipeline}}, "pipeline without a session is", "of session"},
		"the place has a broken one":   {&TakenError{State{Mode: Team, SessionID: "s1", Problem: "it is empty"}}, "it is empty", "of session"},
		"the place has one that waits": {&TakenError{State{Mode: Team}}, "waits for a session", "of session"},
		"the place has a session's":    {&TakenError{State{Mode: Team, SessionID: "s1"}}, "team of session s1", "waits"},
	} {
		if text := test.err.Error(); !strings.Contains(text, test.with) || strings.Contains(text, test.not) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestMost: the highest count of each mode, including extensions.
func TestMost(t *testing.T) {
	t.Parallel()
	for mode, want := range map[Mode]int{Autopilot: 10, Ralph: 60, Ultrawork: 50, Ultraqa: 10, Team: 0} {
		if row, ok := RowOf(mode); !ok || row.Most() != want {
			t.Errorf("%s: %d", mode, row.Most())
		}
	}
}

// TestChecksumOfAState: only a state that can be read has one.
func TestChecksumOfAState(t *testing.T) {
	t.Parallel()
	for text, length := range map[string]int{`{"active":true}`: 64, `{"act`: 0} {
		if got := (State{File: statefile.File{Data: []byte(text)}}).checksum(); len(got) != length {
			t.Errorf("%s: %q", text, got)
		}
	}
}
