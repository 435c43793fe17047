package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// maxValue is the length above which the value of a variable is not kept: values
	// that are made of values could double with each assignment.
	maxValue = 1 << 10
	// maxValues is how many values of a variable are checked.
	maxValues = 1000
)

// assign records the values that assignments give to variables. The last assignment in the source counts. The elements
// of a list are separate values.
func (w *walker) assign(all []*syntax.Assign, src string) {
	for _, a := range all {
		if a.Name != nil {
			w.assignOne(a, src)
		}
	}
}

func (w *walker) assignOne(a *syntax.Assign, src string) {
	name := a.Name.Value
	switch {
	case a.Array != nil:
		var words []*syntax.Word
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				words = append(words, e.Value)
			}
		}
		w.set(name, words, src)
	case a.Value == nil:
		if !a.Naked && !a.Append {
			w.vars[name] = []Arg{{Known: true}}
		}
	case a.Append:
		value := w.one(a.Value, src)
		for i, old := range w.vars[name] {
			w.vars[name][i] = Arg{old.Text + value.Text, old.Known && value.Known}
		}
	default:
		w.vars[name] = []Arg{w.one(a.Value, src)}
	}
	if slot := w.vars[name]; len(slot) > 0 && len(slot[0].Text) > maxValue {
		delete(w.vars, name)
	}
}

// set gives a variable the values of words as alternatives.
func (w *walker) set(name string, words []*syntax.Word, src string) {
	var values []Arg
	for _, word := range words {
		if values = w.words(values, word, src); len(values) >= maxValues {
			w.overLimit()
			break
		}
	}
	w.vars[name] = values
}

// one returns the value of a word, which the shell does not split here.
func (w *walker) one(word *syntax.Word, src string) Arg {
	if printed := w.substituted(word, src); len(printed) == 1 {
		return printed[0]
	}
	return w.expanded(word, src)
}

// expanded is the value of a word without command substitutions.
func (w *walker) expanded(word *syntax.Word, src string) Arg {
	a := bestEffort(word, src)
	if a.Known {
		return a
	}
	if text, known, found := w.fill(word.Parts, src); found {
		return Arg{text, known}
	}
	return a
}

// words appends the values of a word. A word that is only a variable is split.
func (w *walker) words(all []Arg, word *syntax.Word, src string) []Arg {
	if printed := w.substituted(word, src); len(printed) > 0 {
		return append(all, printed...)
	}
	if len(word.Parts) == 1 {
		if p, ok := word.Parts[0].(*syntax.ParamExp); ok {
			if a, found := w.value(p, src); found {
				for part := range strings.FieldsSeq(a.Text) {
					all = append(all, Arg{part, a.Known})
				}
				return all
			}
			return append(all, bestEffort(word, src))
		}
	}
	return append(all, w.expanded(word, src))
}

// fill writes the parts of a word with the variables whose values are known.
func (w *walker) fill(parts []syntax.WordPart, src string) (text string, known, found bool) {
	var b strings.Builder
	known = true
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.ParamExp:
			if v, ok := w.value(p, src); ok {
				b.WriteString(v.Text)
				known, found = known && v.Known, true
				continue
			}
		case *syntax.DblQuoted:
			inner, k, f := w.fill(p.Parts, src)
			b.WriteString(inner)
			known, found = known && k, found || f
			continue
		}
		a := bestEffort(&syntax.Word{Parts: []syntax.WordPart{part}}, src)
		b.WriteString(a.Text)
		known = known && a.Known
	}
	return b.String(), known, found
}

// value is the value of $x and ${x}. Forms with a default value count as these; they give an unknown variable the
// default value.
func (w *walker) value(p *syntax.ParamExp, src string) (Arg, bool) {
	if p.Param == nil || p.Length || p.Excl || p.Slice != nil || p.Repl != nil {
		return Arg{}, false
	}
	values, ok := w.vars[p.Param.Value]
	if p.Exp != nil {
		switch p.Exp.Op {
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
			// HOME and PWD always have a value.
			if !ok && p.Exp.Word != nil && !HasWord("HOME PWD CLAUDE_PROJECT_DIR", p.Param.Value) {
				return w.one(p.Exp.Word, src), true
			}
		case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		default:
			return Arg{}, false
		}
	}
	if !ok || len(values) == 0 {
		return Arg{}, false
	}
	w.choices = max(w.choices, len(values))
	return values[min(w.choice, len(values)-1)], true
}

// each visits the result of reading the words, once for each value of the variables in them.
func (w *walker) each(read func()) {
	defer func(choice, choices int) { w.choice, w.choices = choice, choices }(w.choice, w.choices)
	w.choice, w.choices = 0, 1
	for ; w.choice < w.choices; w.choice++ {
		if w.choice > 0 && w.full() {
			w.overLimit()
			return
		}
		read()
	}
}
