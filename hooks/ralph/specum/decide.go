package specum

import (
	"github.com/hookbridge/bridge/hooks"
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
	// Strict is the user's strict_guard: within a turn that a hook continued every
	// stop is allowed, as seed 001 has it.
	Strict bool
	// Remembers is false when nothing can be remembered between two stops.
	Remembers bool
	Record    Record
}

// Verdict is what Decide found.
type Verdict struct {
	Kind hooks.DecisionKind
	// Rule names the row of the decision tree.
	Rule            Rule
	Reason, Message string
	// Once says that Message is for once a session.
	Once bool
	// Lines are for stderr.
	Lines []string
	// Completes says that the spec is done: its epic and the index are brought up
	// to date.
	Completes bool
	// Record is what is to be remembered.
	Record Record
}

// Rule is a row of the decision tree of spec/ralph-dialects.md, section 3.3. Rows
// 0 to 4 are decided where the spec is looked for.
type Rule string

// The rows. Their order is the order in which they are asked.
const (
	RuleGone          Rule = "state-gone"         // 3
	RuleComplete      Rule = "all-tasks-complete" // 5
	RuleReleased      Rule = "released"           //
	RuleCorrupt       Rule = "corrupt-state"      // 6
	RuleCorruptSaid   Rule = "corrupt-state-said" // 6, by design decision 13
	RuleLimit         Rule = "max-iterations"     // 7
	RuleLimitSaid     Rule = "max-iterations-said"
	RuleQuick         Rule = "quick-mode" // 8
	RuleQuickActive   Rule = "quick-mode-no-progress"
	RuleIncomplete    Rule = "unchecked-tasks" // 10
	RuleIncompleteMax Rule = "unchecked-tasks-said"
	RuleVerified      Rule = "all-tasks-checked"
	RuleNoTasks       Rule = "no-tasks"
	RuleApproval      Rule = "awaiting-approval" // 11
	RuleNoProgress    Rule = "no-progress"       // 12, by design decision 12
	RuleContinue      Rule = "continue"          // 13
)

// maxIncomplete is how often in a row the same unchecked boxes are pointed out
// (spec/ralph-dialects.md, section 3.5).
const maxIncomplete = 3

// Decide decides about one stop. It is pure.
func Decide(f Facts) Verdict { return decide(variantOf(f.Kind), f) }

