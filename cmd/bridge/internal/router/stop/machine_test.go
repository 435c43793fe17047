package stop_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/hooks/stop"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// machine compares the chain with a model of it over random sequences of what
// can happen to a project: sessions start modes and stop, events are delivered
// twice, modes are cancelled by bridge or by an upstream rm, clocks jump, files
// are corrupted, processes die between two writes.
type machine struct {
	*world
	// running is what the model says, by owner and session.
	running map[key]*running
	// events numbers the events; a message is never the same twice.
	events int
}

type key struct{ owner, session string }

type running struct {
	count, limit int
}

// chainOrder is the order of docs/reference/hook-standard.md#stop-order.
var chainOrder = []string{"loop", "ralph", "autopilot", "ultrawork"}

func (m *machine) path(k key) string {
	if k.owner == "loop" {
		return at(m.project)
	}
	return modeFile(m.project, k.owner, k.session)
}

func (m *machine) owner(session string) (key, *running) {
	for _, owner := range chainOrder {
		if r := m.running[key{owner, session}]; r != nil {
			return key{owner, session}, r
		}
	}
	return key{}, nil
}

func (m *machine) start(t *rapid.T, k key) {
	if k.owner == "loop" {
		for other := range m.running {
			if other.owner == "loop" {
				delete(m.running, other)
			}
		}
		m.world.start(m.project, k.session)
		m.running[k] = &running{count: 1, limit: 1 << 30}
		return
	}
	registry := moderegistry.At(m.project, k.session, m.getenv, m.now)
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	err := registry.Start(t.Context(), moderegistry.StartOptions{Mode: moderegistry.Mode(k.owner), Prompt: "Work.", Limit: limit}, time.Second)
	switch {
	case err != nil && m.running[k] == nil && k.owner != "autopilot":
		t.Fatalf("%v was not started: %v", k, err)
	case err == nil && m.running[k] != nil:
		t.Fatalf("%v was started twice", k)
	case err == nil:
		m.running[k] = &running{limit: limit, count: 1}
		switch k.owner {
		case "ultrawork":
			m.running[k].count = 0
		case "ralph":
			m.running[k].limit += 50
		}
	}
}

func (m *machine) getenv(name string) string { return m.env[name] }

// deliver hands an event to a hook line. After dies writes the process is gone
// and has printed nothing.
func (m *machine) deliver(t *rapid.T, session, hook, source string, n, dies int) (out protocol.Output, died bool) {
	parsed, ok := protocol.ParseHook(hook)
	if !ok {
		t.Fatalf("no hook %s", hook)
	}
	message := fmt.Sprintf("message %s", strings.Repeat("x", n))
	env := project.Env(m.getenv, m.now)
	env.Source = hook + source
	req := project.Request(protocol.Input{
		Base: protocol.Base{SessionID: session, CWD: m.project, HookEventName: protocol.EventStop, PromptID: "p"},
		Stop: protocol.StopFields{StopHookActive: n%2 == 0, LastAssistantMessage: &message},
	}, env)
	req.Hook = parsed
	outcome, err := stop.Handle(t.Context(), req)
	if err != nil {
		t.Fatalf("%s: %v", hook, err)
	}
	defer func() {
		if outcome.Close != nil {
			outcome.Close()
		}
	}()
	for i, write := range outcome.Writes {
		if i == dies {
			return protocol.Output{}, true
		}
		if err := write.Do(); err != nil && !write.Optional {
			return outcome.OnWriteError(err), false
		}
	}
	return outcome.Output, dies >= 0 && dies == len(outcome.Writes)
}

// blockedBy returns which owner an output's block is from, with its counter.
func blockedBy(out protocol.Output) (owner string, n int) {
	if out.Decision != "block" {
		return "", 0
	}
	for _, probe := range []struct{ owner, text, mark string }{
		{"ralph", out.Reason, "[RALPH LOOP - "}, {"autopilot", out.SystemMessage, "Autopilot execution, iteration "},
		{"autopilot", out.SystemMessage, "Autopilot expansion, iteration "}, {"ultrawork", out.Reason, "[ULTRAWORK #"}, {"loop", out.SystemMessage, "Ralph iteration "},
	} {
		_, rest, ok := strings.Cut(probe.text, probe.mark)
		if !ok {
			continue
		}
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		digits := strings.TrimLeft(rest, "0123456789")
		n, _ = strconv.Atoi(strings.TrimSuffix(rest, digits))
		return probe.owner, n
	}
	return "unknown", 0
}

