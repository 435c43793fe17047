// Package omc is the ralph of oh-my-claudecode and ultrapower: a counter in
// .omc/state with a limit that is extended, and several ways to be done (seed
// 004, section 2.1; spec/omc-modes.md, section 6.3).
package omc

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/clean"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
)

// toolErrorTime is how long the last tool error is worth telling.
const toolErrorTime = time.Minute

// loop is a loop that this session owns or may claim.
type loop struct {
	registry     *moderegistry.Registry
	state        moderegistry.State
	facts        Facts
	verification moderegistry.Companion
}

// Find looks for the session's loop. What else the loop needs is read only when
// there is one.
func Find(s *hooks.Stop) (hooks.Found, error) {
	registry := moderegistry.Open(s)
	finding := registry.Find(moderegistry.Ralph)
	found := hooks.Found{Notices: finding.Notices}
	if !finding.OK {
		return found, nil
	}
	l := &loop{registry: registry, state: finding.State}
	extensions, err := finding.State.Object.Count("extensions", 0)
	if err != nil {
		found.Notices = append(found.Notices, hooks.KeyedNotice{
			Key:  "broken-extensions:" + finding.State.Path(),
			Text: fmt.Sprintf("Omc ralph loop: %s cannot be used (%v), so nothing is enforced. To drop it: bridge mode stop ralph --force.", finding.State.Path(), err),
		})
		return found, nil
	}
	l.facts = Facts{
		Iteration: finding.State.Count, Max: finding.State.Limit, Extensions: extensions,
		Prompt: clean.Text(finding.State.Object.Text("prompt")),
	}
	switch registry.CancelSignal(finding.State) {
	case moderegistry.SignalHere:
		l.facts.Cancelled = true
	case moderegistry.SignalAnywhere:
		l.facts.CancelNear = true
	case moderegistry.NoSignal:
	}
	_, l.facts.Ultrawork = registry.Linked(finding.State)
	l.readTeam()
	l.readVerification()
	l.readStories(s)
	l.readToolError(s.Env.Now)
	found.Active = l
	return found, nil
}

// List returns the loops of all sessions.
func List(s *hooks.Stop) ([]hooks.Controlled, error) {
	return moderegistry.Lister(moderegistry.Ralph)(s)
}

// readTeam looks for the end of a team that worked for this loop. One that ended
// before the loop began says nothing.
func (l *loop) readTeam() {
	team, ok := l.registry.Companion(l.state, moderegistry.StateFile(moderegistry.Team))
	if !ok {
		return
	}
	touched := moderegistry.Touched(team.Object)
	if touched.IsZero() || touched.Before(l.state.StartedAt) {
		return
	}
	l.facts.Team = moderegistry.TeamEnd(team.Object)
}

// readVerification reads the pending verification. One that was asked for before
// the loop began belongs to another loop.
func (l *loop) readVerification() {
	c, ok := l.registry.Companion(l.state, moderegistry.RalphVerification)
	if !ok || !c.Object.Bool("pending") {
		return
	}
	if at := c.Object.Time("requested_at"); !at.IsZero() && at.Before(l.state.StartedAt.Truncate(time.Second)) {
		return
	}
	attempts, err := c.Object.Count("verification_attempts", 0)
	most, mostErr := c.Object.Count("max_verification_attempts", 3)
	if err != nil || mostErr != nil || most == 0 {
		attempts, most = 0, 3
	}
	l.verification = c
	l.facts.Verification = &Verification{
		Claim:     clean.Text(c.Object.Text("completion_claim")),
		RequestID: word(c.Object.Text("request_id")), StoryID: word(c.Object.Text("story_id")),
		Attempts: attempts, MaxAttempts: most,
	}
}

// word keeps what may stand between quotes in a tag.
func word(text string) string {
	if len(text) > 128 {
		return text[:128]
	}
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c == '"' || c == '<' || c == '>' || c >= 0x7f {
			return text[:i]
		}
	}
	return text
}

