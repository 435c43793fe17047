package stop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/agents"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/internal/transcript"
	"github.com/hookbridge/bridge/moderegistry"
)

// event is one Stop event on its way through the handler.
type event struct {
	req   hooks.Request
	stop  *hooks.Stop
	off   hooks.KillSwitches
	store session.Store
	key   session.Key
	trace hooks.Trace
}

// Handle answers a Stop event for the steps that the called hook carries out.
func Handle(ctx context.Context, req hooks.Request) (hooks.Outcome, error) {
	in := req.Input
	if in.AgentID != "" || in.HookEventName != "" && in.HookEventName != hooks.EventStop {
		return hooks.Outcome{Trace: hooks.Trace{Rule: "not-a-stop-of-the-main-session"}}, nil
	}
	getenv := req.Env.Getenv
	places := project.Find(in.CWD, getenv)
	stateHome := project.StateHome(getenv)
	e := &event{
		req:   req,
		stop:  &hooks.Stop{Input: in, Env: req.Env, Places: places.Search, Root: places.Root},
		off:   hooks.ParseKillSwitches(getenv("DISABLE_OMC"), getenv("OMC_SKIP_HOOKS")),
		store: session.NewStore(stateHome),
		key:   session.Key{SessionID: in.SessionID, Root: places.Root},
	}
	e.trace.Add("root", places.Root)
	if places.Root == "" {
		e.trace.Rule = "no-place"
		return hooks.Outcome{Trace: e.trace, Diagnostic: "the working directory of the session is gone, so no loop was looked for. Start the session anew in a directory that exists."}, nil
	}

	if getenv("OMC_TEAM_WORKER") != "" {
		// A worker of a team stops when its task is done; its leader goes on.
		e.trace.Rule = "team-worker"
		return hooks.Outcome{Trace: e.trace}, nil
	}

	unlock, held := e.lockEarly(ctx)
	// Most stops have nothing active, and need neither lock nor record.
	claims, notices, err := scan(e.stop, e.off)
	if err == nil && len(claims) == 0 {
		outcome := e.unowned(notices)
		outcome.Close = unlock
		return outcome, nil
	}
	if err == nil && !held {
		if unlock, err = project.Lock(ctx, stateHome, places.Root, project.LockWait); err != nil {
			return e.locked(claims[0], err), nil
		}
		claims, err = again(e.stop, claims)
	}
	if err != nil {
		unlock()
		return hooks.Outcome{}, err
	}
	outcome := e.owned(ctx, claims, notices)
	outcome.Close = unlock
	return outcome, nil
}

// lockEarly takes the lock for a session that was answered before: it most likely is
// again, and what is read under the lock need not be read twice. A lock that is held
// is waited for only when something claims the event.
func (e *event) lockEarly(ctx context.Context) (unlock func(), held bool) {
	if e.store.Knows(e.key) {
		if unlock, err := project.Lock(ctx, project.StateHome(e.req.Env.Getenv), e.key.Root, 0); err == nil {
			return unlock, true
		}
	}
	return func() {}, false
}

// unowned answers an event that no step owns. Notices are shown once a session;
// without records nobody could tell, and they are left to bridge status.
func (e *event) unowned(notices []hooks.KeyedNotice) hooks.Outcome {
	e.trace.Rule = "nothing-active"
	if len(notices) == 0 {
		return hooks.Outcome{Trace: e.trace}
	}
	if project.StateHome(e.req.Env.Getenv) == "" {
		e.trace.Rule = "left-alone"
		return hooks.Outcome{Trace: e.trace, Diagnostic: joined(notices)}
	}
	record := e.store.Load(e.key)
	text := unseen(&record, notices)
	if text == "" {
		return hooks.Outcome{Trace: e.trace}
	}
	e.trace.Rule = "left-alone"
	return hooks.Outcome{Output: hooks.Notice(text), Writes: []hooks.Write{e.save(record)}, Diagnostic: text, Trace: e.trace}
}

