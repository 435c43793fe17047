// Package promise recognises the tag with which the model says that its work is complete,
// <promise>…</promise> (docs/design.md#promise).
package promise

import (
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/protocol"
)

// Kept reports whether the turn keeps one of the promises. A tag counts anywhere in the
// last message. In earlier texts of the turn it must be alone on its line, so that a
// quoted file ends nothing.
func Kept(turn protocol.Turn, promises ...string) bool {
	if In(turn.Final, false, promises...) {
		return true
	}
	for _, entry := range turn.Entries {
		if entry.Kind == protocol.EntryText && entry.Text != turn.Final && In(entry.Text, true, promises...) {
			return true
		}
	}
	return false
}

// In looks for a tag that contains one of the promises; alone says that it must be alone
// on its line. Angle brackets may be written as in HTML. Any white space counts as one
// space; everything else is compared literally. Because a tag inside a tag may be the right
// one, the text is compared backwards from each closing tag, so that even a hostile message
// is read only once.
func In(text string, alone bool, promises ...string) bool {
	var folded []string
	for _, p := range promises {
		folded = append(folded, fold(p))
	}
	if between(folded, text, alone, "<promise>", "</promise>") {
		return true
	}
	if !strings.Contains(text, "&lt;promise&gt;") {
		return false
	}
	for _, p := range folded[:len(promises)] {
		folded = append(folded, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(p))
	}
	return between(folded, text, alone, "&lt;promise&gt;", "&lt;/promise&gt;")
}

// between looks for one of the promises between two tags.
func between(promises []string, text string, alone bool, open, closing string) bool {
	for from := 0; ; {
		length := strings.Index(text[from:], closing)
		if length < 0 {
			return false
		}
		end := from + length
		for _, promise := range promises {
			if promise == "" {
				continue
			}
			before, ok := cutFolded(text[from:end], promise)
			if !ok || !strings.HasSuffix(before, open) {
				continue
			}
			if !alone || standsAlone(text[:from+len(before)-len(open)], text[end+len(closing):]) {
				return true
			}
		}
		from = end + len(closing)
	}
}

// fold replaces each run of white space with one space and trims the ends.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// cutFolded returns the text before a folded suffix of s, ignoring differences in white
// space.
func cutFolded(s, folded string) (before string, ok bool) {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	for {
		at := strings.LastIndexByte(folded, ' ')
		if s, ok = strings.CutSuffix(s, folded[at+1:]); !ok {
			return "", false
		}
		before = strings.TrimRightFunc(s, unicode.IsSpace)
		if at < 0 {
			return before, true
		}
		if len(before) == len(s) {
			return "", false
		}
		s, folded = before, folded[:at]
	}
}

// standsAlone reports whether the line has only white space before and after a tag.
func standsAlone(before, after string) bool {
	left := strings.TrimRightFunc(before, unicode.IsSpace)
	right := strings.TrimLeftFunc(after, unicode.IsSpace)
	return (left == "" || strings.Contains(before[len(left):], "\n")) &&
		(right == "" || strings.Contains(after[:len(after)-len(right)], "\n"))
}
