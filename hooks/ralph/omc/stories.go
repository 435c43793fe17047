package omc

import (
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Stories are the user stories of a prd.json.
type Stories struct {
	// Passing is how many pass and need no further review.
	Total, Passing int
	// Next is the title of the first story that does not pass.
	Next string
}

// Done reports whether there are stories and all of them pass.
func (s Stories) Done() bool { return s.Total > 0 && s.Passing == s.Total }

// Story is a story that passes and that no reviewer has approved yet
// (docs/reference/omc-ralph.md#stories).
type Story struct {
	// Index is its place in the list. ID is its name in an approval, Title its name for people.
	Index     int
	ID, Title string
}

// parseStories counts the stories of a prd.json; a file of another form has none. A member of an unexpected type, such
// as a number as the id, does no harm; a story passes only with passes: true.
func parseStories(data []byte) (stories Stories, unreviewed []Story) {
	prd, err := statefile.ParseObject(data)
	if err != nil {
		return Stories{}, nil
	}
	all := prd.List("userStories")
	stories.Total = len(all)
	ids := map[string]int{}
	for i, value := range all {
		// An element that is not an object counts as a story that does not pass.
		story, _ := statefile.ParseObject(value)
		title := strings.TrimSpace(display.Text(label(story, "id") + " " + label(story, "title")))
		id := word(label(story, "id"))
		ids[id]++
		verified, ok := story.Raw("architectVerified")
		switch {
		case !story.Bool("passes"):
			if stories.Next == "" {
				stories.Next = title
			}
		case !ok || verified.Kind() == 'n' || verified.Kind() == 't':
			stories.Passing++
		default:
			unreviewed = append(unreviewed, Story{i, id, title})
		}
	}
	for i, s := range unreviewed {
		// An approval must name exactly one story.
		if s.ID == "" || ids[s.ID] > 1 {
			unreviewed[i].ID = fmt.Sprintf("story-%d", s.Index+1)
		}
	}
	return stories, unreviewed
}

// reviewed counts the stories that a reviewer approved in this turn as passing, and
// returns the last report, if one was given. If the verification asks for a story under
// the id of a request, only an approval with that id counts for it.
func reviewed(f Facts, turn protocol.Turn) (Facts, Review) {
	var last Review
	open := f.Unreviewed
	f.Unreviewed = nil
	for _, s := range open {
		v := Verification{StoryID: s.ID}
		if f.Verification != nil && f.Verification.StoryID == s.ID {
			v.RequestID = f.Verification.RequestID
		}
		review := v.Review(turn)
		if last = review; review.Approved {
			f.Approved = append(f.Approved, s)
			f.Stories.Passing++
		} else {
			f.Unreviewed = append(f.Unreviewed, s)
		}
	}
	return f, last
}

// askForReviews tells the model that the work is finished but not reviewed.
func askForReviews(f Facts) string {
	var names, tags []string
	for _, s := range f.Unreviewed[:min(len(f.Unreviewed), 20)] {
		names = append(names, display.Data(s.Title, 200))
		tags = append(tags, fmt.Sprintf("<ralph-approved story-id=%q>VERIFIED_COMPLETE</ralph-approved>", s.ID))
	}
	return fmt.Sprintf("All %d stories in prd.json pass, but %d of them have not been reviewed (architectVerified is not true): %s. Start a reviewer now, in the foreground, with the Task tool (subagent_type architect, critic or verifier), and have it check each of these stories against its acceptance criteria.\n\n"+
		"For each story that it approves, the reviewer's report must contain its line, alone:\n%s\n\nbridge then sets architectVerified. Nothing that you write yourself counts as an approval.",
		f.Stories.Total, len(f.Unreviewed), strings.Join(names, ", "), strings.Join(tags, "\n"))
}

// mark returns the prd.json with the stories approved.
func mark(data []byte, stories []Story) ([]byte, error) {
	prd, err := statefile.ParseObject(data)
	if err != nil {
		return nil, fmt.Errorf("mark the reviewed stories: %w", err)
	}
	for _, s := range stories {
		story, err := statefile.ParseObject(prd.List("userStories")[s.Index])
		if err != nil {
			return nil, fmt.Errorf("mark the story %s as reviewed: %w", s.ID, err)
		}
		prd = prd.SetElement("userStories", s.Index, story.Set("architectVerified", true))
	}
	return prd.Bytes(), nil
}

// approve returns the writes that mark the approved stories in the prd.json that was read.
func (l *loop) approve(stories []Story) []protocol.Write {
	if len(stories) == 0 {
		return nil
	}
	return []protocol.Write{{What: "mark the reviewed stories in " + l.prd.name, Do: func() error {
		text, err := mark(l.prd.file.Data, stories)
		if err != nil {
			return err
		}
		return statefile.In(l.prd.dir, func(dir *statefile.Dir) error {
			return dir.Replace(l.prd.name, l.prd.file, text, statefile.Durable)
		})
	}}}
}
