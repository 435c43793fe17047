package protocol

import (
	"slices"
	"strings"
)

// KillSwitches are the environment's orders not to work (seed 004, section 2.5;
// design decision 6).
type KillSwitches struct {
	disabled bool
	skipped  []string
}

// ParseKillSwitches reads the values of DISABLE_OMC and OMC_SKIP_HOOKS.
func ParseKillSwitches(disable, skip string) KillSwitches {
	k := KillSwitches{disabled: disable == "1" || strings.EqualFold(disable, "true")}
	for token := range strings.SplitSeq(skip, ",") {
		if token = strings.TrimSpace(token); token == "" {
			continue
		}
		if hook, ok := ParseHook(token); ok {
			token = hook.Name
		}
		k.skipped = append(k.skipped, token)
	}
	return k
}

// Hook reports whether the whole hook is switched off: the type itself, or
// every step of the chain that it would carry out.
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
	if k.disabled || slices.Contains(k.skipped, string(t)) {
		return true
	}
	if t == SetupInit || t == SetupMaintenance {
		return slices.Contains(k.skipped, "setup")
	}
	steps := StepsOf(t)
	for _, step := range steps {
		if !k.Step(step) {
			return false
		}
	}
	return len(steps) > 0
}

// Step reports whether one step of the Stop chain is switched off.
func (k KillSwitches) Step(step StepName) bool {
	if k.disabled || slices.Contains(k.skipped, "stop") || slices.Contains(k.skipped, string(step)) {
		return true
	}
	switch step {
	case StepAutopilot, StepUltrawork:
		return slices.Contains(k.skipped, string(PersistentMode))
	case StepRalph, StepStopContinuation:
	}
	return false
}
