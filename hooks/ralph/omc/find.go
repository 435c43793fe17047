// Package omc is the ralph mode of oh-my-claudecode and ultrapower: a counter in
// .omc/state, a limit that can be extended, and several ways to finish
// (docs/reference/hook-standard.md#stop-order; docs/reference/omc-ralph.md).
package omc

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// toolErrorTime is how long after a tool error the model is still told about it.
const toolErrorTime = time.Minute

// loop is a loop that this session owns or may claim.
type loop struct {
	registry     *moderegistry.Registry
	state        moderegistry.State
	facts        Facts
	verification moderegistry.Companion
	// prd is the prd.json that was read.
	prd struct {
		dir, name string
		file      statefile.File
	}
}

// Find looks for the session's loop. The other files are read only if there is a loop.
func Find(s *protocol.Stop) (protocol.Found, error) {
	registry := moderegistry.Open(s)
	finding := registry.Find(moderegistry.Ralph)
	found := protocol.Found{Notices: finding.Notices}
	if !finding.OK {
		return found, nil
	}
	l := &loop{registry: registry, state: finding.State}
	extensions, err := finding.State.Object.Count("extensions", 0)
	if err != nil {
		found.Notices = append(found.Notices, protocol.KeyedNotice{
			Key:  "broken-extensions:" + finding.State.Path(),
			Text: fmt.Sprintf("Omc ralph loop: the state file cannot be used (%v), so the loop blocks no stop: %s. To end it: "+display.Bridge+" mode stop ralph --force.", err, finding.State.Path()),
		})
		return found, nil
	}
	l.facts = Facts{
		Iteration: finding.State.Count, Max: finding.State.Limit, Extensions: extensions,
		Prompt: display.Text(finding.State.Object.Text("prompt")), Cancel: registry.CancelSignal(finding.State), Ending: registry.Ending(),
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
func List(s *protocol.Stop) ([]protocol.Controlled, error) {
	return moderegistry.Lister(moderegistry.Ralph)(s)
}

// readTeam finds out whether a team that worked for this loop has ended. A team that ended before the loop began does
// not count.
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

// readVerification reads the pending verification. A verification that was requested
// before the loop began belongs to another loop.
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
		Claim:     display.Text(c.Object.Text("completion_claim")),
		RequestID: word(label(c.Object, "request_id")), StoryID: word(label(c.Object, "story_id")),
		Attempts: attempts, MaxAttempts: most, Story: c.Object.Text("verification_scope") == "story",
	}
}

// word cuts a text before the first character that must not appear between quotes in a
// tag.
func word(text string) string {
	text = text[:min(len(text), 128)]
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c == '"' || c == '<' || c == '>' || c >= 0x7f {
			return text[:i]
		}
	}
	return text
}

// readStories counts the stories of the first prd.json that exists: the session's, the
// project's, or the one in .omc.
func (l *loop) readStories(s *protocol.Stop) {
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
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			// The next file is about other work and must not end this loop.
			return
		}
		stories, unreviewed := parseStories(file.Data)
		// A prd.json that has not changed since the loop began belongs to earlier work. It must not end this loop before
		// the loop does anything.
		if stories.Passing+len(unreviewed) == stories.Total && file.ModTime.Before(l.state.StartedAt.Truncate(time.Second)) && !l.state.Object.Bool("prd_mode") {
			stories, unreviewed = Stories{}, nil
		}
		l.facts.Stories, l.facts.Unreviewed = stories, unreviewed
		l.prd.dir, l.prd.name, l.prd.file = p.dir, p.name, file
		return
	}
}

// label reads a member that is a string or a number.
func label(o statefile.Object, name string) string {
	if value, ok := o.Raw(name); ok && value.Kind() == '0' {
		return string(value)
	}
	return o.Text(name)
}

func (l *loop) readToolError(now time.Time) {
	record, ok := l.registry.Records().Read(moderegistry.ToolError)
	if !ok {
		return
	}
	age := now.Sub(record.Time("timestamp"))
	retries, err := record.Count("retry_count", 1)
	if tool := record.Text("tool_name"); tool != "" && age >= 0 && age < toolErrorTime && err == nil {
		l.facts.ToolError = &ToolError{Tool: display.Text(display.Clip(tool, 100)), Error: display.Text(display.Clip(record.Text("error"), maxEchoed)), Retries: retries}
	}
}

// Label names the loop for the user.
func (l *loop) Label() string { return "omc ralph loop" }

// ReadsToolResults implements protocol.ToolResultReader: only the result of a reviewer
// ends a verification or approves a story.
func (l *loop) ReadsToolResults() bool {
	return l.facts.Verification != nil || len(l.facts.Unreviewed) > 0
}

// Decide answers a stop.
func (l *loop) Decide(turn protocol.Turn, now time.Time) protocol.Decision {
	d, after := Decide(l.facts, turn)
	switch d.Kind {
	case protocol.Continue:
		object := l.state.Object.Set("iteration", after.Iteration).Set("max_iterations", after.Max)
		if after.Extensions != l.facts.Extensions {
			object = object.Set("extensions", after.Extensions)
		}
		d.Writes = []protocol.Write{l.state.Save(fmt.Sprintf("save iteration %d", after.Iteration), object.Set("last_checked_at", now))}
		switch v := after.Verification; {
		case v == l.facts.Verification:
		case v == nil:
			d.Writes = append(d.Writes, l.verification.Save(l.verification.Object.Set("pending", false)))
		default:
			d.Writes = append(d.Writes, l.verification.Save(
				l.verification.Object.Set("verification_attempts", v.Attempts).Set("architect_feedback", v.Feedback)))
		}
		d.Kept = l.approve(after.Approved)
		d.Writes = append(d.Writes, d.Kept...)
	case protocol.Finish:
		writes, resume := l.End(now)
		d.Writes = append(l.approve(after.Approved), writes...)
		d.Diagnostic = d.Message
		d.Message += " " + resume
		if d.Rule == "max-iterations" {
			d.Message += fmt.Sprintf(" --max-iterations %d", l.facts.Max+ralph().Extension)
		}
	case protocol.Allow:
	}
	return d
}

// End moves the loop, and the ultrawork that it started, to their backups.
func (l *loop) End(time.Time) ([]protocol.Write, string) {
	return l.registry.End(l.state), l.state.Kept()
}
