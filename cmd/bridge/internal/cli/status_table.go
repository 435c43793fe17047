package cli

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
)

// maxAbout is how many characters of a prompt are shown in a line.
const maxAbout = 200

// about is what a loop works on, on one line.
func about(st protocol.Status) string {
	return strings.TrimPrefix(strings.TrimSuffix(excerpt(st)+": "+st.Progress, ": "), ": ")
}

// excerpt is the beginning of the prompt, on one line.
func excerpt(st protocol.Status) string {
	return display.Clip(strings.Join(strings.Fields(st.About[:min(len(st.About), 8*maxAbout)]), " "), maxAbout)
}

// maxProject is how many columns the name of a project gets on a terminal.
const maxProject = 14

// name is the beginning of the id of the loop's session, which all commands take.
func name(st protocol.Status) string { return cmp.Or(short(st.SessionID), "-") }

// loopTable has one line for each loop.
func (s *screen) loopTable(list []located) {
	table := term.Table{Head: heads(s.lang, "ID", "PROJECT", "LOOP", "N/MAX", "STATE", "AGE", "PROMPT")}
	for _, l := range list {
		st := l.Status
		project := filepath.Base(l.project)
		if s.columns > 0 {
			project = term.Clip(project, maxProject)
		}
		table.Add(name(st), project, st.Kind, iterations(st), stateWord(s.lang, st.State), age(s.app.Now(), st), s.app.named(about(st)))
	}
	s.table(table, 4, 6, 1, 2)
}

// problems are what is wrong with loops, each in a text of its own.
func (s *screen) problems(list []located) {
	first := true
	for _, l := range list {
		problem := cmp.Or(l.Status.Problem, l.Status.Failure)
		if problem == "" || problem == string(l.Status.State) {
			continue
		}
		if first {
			s.line("")
		}
		first = false
		s.wrapped("! ", "  ", l.Status.Kind+" "+name(l.Status)+": "+problem)
	}
}

// details are everything about one loop.
func (s *screen) details(l located, ended string) {
	st := l.Status
	head := func(label string) string {
		label = labelIn(s.lang, label)
		return "  " + label + strings.Repeat(" ", max(labelWidth-2-term.Width(label), 1))
	}
	prose := func(label, text string) {
		if text != "" {
			s.wrapped(head(label), strings.Repeat(" ", labelWidth), text)
		}
	}
	// A command or a path is copied, so it stays in one piece.
	row := func(label, text string) {
		if text != "" {
			s.line("%s%s", head(label), text)
		}
	}
	s.line("")
	prose("prompt", excerpt(st))
	if st.State == protocol.LoopEnded {
		prose("ended", ended)
	} else {
		prose("ends by", st.EndsBy)
	}
	stop := l.stop
	if stop != "" && l.elsewhere {
		stop += " (in " + home.Short(l.project, s.app.Getenv) + ")"
	}
	row("to stop", stop)
	row("phase", st.Phase)
	prose("progress", st.Progress)
	if st.Agents > 0 {
		row("agents", strconv.Itoa(st.Agents)+s.lang.In(" 个在工作", " at work"))
	}
	row("session", st.SessionID)
	started := ""
	if !st.StartedAt.IsZero() {
		started = st.StartedAt.Local().Format("2006-01-02 15:04") + " (" + ago(s.app.Now().Sub(st.StartedAt)) + s.lang.In("前)", " ago)")
	}
	row("started", started)
	row("project", home.Short(l.project, s.app.Getenv))
	row("file", shortPath(l.project, st.Path))
	prose("problem", cmp.Or(st.Problem, st.Failure))
}

// labelWidth is the column at which the values of details begin.
const labelWidth = 12

// age says how long ago the loop changed.
func age(now time.Time, s protocol.Status) string {
	if s.UpdatedAt.IsZero() {
		return ""
	}
	return ago(now.Sub(s.UpdatedAt))
}

// iterations is a cell such as 3/9, or 3 if there is no limit.
func iterations(s protocol.Status) string {
	switch {
	case s.Limit > 0:
		return outOf(s.Iteration, s.Limit)
	case s.Iteration > 0:
		return strconv.Itoa(s.Iteration)
	}
	return ""
}

// shortID is how many characters of a session id are shown.
const shortID = 8

// short is enough of a session id to tell it from others.
func short(id string) string {
	if len(id) > shortID {
		return id[:shortID]
	}
	return id
}
