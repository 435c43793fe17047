// Package lifecycle holds the hooks around a session's work: what is unfinished at its
// start, what remains at its end, its subagents, the checkpoint before a compaction,
// set-up and maintenance (docs/reference/records.md).
//
// None of these hooks decides anything. They give the model information about the
// project, never an order (Yeachan-Heo/oh-my-claudecode#2451), and never resume anything
// by themselves.
package lifecycle

import (
	"fmt"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// scene is the project and session for which a hook of this package was called.
type scene struct {
	req      protocol.Request
	stop     *protocol.Stop
	registry *moderegistry.Registry
	records  moderegistry.Records
	store    session.Store
	// lang is the language of what is said about loops.
	lang protocol.Lang
}

// name is the command that runs this program. Texts that are measured or stored need it
// before the answer is printed.
func (s scene) name() string { return self.Name(s.req.Env.Getenv) }

// look finds the scene; ok is false if the working directory is gone or the session id
// must not be used in a path.
func look(req protocol.Request) (s scene, ok bool) {
	if req.Places().Root == "" || !session.ValidID(req.Input.SessionID) {
		return scene{}, false
	}
	s = scene{req: req, stop: req.Stop(), store: session.NewStore(req.Env.StateHome)}
	s.registry = moderegistry.Open(s.stop)
	s.records = s.registry.Records()
	return s, true
}

// refused describes the modes' directories that are links out of the project.
func (s scene) refused() (lines []string) {
	for _, dir := range s.registry.Refused() {
		lines = append(lines, fmt.Sprintf(s.lang.In("bridge 忽略 %s: %s。如果它属于本项目, 请把链接换成目录。", "bridge ignores %s: %s. If it belongs to this project, replace the link with a directory."), display.Place(dir.Path), display.Data(dir.Err.Error(), 400)))
	}
	return lines
}

func (s scene) key() session.Key {
	return session.Key{SessionID: s.req.Input.SessionID, Root: s.stop.Root}
}

// write is an optional write: if it fails, the user loses nothing.
func write(what string, do func() error) protocol.Write {
	return protocol.Write{What: what, Do: do, Optional: true}
}

// nothing is the outcome of a hook that has nothing to do.
func nothing(rule string) protocol.Outcome {
	return protocol.Outcome{Trace: protocol.Trace{Rule: rule}}
}
