package protocol

import (
	"slices"
	"strings"
)

// KillSwitches are the kill switches in the environment
// (docs/reference/hook-standard.md#kill-switches; docs/design.md#kill-switches).
type KillSwitches struct {
	disabled bool
	types    []Type
	steps    []StepName
}

// ParseKillSwitches reads the values of DISABLE_OMC and OMC_SKIP_HOOKS.
func ParseKillSwitches(disable, skip string) KillSwitches {
	k := KillSwitches{disabled: disable == "1" || strings.EqualFold(disable, "true")}
	for token := range strings.SplitSeq(skip, ",") {
		if token = strings.TrimSpace(token); token == "" {
			continue
		}
		k.steps = append(k.steps, StepName(token))
		hook, _ := ParseHook(token)
		for _, t := range hook.Types {
			row, _ := Lookup(t)
			k.types, k.steps = append(k.types, t), append(k.steps, row.Steps...)
		}
	}
	return k
}

// Hook reports whether the whole hook is switched off: its type, or every step of the
// chain that it would run.
func (k KillSwitches) Hook(h Hook) bool {
	if k.disabled {
		return true
	}
	for _, t := range h.Types {
		if !k.Type(t) {
			return false
		}
	}
	return true
}

// Type reports whether one type is switched off.
func (k KillSwitches) Type(t Type) bool {
	if k.disabled || slices.Contains(k.types, t) {
		return true
	}
	row, _ := Lookup(t)
	for _, step := range row.Steps {
		if !k.Step(step) {
			return false
		}
	}
	return len(row.Steps) > 0
}

// Step reports whether one step of the Stop chain is switched off.
func (k KillSwitches) Step(step StepName) bool {
	return k.disabled || slices.Contains(k.steps, step)
}
