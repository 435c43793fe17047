// Package moderegistry manages the eight modes of oh-my-claudecode and ultrapower: where their state is, who may start a
// mode, and which modes are active for which session.
//
// Two rules keep it from trapping a session. First, a state belongs to one session, and a session never acts on the
// state of another one (docs/design.md#ownership). Second, the cost of finding one session's state never depends on the
// number of sessions: only starting a mode and bridge status read all states.
package moderegistry

import (
	"fmt"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/display"
)

// Mode is the name of a mode, as people write it and as it appears in file names.
type Mode string

// The eight modes.
const (
	Autopilot  Mode = "autopilot"
	Ultrapilot Mode = "ultrapilot"
	Swarm      Mode = "swarm"
	Pipeline   Mode = "pipeline"
	Team       Mode = "team"
	Ralph      Mode = "ralph"
	Ultrawork  Mode = "ultrawork"
	Ultraqa    Mode = "ultraqa"
)

// Row describes one mode.
type Row struct {
	Mode Mode
	// Exclusive modes cannot run at the same time, in whatever session
	// (docs/reference/hook-standard.md#exclusive-modes).
	Exclusive bool
	// Blocks says that the mode has a step in the Stop chain. The other modes are only
	// registered (docs/design.md#four-steps).
	Blocks bool
	// Counter and LimitField name the members that hold the mode's counter, which begins
	// at First, and its limit. Limit is the default limit. Modes without a step may have
	// neither.
	Counter, LimitField string
	First, Limit        int
	// Extensions is how often the limit of a mode is extended, each time by Extension
	// (docs/reference/omc-ralph.md#limit).
	Extension, Extensions int
	// Markers are files outside of the sessions' folders that belong to the mode in
	// addition to its state.
	Markers []File
}

// Rows returns the table of modes: exclusive ones first, in the order that decides a tie
// between two of them.
func Rows() []Row {
	return []Row{
		{Mode: Autopilot, Exclusive: true, Blocks: true, Counter: "iteration", LimitField: "max_iterations", First: 1, Limit: 10},
		{Mode: Ultrapilot, Exclusive: true, Markers: []File{UltrapilotOwnership}},
		{Mode: Swarm, Exclusive: true, Markers: []File{SwarmMarker, SwarmSummary}},
		{Mode: Pipeline, Exclusive: true},
		{Mode: Team},
		{Mode: Ralph, Blocks: true, Counter: "iteration", LimitField: "max_iterations", First: 1, Limit: 10, Extension: 10, Extensions: 5},
		{Mode: Ultrawork, Blocks: true, Counter: "reinforcement_count", LimitField: "max_reinforcements", Limit: 50},
		{Mode: Ultraqa, Counter: "cycle", LimitField: "max_cycles", First: 1, Limit: 10},
	}
}

// Most is the highest value of the mode's counter, or 0 without a limit.
func (r Row) Most() int { return r.Limit + r.Extension*r.Extensions }

// RowOf returns the row of a mode; ok is false for an unknown name.
func RowOf(mode Mode) (row Row, ok bool) {
	for _, r := range Rows() {
		if r.Mode == mode {
			return r, true
		}
	}
	return Row{}, false
}

// Parse resolves the name of a mode.
func Parse(name string) (Mode, error) {
	if row, ok := RowOf(Mode(strings.ToLower(strings.TrimSpace(name)))); ok {
		return row.Mode, nil
	}
	var names []string
	for _, r := range Rows() {
		names = append(names, string(r.Mode))
	}
	return "", fmt.Errorf("there is no mode %q%s; the modes are %s", name, display.Meant(name, names), strings.Join(names, ", "))
}

// The lifetimes of docs/reference/modes.md#lifetimes.
const (
	// Staleness is the age after which an exclusive mode of another session no longer
	// prevents others from starting, and after which a state without a session id is
	// ignored.
	Staleness = 2 * time.Hour
	// markerStaleness is the same for a mode that has only a marker file.
	markerStaleness = time.Hour
	// confirmationTime is how long a mode waits for its skill to start.
	confirmationTime = 2 * time.Minute
	// signalTime is how long a cancel signal is valid. clockSkew is how far in the future
	// it may have been written.
	signalTime = 30 * time.Second
	clockSkew  = 5 * time.Second
	// clockBack is how far the clock may be set back before a mode's times count as being
	// in the future.
	clockBack = time.Minute
	// tombstoneTime is how long a completed workflow keeps its mode from acting.
	tombstoneTime = 24 * time.Hour
)
