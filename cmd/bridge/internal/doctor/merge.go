package doctor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
)

// lineFinding is a finding about one hook line. ops repair the line.
type lineFinding struct {
	Finding
	line settingsfile.HookLine
	ops  []settingsfile.Operation
}

// about adds a finding about a line; ops are nil if no fix is offered. Findings about
// one file with the same cause become one.
func (e *examination) about(l settingsfile.HookLine, f Finding, ops ...settingsfile.Operation) {
	e.aboutLines = append(e.aboutLines, lineFinding{f, l, ops})
}

// merge turns the findings about lines into findings.
func (e *examination) merge() {
	for len(e.aboutLines) > 0 {
		first := e.aboutLines[0]
		var alike, rest []lineFinding
		for _, f := range e.aboutLines {
			if f.ID == first.ID && f.Means == first.Means && f.line.Source == first.line.Source && (f.ops == nil) == (first.ops == nil) {
				alike = append(alike, f)
			} else {
				rest = append(rest, f)
			}
		}
		e.aboutLines = rest
		e.found(e.one(alike))
	}
}

// one merges several findings about lines of one file into one.
func (e *examination) one(alike []lineFinding) Finding {
	first := alike[0]
	f := first.Finding
	f.Where = name(first.line)
	if len(alike) > 1 {
		var events []string
		for _, a := range alike {
			events = append(events, a.line.Event)
		}
		f.Where = first.line.Source.Path + ", " + display.Count(len(alike), "hook line") + ": " + few(slices.Compact(events))
		f.What = inTurn(alike, func(f lineFinding) string { return f.What })
		f.Do = inTurn(alike, func(f lineFinding) string { return strings.TrimSuffix(f.Do, ".") }) + "."
	}
	if first.ops == nil || !e.mayEdit(first.line.Source) {
		return f
	}
	var ops []settingsfile.Operation
	for _, a := range alike {
		for _, op := range a.ops {
			if !slices.ContainsFunc(ops, func(o settingsfile.Operation) bool { return o.Op == op.Op && o.Path == op.Path }) {
				ops = append(ops, op)
			}
		}
	}
	f.Fix = func() error { return settingsfile.Edit(first.line.Source.Path, ops) }
	return f
}

// inTurn returns the text if all findings have the same one; otherwise it
// returns each text with its events.
func inTurn(alike []lineFinding, text func(lineFinding) string) string {
	var texts []string
	events := map[string][]string{}
	for _, a := range alike {
		t := text(a)
		if events[t] == nil {
			texts = append(texts, t)
		}
		if !slices.Contains(events[t], a.line.Event) {
			events[t] = append(events[t], a.line.Event)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	for i, t := range texts {
		texts[i] = few(events[t]) + ": " + t
	}
	return strings.Join(texts, "; ")
}

// few names the first few of a list.
func few(names []string) string {
	const most = 3
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

// member is an operation on a member of a line.
func member(l settingsfile.HookLine, op, name string, value any) settingsfile.Operation {
	return settingsfile.Operation{Op: op, Path: l.Pointer + "/" + name, Value: value}
}
