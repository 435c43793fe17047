package keyword

// isName reports whether a mention is written as a person's name: Ralph, but not ralph or
// RALPH.
func (p *place) isName() bool {
	isUpper := func(at int) bool { c := p.scan.prompt[at]; return c >= 'A' && c <= 'Z' }
	return len(p.people) > 0 && isUpper(p.start) && !isUpper(p.end-1) && p.to <= p.last
}

// signs reports whether a mention that stands alone signs the text before it: it is a name on a separate line, or comes
// after "Best regards".
func (p *place) signs() bool {
	for n, back := p.sentence-1, 0; len(p.people) > 0 && n >= 0 && back < 4; n, back = n-1, back+1 {
		sent := &p.scan.sentences[n]
		last := len(sent.tokens) - 1
		if p.isName() && sent.word(last) == "\n" {
			return true
		}
		for sent.is(last, english.signMarks) {
			last--
		}
		if last >= 0 {
			return sent.is(last, english.closings) && (last <= 2 || sent.is(last-1, english.signMarks))
		}
	}
	return false
}

// signsBehind reports whether a mention after a mark signs the sentence: "Fix it. Thanks, Ralph".
func (p *place) signsBehind() bool {
	return p.isName() && (p.sent.is(p.from-2, english.closings) || p.sent.is(p.from-1, english.dashes))
}
