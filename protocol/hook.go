package protocol

import "slices"

// Hook is a value of --hook: a type, or a name that stands for several types. Several types answer a Stop together. For
// setup, the trigger in the input selects one of two types.
type Hook struct {
	// Name is the value in its canonical spelling.
	Name string
	// Types are the types that the name selects, in the order in which they act.
	Types []Type
}

// ParseHook resolves a value of --hook: one of the fifteen types, "stop" for the whole
// chain, the name of an event in kebab case, or the client's own spelling of the event
// (docs/design.md#hook-names).
func ParseHook(value string) (hook Hook, ok bool) {
	for i := range table {
		row := &table[i]
		switch {
		case string(row.Type) == value:
			return Hook{value, []Type{row.Type}}, true
		case !slices.Contains(row.Aliases, value):
			if hook.Types != nil {
				// The types of one name are next to each other.
				return hook, true
			}
		case hook.Types == nil:
			hook = Hook{string(row.Type), []Type{row.Type}}
		default:
			hook = Hook{row.Aliases[0], append(hook.Types, row.Type)}
		}
	}
	return hook, hook.Types != nil
}

// HookNames lists the values of --hook.
func HookNames() (names []string) {
	for i := range table {
		row := &table[i]
		for _, name := range append([]string{string(row.Type)}, row.Aliases...) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Row returns the row that decides the deadline and the fail policy of the hook. They are
// the same for all types of one name.
func (h Hook) Row() Row {
	row, _ := Lookup(h.Types[0])
	return row
}

// Pick narrows a hook whose type depends on the trigger to that type. Other hooks stay as
// they are.
func (h Hook) Pick(trigger string) Hook {
	if len(h.Types) == 1 || h.Row().Trigger == "" {
		return h
	}
	picked := h.Types[0]
	for _, t := range h.Types {
		if row, _ := Lookup(t); row.Trigger == trigger {
			picked = t
		}
	}
	return Hook{string(picked), []Type{picked}}
}
