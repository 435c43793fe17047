package agents

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// TestEvents: duplicates, restarts and ends without a start
// (Yeachan-Heo/oh-my-claudecode#3252).
func TestEvents(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		events string // +id starts, -id stops, !id fails
		want   string // spawned completed failed running
	}{
		"start and stop":         {"+a -a", "1 1 0 0"},
		"two at once":            {"+a +b -a", "2 1 0 1"},
		"a duplicate start":      {"+a +a", "1 0 0 1"},
		"a duplicate stop":       {"+a -a -a", "1 1 0 0"},
		"a restart":              {"+a -a +a", "1 1 0 1"},
		"a restart that ends":    {"+a -a +a -a", "1 2 0 0"},
		"a stop without a start": {"-a", "1 1 0 0"},
		"a failure":              {"+a !a", "1 0 1 0"},
		"a stop of another name": {"+a -b", "1 1 0 0"},
		"one of two, unknown":    {"+a +b -c", "3 1 0 2"},
	} {
		var tr Tracking
		for i, event := range strings.Fields(test.events) {
			at := noon.Add(time.Duration(i) * time.Second)
			if event[0] == '+' {
				tr.Start(event[1:], "executor", "none", "", at)
			} else {
				tr.Stop(event[1:], "executor", event[0] == '-', at)
			}
		}
		if got := fmt.Sprint(tr.Spawned, tr.Completed, tr.Failed, len(tr.Running(noon.Add(time.Minute), WorkTime))); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestBounds: neither ended agents nor agents that never end make the list grow for ever,
// and an agent that was silent for long does not count as work.
func TestBounds(t *testing.T) {
	t.Parallel()
	var tr Tracking
	for i := range 500 {
		id := fmt.Sprint("a", i)
		tr.Start(id, "executor", "none", "", noon.Add(time.Duration(i)*time.Second))
		if i%2 == 0 {
			tr.Stop(id, "executor", true, noon.Add(time.Duration(i)*time.Second))
		}
	}
	ended := 0
	for _, a := range tr.Agents {
		if a.Status != Running {
			ended++
		}
	}
	if running := len(tr.Running(noon, time.Hour)); ended > maxEnded || running > maxRunning {
		t.Errorf("%d ended, %d running", ended, running)
	}
	if got := tr.Agents[len(tr.Agents)-1].ID; got != "a499" {
		t.Errorf("the newest is gone: %s", got)
	}
	tr = Tracking{}
	tr.Start("old", "executor", "none", "", noon)
	if n := len(tr.Running(noon.Add(WorkTime), WorkTime)); n != 0 {
		t.Error("an agent of which nothing is heard is still waited for")
	}
	if n := len(tr.Running(noon.Add(-time.Hour), WorkTime)); n != 0 {
		t.Error("an agent from the future is waited for")
	}
	tr.Start("new", "executor", "none", "", noon.Add(25*time.Hour))
	if tr.Agents[0].Telemetry != "lost" || tr.Failed != 1 {
		t.Errorf("%+v", tr)
	}
}

// TestThePeersMembersStay: members that the peer's tools write into the list are kept.
func TestThePeersMembersStay(t *testing.T) {
	t.Parallel()
	tr, err := Parse([]byte(`{"agents":[{"agent_id":"a","agent_type":"x","started_at":"2026-05-01T12:00:00.000Z","status":"running","tool_usage":[{"tool":"Bash"}]}],"total_spawned":1,"total_completed":0,"total_failed":0,"schema":3}`))
	if err != nil {
		t.Fatal(err)
	}
	tr.Stop("a", "x", true, noon.Add(time.Second))
	text, err := tr.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tool_usage"`, `"schema": 3`, `"duration_ms": 1000`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
}
