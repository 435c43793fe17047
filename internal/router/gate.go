package router

import "sync/atomic"

// gate lets exactly one of two things happen: the handler commits its writes, or
// its deadline passes. A handler that is late can no longer write (design
// decision 2).
type gate struct{ closed atomic.Bool }

// pass reports whether the caller is the first at the gate.
func (g *gate) pass() bool { return g.closed.CompareAndSwap(false, true) }
