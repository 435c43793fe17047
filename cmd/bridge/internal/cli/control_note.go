package cli

import (
	"os"
	"path/filepath"

	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/protocol"
)

// noteCommand adds a line to the ledger: a command has changed the loop.
func noteCommand(app *App, verb string, st protocol.Status) {
	stop := app.stop()
	if stop.Env.StateHome == "" || stop.Root == "" {
		return
	}
	kept := ledger.Ledger{Dir: filepath.Join(stop.Env.StateHome, "ledger"), Report: func(err error) { app.complain("bridge: %v\n", err) }}
	kept.Append(ledger.Entry{
		Time: app.Now(), Session: st.SessionID, Type: ledger.Command, Decision: verb, Rule: verb, PID: os.Getpid(), Version: self.Version,
		Project: project.ID(stop.Root), Loop: st.Kind, Iteration: st.Iteration,
	})
}

// keptPromise reports whether the ledger says that a loop ended because it kept its promise.
func keptPromise(env protocol.Env, root string, st protocol.Status) bool {
	if st.State != protocol.LoopEnded || st.Kind != "loop" {
		return false
	}
	last, ok := endingsOf(env, root).of[[2]string{st.Kind, st.SessionID}]
	// An older line is about another loop of the session.
	return ok && last.Rule == "promise" && last.Session == st.SessionID && !last.Time.Before(st.StartedAt)
}
