package omc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestStoriesAwaitReview: if stories pass without a review, the loop continues until a reviewer approves them
// (docs/reference/omc-ralph.md#stories).
func TestStoriesAwaitReview(t *testing.T) {
	t.Parallel()
	stories, unreviewed := parseStories([]byte(`{"userStories":[{"id":"US-1","title":"A","passes":true,"architectVerified":false},{"id":"US-1","title":"B","passes":true,"architectVerified":false},{"id":"US-3","title":"C","passes":true}]}`))
	if want := []Story{{0, "story-1", "US-1 A"}, {1, "story-2", "US-1 B"}}; !slices.Equal(unreviewed, want) || stories != (Stories{3, 1, ""}) {
		t.Fatalf("%+v %+v", stories, unreviewed)
	}
	one, two := `<ralph-approved story-id="story-1">VERIFIED_COMPLETE</ralph-approved>`, `<architect-approved story-id="story-2">VERIFIED_COMPLETE</architect-approved>`
	facts := Facts{Iteration: 1, Max: 10, Stories: stories, Unreviewed: unreviewed}
	open := facts
	open.Stories.Total, open.Stories.Next = 4, "US-4"
	pending := facts
	pending.Verification = &Verification{RequestID: "r1", StoryID: "story-1", MaxAttempts: 3, Story: true}
	for name, test := range map[string]struct {
		facts    Facts
		turn     protocol.Turn
		kind     protocol.DecisionKind
		rule     string
		approved int
		says     string
	}{
		"no review yet":            {facts, protocol.Turn{}, protocol.Continue, "stories-unreviewed", 0, "All 3 stories in prd.json pass, but 2 of them have not been reviewed"},
		"approved by the model":    {facts, protocol.Turn{Final: one + "\n" + two, HasFinal: true}, protocol.Continue, "stories-unreviewed", 0, one},
		"approved by an executor":  {facts, review("executor", "x", one+"\n"+two), protocol.Continue, "stories-unreviewed", 0, "story-2"},
		"approved by a reviewer":   {facts, review("architect", "x", "Good.\n"+one+"\n"+two), protocol.Finish, "approved", 2, ""},
		"one of them":              {facts, review("critic", "x", one), protocol.Continue, "stories-unreviewed", 1, "but 1 of them"},
		"none of them":             {facts, review("critic", "x", "B is slow."), protocol.Continue, "stories-rejected", 0, "B is slow."},
		"without a story":          {facts, review("critic", "x", strings.Replace(one, ` story-id="story-1"`, "", 1)), protocol.Continue, "stories-rejected", 0, "approved none"},
		"while another is open":    {open, protocol.Turn{}, protocol.Continue, "continue", 0, "3 of 4 stories in prd.json pass; the next one is \"US-4\". 2 of those that pass have not been reviewed."},
		"one, while one is open":   {open, review("critic", "x", one), protocol.Continue, "continue", 1, "1 of those that pass"},
		"of a request, without it": {pending, review("critic", "x", one), protocol.Continue, "verification-rejected", 0, "r1"},
		"of a request":             {pending, review("critic", "x", strings.Replace(one, " story", ` request-id="r1" story`, 1)), protocol.Continue, "stories-unreviewed", 1, "but 1 of them"},
	} {
		d, after := Decide(test.facts, test.turn)
		if d.Kind != test.kind || d.Rule != test.rule || len(after.Approved) != test.approved || !strings.Contains(d.Reason, test.says) {
			t.Errorf("%s: %v %s, approved %v: %s", name, d.Kind, d.Rule, after.Approved, d.Reason)
		}
		if strings.Contains(d.Reason, "0 of ") {
			t.Errorf("%s: %s", name, d.Reason)
		}
	}
	if len(facts.Unreviewed) != 2 || facts.Unreviewed[0].ID != "story-1" {
		t.Errorf("a decision changed its input: %+v", facts.Unreviewed)
	}
}

// TestNamesOfStories: a story keeps its own name in an approval if no other story has it,
// and is marked under no other.
func TestNamesOfStories(t *testing.T) {
	t.Parallel()
	const text = `{"userStories":[{"id":"US-1","passes":true,"architectVerified":false},{"passes":true,"architectVerified":false},{"id":"US-3","passes":true,"architectVerified":false}]}`
	_, unreviewed := parseStories([]byte(text))
	var names []string
	for _, s := range unreviewed {
		names = append(names, s.ID)
	}
	if want := []string{"US-1", "story-2", "US-3"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	marked, err := mark([]byte(text), unreviewed[2:])
	if want := strings.Replace(text, `"id":"US-3","passes":true,"architectVerified":false`, `"id":"US-3","passes":true,"architectVerified":true`, 1); err != nil || string(marked) != want {
		t.Errorf("%s, %v", marked, err)
	}
	if _, err := mark([]byte("{"), unreviewed); err == nil {
		t.Error("a broken file is marked")
	}
}

// TestApprovalOfTheWork: the approval of the whole work ends a loop with open stories, and the text mentions reviews
// only if a story needs one.
func TestApprovalOfTheWork(t *testing.T) {
	t.Parallel()
	facts := Facts{Iteration: 1, Max: 10, Stories: Stories{2, 1, "US-2"}, Verification: &Verification{RequestID: "r1", MaxAttempts: 3}}
	if d, _ := Decide(facts, review("architect", "x", approval)); d.Kind != protocol.Finish || d.Rule != "approved" {
		t.Errorf("%s: %s", d.Rule, d.Reason)
	}
	facts.Verification = nil
	if d, _ := Decide(facts, protocol.Turn{}); d.Rule != "continue" || strings.Contains(d.Reason, "reviewed") {
		t.Errorf("%s: %s", d.Rule, d.Reason)
	}
}

// TestApprovedStoriesAreMarked: in the file that was read, and only if it is still the same.
func TestApprovedStoriesAreMarked(t *testing.T) {
	t.Parallel()
	const before, after = `{"userStories":[{"passes":true,"architectVerified":false}]}`, `{"userStories":[{"passes":true,"architectVerified":true}]}`
	path := filepath.Join(t.TempDir(), "prd.json")
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &loop{}
	l.prd.dir, l.prd.name = filepath.Dir(path), filepath.Base(path)
	err := statefile.In(l.prd.dir, func(dir *statefile.Dir) (err error) {
		l.prd.file, err = dir.Read(l.prd.name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	writes := l.approve([]Story{{Index: 0, ID: "story-1"}})
	for i, ok := range []bool{true, false} {
		if err := writes[0].Do(); (err == nil) != ok {
			t.Errorf("write %d: %v", i, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != after {
			t.Errorf("%s, %v", text, err)
		}
	}
	if writes := l.approve(nil); len(writes) != 0 {
		t.Errorf("%v", writes)
	}
}
