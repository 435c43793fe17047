// Package stop is the one handler of all Stop types. It finds the step of the chain that
// owns the event, makes sure that this step acts on the event only once, and allows the
// stop whenever blocking would be pointless or the client would override it. Its tests,
// in cmd/bridge/internal/router/stop, run it through the router.
package stop

import (
	"github.com/hookbridge/bridge/hooks/autopilot"
	"github.com/hookbridge/bridge/hooks/persistentmode"
	"github.com/hookbridge/bridge/hooks/ralph"
	"github.com/hookbridge/bridge/hooks/stopcontinuation"
	"github.com/hookbridge/bridge/protocol"
)

// step is one step of the chain. Its finders run in order, and the first one that finds something active for the session
// acts for the step.
type step struct {
	name    protocol.StepName
	finders []finder
}

// finder looks for loops or modes of one kind.
type finder struct {
	kind string
	find protocol.Finder
}

// chain is the order of docs/reference/hook-standard.md#stop-order: Ralph, Autopilot,
// Ultrawork, stop-continuation.
func chain() []step {
	var loops []finder
	for _, d := range ralph.Dialects() {
		loops = append(loops, finder{d.Name, d.Find})
	}
	one := func(name protocol.StepName, find protocol.Finder) step {
		return step{name, []finder{{string(name), find}}}
	}
	return []step{
		{protocol.StepRalph, loops},
		one(protocol.StepAutopilot, autopilot.Find),
		one(protocol.StepUltrawork, persistentmode.Find),
		one(protocol.StepStopContinuation, stopcontinuation.Find),
	}
}

// claim is an active loop or mode, and the step that it belongs to.
type claim struct {
	step   protocol.StepName
	finder finder
	active protocol.Active
}

// scan collects the session's active loops and modes from every step that is not switched off. The first claim owns the
// event.
func scan(s *protocol.Stop) (claims []claim, notices []protocol.KeyedNotice, err error) {
	for _, step := range chain() {
		if s.Env.Off.Step(step.name) {
			continue
		}
		for _, f := range step.finders {
			found, err := f.find(s)
			if err != nil {
				return nil, nil, err
			}
			notices = append(notices, found.Notices...)
			if found.Active != nil {
				claims = append(claims, claim{step.name, f, found.Active})
			}
		}
	}
	return claims, notices, nil
}

// again reads the claims a second time, with notices about those that can no longer be
// read. Loops that began since the first look wait for the next stop.
func again(s *protocol.Stop, claims []claim) (still []claim, notices []protocol.KeyedNotice, err error) {
	for _, c := range claims {
		found, err := c.finder.find(s)
		if err != nil {
			return nil, nil, err
		}
		notices = append(notices, found.Notices...)
		if found.Active != nil {
			still = append(still, claim{c.step, c.finder, found.Active})
		}
	}
	return still, notices, nil
}
