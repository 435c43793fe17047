package specum

import (
	"github.com/hookbridge/bridge/protocol"
)

// Facts are the input of a decision about a stop.
type Facts struct {
	// Kind is the variant. Name and Path name the spec in messages.
	Kind, Name, Path string
	Content          Content
	State            State
	Tasks            Tasks
	StopHookActive   bool
	// Signal is how clearly the turn says that all is done.
	Signal Signal
	// Strict is the user's strict_guard: every stop within a turn that a hook continued
	// is allowed (docs/reference/ralph-specum.md#row-12).
	Strict bool
	// Remembers is false if no record can be kept from one stop to the next.
	Remembers bool
	Record    Record
}

// The rules, numbered by the rows of docs/reference/ralph-specum.md#decision and listed
// in the order in which they are checked. Rows 1 to 4 are checked where the spec is
// looked for.
const (
	RuleGone          = "state-gone"         // 3
	RuleComplete      = "all-tasks-complete" // 5
	RuleReleased      = "released"           //
	RuleCorrupt       = "corrupt-state"      // 6
	RuleCorruptSaid   = "corrupt-state-said" // 6, docs/design.md#say-once
	RuleLimit         = "max-iterations"     // 7
	RuleLimitSaid     = "max-iterations-said"
	RuleQuick         = "quick-mode" // 8
	RuleQuickActive   = "quick-mode-no-progress"
	RuleIncomplete    = "unchecked-tasks" // 10
	RuleIncompleteMax = "unchecked-tasks-said"
	RuleVerified      = "all-tasks-checked"
	RuleNoTasks       = "no-tasks"
	RuleApproval      = "awaiting-approval" // 11
	RuleNoProgress    = "no-progress"       // 12, docs/design.md#budgets
	RuleContinue      = "continue"          // 13
)

// maxIncomplete is how many times in a row the same unchecked boxes are pointed out
// (docs/reference/ralph-specum.md#row-10).
const maxIncomplete = 3

// decide is a pure function that decides about one stop and returns the record to keep. A
// message that is shown once a session has its rule as the key.
func decide(v variant, f Facts) (protocol.Decision, Record) {
	r := ruling{words: words{v, f}, record: f.Record, now: progressOf(f.State, f.Tasks)}
	r.follow()
	d := r.decide()
	return d, r.record
}

func (r *ruling) decide() protocol.Decision {
	f := r.f
	switch {
	case f.completed():
		d := r.release(Done, RuleComplete, r.line("ALL_TASKS_COMPLETE detected in transcript"))
		d.Message = r.completeDespite()
		return d
	case f.Content == Gone:
		// The coordinator removes the state before it reports, so the report may come at
		// a later stop.
		return r.yield(RuleGone)
	case f.Content == Nothing:
		return r.yield(RuleGone)
	case r.record.Released != Held:
		return r.yield(RuleReleased)
	case f.Content == Corrupt:
		return r.corruptState()
	}
	if limit, counted := r.atLimit(); limit {
		return r.limitReached(counted)
	}
	// Without a record nothing counts towards the limit, so a turn is continued only
	// once.
	yields := f.StopHookActive && (!f.Remembers || r.v.yields && (f.Strict || !r.record.Blocked || r.record.Progress == r.now))
	if f.State.Phase != PhaseExecution {
		return r.beforeExecution(yields)
	}
	stopped := r.line(r.stopped())
	d := r.execution(yields)
	d.Lines = append([]string{stopped}, d.Lines...)
	return d
}

// ruling is a decision in progress; the record changes along the way.
type ruling struct {
	words
	record Record
	now    Progress
}

// follow updates the record with what the files show.
func (r *ruling) follow() {
	if r.f.Content == Object {
		r.record.Epic = r.f.State.Epic
		r.record = r.record.follow(r.now, !r.f.StopHookActive)
	}
	if r.f.Content != Corrupt {
		r.record.SaidCorrupt = false
	} else if !r.record.SaidCorrupt && (r.record.Released == Idle || r.record.Released == Done) {
		// The state was written since.
		r.record.Released = Held
	}
}

// block sends the model back to work and counts that.
func (r *ruling) block(rule string, reason, message string) protocol.Decision {
	r.record.Blocks++
	r.record.Blocked, r.record.Progress = true, r.now
	return protocol.Decision{Kind: protocol.Continue, Rule: rule, Reason: reason, Message: message}
}

// yield lets the turn end and keeps the counters.
func (r *ruling) yield(rule string, lines ...string) protocol.Decision {
	return protocol.Decision{Kind: protocol.Allow, Rule: rule, Lines: lines}
}

// release lets go of the spec: a spec about which there is nothing more to say must not
// keep another loop of the session from acting.
func (r *ruling) release(why Release, rule string, lines ...string) protocol.Decision {
	r.record.Released, r.record.ReleasedAt = why, r.now
	return r.yield(rule, lines...)
}

// corruptState tells the model once that the state cannot be read.
func (r *ruling) corruptState() protocol.Decision {
	line := r.line("ERROR: Corrupt state file at " + r.statePath())
	if r.record.SaidCorrupt || !r.f.Remembers && r.f.StopHookActive {
		d := r.release(Idle, RuleCorruptSaid, line)
		d.Message, d.MessageKey = r.corruptNotice(), d.Rule
		return d
	}
	r.record.SaidCorrupt = true
	reason, message := r.corrupt()
	return protocol.Decision{Kind: protocol.Continue, Rule: RuleCorrupt, Reason: reason, Message: message, Lines: []string{line}}
}

