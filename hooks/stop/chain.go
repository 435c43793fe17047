// Package stop is the one handler of all Stop types: it finds out which step of
// the chain owns the event, makes sure that one step acts on it once, and never
// blocks where the client or common sense would not let it.
package stop

import (
	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/hooks/autopilot"
	"github.com/hookbridge/bridge/hooks/persistentmode"
	"github.com/hookbridge/bridge/hooks/ralph"
	"github.com/hookbridge/bridge/hooks/stopcontinuation"
)

// step is one link of the chain. Its finders are asked in order; the first that
// has something active for the session acts for the step.
type step struct {
	name    hooks.StepName
	finders []hooks.Finder
}

// chain is the order of seed 004, section 2.1: Ralph, Autopilot, Ultrawork,
// stop-continuation.
func chain() []step {
	return []step{
		{hooks.StepRalph, ralph.Finders()},
		{hooks.StepAutopilot, []hooks.Finder{autopilot.Find}},
		{hooks.StepUltrawork, []hooks.Finder{persistentmode.Find}},
		{hooks.StepStopContinuation, []hooks.Finder{stopcontinuation.Find}},
	}
}

// claim is something active, and the step that it belongs to.
type claim struct {
	step   hooks.StepName
	find   hooks.Finder
	active hooks.Active
}

// scan asks every step that is not switched off what it has active for the
// session. The first claim owns the event.
func scan(s *hooks.Stop, off hooks.KillSwitches) (claims []claim, notices []hooks.KeyedNotice, err error) {
	for _, step := range chain() {
		if off.Step(step.name) {
			continue
		}
		for _, find := range step.finders {
			found, err := find(s)
			if err != nil {
				return nil, nil, err
			}
			notices = append(notices, found.Notices...)
			if found.Active != nil {
				claims = append(claims, claim{step.name, find, found.Active})
			}
		}
	}
	return claims, notices, nil
}

// again reads the claims anew. What began since the first look waits for the next
// stop.
func again(s *hooks.Stop, claims []claim) (still []claim, err error) {
	for _, c := range claims {
		found, err := c.find(s)
		if err != nil {
			return nil, err
		}
		if found.Active != nil {
			still = append(still, claim{c.step, c.find, found.Active})
		}
	}
	return still, nil
}
