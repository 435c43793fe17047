package router

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/recording"
	"github.com/hookbridge/bridge/internal/debuglog"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// decision is the result of a call.
type decision struct {
	answer
	req     protocol.Request
	payload []byte
	// size is how many bytes were printed.
	size    int
	took    time.Duration
	version string
}

// sink receives a decision after the answer was printed.
type sink interface{ note(decision) }

// sinks are the receivers of an answer. Most calls have nothing to say and no receivers.
func (c *call) sinks(a answer) (list []sink) {
	home := c.req.Env.StateHome
	if home != "" && (a.unprinted || a.err != nil || a.trace.Noted || !a.output.IsSilent()) {
		list = append(list, ledgerSink{func(err error) { c.log.Step("ledger refused", debuglog.Error(err)) }})
	}
	if c.log != nil {
		list = append(list, logSink{c.log})
	}
	if c.req.Env.Config.Record && len(c.text) > 0 && !a.unprinted {
		list = append(list, recordSink{func(err error) {
			c.warn(fmt.Sprintf("%v. The answer is not affected; check the disk and the permissions of that path.", err))
		}})
	}
	return list
}

// note informs the sinks.
func (c *call) note(to []sink, a answer, size int) {
	d := decision{a, c.req, c.text, size, c.p.Now().Sub(c.req.Env.Now), c.p.Version}
	for _, s := range to {
		s.note(d)
	}
}

// recordSink records the call, if the user's configuration asks for that.
type recordSink struct{ report func(error) }

func (s recordSink) note(d decision) {
	out, err := encode(d.output)
	if err == nil {
		err = recording.Save(d.req.Env.StateHome, recording.Recording{
			Hook: d.req.Hook.Name, Time: d.req.Env.Now, Version: d.version, Rule: d.trace.Rule, Input: d.payload, Output: out,
		})
	}
	if err != nil {
		s.report(err)
	}
}

// logSink writes the steps and the result to the debug log.
type logSink struct{ log *debuglog.Logger }

func (s logSink) note(d decision) {
	fields := []debuglog.Field{
		debuglog.String("decision_step", d.trace.Step), debuglog.String("rule", d.trace.Rule),
		debuglog.String("decision", decisionOf(d.output)), debuglog.String("reason", d.output.Reason),
		debuglog.String("system_message", d.output.SystemMessage),
		debuglog.Duration("duration_us", d.took), debuglog.Error(errors.Join(d.err, d.writeErr)),
	}
	for _, detail := range d.trace.Detail {
		fields = append(fields, debuglog.String(detail.Name, detail.Value))
	}
	s.log.Step("answered", fields...)
}

// ledgerSink writes every answer that is not silent, failed or is to be noted, to the ledger, and
// whether it could be printed. It also updates the index of projects.
type ledgerSink struct{ report func(error) }

func (s ledgerSink) note(d decision) {
	if d.unprinted {
		d.output, d.trace.Rule = protocol.Silent(), "unprinted"
	}
	// A hook that failed may have met a hanging disk, and its line in the ledger must not
	// wait for that disk.
	var places protocol.Places
	if d.err == nil || d.trace.Rule == ruleWriteFailed {
		places = d.req.Places()
	}
	id := ""
	if places.Root != "" {
		id = project.ID(places.Root)
	}
	client := d.req.Input.Client
	if client == protocol.ClientClaude {
		client = "claude"
	}
	ledger.Ledger{Dir: filepath.Join(d.req.Env.StateHome, "ledger"), Report: s.report}.Append(ledger.Entry{
		Time:        d.req.Env.Now,
		Session:     d.req.Input.SessionID,
		Type:        d.req.Hook.Types[0],
		Event:       d.req.Input.HookEventName,
		Step:        d.trace.Step,
		Decision:    decisionOf(d.output),
		Rule:        d.trace.Rule,
		InputBytes:  len(d.payload),
		OutputBytes: d.size,
		Duration:    d.took,
		PID:         os.Getpid(),
		Version:     d.version,
		Project:     id,
		Client:      string(client),
		Loop:        d.trace.Loop,
		Iteration:   d.trace.Iteration,
		Prompt:      d.req.Input.PromptID,
		ToolUse:     d.req.Input.Tool.ToolUseID,
	})
	if id == "" {
		return
	}
	if err := project.Note(d.req.Env.StateHome, places, d.trace.Loop, d.req.Env.Now); err != nil {
		s.report(err)
	}
}

// decisionOf returns the kind of decision in an output.
func decisionOf(out protocol.Output) string {
	if out.Decision != "" {
		return out.Decision
	}
	switch specific := out.HookSpecific.(type) {
	case protocol.PermissionRequestOutput:
		return specific.Decision.Behavior
	case protocol.PreToolUseOutput:
		if specific.PermissionDecision != "" {
			return specific.PermissionDecision
		}
		return "context"
	case protocol.ContextOutput:
		return "context"
	}
	switch {
	case out.Continue != nil:
		return "continue"
	case out.IsSilent():
		return "silent"
	}
	return "notice"
}
