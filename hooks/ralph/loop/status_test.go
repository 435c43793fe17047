package loop

import (
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/protocol"
)

// TestWhoIsTold: a file that does not tell whether its loop is active is named to its
// owner, and to everybody if it has none.
func TestWhoIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		told  bool
	}{
		"its owner":          {[]string{"active: later", "session_id: s1"}, true},
		"without an owner":   {[]string{"active: later"}, true},
		"another session":    {[]string{"active: later", "session_id: s2"}, false},
		"a paused one":       {[]string{"active: false", "session_id: s1"}, false},
		"a paused one, free": {[]string{"active: false"}, false},
	} {
		p := newPlace(t)
		p.put(FileName, file("x", append(c.lines, "iteration: 1", "max_iterations: 0")...))
		l, notices := p.find("s1")
		if l != nil || (len(notices) == 1) != c.told {
			t.Errorf("%s: %v, %+v", name, l, notices)
		}
	}
}

// TestTheMessageOfAStop: it says which iteration begins and how far the loop is.
func TestTheMessageOfAStop(t *testing.T) {
	t.Parallel()
	begin := time.Unix(1000, 0)
	l := &loop{state: Parse(New("Work.", "s1", "DONE", 5, begin)).at(2)}
	d := l.Decide(protocol.Turn{Final: "x", HasFinal: true}, begin.Add(time.Hour))
	if want := iterationMessage(l.state) + progress(l.state, begin.Add(time.Hour)); d.Kind != protocol.Continue || d.Message != want || !strings.Contains(d.Message, "of 5") {
		t.Errorf("%q, want %q", d.Message, want)
	}
}

// TestListOfADirectory: other files are no loops, and only an ended loop names the older
// ones.
func TestListOfADirectory(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	text := New("Work.", "s1", "DONE", 5, time.Now())
	for _, name := range []string{"a.txt", "ralph-loop.x.txt", FileName, FileName + ".bak", FileName + ".bak.1", FileName + ".bak.2", SessionFileName("s1")} {
		p.put(name, text)
	}
	all, err := List(p.stop("s1"))
	if err != nil || len(all) != 3 {
		t.Fatalf("%d loops, %v", len(all), err)
	}
	ended := 0
	for _, c := range all {
		if c.Status.State == protocol.LoopEnded {
			ended++
		}
		if (c.Status.State == protocol.LoopEnded) != strings.Contains(c.Status.Problem, "2 older ones") {
			t.Errorf("%+v", c.Status)
		}
	}
	if ended != 1 {
		t.Errorf("%d ended loops", ended)
	}
}

// TestTheTextOfAResumption: what it says about a loop with and without a limit.
func TestTheTextOfAResumption(t *testing.T) {
	t.Parallel()
	state := func(active bool, iteration, limit int, id string) State {
		return State{Active: active, Iteration: iteration, MaxIterations: limit, SessionID: id}
	}
	for want, r := range map[string]resumed{
		"The Ralph loop is already active, at iteration 2 of 5. It continues at the next stop.":                                               {state(true, 2, 5, "s1"), state(true, 2, 5, "s1"), false, "s1"},
		"The Ralph loop is already active, at iteration 2. It continues at the next stop.":                                                    {state(true, 2, 0, "s1"), state(true, 2, 0, "s1"), false, "s1"},
		"Resumed the Ralph loop at iteration 2. It was paused. It continues at the next stop.":                                                {state(false, 2, 0, "s1"), state(true, 2, 0, "s1"), false, "s1"},
		"Resumed the Ralph loop at iteration 2 of 5. It had ended. It continues at the next stop.":                                            {state(true, 2, 5, "s1"), state(true, 2, 5, "s1"), true, "s1"},
		"Resumed the Ralph loop at iteration 5 of 9. It had reached its limit. Its limit was 5 and is now 9. It continues at the next stop.":  {state(true, 5, 5, "s1"), state(true, 5, 9, "s1"), false, "s1"},
		"Resumed the Ralph loop at iteration 6 of 9. It had reached its limit. Its limit was 5 and is now 9. It continues at the next stop.":  {state(true, 6, 5, "s1"), state(true, 6, 9, "s1"), false, "s1"},
		"The Ralph loop is already active, at iteration 2 of 9. Its limit was none and is now 9. It continues at the next stop.":              {state(true, 2, 0, "s1"), state(true, 2, 9, "s1"), false, "s1"},
		"Resumed the Ralph loop at iteration 2. It was taken over from session s2. It continues at the next stop.":                            {state(true, 2, 0, "s2"), state(true, 2, 0, "s1"), false, "s1"},
		"Resumed the Ralph loop at iteration 2. It was taken over from session s1. The next session that stops in this project continues it.": {state(true, 2, 0, "s1"), state(true, 2, 0, ""), false, ""},
	} {
		if got := r.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