// locked answers when the lock is not to be had in time: the stop is allowed,
// and the process that the event belongs to says so.
func (e *event) locked(owner claim, err error) hooks.Outcome {
	e.trace.Step, e.trace.Rule = string(owner.step), "lock"
	e.trace.Add("error", err.Error())
	if !e.mine(owner.step) {
		return hooks.Outcome{Trace: e.trace}
	}
	return hooks.Outcome{Trace: e.trace, Output: hooks.Notice(fmt.Sprintf(
		"%s: this stop is allowed, because %v. Nothing was changed; the loop goes on with your next prompt.", title(owner.active.Label()), err))}
}

// owned decides the event under the lock.
func (e *event) owned(ctx context.Context, claims []claim, notices []hooks.KeyedNotice) hooks.Outcome {
	record := e.store.Load(e.key)
	known := record.Deliver(session.Fingerprint(e.req.Input), e.req.Env.Source, e.req.Env.Now)
	if !known && len(claims) > 0 {
		record.Event.Owner = string(claims[0].step)
	}
	e.trace.Step = record.Event.Owner
	e.trace.Add("known event", fmt.Sprint(known))
	if record.Event.Acted || !e.mine(hooks.StepName(record.Event.Owner)) {
		e.trace.Rule = "not-mine"
		if record.Event.Acted {
			e.trace.Rule = "already-answered"
		}
		return hooks.Outcome{Writes: []hooks.Write{e.save(record)}, Trace: e.trace}
	}
	at := slices.IndexFunc(claims, func(c claim) bool { return string(c.step) == record.Event.Owner })
	record.Event.Acted = true
	if at < 0 {
		e.trace.Rule = "ended-meanwhile"
		return hooks.Outcome{Writes: []hooks.Write{e.save(record)}, Trace: e.trace}
	}
	return e.act(ctx, claims[at].active, others(claims, at), &record, notices)
}

// mine reports whether the called hook carries out the step.
func (e *event) mine(step hooks.StepName) bool {
	for _, t := range e.req.Hook.Types {
		if slices.Contains(hooks.StepsOf(t), step) {
			return true
		}
	}
	return false
}

// act lets the owner decide and holds its decision against the guards.
func (e *event) act(ctx context.Context, owner hooks.Active, also []string, record *session.Record, notices []hooks.KeyedNotice) hooks.Outcome {
	e.trace.Add("owner", owner.Label())
	reader, results := owner.(hooks.ToolResultReader)
	turn := transcript.LastTurn(e.req.Input.TranscriptPath, e.req.Input.Stop.LastAssistantMessage,
		transcript.Options{ToolResults: results && reader.ReadsToolResults()})
	if observer, ok := owner.(hooks.Observer); ok {
		observer.Observe(ctx, turn)
	}
	decision := owner.Decide(turn, e.req.Env.Now)
	if decision.Kind != hooks.Allow {
		if why, passes := e.passes(record, turn); passes {
			return e.finish(hooks.Notice(title(owner.Label())+": "+why), nil, record, owner)
		}
	}
	e.trace.Rule = decision.Rule
	if turn.Err != hooks.TurnOK {
		e.trace.Add("transcript", string(turn.Err))
	}

	if decision.MessageKey != "" && !record.MarkSeen(decision.MessageKey) {
		decision.Message = ""
	}
	output, writes, diagnostic := hooks.Notice(decision.Message), decision.Writes, decision.Diagnostic
	if decision.Kind == hooks.Continue {
		limit := blockCap(e.req.Env.Getenv)
		switch guard(record, e.req.Input, turn, e.store.Tools(e.key), limit) {
		case mayBlock:
			record.Blocks++
			output = hooks.Block(decision.Reason, decision.Message)
		case isIdle:
			e.trace.Rule = "idle-guard"
			var resume string
			writes, resume = owner.End(e.req.Env.Now)
			output = hooks.Notice(idleMessage(owner.Label(), resume))
			diagnostic = output.SystemMessage
		case isCapped:
			e.trace.Rule = "client-cap"
			writes = nil
			output = hooks.Notice(capMessage(owner.Label(), limit))
		}
	}
	if text := unseen(record, notices); text != "" {
		output.SystemMessage = join(output.SystemMessage, text)
	}
	if len(also) > 0 && (decision.Kind != hooks.Allow || output.SystemMessage != "") {
		output.SystemMessage = join(output.SystemMessage, "(also active: "+strings.Join(also, ", ")+")")
	}
	outcome := e.finish(output, writes, record, owner)
	outcome.Diagnostic, outcome.Lines = diagnostic, decision.Lines
	if diagnostic == "" && len(decision.Lines) == 0 && project.StateHome(e.req.Env.Getenv) == "" {
		outcome.Diagnostic = "no home directory is known, so nothing is remembered between two stops: set HOME or XDG_STATE_HOME to an absolute path."
	}
	return outcome
}

