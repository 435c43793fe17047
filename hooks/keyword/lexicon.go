package keyword

import (
	"slices"
	"strings"
)

// words are sorted for binary search. They are looked up token by token; an empty word
// stands for the end of a sentence.
type words []string

func (w words) has(text string) bool {
	from, to := 0, len(w)
	for from < to {
		middle := (from + to) / 2
		if w[middle] < text {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from < len(w) && w[from] == text
}

// parts are pieces of text in a script without spaces between words. The first match is
// used.
type parts []string

// cut removes the part with which text begins.
func (p parts) cut(text string) (rest string, ok bool) {
	for _, part := range p {
		if rest, ok := strings.CutPrefix(text, part); ok {
			return rest, true
		}
	}
	return text, false
}

// cutEnd removes the part with which text ends.
func (p parts) cutEnd(text string) (rest string, ok bool) {
	for _, part := range p {
		if rest, ok := strings.CutSuffix(text, part); ok {
			return rest, true
		}
	}
	return text, false
}

func (p parts) begin(text string) bool {
	_, ok := p.cut(text)
	return ok
}

func (p parts) end(text string) bool {
	_, ok := p.cutEnd(text)
	return ok
}

func (p parts) in(text string) bool {
	return slices.ContainsFunc(p, func(part string) bool { return strings.Contains(text, part) })
}
