// Package agents keeps the list of a session's subagents in the format of
// oh-my-claudecode's subagent-tracking-state.json (docs/reference/records.md#subagents).
// The instructions and the answers of an agent are not kept.
package agents

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The limits of a list.
const (
	// maxEnded is how many ended agents are kept, the newest ones.
	maxEnded = 100
	// maxRunning is how many agents may run at once; if there are more, the oldest count
	// as lost.
	maxRunning = 200
	// lostAfter is how long an agent may run before it counts as lost.
	lostAfter = 24 * time.Hour
	// WorkTime is how long a silent agent counts as work that a loop waits for.
	WorkTime = 30 * time.Minute
)

// Status is the status of an agent.
type Status string

// The three states of an agent.
const (
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
)

// Agent is one subagent. Members that only oh-my-claudecode writes stay as they are.
type Agent struct {
	ID         string    `json:"agent_id"`
	Type       string    `json:"agent_type"`
	StartedAt  time.Time `json:"started_at"`
	ParentMode string    `json:"parent_mode,omitempty"`
	Status     Status    `json:"status"`
	Model      string    `json:"model,omitempty"`
	// CompletedAt and DurationMS are set when the agent has ended.
	CompletedAt time.Time `json:"completed_at,omitzero"`
	DurationMS  int64     `json:"duration_ms,omitzero"`
	// Synthetic marks an agent whose start was never seen. Telemetry names an
	// irregularity: "unmatched_stop" or "lost".
	Synthetic bool           `json:"synthetic,omitzero"`
	Telemetry string         `json:"telemetry_status,omitempty"`
	Rest      jsontext.Value `json:",embed"`
}

// Tracking is the list of one session.
type Tracking struct {
	Agents      []Agent        `json:"agents"`
	Spawned     int            `json:"total_spawned"`
	Completed   int            `json:"total_completed"`
	Failed      int            `json:"total_failed"`
	LastUpdated time.Time      `json:"last_updated,omitzero"`
	Rest        jsontext.Value `json:",embed"`
}

// Parse reads a list.
func Parse(text []byte) (Tracking, error) {
	var t Tracking
	if err := json.Unmarshal(text, &t); err != nil {
		return Tracking{}, fmt.Errorf("read the list of subagents: %w", err)
	}
	return t, nil
}

// Bytes is the list as a file.
func (t Tracking) Bytes() ([]byte, error) {
	text, err := json.Marshal(t, jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("write the list of subagents: %w", err)
	}
	return append(text, '\n'), nil
}

// Start records that an agent began. If the agent is already listed, it began again: it
// is not counted twice, and its earlier end is forgotten.
func (t *Tracking) Start(id, kind, parentMode, model string, now time.Time) {
	now = now.UTC()
	agent := Agent{ID: id, Type: kind, StartedAt: now, ParentMode: parentMode, Status: Running, Model: model}
	if i := t.index(id); i >= 0 {
		if t.Agents[i].Status == Running {
			t.touch(now)
			return
		}
		t.Agents[i] = agent
	} else {
		t.Agents = append(t.Agents, agent)
		t.Spawned++
	}
	t.touch(now)
}

// Stop records that an agent ended. An agent that ended before is not counted twice. A
// stop whose start was never seen ends the only running agent of its type, which the
// client must have named differently; without one it is added to the list
// (Yeachan-Heo/oh-my-claudecode#3252).
func (t *Tracking) Stop(id, kind string, success bool, now time.Time) {
	now = now.UTC()
	status, total := Completed, &t.Completed
	if !success {
		status, total = Failed, &t.Failed
	}
	i := t.index(id)
	if i < 0 {
		i = t.only(kind)
	}
	switch {
	case i < 0:
		t.Agents = append(t.Agents, Agent{ID: id, Type: kind, StartedAt: now, CompletedAt: now, Status: status, Synthetic: true, Telemetry: "unmatched_stop"})
		t.Spawned++
		*total++
	case t.Agents[i].Status == Running:
		a := &t.Agents[i]
		a.Status, a.CompletedAt, a.DurationMS = status, now, max(now.Sub(a.StartedAt).Milliseconds(), 0)
		*total++
	}
	t.touch(now)
}

// Running returns the agents that are at work and began less than within ago. An agent
// that began in the future, because the clock was set back, does not count.
func (t Tracking) Running(now time.Time, within time.Duration) []Agent {
	var running []Agent
	for _, a := range t.Agents {
		if age := now.Sub(a.StartedAt); a.Status == Running && age >= -time.Minute && age < within {
			running = append(running, a)
		}
	}
	return running
}

// only is the running agent of a type, if there is exactly one.
func (t Tracking) only(kind string) int {
	found := -1
	for i, a := range t.Agents {
		switch {
		case a.Status != Running || a.Type != kind || kind == "":
		case found >= 0:
			return -1
		default:
			found = i
		}
	}
	return found
}

func (t Tracking) index(id string) int {
	return slices.IndexFunc(t.Agents, func(a Agent) bool { return a.ID == id })
}

// touch sets the time of the change and keeps the list within its limits.
func (t *Tracking) touch(now time.Time) {
	t.LastUpdated = now
	for i := range t.Agents {
		if a := &t.Agents[i]; a.Status == Running && now.Sub(a.StartedAt) > lostAfter {
			t.lose(a, now)
		}
	}
	running := t.Running(now, lostAfter+time.Minute)
	if len(running) > maxRunning {
		slices.SortStableFunc(running, func(a, b Agent) int { return a.StartedAt.Compare(b.StartedAt) })
		for _, old := range running[:len(running)-maxRunning] {
			t.lose(&t.Agents[t.index(old.ID)], now)
		}
	}
	var ended []Agent
	for _, a := range t.Agents {
		if a.Status != Running {
			ended = append(ended, a)
		}
	}
	if len(ended) <= maxEnded {
		return
	}
	slices.SortStableFunc(ended, func(a, b Agent) int { return cmp.Or(b.CompletedAt.Compare(a.CompletedAt), cmp.Compare(a.ID, b.ID)) })
	dropped := map[string]bool{}
	for _, a := range ended[maxEnded:] {
		dropped[a.ID] = true
	}
	t.Agents = slices.DeleteFunc(t.Agents, func(a Agent) bool { return a.Status != Running && dropped[a.ID] })
}

// lose marks an agent whose end nobody saw.
func (t *Tracking) lose(a *Agent, now time.Time) {
	a.Status, a.CompletedAt, a.Telemetry = Failed, now, "lost"
	t.Failed++
}