// stop delivers one event to several hook lines in turn.
func (m *machine) stop(t *rapid.T, session string, lines []string, dies int) {
	m.events++
	n := m.events
	owner, model := m.owner(session)
	before := m.snapshot()
	may := []string{m.path(owner)}
	blocksSeen := 0
	for i, line := range lines {
		at := -1
		if i == 0 {
			at = dies
		}
		out, died := m.deliver(t, session, line, strconv.Itoa(i), n, at)
		by, count := blockedBy(out)
		if by == "" {
			if died && model != nil {
				m.settle(t, owner, model)
				if m.running[owner] == nil {
					// It ended its owner and did not live to say so: to the next line the
					// event is the next owner's.
					owner, model = m.owner(session)
					may = append(may, m.path(owner))
				}
			}
			continue
		}
		if model == nil {
			t.Fatalf("session %s, event %d: %s blocked, and nothing is active for it: %+v", session, n, by, out)
		}
		if blocksSeen++; blocksSeen > 1 {
			t.Fatalf("session %s, event %d: a second step acted: %s", session, n, by)
		}
		if by != owner.owner || count != model.count+1 {
			t.Fatalf("session %s, event %d: %s blocked with counter %d, want %s with %d", session, n, by, count, owner.owner, model.count+1)
		}
		model.count = count
	}
	if model != nil && blocksSeen == 0 {
		m.settle(t, owner, model)
	}
	for path, text := range m.snapshot() {
		if slices.Contains(may, path) || text == before[path] {
			continue
		}
		t.Fatalf("session %s, event %d: the state %s of somebody else changed", session, n, path)
	}
}

// settle brings the model to what a process that died, or an end, has left: the
// counter is as it was or one more, or the mode is gone.
func (m *machine) settle(t *rapid.T, k key, model *running) {
	text := m.read(m.path(k))
	if text == "" {
		if k.owner == "loop" || model.count < model.limit {
			t.Fatalf("%v is gone at %d of %d", k, model.count, model.limit)
		}
		delete(m.running, k)
		return
	}
	field := map[string]string{"loop": "iteration: ", "ralph": `"iteration": `, "autopilot": `"iteration": `, "ultrawork": `"reinforcement_count": `}[k.owner]
	_, rest, ok := strings.Cut(text, field)
	if !ok {
		t.Fatalf("%v: no counter in %q", k, text)
	}
	n, _ := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	if n != model.count && n != model.count+1 {
		t.Fatalf("%v: counter %d in the file, %d in the model", k, n, model.count)
	}
	model.count = n
}

// snapshot is the text of every state file that somebody may own.
func (m *machine) snapshot() map[string]string {
	files := map[string]string{}
	for _, owner := range chainOrder {
		for _, session := range []string{"s1", "s2", "s3"} {
			path := m.path(key{owner, session})
			files[path] = m.read(path)
		}
	}
	return files
}

// TestChainStateMachine: at most one step acts per event, nobody acts on what is
// foreign, corrupt or cancelled, counters never skip or repeat, and what was
// released stays released.
func TestChainStateMachine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{world: newWorld(t), running: map[key]*running{}}
		sessions := rapid.SampledFrom([]string{"s1", "s2", "s3"})
		anOwner := rapid.SampledFrom(chainOrder)
		line := rapid.SampledFrom([]string{"stop", "ralph", "persistent-mode", "autopilot", "stop-continuation"})
		one := func(t *rapid.T) key { return key{anOwner.Draw(t, "owner"), sessions.Draw(t, "session")} }
		// lines that together carry out the whole chain, in any order.
		whole := func(t *rapid.T) []string {
			return rapid.SampledFrom([][]string{{"stop"}, {"ralph", "persistent-mode"}, {"persistent-mode", "ralph", "stop-continuation"}, {"stop", "ralph", "stop"}}).Draw(t, "lines")
		}
		rt.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) { m.start(t, one(t)) },
			"stop":  func(t *rapid.T) { m.stop(t, sessions.Draw(t, "session"), whole(t), -1) },
			"stop, some lines": func(t *rapid.T) {
				m.stop(t, sessions.Draw(t, "session"), rapid.SliceOfN(line, 1, 3).Draw(t, "lines"), -1)
			},
			"die": func(t *rapid.T) {
				m.stop(t, sessions.Draw(t, "session"), whole(t), rapid.IntRange(0, 3).Draw(t, "dies"))
			},
			"cancel": func(t *rapid.T) {
				k := one(t)
				if m.running[k] == nil {
					t.Skip("not running")
				}
				if k.owner == "loop" || rapid.Bool().Draw(t, "rm") {
					if err := os.Remove(m.path(k)); err != nil {
						t.Fatal(err)
					}
				} else if _, err := moderegistry.At(m.project, k.session, m.getenv, m.now).Stop(t.Context(), moderegistry.StopOptions{Mode: moderegistry.Mode(k.owner)}, time.Second); err != nil {
					t.Fatal(err)
				}
				delete(m.running, k)
			},
			"corrupt": func(t *rapid.T) {
				k := one(t)
				if m.running[k] == nil || k.owner == "loop" {
					t.Skip("not running")
				}
				m.write(m.path(k), rapid.SampledFrom([]string{"", "{", "[]", `{"active":true,"iteration":-1,"reinforcement_count":"x"}`, "\x00"}).Draw(t, "text"))
				delete(m.running, k)
			},
			"clock": func(t *rapid.T) {
				hours := rapid.SampledFrom([]int{-72, -3, -1, 1, 3, 72}).Draw(t, "hours")
				m.now = m.now.Add(time.Duration(hours) * time.Hour)
			},
		})
	})
}