// readStories counts the stories of the first prd.json that there is: the
// session's, the project's, the one in .omc.
func (l *loop) readStories(s *hooks.Stop) {
	if raw, ok := l.state.Object.Raw("prd_mode"); ok && raw.Kind() == 'f' {
		return
	}
	type place struct{ dir, name string }
	var places []place
	if name, ok := moderegistry.SessionPath(moderegistry.PRD, s.Input.SessionID); ok {
		places = append(places, place{l.state.Dir, name})
	}
	name, _ := moderegistry.LegacyPath(moderegistry.PRD)
	for _, dir := range s.Places {
		places = append(places, place{dir, name})
	}
	places = append(places, place{l.state.Dir, name})
	for _, p := range places {
		dir, err := statefile.OpenDir(p.dir)
		if err != nil {
			continue
		}
		file, err := dir.Read(p.name)
		dir.Close()
		if err != nil {
			continue
		}
		stories := parseStories(file.Data)
		// A prd.json that nobody touched since the loop began is the work of an
		// earlier one: it must not end this loop before it did anything.
		if stories.Done() && file.ModTime.Before(l.state.StartedAt.Truncate(time.Second)) && !l.state.Object.Bool("prd_mode") {
			stories = Stories{}
		}
		l.facts.Stories = stories
		return
	}
}

// parseStories counts; a file that is no prd.json has none.
func parseStories(data []byte) Stories {
	var prd struct {
		UserStories []struct {
			ID       string `json:"id"`
			Title    string `json:"title"`
			Passes   bool   `json:"passes"`
			Verified *bool  `json:"architectVerified"`
		} `json:"userStories"`
	}
	if err := json.Unmarshal(data, &prd); err != nil {
		return Stories{}
	}
	stories := Stories{Total: len(prd.UserStories)}
	for _, story := range prd.UserStories {
		switch {
		case story.Passes && (story.Verified == nil || *story.Verified):
			stories.Passing++
		case stories.Next == "":
			stories.Next = clean.Text(story.ID + " " + story.Title)
		}
	}
	return stories
}

func (l *loop) readToolError(now time.Time) {
	record, ok := l.registry.Records().Read(moderegistry.ToolError)
	if !ok {
		return
	}
	age := now.Sub(record.Time("timestamp"))
	retries, err := record.Count("retry_count", 1)
	if tool := record.Text("tool_name"); tool != "" && age >= 0 && age < toolErrorTime && err == nil {
		l.facts.ToolError = &ToolError{Tool: clean.Text(clean.Clip(tool, 100)), Error: clean.Text(clean.Clip(record.Text("error"), maxEchoed)), Retries: retries}
	}
}

// Label names the loop for the user.
func (l *loop) Label() string { return "omc ralph loop" }

// ReadsToolResults implements hooks.ToolResultReader: only a reviewer's result
// ends a verification.
func (l *loop) ReadsToolResults() bool { return l.facts.Verification != nil }

// Decide is the loop's answer to a stop.
func (l *loop) Decide(turn hooks.Turn, now time.Time) hooks.Decision {
	v := Decide(l.facts, turn)
	d := hooks.Decision{Kind: v.Kind, Rule: v.Rule, Reason: v.Reason, Message: v.Message}
	switch v.Kind {
	case hooks.Continue:
		object := l.state.Object.Set("iteration", v.Iteration).Set("max_iterations", v.Max)
		if v.Extensions != l.facts.Extensions {
			object = object.Set("extensions", v.Extensions)
		}
		d.Writes = []hooks.Write{l.state.Save(fmt.Sprintf("save iteration %d", v.Iteration), object.Set("last_checked_at", now))}
		if v.Rejected {
			d.Writes = append(d.Writes, l.verification.Save(
				l.verification.Object.Set("verification_attempts", v.Attempts).Set("architect_feedback", v.Feedback)))
		}
	case hooks.Finish:
		writes, resume := l.End(now)
		d.Writes = writes
		d.Message += " " + resume
		if v.Rule == "max-iterations" {
			d.Message += fmt.Sprintf(" --max-iterations %d", l.facts.Max+extension)
		}
		d.Diagnostic = v.Message
	case hooks.Allow:
	}
	return d
}

// End moves the loop, and the ultrawork that it brought along, to their backups.
func (l *loop) End(time.Time) ([]hooks.Write, string) {
	return l.registry.End(l.state), l.state.Kept()
}