// atLimit reports whether a limit is reached, and whether only our own count says so.
// Counting starts again if the limit was raised after the model was told about it, or if
// a new prompt ended the run.
func (r *ruling) atLimit() (limit, counted bool) {
	limit, counted = r.f.atLimit(r.record)
	if r.record.SaidLimit && (!limit || counted && !r.f.StopHookActive) {
		r.record.SaidLimit, r.record.Blocks = false, 0
		limit = limit && !counted
	}
	return limit, counted
}

// limitReached tells the model about the limit, once.
func (r *ruling) limitReached(counted bool) protocol.Decision {
	lines := r.limitLines()
	if r.record.SaidLimit || !r.f.Remembers && r.f.StopHookActive {
		d := r.release(Idle, RuleLimitSaid, lines...)
		d.Message, d.MessageKey = r.limitNotice(), d.Rule
		return d
	}
	r.record.SaidLimit = true
	reason, message := r.limit(counted, r.record.Blocks)
	return protocol.Decision{Kind: protocol.Continue, Rule: RuleLimit, Reason: reason, Message: message, Lines: lines}
}

// beforeExecution decides in the phases before execution, where only quick mode
// continues.
func (r *ruling) beforeExecution(yields bool) protocol.Decision {
	switch {
	case !r.v.gates || !r.f.State.QuickMode:
		return r.yield(RuleGone)
	case yields:
		d := r.yield(RuleQuickActive, r.line("stop_hook_active=true, allowing stop in quick mode to prevent re-invocation loop"))
		d.Message = r.allowed(r.record.Blocked)
		return d
	}
	reason, message := r.quick()
	return r.block(RuleQuick, reason, message)
}

// execution decides while tasks are carried out.
func (r *ruling) execution(yields bool) protocol.Decision {
	state := r.f.State
	switch {
	case state.TotalTasks == 0:
		d := r.release(Idle, RuleNoTasks)
		d.Message, d.MessageKey = r.noTasks(), d.Rule
		return d
	case state.TaskIndex >= state.TotalTasks:
		return r.allDone()
	case r.v.approval && state.Awaiting:
		return r.yield(RuleApproval, r.line("awaitingApproval=true, allowing stop for user gate"))
	case yields:
		d := r.yield(RuleNoProgress, r.line("stop_hook_active=true, skipping continuation to prevent re-invocation loop"))
		d.Message = r.allowed(r.record.Blocked)
		return d
	}
	r.record.Incomplete = 0
	reason, message := r.next()
	return r.block(RuleContinue, reason, message)
}

// allDone decides if the state says that every task is done. tasks.md has to agree.
func (r *ruling) allDone() protocol.Decision {
	unchecked := r.f.Tasks.Unchecked
	if !r.v.gates || unchecked == 0 {
		r.record.Incomplete = 0
		return r.release(Done, RuleVerified, r.line("All tasks verified complete for "+r.f.Name))
	}
	if r.record.Unchecked != unchecked {
		r.record.Incomplete, r.record.Unchecked = 0, unchecked
	}
	if r.record.Incomplete >= maxIncomplete || !r.f.Remembers && r.f.StopHookActive {
		d := r.release(Idle, RuleIncompleteMax, r.line("tasks.md still has unchecked items; allowing stop"))
		d.Message, d.MessageKey = r.incompleteNotice(r.record.Incomplete), d.Rule
		return d
	}
	r.record.Incomplete++
	reason, message := r.incomplete()
	return r.block(RuleIncomplete, reason, message)
}

// completed reports whether the completion token counts: if the files agree, or, for a
// clear statement, if tasks.md has no open box.
func (f Facts) completed() bool {
	return f.Signal != Unsaid && !f.remain() || f.Signal == Stated && f.Tasks.Unchecked == 0 && !f.Tasks.Unread
}

// remain reports whether the files say that work is left, or do not say that all work is done.
func (f Facts) remain() bool {
	switch f.Content {
	case Corrupt:
		return f.Tasks.Unchecked > 0
	case Gone, Nothing:
		return false
	case Object:
	}
	through := f.State.TotalTasks > 0 && f.State.TaskIndex >= f.State.TotalTasks
	ticked := len(f.Tasks.List) > 0 && f.Tasks.Unchecked == 0
	return f.State.Phase != PhaseExecution || !through && !ticked
}

// atLimit reports whether the spec reached its limit; counted says that only our own
// count reached it. Only the model advances the counter in the file
// (docs/reference/ralph-specum.md#defect-9). A limit of 0 means no limit.
func (f Facts) atLimit(r Record) (limit, counted bool) {
	if f.State.MaxGlobal == 0 {
		return false, false
	}
	if f.State.GlobalIteration >= f.State.MaxGlobal {
		return true, false
	}
	return r.Blocks >= f.State.MaxGlobal, true
}

// follow records what the coordinator did since the last stop: it may have started over,
// or continued after the loop was released. Starting over counts only after a prompt, so
// that a coordinator that alternates between two states by itself cannot run for ever.
func (r Record) follow(now Progress, prompted bool) Record {
	if r.Blocked && prompted && now.wentBack(r.Progress) {
		r.Blocks, r.SaidLimit, r.Incomplete = 0, false, 0
	}
	switch {
	case (r.Released == Idle || r.Released == Done) && now != r.ReleasedAt,
		r.Released == Cancelled && prompted && now.wentBack(r.ReleasedAt):
		r.Released = Held
	}
	return r
}
