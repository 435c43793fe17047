package protocol

import "slices"

// Hook is a value of --hook: a type, or a name that stands for several. A
// chain event is answered by several types at once; setup is one of two, picked
// by the input's trigger.
type Hook struct {
	// Name is the value in its canonical spelling.
	Name string
	// Types are the types behind the name, in the order in which they act.
	Types []Type
}

// ParseHook resolves a --hook value: one of the fifteen types, "stop" for the
// whole chain, an event's natural name in kebab case, or the client's own
// spelling of the event (design decision 5).
func ParseHook(value string) (hook Hook, ok bool) {
	switch value {
	case "stop", "Stop":
		return Hook{"stop", []Type{Ralph, PersistentMode, StopContinuation}}, true
	case "setup", "Setup":
		return Hook{"setup", []Type{SetupInit, SetupMaintenance}}, true
	}
	t := Type(value)
	switch value {
	case "user-prompt-submit", "UserPromptSubmit":
		t = KeywordDetector
	case "post-tool-use-failure", "PostToolUse", "PostToolUseFailure":
		t = PostToolUse
	case "SessionStart":
		t = SessionStart
	case "SessionEnd":
		t = SessionEnd
	case "PreToolUse":
		t = PreToolUse
	case "SubagentStart":
		t = SubagentStart
	case "SubagentStop":
		t = SubagentStop
	case "PreCompact":
		t = PreCompact
	case "PermissionRequest":
		t = PermissionRequest
	}
	if _, ok := Lookup(t); !ok {
		return Hook{}, false
	}
	return Hook{string(t), []Type{t}}, true
}

// Row returns the row that decides deadline and fail policy for the hook. The
// types behind one name never differ in either.
func (h Hook) Row() Row {
	row, _ := Lookup(h.Types[0])
	return row
}

// Pick narrows the hook "setup" to the type that the trigger names. Other hooks
// stay as they are.
func (h Hook) Pick(trigger string) Hook {
	if h.Name != "setup" {
		return h
	}
	t := SetupInit
	if trigger == "maintenance" {
		t = SetupMaintenance
	}
	return Hook{string(t), []Type{t}}
}

// NamesOf returns the --hook values that call the type, its own name first.
func NamesOf(t Type) []string {
	names := []string{string(t)}
	for _, name := range []string{"stop", "setup", "user-prompt-submit", "post-tool-use-failure", "Stop", "Setup", "UserPromptSubmit",
		"SessionStart", "SessionEnd", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart", "SubagentStop", "PreCompact", "PermissionRequest"} {
		if hook, ok := ParseHook(name); ok && slices.Contains(hook.Types, t) {
			names = append(names, name)
		}
	}
	return names
}
