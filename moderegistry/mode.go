// Package moderegistry knows the eight modes of oh-my-claudecode and ultrapower:
// where their state lies, who may start one, which of them is active and for
// which session.
//
// Two rules keep it from trapping anyone. State belongs to a session, and nobody else's
// is ever acted on (docs/design.md#ownership). And looking for the state of one session
// never depends on how many sessions there are: only starting a mode and bridge status
// read them all.
package moderegistry

import (
	"fmt"
	"strings"
	"time"
)

// Mode is the name of a mode as people write it and as its files are named.
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
	// Exclusive modes refuse each other, in whatever session
	// (docs/reference/hook-standard.md#exclusive-modes).
	Exclusive bool
	// Blocks says that the mode has a step in the Stop chain. The others are registered
	// only (docs/design.md#four-steps).
	Blocks bool
	// Counter and LimitField name the members that count what the mode did, from
	// First on, and how often it may; Limit is the limit where the state has none.
	// Modes without a step may have none.
	Counter, LimitField string
	First, Limit        int
	// Markers are files without a session that belong to the mode beside its
	// state.
	Markers []File
}

// Rows returns the table of modes: exclusive ones first, in the order in which a
// tie between two is decided.
func Rows() []Row {
	return []Row{
		{Mode: Autopilot, Exclusive: true, Blocks: true, Counter: "iteration", LimitField: "max_iterations", First: 1, Limit: 10},
		{Mode: Ultrapilot, Exclusive: true, Markers: []File{UltrapilotOwnership}},
		{Mode: Swarm, Exclusive: true, Markers: []File{SwarmMarker, SwarmSummary}},
		{Mode: Pipeline, Exclusive: true},
		{Mode: Team},
		{Mode: Ralph, Blocks: true, Counter: "iteration", LimitField: "max_iterations", First: 1, Limit: 10},
		{Mode: Ultrawork, Blocks: true, Counter: "reinforcement_count", LimitField: "max_reinforcements", Limit: 50},
		{Mode: Ultraqa, Counter: "cycle", LimitField: "max_cycles", First: 1, Limit: 10},
	}
}

// RowOf returns the row of a mode; ok is false for a name that is none.
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
	return "", fmt.Errorf("there is no mode %q; the modes are %s", name, strings.Join(names, ", "))
}

// The lifetimes of docs/reference/modes.md#lifetimes.
const (
	// Staleness is the age after which an exclusive mode of another session no
	// longer keeps one from starting, and after which state without any session
	// id is left alone.
	Staleness = 2 * time.Hour
	// markerStaleness is the same for a mode that has only a marker file.
	markerStaleness = time.Hour
	// confirmationTime is how long a mode waits for its skill to start.
	confirmationTime = 2 * time.Minute
	// signalTime is how long a cancel signal counts, and clockSkew how far in the
	// future it may have been written.
	signalTime = 30 * time.Second
	clockSkew  = 5 * time.Second
	// clockBack is how far a clock may go back before a mode counts as from the future.
	clockBack = time.Minute
	// tombstoneTime is how long a completed workflow keeps its mode from acting.
	tombstoneTime = 24 * time.Hour
)
