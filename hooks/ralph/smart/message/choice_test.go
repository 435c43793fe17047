package message_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// ofCommands are the texts of the commands that start and continue sessions.
func ofCommands(l message.Lang) map[string]string {
	s := seed()
	texts := map[string]string{
		"choice": l.Choice(s, "now"), "ask": l.AskChoice(), "nothing": l.NothingChanged(), "replaced": l.Replaced("p", "id"),
		"other file": l.OtherFile("a", "b"), "nothing to continue": l.NothingToContinue(),
		"cannot": l.CannotResume(errors.New("err")),
	}
	for _, err := range []error{protocol.ErrMayRun, protocol.ErrNeedsHigherLimit, protocol.LimitError{Count: 3, Limit: 3}, protocol.LimitError{Count: 3, Given: 2}, session.HeldError{SessionID: "s1", Ago: time.Minute}} {
		texts["cannot: "+err.Error()] = l.CannotResume(err)
	}
	for _, reason := range []string{"", "paused", "stalled", "repeated_error", "blocked", "idle", "no_tasks", "cancelled", "replaced", "max_iterations"} {
		for _, id := range []string{"", "s1", "s2"} {
			for _, tasks := range []bool{true, false} {
				before, after := seed(), seed()
				before.SessionID, before.Active, before.EndReason = "s1", reason == "", reason
				before.Tasks[1].Status, before.Tasks[2].Status = state.Blocked, state.Pending
				after.SessionID, after.MaxIterations, after.Tasks[2].Status = id, 0, state.Skipped
				if !tasks {
					before.Tasks, after.Tasks = nil, nil
				}
				texts[fmt.Sprintf("resumption %q %q %v", reason, id, tasks)] = l.Resumption(message.Resumption{Before: before, After: after, Asked: "s2"})
			}
		}
	}
	return texts
}

// TestResumption: each line is something that was done; what did not change is not
// mentioned.
func TestResumption(t *testing.T) {
	t.Parallel()
	before, after := seed(), seed()
	before.SessionID, before.Active, before.EndReason = "s1", false, "stalled"
	after.SessionID, after.MaxIterations = "s2", 100
	before.Tasks[1].Status, after.Tasks[1].Status = state.InProgress, state.Skipped
	got := message.English.Resumption(message.Resumption{Before: before, After: after, Asked: "s2"})
	for _, want := range []string{
		"session resumed with task 2/3", "It had stalled", "It was taken over from session s1.", "Task 2 is skipped", "The limit was 50 and is now 100.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	same := seed()
	same.SessionID = "s2"
	if got := message.English.Resumption(message.Resumption{Before: same, After: same, Asked: "s2"}); strings.Count(got, "\n") != 0 || !strings.Contains(got, "already active") {
		t.Errorf("nothing was done:\n%s", got)
	}
	// In a terminal, a session that may still be running keeps the work.
	if got := message.English.Resumption(message.Resumption{Before: same, After: same}); !strings.Contains(got, "Session s2 may still be running") {
		t.Errorf("%s", got)
	}
}

func TestParseAnswer(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]message.Answer{
		"1\n": message.ContinueOld, " C ": message.ContinueOld, "继续": message.ContinueOld, "2\r\n": message.StartNew, "New": message.StartNew, "新建": message.StartNew,
		"3": message.ChangeNothing, "q": message.ChangeNothing, "取消": message.ChangeNothing, "": message.None, "12": message.None, "yes": message.None, "0": message.None,
	} {
		if got := message.ParseAnswer(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
