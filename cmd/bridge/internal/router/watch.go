package router

import (
	"runtime"
	"sync"
	"time"
)

// watch bounds the phases of a call: reading, deciding, writing. The work stays on the
// goroutine that called, because to hand it to another one and to wait there costs a
// third of a start. When a phase takes too long, the watch answers in its place and
// ends the process; the work, wherever it hangs, can change nothing any more
// (docs/design.md#commit-gate).
type watch struct {
	// end ends the process once a late answer is out.
	end   func()
	mu    sync.Mutex
	timer *time.Timer
	// fires is when the timer does, until when the phase must be over. A timer that
	// fires early is wound up again, which costs less than to set it for each phase.
	fires, until time.Time
	late         func()
	taken        bool
}

// begin starts a phase that may take most. If it does not end in time, late is
// called on another goroutine, and then the process ends.
func (w *watch) begin(most time.Duration, late func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.until, w.late = time.Now().Add(most), late
	if w.timer == nil || w.until.Before(w.fires) {
		w.wind(most)
	}
}

// grace is begin for a phase that usually takes no time at all: that it does not end
// may be noticed when the phase before would have been late.
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

// over ends the phase. If it was too late, undo is called and the goroutine ends
// here, without a trace: the answer is the watch's.
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
		// Between two phases; the next one winds up a new one.
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
