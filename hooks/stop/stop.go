package stop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/agents"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// event is one Stop event while it is being handled.
type event struct {
	req   protocol.Request
	stop  *protocol.Stop
	store session.Store
	key   session.Key
	trace protocol.Trace
	// unlock releases the project's lock; it is nil while the lock is not held.
	unlock func()
}

// Handle answers a Stop event for the steps that the hook includes.
func Handle(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	in := req.Input
	if in.AgentID != "" || in.HookEventName != "" && in.HookEventName != protocol.EventStop {
		return protocol.Outcome{Trace: protocol.Trace{Rule: "not-a-stop-of-the-main-session"}}, nil
	}
	if client := in.Client; client != protocol.ClientClaude {
		// bridge cannot read this client's transcript yet, so it could not tell whether a loop is finished or whether a
		// block would continue it.
		outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "other-client"}}
		outcome.Trace.Add("client", string(client))
		return outcome, nil
	}
	e := &event{req: req, stop: req.Stop(), store: session.NewStore(req.Env.StateHome)}
	e.key = session.Key{SessionID: in.SessionID, Root: e.stop.Root}
	e.trace.Add("root", e.stop.Root)
	if e.stop.Root == "" {
		e.trace.Rule = "no-place"
		return protocol.Outcome{Trace: e.trace, Diagnostic: "the working directory of the session does not exist, so bridge looked for no loop. Start a new session in a directory that exists."}, nil
	}

	if worker := req.Env.Getenv("OMC_TEAM_WORKER"); worker != "" {
		// A team worker stops when its task is done; its leader continues.
		e.trace.Rule = "team-worker"
		e.trace.Add("OMC_TEAM_WORKER", worker)
		return protocol.Outcome{Trace: e.trace}, nil
	}

	e.lockEarly(ctx)
	e.stop.BeforeWait = e.release
	// Most stops have nothing active and need neither lock nor record.
	claims, notices, err := scan(e.stop)
	if req.Env.Notices != nil {
		notices = append(notices, req.Env.Notices()...)
	}
	if err == nil && len(claims) == 0 {
		outcome := e.unowned(ctx, notices)
		outcome.Close = e.release
		return outcome, nil
	}
	// A finder that waits releases the lock first, and waits only for a limited time.
	for err == nil && e.unlock == nil {
		if err = e.lock(ctx); err != nil {
			return e.locked(claims[0], err), nil
		}
		var more []protocol.KeyedNotice
		if claims, more, err = again(e.stop, claims); len(more) > 0 && len(claims) == 0 {
			// A state exists but can no longer be read, so the user has to be told.
			outcome := e.unowned(ctx, append(notices, more...))
			outcome.Close = e.release
			return outcome, nil
		}
	}
	if err != nil {
		e.release()
		return protocol.Outcome{}, err
	}
	outcome := e.owned(ctx, claims, notices)
	outcome.Close = e.release
	return outcome, nil
}

// lockEarly takes the lock at once if there is a record of the session. bridge then probably acts on this stop too, and
// the files need to be read only once, under the lock. If another process holds the lock, bridge waits for it only if a
// loop or mode claims the event.
func (e *event) lockEarly(ctx context.Context) {
	if e.store.Knows(e.key) {
		// If another process holds the lock, continue without it.
		_ = e.lockWithin(ctx, 0)
	}
}

// release releases the lock. Whatever was read under it may be outdated afterwards.
func (e *event) release() {
	if e.unlock != nil {
		e.unlock()
		e.unlock = nil
	}
}

// lock takes the lock and waits for it as long as the hook's deadline allows.
func (e *event) lock(ctx context.Context) error { return e.lockWithin(ctx, project.LockWait(ctx)) }

// lockWithin takes the project's lock, and then the lock that guards .omc if that is a
// different one (with OMC_STATE_DIR, in a submodule or without a home directory). The
// order is always the same; commands that change a mode take only the second lock.
func (e *event) lockWithin(ctx context.Context, wait time.Duration) error {
	until := time.Now().Add(wait)
	outer, err := project.Lock(ctx, e.req.Env, e.key.Root, wait)
	if err != nil {
		return err
	}
	registry := moderegistry.Open(e.stop)
	if omc := registry.Dirs(); omc.Absent || omc.Lock == e.key.Root && e.req.Env.StateHome != "" {
		e.unlock = outer
		return nil
	}
	inner, err := registry.Lock(ctx, time.Until(until))
	if err != nil {
		outer()
		return err
	}
	e.unlock = func() { inner(); outer() }
	return nil
}

