package hooks

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends the output as one object on one line. Spaces follow colons and
// commas because other tools look for `"decision": "block"`. An error says that an
// updated input is no JSON. What reflection would do here it would do first of all
// in a process that ends at once: that costs a quarter of a start.
func (o Output) AppendJSON(dst []byte) ([]byte, error) {
	w := object{dst: append(dst, '{')}
	if o.Continue != nil {
		w.name("continue")
		w.dst = strconv.AppendBool(w.dst, *o.Continue)
	}
	w.text("stopReason", o.StopReason)
	w.text("decision", o.Decision)
	w.text("reason", o.Reason)
	w.text("systemMessage", o.SystemMessage)
	if o.HookSpecific != nil {
		w.object("hookSpecificOutput", o.HookSpecific.members)
	}
	return append(w.dst, '}'), w.err
}

func (c ContextOutput) members(w *object) {
	w.required("hookEventName", string(c.HookEventName))
	w.text("additionalContext", c.AdditionalContext)
}

func (p PreToolUseOutput) members(w *object) {
	w.required("hookEventName", string(p.HookEventName))
	w.text("permissionDecision", p.PermissionDecision)
	w.text("permissionDecisionReason", p.Reason)
	w.value("updatedInput", p.UpdatedInput)
	w.text("additionalContext", p.AdditionalContext)
}

func (p PermissionRequestOutput) members(w *object) {
	w.required("hookEventName", string(p.HookEventName))
	w.object("decision", func(w *object) {
		w.required("behavior", p.Decision.Behavior)
		w.text("message", p.Decision.Message)
		w.value("updatedInput", p.Decision.UpdatedInput)
	})
}

// object is the text of a JSON object that is being written.
type object struct {
	dst []byte
	err error
}

func (w *object) name(name string) {
	if w.dst[len(w.dst)-1] != '{' {
		w.dst = append(w.dst, ", "...)
	}
	w.dst = append(w.dst, '"')
	w.dst = append(w.dst, name...)
	w.dst = append(w.dst, `": `...)
}

// text writes a member that is left out when it is empty.
func (w *object) text(name, value string) {
	if value != "" {
		w.required(name, value)
	}
}

// required writes a member. Bytes that are no UTF-8 become U+FFFD; that they were
// there is all that the error would say.
func (w *object) required(name, value string) {
	w.name(name)
	w.dst, _ = jsontext.AppendQuote(w.dst, value)
}

// value writes a member that is JSON already; an empty one is left out.
func (w *object) value(name string, value jsontext.Value) {
	if len(value) == 0 {
		return
	}
	w.name(name)
	dst, err := jsontext.AppendFormat(w.dst, value, jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		w.err = err
		return
	}
	w.dst = dst
}

func (w *object) object(name string, members func(*object)) {
	w.name(name)
	w.dst = append(w.dst, '{')
	members(w)
	w.dst = append(w.dst, '}')
}
