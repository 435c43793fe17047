package specum

import (
	"github.com/hookbridge/bridge/protocol"
)

// Facts are what a stop of a spec is decided by.
type Facts struct {
	// Kind is the variant; Name and Path are the spec's, for people.
	Kind, Name, Path string
	Content          Content
	State            State
	Tasks            Tasks
	StopHookActive   bool
	// Signal is how clearly the turn says that all is done.
	Signal Signal
	// Strict is the user's strict_guard: within a turn that a hook continued every stop
	// is allowed (docs/reference/ralph-specum.md#row-12).
	Strict bool
	// Remembers is false when nothing can be remembered between two stops.
	Remembers bool
	Record    Record
}

// The rows of docs/reference/ralph-specum.md#decision in the order in which they are
// asked. Rows 1 to 4 are decided where the spec is looked for.
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

// maxIncomplete is how often in a row the same unchecked boxes are pointed out
// (docs/reference/ralph-specum.md#row-10).
const maxIncomplete = 3

// decide decides about one stop, and returns what is to be remembered. A message that
// is for once a session has the rule as its key. It is pure.
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
		// The coordinator removes the state before it reports; the report may take
		// another stop.
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
	// Without a record nobody counts against the limit, so a turn goes on once.
	yields := f.StopHookActive && (!f.Remembers || r.v.yields && (f.Strict || !r.record.Blocked || r.record.Progress == r.now))
	if f.State.Phase != PhaseExecution {
		return r.beforeExecution(yields)
	}
	stopped := r.line(r.stopped())
	d := r.execution(yields)
	d.Lines = append([]string{stopped}, d.Lines...)
	return d
}

// ruling is a decision in the making: the record changes on the way.
type ruling struct {
	words
	record Record
	now    Progress
}

// follow brings the record up to what the files say now.
func (r *ruling) follow() {
	if r.f.Content == Object {
		r.record.Epic = r.f.State.Epic
		r.record = r.record.follow(r.now, !r.f.StopHookActive)
	}
	if r.f.Content != Corrupt {
		r.record.SaidCorrupt = false
	} else if !r.record.SaidCorrupt && (r.record.Released == Idle || r.record.Released == Done) {
		// Somebody wrote the state since.
		r.record.Released = Held
	}
}

// block sends the model on, and counts.
func (r *ruling) block(rule string, reason, message string) protocol.Decision {
	r.record.Blocks++
	r.record.Blocked, r.record.Progress = true, r.now
	return protocol.Decision{Kind: protocol.Continue, Rule: rule, Reason: reason, Message: message}
}

// yield lets the turn end and keeps what was counted.
func (r *ruling) yield(rule string, lines ...string) protocol.Decision {
	return protocol.Decision{Kind: protocol.Allow, Rule: rule, Lines: lines}
}

// release lets the spec go: what has nothing more to say must not keep another
// loop of the session from its turn.
func (r *ruling) release(why Release, rule string, lines ...string) protocol.Decision {
	r.record.Released, r.record.ReleasedAt = why, r.now
	return r.yield(rule, lines...)
}

// corruptState tells the model of a state that cannot be read, once.
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

// atLimit reports whether a limit is reached, and whether it is only our own count.
// One that was told of and raised since, or that somebody's prompt ended, begins anew.
func (r *ruling) atLimit() (limit, counted bool) {
	limit, counted = r.f.atLimit(r.record)
	if r.record.SaidLimit && (!limit || counted && !r.f.StopHookActive) {
		r.record.SaidLimit, r.record.Blocks = false, 0
		limit = limit && !counted
	}
	return limit, counted
}

// limitReached tells the model of the limit, once.
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

// beforeExecution decides in the phases in which quick mode alone goes on.
func (r *ruling) beforeExecution(yields bool) protocol.Decision {
	switch {
	case !r.v.gates || !r.f.State.QuickMode:
		return r.yield(RuleGone)
	case yields:
		return r.yield(RuleQuickActive, r.line("stop_hook_active=true, allowing stop in quick mode to prevent re-invocation loop"))
	}
	reason, message := r.quick()
	return r.block(RuleQuick, reason, message)
}

// execution decides while tasks are carried out.
func (r *ruling) execution(yields bool) protocol.Decision {
	state := r.f.State
	switch {
	case state.TotalTasks == 0:
		return r.release(Idle, RuleNoTasks)
	case state.TaskIndex >= state.TotalTasks:
		return r.allDone()
	case r.v.approval && state.Awaiting:
		return r.yield(RuleApproval, r.line("awaitingApproval=true, allowing stop for user gate"))
	case yields:
		return r.yield(RuleNoProgress, r.line("stop_hook_active=true, skipping continuation to prevent re-invocation loop"))
	}
	r.record.Incomplete = 0
	reason, message := r.next()
	return r.block(RuleContinue, reason, message)
}

// allDone decides when the state says that every task is done: tasks.md has to say
// the same.
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

// completed reports whether the coordinator's word counts: where the files say the
// same, and a statement also where tasks.md has nothing open.
func (f Facts) completed() bool {
	return f.Signal != Unsaid && !f.remain() || f.Signal == Stated && f.Tasks.Unchecked == 0 && !f.Tasks.Unread
}

// remain reports whether the files say that there is something to do, or do not
// say that there is nothing.
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

// atLimit reports whether the spec ran to its limit; counted says that only our own
// count did. The counter in the file is advanced by the model alone
// (docs/reference/ralph-specum.md#defect-9). A limit of 0 is none.
func (f Facts) atLimit(r Record) (limit, counted bool) {
	if f.State.MaxGlobal == 0 {
		return false, false
	}
	if f.State.GlobalIteration >= f.State.MaxGlobal {
		return true, false
	}
	return r.Blocks >= f.State.MaxGlobal, true
}

// follow takes note of what the coordinator did since: it may have begun anew, or
// gone on after the loop was let go. To begin anew takes a prompt: a coordinator
// that goes to and fro by itself must not run for ever.
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