// unowned answers an event that no step owns. Notices are shown once a session. Without
// records bridge could not tell whether they were shown, so they appear only in bridge
// status. Parallel hook lines for one event have the same notices, so the record is
// updated under the lock; a line that does not get the lock leaves the notices to the
// next stop.
func (e *event) unowned(ctx context.Context, notices []protocol.KeyedNotice) protocol.Outcome {
	e.trace.Rule = "nothing-active"
	if len(notices) == 0 {
		return protocol.Outcome{Trace: e.trace}
	}
	if e.req.Env.StateHome == "" {
		e.trace.Rule = "left-alone"
		return protocol.Outcome{Trace: e.trace, Diagnostic: joined(notices)}
	}
	record := e.store.Load(e.key)
	text := unseen(&record, notices)
	if text != "" && e.unlock == nil {
		if e.lock(ctx) != nil {
			return protocol.Outcome{Trace: e.trace}
		}
		record = e.store.Load(e.key)
		text = unseen(&record, notices)
	}
	if text == "" {
		return protocol.Outcome{Trace: e.trace}
	}
	e.trace.Rule = "left-alone"
	return protocol.Outcome{Output: protocol.Notice(text), Writes: []protocol.Write{e.save(record)}, Diagnostic: text, Trace: e.trace}
}

// locked is the answer if the lock could not be taken in time: it allows the stop, and the process that owns the event
// tells the user.
func (e *event) locked(owner claim, err error) protocol.Outcome {
	e.trace.Step, e.trace.Rule, e.trace.Loop = string(owner.step), "lock", owner.finder.kind
	e.trace.Add("error", err.Error())
	if !e.mine(owner.step) {
		return protocol.Outcome{Trace: e.trace}
	}
	return protocol.Outcome{Trace: e.trace, Output: protocol.Notice(lockMessage(owner.active, err))}
}

// owned decides the event under the lock.
func (e *event) owned(ctx context.Context, claims []claim, notices []protocol.KeyedNotice) protocol.Outcome {
	record := e.store.Load(e.key)
	known := record.Deliver(session.Fingerprint(e.req.Input), e.req.Env.Source, e.req.Env.Now)
	if !known && len(claims) > 0 {
		record.Event.Owner = string(claims[0].step)
	}
	e.trace.Step = record.Event.Owner
	e.trace.Add("known event", fmt.Sprint(known))
	if record.Event.Acted || !e.mine(protocol.StepName(record.Event.Owner)) {
		e.trace.Rule = "not-mine"
		if record.Event.Acted {
			e.trace.Rule = "already-answered"
		}
		return protocol.Outcome{Writes: []protocol.Write{e.save(record)}, Trace: e.trace}
	}
	at := slices.IndexFunc(claims, func(c claim) bool { return string(c.step) == record.Event.Owner })
	record.Event.Acted = true
	if at >= 0 {
		e.trace.Loop = claims[at].finder.kind
	}
	if at < 0 {
		e.trace.Rule = "ended-meanwhile"
		return protocol.Outcome{Writes: []protocol.Write{e.save(record)}, Trace: e.trace}
	}
	return e.act(ctx, claims[at].active, others(claims, at), &record, notices)
}

// mine reports whether the hook includes the step.
func (e *event) mine(step protocol.StepName) bool {
	for _, t := range e.req.Hook.Types {
		if row, _ := protocol.Lookup(t); slices.Contains(row.Steps, step) {
			return true
		}
	}
	return false
}

