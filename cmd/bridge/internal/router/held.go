package router

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// held is a kill switch that is ignored for a hook, because a repository must not switch
// off the user's protection.
type held struct{ variable, file string }

// switchedOff reports whether a kill switch applies. For the types that judge tool calls,
// a switch that is also set in the project's settings is ignored, because nobody can tell
// who set it. The settings are read only if a variable is set and concerns the type, and
// under a watch, like everything that a disk may delay.
func (c *call) switchedOff() bool {
	off := c.req.Env.Off.Hook(c.req.Hook)
	if !off || rowOf(c.req.Hook).judge == nil {
		return off
	}
	disable, skip := c.p.Getenv("DISABLE_OMC"), c.p.Getenv("OMC_SKIP_HOOKS")
	c.watch.begin(c.req.Hook.Row().Deadline, func() {
		c.deliver(answer{err: fmt.Errorf("look for the kill switch in the project's settings: %w", errDeadline), trace: protocol.Trace{Rule: "kill-switch"}})
	})
	defer c.watch.over(nil)
	// Which settings the client reads does not depend on the input, which has not been
	// read yet.
	cwd, _ := os.Getwd()
	dirs := project.SettingsDirs(project.Find(cwd, c.p.Getenv), cwd, c.p.Getenv)
	for _, s := range []struct {
		name  string
		value *string
	}{{"DISABLE_OMC", &disable}, {"OMC_SKIP_HOOKS", &skip}} {
		if *s.value == "" {
			continue
		}
		if file := policy.ProjectSets(s.name, dirs, c.p.Getenv); file != "" {
			*s.value, c.held = "", held{s.name, file}
		}
	}
	c.req.Env.Off = protocol.ParseKillSwitches(disable, skip)
	return c.req.Env.Off.Hook(c.req.Hook)
}

// only lets a handler deny and ask, but nothing else.
func (h held) only(handler protocol.Handler) protocol.Handler {
	return func(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
		outcome, err := handler(ctx, req)
		if err != nil {
			return outcome, err
		}
		outcome.Trace.Add("kill switch that is ignored", h.variable+" in "+h.file)
		if decisionOf(outcome.Output) == "allow" {
			outcome.Output, outcome.Trace.Rule = protocol.Silent(), "kill-switch-of-the-project"
		}
		return outcome, nil
	}
}

// ignored are notices about variables of the project's settings that bridge ignores.
type ignored struct {
	mu      sync.Mutex
	notices []protocol.KeyedNotice
}

func (i *ignored) add(name, file string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.notices = append(i.notices, protocol.KeyedNotice{Key: "ignored-variable:" + name, Text: fmt.Sprintf(
		"bridge ignores %s, because the project's settings set it (%s) and a repository must not decide where bridge writes. To use it, set it in your own environment or settings.",
		name, display.Text(file))})
}

func (i *ignored) all() []protocol.KeyedNotice {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.notices)
}

// notices are what the user should know about the environment.
func (c *call) notices() []protocol.KeyedNotice {
	notices := c.ignored.all()
	if c.refused != "" {
		notices = append(notices, protocol.KeyedNotice{Key: "configuration", Text: "bridge: " + c.refused +
			". Until it is fixed, permission-request denies every tool call, and the other hooks use the defaults."})
	}
	if c.held != (held{}) {
		notices = append(notices, protocol.KeyedNotice{Key: "kill-switch-of-the-project", Text: fmt.Sprintf(
			"bridge: %s in %s does not switch off deny rules, ask rules and guards, because the repository may have set it; until it is removed, bridge approves nothing. To switch them off, remove it there and set it in your own environment.",
			c.held.variable, display.Text(c.held.file))})
	}
	return notices
}

// telling adds to the answer of a handler the notices that the session has not seen. An
// answer that tells something itself leaves them to the next call.
func telling(handler protocol.Handler) protocol.Handler {
	return func(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
		outcome, err := handler(ctx, req)
		if err != nil {
			return outcome, err
		}
		if notices := req.Env.Notices(); len(notices) > 0 && outcome.Output.SystemMessage == "" && outcome.Close == nil {
			outcome = tell(ctx, req, outcome, notices)
		}
		return outcome, nil
	}
}

func tell(ctx context.Context, req protocol.Request, outcome protocol.Outcome, notices []protocol.KeyedNotice) protocol.Outcome {
	if req.Env.StateHome == "" {
		// Without a record, nobody could tell whether it was said.
		outcome.Diagnostic = joined(notices)
		return outcome
	}
	store := session.NewStore(req.Env.StateHome)
	key := session.Key{SessionID: req.Input.SessionID, Root: req.Places().Root}
	known := store.Load(key).Seen
	if !slices.ContainsFunc(notices, func(n protocol.KeyedNotice) bool { return !slices.Contains(known, n.Key) }) {
		return outcome
	}
	unlock, err := project.Lock(ctx, req.Env, key.Root, 0)
	if err != nil {
		// The next call shows it.
		return outcome
	}
	record := store.Load(key)
	unseen := slices.DeleteFunc(notices, func(n protocol.KeyedNotice) bool { return !record.MarkSeen(n.Key) })
	if len(unseen) == 0 {
		unlock()
		return outcome
	}
	outcome.Output.SystemMessage = joined(unseen)
	outcome.Writes = append(outcome.Writes, protocol.Write{
		What: "remember which notices were shown", Do: func() error { return store.Save(key, record) }, Optional: true,
	})
	outcome.Close = unlock
	return outcome
}

func joined(notices []protocol.KeyedNotice) string {
	var texts []string
	for _, n := range notices {
		texts = append(texts, n.Text)
	}
	return strings.Join(texts, "\n")
}
