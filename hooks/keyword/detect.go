package keyword

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/moderegistry"
)

// Detection is what a prompt asks for.
type Detection struct {
	// Cancel says that modes must end: those in Modes or, if Modes is empty, all modes of the session. Nothing starts in
	// that case.
	Cancel bool
	// Modes are the modes to start or, with Cancel, to end.
	Modes []moderegistry.Mode
	// Trigger is the trigger that was found, in lower case. Rule is the form of the
	// request: command, head, start, manner, tail, order, alone or cancel.
	Trigger, Rule string
	// Dropped are modes that the prompt asked for but that cannot run together with one of Modes.
	Dropped []moderegistry.Mode
	// Near are the first mentions, if no mention asks for anything.
	Near []Near
}

// Near is a mention of a mode that starts and ends nothing.
type Near struct {
	Trigger string
	Why     Reason
}

// Reason says why a mention asks for nothing.
type Reason string

// The reasons, in the order in which they are checked.
const (
	Reported  Reason = "the line before it introduces somebody else's text"
	Quoted    Reason = "it is quoted"
	Question  Reason = "the sentence is a question"
	Negated   Reason = "the sentence says not to"
	NoRequest Reason = "the sentence does not ask to start or end the mode"
)

// mostNear is how many mentions Detection.Near holds.
const mostNear = 5

// Found reports whether the prompt asks for anything.
func (d Detection) Found() bool { return d.Cancel || len(d.Modes) > 0 }

// Detect reads a prompt. disabled lists modes or triggers that the user switched off;
// cancel cannot be switched off.
func Detect(prompt string, disabled []string) Detection { return detect(prompt, disabled, modes) }

func detect(prompt string, disabled []string, table []row) Detection {
	if claude.IsEnvelope(prompt) {
		return Detection{}
	}
	if d, taken := explicit(prompt); taken {
		if !d.Cancel && len(d.Modes) > 0 && slices.ContainsFunc(disabled, func(s string) bool { return strings.EqualFold(s, string(d.Modes[0])) }) {
			return Detection{}
		}
		return d
	}
	s := newScan(clip(prompt), table)
	d := s.settle(disabled, table)
	if !d.Found() {
		for i := range min(len(s.mentions), mostNear) {
			m := &s.mentions[i]
			d.Near = append(d.Near, Near{m.text, s.whyNot(m)})
		}
	}
	return d
}

// whyNot returns why a mention asks for nothing.
func (s *scan) whyNot(m *mention) Reason {
	sent := &s.sentences[m.sentence]
	before := s.before(m.start, windowBytes, sent.start)
	switch {
	case s.introduced(m.sentence):
		return Reported
	case m.quoted:
		return Quoted
	case sent.question, sent.asks():
		return Question
	case sent.negated(m.first), chinese.negations.in(before), japanese.negations.in(s.after(m.end, windowBytes)), korean.negations.in(s.after(m.end, windowBytes)):
		return Negated
	}
	return NoRequest
}

// clip cuts a prompt to the part that is searched. It never cuts inside a character.
func clip(prompt string) string {
	if len(prompt) <= maxPrompt {
		return prompt
	}
	end := maxPrompt
	for end > 0 && !utf8.RuneStart(prompt[end]) {
		end--
	}
	return prompt[:end]
}

// settle judges every mention and combines the results.
func (s *scan) settle(disabled []string, table []row) Detection {
	off := func(t *trigger) bool {
		return slices.ContainsFunc(disabled, func(name string) bool {
			return strings.EqualFold(name, t.text) || strings.EqualFold(name, string(t.mode))
		})
	}
	var d Detection
	var ends, asked []moderegistry.Mode
	all := false
	for n := range s.sentences {
		if s.cancelsAll(n) {
			all, d.Cancel, d.Rule = true, true, string(ending)
		}
	}
	for i := range s.mentions {
		m := &s.mentions[i]
		f := s.judge(m)
		switch {
		case f == nothing:
			continue
		case m.mode == cancel:
			all = true
		case f == ending:
			ends = append(ends, m.mode)
		case off(m.trigger):
			continue
		default:
			asked = append(asked, m.mode)
		}
		if d.Rule == "" || f == ending && !d.Cancel {
			d.Trigger, d.Rule = m.text, string(f)
		}
		d.Cancel = d.Cancel || f == ending
	}
	d.Dropped = unique(table, asked)
	switch {
	case all:
	case len(ends) > 0:
		d.Modes = unique(table, ends)
	default:
		d.Modes = resolve(table, asked)
		d.Dropped = slices.DeleteFunc(d.Dropped, func(mode moderegistry.Mode) bool { return slices.Contains(d.Modes, mode) })
	}
	return d
}
