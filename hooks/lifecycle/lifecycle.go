// Package lifecycle holds the hooks around a session's work: what is unfinished
// when one begins, what is left when one ends, its subagents, the checkpoint
// before a compaction, set-up and maintenance (spec/omc-modes.md, sections 5.5,
// 5.6 and 5.10 to 5.14).
//
// None of them decides anything. What they tell the model is information about
// the project, never an order (#2451), and nothing is brought back by itself.
package lifecycle

import (
	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/moderegistry"
)

// scene is where a hook of this package was called.
type scene struct {
	req      hooks.Request
	stop     *hooks.Stop
	registry *moderegistry.Registry
	records  moderegistry.Records
	store    session.Store
}

// look finds the scene; ok is false when the working directory is gone or the
// session's id may not stand in a path.
func look(req hooks.Request) (s scene, ok bool) {
	getenv := req.Env.Getenv
	places := project.Find(req.Input.CWD, getenv)
	if places.Root == "" || !session.ValidID(req.Input.SessionID) {
		return scene{}, false
	}
	s = scene{
		req:   req,
		stop:  &hooks.Stop{Input: req.Input, Env: req.Env, Places: places.Search, Root: places.Root},
		store: session.NewStore(project.StateHome(getenv)),
	}
	s.registry = moderegistry.Open(s.stop)
	s.records = s.registry.Records()
	return s, true
}

func (s scene) key() session.Key {
	return session.Key{SessionID: s.req.Input.SessionID, Root: s.stop.Root}
}

// write is an optional write: a record that cannot be kept costs the user
// nothing.
func write(what string, do func() error) hooks.Write {
	return hooks.Write{What: what, Do: do, Optional: true}
}

// nothing is the outcome of a hook that has nothing to do.
func nothing(rule string) hooks.Outcome { return hooks.Outcome{Trace: hooks.Trace{Rule: rule}} }
