package router

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/protocol"
)

// Explanation is what a hook would do with an input, and why.
type Explanation struct {
	// Hook is the hook that was asked for; Type is the type that answered.
	Hook string        `json:"hook"`
	Type protocol.Type `json:"type"`
	// Off says that a kill switch applies; the input is not read in that case. Switches
	// are the variables that are set.
	Off      bool              `json:"off"`
	Switches map[string]string `json:"switches,omitempty"`
	// Input holds the fields on the whitelist; Dropped holds the names of the others
	// (sensitive types only).
	Input   jsontext.Value `json:"input,omitempty"`
	Dropped []string       `json:"dropped,omitempty"`
	// Step, Rule and Detail are the trace of the decision.
	Step     string            `json:"step,omitempty"`
	Rule     string            `json:"rule"`
	Detail   []protocol.Detail `json:"detail,omitempty"`
	Decision string            `json:"decision"`
	// Writes describes the changes that the hook would make, in a few words each.
	Writes []string `json:"writes,omitempty"`
	// Answer is what the hook would print; it is absent if the hook would print nothing.
	Answer jsontext.Value `json:"answer,omitempty"`
	// Failure says why the fail policy answers. Notes are lines for stderr.
	Failure string   `json:"failure,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// Explain does the same as Run up to the commit, but writes nothing: no state, ledger,
// debug log or lock file. It does not run the user's test command either. ok is false if
// value is not a hook.
func Explain(p Process, value string) (e Explanation, ok bool) {
	hook, ok := protocol.ParseHook(value)
	if !ok {
		return Explanation{}, false
	}
	var notes bytes.Buffer
	p.Stderr = &notes
	c := &call{p: p}
	c.begin(hook)
	c.req.Env.DryRun = true
	e.Hook = hook.Name
	for _, name := range []string{"DISABLE_OMC", "OMC_SKIP_HOOKS"} {
		if value := p.Getenv(name); value != "" {
			if e.Switches == nil {
				e.Switches = map[string]string{}
			}
			e.Switches[name] = value
		}
	}
	// The buffer has room for both results, as in Run.
	planned := make(chan answer, 2)
	c.watch = &watch{end: func() {}}
	c.deliver = func(a answer) {
		a.planned = whats(a.late)
		planned <- a
	}
	go func() {
		if c.switchedOff() {
			planned <- answer{output: idle(c.req.Hook.Row()), trace: protocol.Trace{Rule: "kill-switch"}}
			return
		}
		planned <- c.plan()
	}()
	a := <-planned
	e.Input, e.Dropped = whitelisted(c.req.Hook.Row(), c.req.Input), c.req.Audit
	e.Type, e.Off = c.req.Hook.Types[0], a.trace.Rule == "kill-switch" && a.err == nil
	a = c.settle(a)
	e.Step, e.Rule, e.Detail, e.Decision, e.Writes = a.trace.Step, a.trace.Rule, a.trace.Detail, decisionOf(a.output), a.planned
	if line, err := encode(a.output); err == nil {
		e.Answer = line
	}
	if a.err != nil {
		e.Failure = c.named(a.err.Error())
	}
	for i := range e.Detail {
		e.Detail[i].Value = c.named(e.Detail[i].Value)
	}
	for i := range e.Writes {
		e.Writes[i] = c.named(e.Writes[i])
	}
	if a.err != nil {
		c.complain(a.err)
	}
	for _, note := range a.notes {
		c.warn(note)
	}
	for line := range strings.Lines(notes.String()) {
		e.Notes = append(e.Notes, strings.TrimPrefix(strings.TrimSpace(line), "bridge: "))
	}
	if c.req.Env.Config.Smart.TestCommand != "" {
		e.Notes = append(e.Notes, "the test_command of the configuration is not run here; a real stop runs it when the model says that a task is done")
	}
	return e, true
}

// plan is answer without the commit.
func (c *call) plan() answer {
	handler, early := c.prepare()
	if handler == nil {
		return early
	}
	// A stop that was answered before would be recognised and answered from the record.
	// With a prompt id of its own it is decided again, from the current state.
	req := c.req
	req.Input.PromptID += " (explained)"
	return c.run(handler, req, planned)
}

// planned turns an outcome into an answer without writing anything.
func planned(outcome protocol.Outcome) answer {
	a := answer{output: outcome.Output, trace: outcome.Trace, planned: whats(append(slices.Clip(outcome.Writes), outcome.After...))}
	if outcome.Diagnostic != "" {
		a.notes = []string{outcome.Diagnostic}
	}
	return a
}

func whats(writes []protocol.Write) (names []string) {
	for _, write := range writes {
		names = append(names, write.What)
	}
	return names
}

// whitelisted returns the fields of an input as one object.
func whitelisted(row protocol.Row, in protocol.Input) jsontext.Value {
	var fields [][]byte
	for _, group := range row.Input(&in) {
		text, err := json.Marshal(group, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			continue
		}
		dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true))
		_, _ = dec.ReadToken() // the brace of what was just marshalled
		for dec.PeekKind() == '"' {
			name, _ := dec.ReadValue()
			name = name.Clone()
			value, err := dec.ReadValue()
			if err != nil {
				break
			}
			// A field of a different type has its zero value.
			if s := string(value); s == "false" || s == "0" || s == "{}" {
				continue
			}
			fields = append(fields, append(append(name, ": "...), value...))
		}
	}
	if fields == nil {
		return nil
	}
	return jsontext.Value("{" + string(bytes.Join(fields, []byte(", "))) + "}")
}
