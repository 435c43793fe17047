package lifecycle

import (
	"context"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// StopFailure records the error of the API that ended a turn. The loop stays as it is and
// continues at the next stop: nobody can work against a limit, so nothing is counted. The
// client ignores the output of this event.
func StopFailure(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
	fields, ok := req.Input.Own.(*protocol.StopFailureFields)
	if !ok || !session.ValidID(req.Input.SessionID) {
		return nothing("no-place"), nil
	}
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "api-error", Noted: true}}
	failure := session.Failure{Error: word(fields.Error), At: req.Env.Now}
	if failure.Resets = claude.Reset(fields.LastAssistantMessage); failure.Resets == "" {
		failure.Resets = claude.Reset(fields.ErrorDetails)
	}
	outcome.Trace.Add("error", failure.Error)
	if req.Input.AgentID != "" {
		// The turn of the session itself continues.
		outcome.Trace.Rule = "api-error-of-a-subagent"
		return outcome, nil
	}
	store := session.NewStore(req.Env.StateHome)
	key := session.Key{SessionID: req.Input.SessionID, Root: req.Places().Root}
	outcome.Writes = []protocol.Write{write("record the error of the API", func() error { return store.SaveFailure(key, failure) })}
	return outcome, nil
}

// word is the client's word for an error. Anything else than a word may be text.
func word(s string) string {
	if s == "" || len(s) > 40 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return "unknown"
	}
	return s
}

// Note records an event about which nothing is decided: the ledger gets a line that
// explains what happened between two decisions.
func Note(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
	return protocol.Outcome{Trace: protocol.Trace{Rule: string(req.Hook.Types[0]), Noted: true}}, nil
}