// act lets the owner decide and checks its decision with the guards.
func (e *event) act(ctx context.Context, owner protocol.Active, also []string, record *session.Record, notices []protocol.KeyedNotice) protocol.Outcome {
	e.trace.Add("owner", owner.Label())
	reader, results := owner.(protocol.ToolResultReader)
	turn := transcript.LastTurn(e.req.Input.TranscriptPath, e.req.Input.Stop.LastAssistantMessage, results && reader.ReadsToolResults())
	if observer, ok := owner.(protocol.Observer); ok {
		observer.Observe(ctx, turn)
	}
	if runner, ok := owner.(protocol.Runner); ok {
		if run := runner.Programs(ctx, turn); run != nil {
			if stays, outcome := e.runFree(ctx, run, runner, record); !stays {
				return outcome
			}
		}
	}
	decision := owner.Decide(turn, e.req.Env.Now)
	if pass, ok := e.passes(owner, decision, turn, record); ok {
		e.trace.Rule = pass.Rule
		return e.finish(protocol.Notice(pass.Message), pass.Writes, record, owner)
	}
	if turn.Err != protocol.TurnOK {
		e.trace.Add("transcript", string(turn.Err))
	}
	if decision.MessageKey != "" && !record.MarkSeen(decision.MessageKey) {
		decision.Message = ""
	}
	decision, forgets := e.guarded(owner, decision, turn, record)
	e.trace.Rule, e.trace.Iteration = decision.Rule, decision.Count
	message := join(decision.Message, unseen(record, notices))
	if len(also) > 0 && (decision.Kind != protocol.Allow || message != "") {
		message = join(message, protocol.LangOf(owner).In("(另外活跃: ", "(also active: ")+strings.Join(also, ", ")+")")
	}
	outcome := e.finish(protocol.Notice(message), decision.Writes, record, owner)
	if decision.Kind == protocol.Continue {
		outcome = e.finishBlock(continues(decision, message, e.req.Env.Config.StopDelivery), decision.Writes, *record, owner, forgets)
	}
	outcome.Diagnostic, outcome.Lines, outcome.After = decision.Diagnostic, decision.Lines, decision.After
	if decision.Diagnostic == "" && len(decision.Lines) == 0 && e.req.Env.StateHome == "" {
		outcome.Diagnostic = "no home directory is known, so nothing is remembered between two stops: set HOME or XDG_STATE_HOME to an absolute path."
	}
	return outcome
}

// guarded returns the decision after the guards: a loop may have to end or to pause
// instead of continuing. forgets says that it also pauses if the record cannot be
// written.
func (e *event) guarded(owner protocol.Active, d protocol.Decision, turn protocol.Turn, record *session.Record) (guarded protocol.Decision, forgets bool) {
	if d.Kind != protocol.Continue {
		return d, false
	}
	limit := blockCap(e.req.Env.Getenv)
	forgets = !mayForget(e.req.Input.Stop, turn, d.Count, limit)
	pause := func(rule, message string) {
		d.Kind, d.Rule, d.Message, d.Writes = protocol.Allow, rule, message, nil
	}
	switch guard(record, e.req.Input, turn, e.store.Tools(e.key), limit) {
	case mayBlock:
		if e.req.Env.StateHome == "" && forgets {
			pause("no-memory", forgetMessage(owner))
			break
		}
		record.Blocks++
	case isIdle:
		writes, resume := owner.End(e.req.Env.Now)
		d.Kind, d.Rule, d.Message, d.Writes = protocol.Finish, "idle-guard", idleMessage(owner, resume), writes
		d.Diagnostic = d.Message
	case isCapped:
		pause("client-cap", capMessage(owner, limit))
	}
	return d, forgets
}

// runFree runs the user's programs without holding the lock, so that other sessions can stop and a person can cancel the
// loop while they run. Before that, it records that the event is being answered, so that another line for the same event
// does not run the programs too. stays is false if the state has changed or another stop of the session came; nothing
// may be written then.
func (e *event) runFree(ctx context.Context, run func(), owner protocol.Runner, record *session.Record) (stays bool, outcome protocol.Outcome) {
	remembers := e.req.Env.StateHome != "" && e.store.Save(e.key, *record) == nil
	e.release()
	run()
	if err := e.lock(ctx); err != nil {
		return false, e.locked(claim{step: protocol.StepName(record.Event.Owner), finder: finder{kind: e.trace.Loop}, active: owner}, err)
	}
	if remembers {
		now := e.store.Load(e.key)
		stays = now.Event.Fingerprint == record.Event.Fingerprint && now.Event.At.Equal(record.Event.At)
		*record = now
	}
	if (stays || !remembers) && owner.Unchanged() {
		return true, protocol.Outcome{}
	}
	e.trace.Rule = "changed-meanwhile"
	return false, protocol.Outcome{Trace: e.trace, Output: protocol.Notice(changedMessage(owner))}
}

