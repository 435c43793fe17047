package protocol

// AppendJSON appends the output as one object on one line. Spaces follow colons and
// commas, because other tools look for `"decision": "block"`. It fails if an updated
// input is not valid JSON. beside, which may be nil, writes the members that a client
// reads beside the event's part.
func (o Output) AppendJSON(dst []byte, beside func(HookSpecific, *ObjectWriter)) ([]byte, error) {
	w := WriteObject(dst, " ")
	if o.Continue != nil {
		w.Bool("continue", *o.Continue)
	}
	w.Some("stopReason", o.StopReason)
	w.Some("decision", o.Decision)
	w.Some("reason", o.Reason)
	w.Some("systemMessage", o.SystemMessage)
	if o.HookSpecific != nil {
		if beside != nil {
			beside(o.HookSpecific, &w)
		}
		w.Object("hookSpecificOutput", o.HookSpecific.members)
	}
	return w.End()
}

func (c ContextOutput) members(w *ObjectWriter) {
	w.Text("hookEventName", string(c.HookEventName))
	w.Some("additionalContext", c.AdditionalContext)
}

func (p PreToolUseOutput) members(w *ObjectWriter) {
	w.Text("hookEventName", string(p.HookEventName))
	w.Some("permissionDecision", p.PermissionDecision)
	w.Some("permissionDecisionReason", p.Reason)
	w.Value("updatedInput", p.UpdatedInput)
	w.Some("additionalContext", p.AdditionalContext)
}

func (p PermissionRequestOutput) members(w *ObjectWriter) {
	w.Text("hookEventName", string(p.HookEventName))
	w.Object("decision", func(w *ObjectWriter) {
		w.Text("behavior", p.Decision.Behavior)
		w.Some("message", p.Decision.Message)
		w.Value("updatedInput", p.Decision.UpdatedInput)
	})
}
