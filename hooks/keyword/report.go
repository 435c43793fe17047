package keyword

import "strings"

// printed reports whether the text after a name and a colon is the output of a program: "ulw: command not found",
// "autopilot: 3 files changed".
func (sent *sentence) printed(i int) bool {
	for _, phrase := range english.prints {
		if sent.match(phrase, i) > 0 {
			return true
		}
	}
	switch {
	case sent.is(i, english.levels):
		return sent.is(i+1, english.colons)
	case sent.is(i, english.outcomes):
		return sent.is(i+1, english.behindOutcome)
	case isNumber(sent.word(i)):
		return strings.HasSuffix(sent.word(i+2), "ed") || sent.word(i+2) == "found"
	}
	return sent.word(i) == "line" && isNumber(sent.word(i+1))
}

// logged reports whether a sentence is a line of a log: "ralph | fix tests started".
func (sent *sentence) logged() bool {
	last := len(sent.tokens) - 1
	for last >= 0 && sent.is(last, english.closes) {
		last--
	}
	return sent.is(last, english.outcomes) && !sent.has(0, last, english.subordinators) && !sent.has(0, last, english.until)
}

// complains reports whether a statement about the order itself follows: "ralph fix the tests never ends". A statement
// that the order must make true does not count.
func (sent *sentence) complains(i int) bool {
	if sent.is(i, english.ensures) {
		return false
	}
	for j := i + 1; j < min(i+clauseTokens, len(sent.tokens)); j++ {
		if sent.tokens[j].kind == mark || sent.is(j, english.newClause) || sent.is(j, english.ensures) {
			return false
		}
		for _, phrase := range english.complaints {
			if sent.match(phrase, j) > 0 {
				return true
			}
		}
	}
	return false
}