// passes returns the decision to allow this stop whatever the owner would do, if that is necessary: the stop is exempt,
// or background agents or workflows are still working. The owner then takes no further step; only the writes that it
// must keep (d.Kept) are made.
func (e *event) passes(owner protocol.Active, d protocol.Decision, turn protocol.Turn, record *session.Record) (pass protocol.Decision, ok bool) {
	if d.Kind == protocol.Allow {
		return pass, false
	}
	if why, ok := exempt(record, e.req.Input.Stop, turn); ok {
		return protocol.Allowed(why.rule, exemptMessage(owner, why)), true
	}
	if d.Kind == protocol.Continue {
		if n := e.atWork(); n > 0 {
			pass = protocol.Allowed("pending-work", agentsMessage(owner, n))
			pass.Writes = d.Kept
			return pass, true
		}
	}
	return pass, false
}

// atWork returns how many background agents and workflows are still running, as the client
// says or, for an older client, as subagent-start and subagent-stop counted.
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

// finish puts the write of the record after the owner's writes: the record must not say
// that an event was answered if the state could not be saved.
func (e *event) finish(output protocol.Output, writes []protocol.Write, record *session.Record, owner protocol.Active) protocol.Outcome {
	return protocol.Outcome{
		Output:       output,
		Writes:       append(slices.Clip(writes), e.save(*record)),
		OnWriteError: func(err error) protocol.Output { return unsaved(owner, err) },
		Trace:        e.trace,
	}
}

// errForgets means that a loop has to pause because its record cannot be written.
var errForgets = errors.New("the loop pauses")

// finishBlock is finish for a block. The guards that end a loop need the counts in the record, so the record is written
// first: if that fails, a loop that forgets pauses and its state stays unchanged. If the state then cannot be saved, the
// event is removed from the record again.
func (e *event) finishBlock(output protocol.Output, writes []protocol.Write, record session.Record, owner protocol.Active, forgets bool) protocol.Outcome {
	outcome := e.finish(output, writes, &record, owner)
	var lost error
	remember := protocol.Write{What: "remember this event", Do: func() error {
		if lost = e.store.Save(e.key, record); lost != nil && forgets {
			return fmt.Errorf("%w: %w", errForgets, lost)
		}
		return nil
	}}
	report := protocol.Write{What: remember.What, Do: func() error { return lost }, Optional: true}
	outcome.Writes = append(append([]protocol.Write{remember}, writes...), report)
	outcome.OnWriteError = func(err error) protocol.Output {
		if errors.Is(err, errForgets) {
			return protocol.Notice(forgetMessage(owner))
		}
		record.Event = session.Event{}
		record.Blocks--
		// The answer already names the error.
		_ = e.store.Save(e.key, record)
		return unsaved(owner, err)
	}
	return outcome
}

// unsaved is the answer if the state could not be saved. Without its counter a loop has
// no limit, so the stop is allowed. If the file was removed in the meantime, the loop was
// cancelled, and there is nothing to say.
func unsaved(owner protocol.Active, err error) protocol.Output {
	if errors.Is(err, statefile.ErrGone) {
		return protocol.Silent()
	}
	return protocol.Notice(unsavedMessage(owner, err))
}

// save writes the record. If that fails, only the idle guard is reset.
func (e *event) save(record session.Record) protocol.Write {
	return protocol.Write{
		What:     "remember this event",
		Do:       func() error { return e.store.Save(e.key, record) },
		Optional: true,
	}
}

func joined(notices []protocol.KeyedNotice) string {
	var text string
	for _, n := range notices {
		text = join(text, display.Text(n.Text))
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
func unseen(record *session.Record, notices []protocol.KeyedNotice) string {
	var text string
	for _, n := range notices {
		if record.MarkSeen(n.Key) {
			text = join(text, display.Text(n.Text))
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
