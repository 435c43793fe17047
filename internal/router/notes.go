package router

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/debuglog"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/recording"
)

// keep records the call where the user's configuration asks for it.
func (c *call) keep(a answer) {
	if !c.config.Record || len(c.text) == 0 {
		return
	}
	out, err := encode(a.output)
	if err == nil {
		err = recording.Save(project.StateHome(c.p.Getenv), recording.Recording{
			Hook: c.hook.Name, Time: c.started, Version: c.p.Version, Rule: a.trace.Rule, Input: c.text, Output: out,
		})
	}
	if err != nil {
		c.warn(fmt.Sprintf("%v. The answer is not affected; check the disk and the permissions of that place.", err))
	}
}

// logAnswer writes the branches that were taken and what came of them.
func (c *call) logAnswer(a answer) {
	if c.log == nil {
		return
	}
	fields := []debuglog.Field{
		debuglog.String("decision_step", a.trace.Step), debuglog.String("rule", a.trace.Rule),
		debuglog.String("decision", decisionOf(a.output)), debuglog.String("reason", a.output.Reason),
		debuglog.String("system_message", a.output.SystemMessage),
		debuglog.Duration("duration_us", c.p.Now().Sub(c.started)), debuglog.Error(errors.Join(a.err, a.writeErr)),
	}
	for _, d := range a.trace.Detail {
		fields = append(fields, debuglog.String(d.Name, d.Value))
	}
	c.log.Step("answered", fields...)
}

// record notes every answer that is not silent.
func (c *call) record(a answer, size int) {
	if a.output.IsSilent() {
		return
	}
	stateHome := project.StateHome(c.p.Getenv)
	if stateHome == "" {
		return
	}
	report := func(err error) { c.log.Step("ledger refused", debuglog.Error(err)) }
	ledger.Ledger{Dir: filepath.Join(stateHome, "ledger"), Report: report}.Append(ledger.Entry{
		Time:        c.started,
		Session:     c.input.SessionID,
		Type:        c.hook.Types[0],
		Event:       c.input.HookEventName,
		Step:        a.trace.Step,
		Decision:    decisionOf(a.output),
		Rule:        a.trace.Rule,
		InputBytes:  c.inputBytes,
		OutputBytes: size,
		Duration:    c.p.Now().Sub(c.started),
		PID:         os.Getpid(),
		Version:     c.p.Version,
	})
}

// decisionOf names what an output decides.
func decisionOf(out hooks.Output) string {
	switch specific := out.HookSpecific.(type) {
	case hooks.PermissionRequestOutput:
		return specific.Decision.Behavior
	case hooks.PreToolUseOutput:
		if specific.PermissionDecision != "" {
			return specific.PermissionDecision
		}
		return "context"
	case hooks.ContextOutput:
		return "context"
	}
	switch {
	case out.Decision != "":
		return out.Decision
	case out.Continue != nil:
		return "continue"
	case out.IsSilent():
		return "silent"
	}
	return "notice"
}
