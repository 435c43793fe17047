package router

import (
	"runtime"
	"sync"
	"time"
)

// watch limits the time of the phases of a call: reading, deciding, writing. The work
// stays on the calling goroutine, because handing it to another one and waiting there
// costs a third of a start. If a phase takes too long, the watch answers instead and ends
// the process; the work, wherever it hangs, can then change nothing
// (docs/design.md#commit-gate).
type watch struct {
	// end ends the process after a late answer.
	end   func()
	mu    sync.Mutex
	timer *time.Timer
	// fires is when the timer fires; until is when the phase must end. A timer that fires
	// early is set again, which costs less than setting it for each phase.
	fires, until time.Time
	late         func()
	taken        bool
}

// begin starts a phase with the time limit most. If the phase does not end in time, late
// is called on another goroutine, and then the process ends.
func (w *watch) begin(most time.Duration, late func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.until, w.late = time.Now().Add(most), late
	if w.timer == nil || w.until.Before(w.fires) {
		w.wind(most)
	}
}

// grace is begin for a phase that usually takes no time. That such a phase hangs may be
// noticed only when the timer of an earlier phase fires.
func (w *watch) grace(most time.Duration, late func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.until, w.late = time.Now().Add(most), late
	if w.timer == nil {
		w.wind(most)
	}
}

func (w *watch) wind(wait time.Duration) {
	w.fires = time.Now().Add(wait)
	if w.timer == nil {
		w.timer = time.AfterFunc(wait, w.fire)
		return
	}
	w.timer.Reset(wait)
}

// over ends the phase. If the phase was too late, over calls undo and ends the goroutine
// silently: the watch has answered.
func (w *watch) over(undo func()) {
	w.mu.Lock()
	w.late = nil
	taken := w.taken
	w.mu.Unlock()
	if !taken {
		return
	}
	if undo != nil {
		undo()
	}
	runtime.Goexit()
}

func (w *watch) fire() {
	w.mu.Lock()
	if w.late == nil {
		// This is between two phases; the next one sets a new timer.
		w.timer = nil
		w.mu.Unlock()
		return
	}
	if left := time.Until(w.until); left > 0 {
		w.wind(left)
		w.mu.Unlock()
		return
	}
	w.taken = true
	late := w.late
	w.mu.Unlock()
	late()
	w.end()
}