func decide(v variant, f Facts) Verdict {
	w := words{v, f}
	record := f.Record
	now := progressOf(f.State, f.Tasks)
	if f.Content == Object {
		record.Epic = f.State.Epic
		record = record.follow(now, !f.StopHookActive)
	}
	if f.Content != Corrupt {
		record.SaidCorrupt = false
	} else if !record.SaidCorrupt && (record.Released == Idle || record.Released == Done) {
		// Somebody wrote the state since.
		record.Released = Held
	}
	verdict := func(kind hooks.DecisionKind, rule Rule) Verdict {
		return Verdict{Kind: kind, Rule: rule, Record: record}
	}
	// block counts; yield lets the turn end and keeps what was counted.
	block := func(rule Rule, reason, message string) Verdict {
		record.Blocks++
		record.Blocked, record.Progress = true, now
		d := verdict(hooks.Continue, rule)
		d.Reason, d.Message = reason, message
		return d
	}
	yield := func(rule Rule, lines ...string) Verdict {
		d := verdict(hooks.Allow, rule)
		d.Lines = lines
		return d
	}
	// release lets the spec go: what has nothing more to say must not keep another
	// loop of the session from its turn.
	release := func(why Release, rule Rule, lines ...string) Verdict {
		record.Released, record.ReleasedAt = why, now
		return yield(rule, lines...)
	}

	switch {
	case f.completed():
		d := release(Done, RuleComplete, w.line("ALL_TASKS_COMPLETE detected in transcript"))
		d.Completes, d.Message = true, w.completeDespite()
		return d
	case f.Content == Gone:
		// The coordinator removes the state before it reports; the report may take
		// another stop.
		return yield(RuleGone)
	case f.Content == Nothing:
		return yield(RuleGone)
	case record.Released != Held:
		return yield(RuleReleased)
	case f.Content == Corrupt:
		if record.SaidCorrupt || !f.Remembers && f.StopHookActive {
			d := release(Idle, RuleCorruptSaid, w.line("ERROR: Corrupt state file at "+w.statePath()))
			d.Message, d.Once = w.corruptNotice(), true
			return d
		}
		record.SaidCorrupt = true
		d := verdict(hooks.Continue, RuleCorrupt)
		d.Reason, d.Message = w.corrupt()
		d.Lines = []string{w.line("ERROR: Corrupt state file at " + w.statePath())}
		return d
	}

	limit, counted := f.atLimit(record)
	if record.SaidLimit && (!limit || counted && !f.StopHookActive) {
		// The limit was raised, or it is only our own count and somebody prompted
		// since: that begins a new one.
		record.SaidLimit, record.Blocks = false, 0
		limit = limit && !counted
	}
	if limit {
		lines := w.limitLines()
		if record.SaidLimit || !f.Remembers && f.StopHookActive {
			d := release(Idle, RuleLimitSaid, lines...)
			d.Message, d.Once = w.limitNotice(), true
			return d
		}
		record.SaidLimit = true
		d := verdict(hooks.Continue, RuleLimit)
		d.Reason, d.Message = w.limit(counted, record.Blocks)
		d.Lines = lines
		return d
	}

	yields := v.yields && f.StopHookActive && (f.Strict || !record.Blocked || record.Progress == now)
	if f.State.Phase != PhaseExecution {
		if !v.gates || !f.State.QuickMode {
			return yield(RuleGone)
		}
		if yields {
			return yield(RuleQuickActive, w.line("stop_hook_active=true, allowing stop in quick mode to prevent re-invocation loop"))
		}
		reason, message := w.quick()
		return block(RuleQuick, reason, message)
	}

	stopped := w.line(w.stopped())
	d := func() Verdict {
		switch {
		case f.State.TotalTasks == 0:
			return release(Idle, RuleNoTasks)
		case f.State.TaskIndex >= f.State.TotalTasks:
			return incomplete(v, f, w, &record, block, release)
		case v.approval && f.State.Awaiting:
			return yield(RuleApproval, w.line("awaitingApproval=true, allowing stop for user gate"))
		case yields:
			return yield(RuleNoProgress, w.line("stop_hook_active=true, skipping continuation to prevent re-invocation loop"))
		}
		record.Incomplete = 0
		reason, message := w.next()
		return block(RuleContinue, reason, message)
	}()
	d.Lines = append([]string{stopped}, d.Lines...)
	return d
}

// incomplete is row 10: the state says that every task is done.
func incomplete(v variant, f Facts, w words, record *Record, block func(Rule, string, string) Verdict, release func(Release, Rule, ...string) Verdict) Verdict {
	if !v.gates || f.Tasks.Unchecked == 0 {
		record.Incomplete = 0
		return release(Done, RuleVerified, w.line("All tasks verified complete for "+f.Name))
	}
	if record.Unchecked != f.Tasks.Unchecked {
		record.Incomplete, record.Unchecked = 0, f.Tasks.Unchecked
	}
	if record.Incomplete >= maxIncomplete || !f.Remembers && f.StopHookActive {
		d := release(Idle, RuleIncompleteMax, w.line("tasks.md still has unchecked items; allowing stop"))
		d.Message, d.Once = w.incompleteNotice(record.Incomplete), true
		return d
	}
	record.Incomplete++
	reason, message := w.incomplete()
	return block(RuleIncomplete, reason, message)
}

// completed reports whether the coordinator's word counts. A mention in a sentence
// counts only where the files say the same; a statement always does.
func (f Facts) completed() bool {
	return f.Signal == Stated || f.Signal == Mentioned && !f.remain()
}

// remain reports whether the files say that there is something to do, or do not
// say that there is nothing.
func (f Facts) remain() bool {
	if f.Content != Object {
		return false
	}
	through := f.State.TotalTasks > 0 && f.State.TaskIndex >= f.State.TotalTasks
	ticked := len(f.Tasks.List) > 0 && f.Tasks.Unchecked == 0
	return f.State.Phase != PhaseExecution || !through && !ticked
}

// atLimit reports whether the spec ran to its limit; counted says that only our
// own count did. The counter in the file is advanced by the model alone
// (spec/ralph-dialects.md, section 3.4, defect 9). A limit of 0 is none.
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