// passes reports whether this stop is let through whatever the owner would do,
// and why: a valve is open, or background agents still work.
func (e *event) passes(record *session.Record, turn hooks.Turn) (why string, ok bool) {
	if open, ok := release(record, e.req.Input.Stop, turn); ok {
		e.trace.Rule = open.rule
		return fmt.Sprintf("this stop is allowed, because %s. Nothing was changed; it goes on with your next prompt.", open.because), true
	}
	if n := e.atWork(); n > 0 {
		e.trace.Rule = "pending-work"
		return fmt.Sprintf("waiting for %d background agent(s); it goes on when they report.", n), true
	}
	return "", false
}

// atWork returns the number of background agents that still run: as the client
// says, or, where an older one says nothing, as subagent-start and -stop counted.
func (e *event) atWork() int {
	if tasks := e.req.Input.Stop.BackgroundTasks; tasks != nil {
		return pending(tasks)
	}
	record, ok := moderegistry.Open(e.stop).Records().Read(moderegistry.AgentTracking)
	if !ok {
		return 0
	}
	list, err := agents.Parse(record.Bytes())
	if err != nil {
		return 0
	}
	return len(list.Running(e.req.Env.Now, agents.WorkTime))
}

// finish puts the record behind the writes of the owner: the record must not say
// that an event was answered when the state could not be saved.
func (e *event) finish(output hooks.Output, writes []hooks.Write, record *session.Record, owner hooks.Active) hooks.Outcome {
	return hooks.Outcome{
		Output:       output,
		Writes:       append(slices.Clip(writes), e.save(*record)),
		OnWriteError: func(err error) hooks.Output { return unsaved(owner.Label(), err) },
		Trace:        e.trace,
	}
}

// unsaved is the answer when the state could not be saved: without its counter a
// loop has no limit, so the stop is allowed. A file that was removed meanwhile is
// a cancelled loop, of which there is nothing to say.
func unsaved(label string, err error) hooks.Output {
	if errors.Is(err, statefile.ErrGone) {
		return hooks.Silent()
	}
	return hooks.Notice(fmt.Sprintf("%s: the stop is allowed, because its state could not be saved (%v). Nothing is lost; mend that, and the loop goes on with your next prompt.", title(label), err))
}

// save writes the record. A record that can not be saved costs the guards their
// memory, not the user a loop.
func (e *event) save(record session.Record) hooks.Write {
	return hooks.Write{
		What:     "remember this event",
		Do:       func() error { return e.store.Save(e.key, record) },
		Optional: true,
	}
}

func joined(notices []hooks.KeyedNotice) string {
	var text string
	for _, n := range notices {
		text = join(text, n.Text)
	}
	return text
}

func others(claims []claim, owner int) []string {
	var labels []string
	for i, c := range claims {
		if i != owner {
			labels = append(labels, c.active.Label())
		}
	}
	return labels
}

// unseen joins the notices that the session has not seen yet.
func unseen(record *session.Record, notices []hooks.KeyedNotice) string {
	var text string
	for _, n := range notices {
		if record.MarkSeen(n.Key) {
			text = join(text, n.Text)
		}
	}
	return text
}

// join puts two sentences one after the other.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}
