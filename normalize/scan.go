package normalize

import "bytes"

const (
	byteOrderMark = "\uFEFF"
	jsonSpace     = " \t\r\n"
)

// scanner finds the end of the first JSON object in a text that arrives in pieces. It
// counts brackets outside strings and checks nothing else: if the text is JSON, the end
// is right, and if it is not, Decode rejects the text.
type scanner struct {
	pos      int // bytes scanned
	begun    bool
	depth    int
	inString bool
	escaped  bool
}

// scan continues where it stopped; text is everything read so far. It returns the offset
// after the object, or 0 while the object is incomplete, or a rule if it can never be
// completed.
func (s *scanner) scan(text []byte) (end int, rule Rule) {
	if !s.begun {
		if rule := s.begin(text); rule != "" || !s.begun {
			return 0, rule
		}
	}
	for ; s.pos < len(text); s.pos++ {
		c := text[s.pos]
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			s.escaped = c == '\\'
			s.inString = c != '"'
		case c == '"':
			s.inString = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				s.pos++
				return s.pos, ""
			}
		}
	}
	return 0, ""
}

// begin skips a byte order mark and white space up to the opening brace.
func (s *scanner) begin(text []byte) Rule {
	if s.pos == 0 {
		if len(text) < len(byteOrderMark) && bytes.HasPrefix([]byte(byteOrderMark), text) {
			return ""
		}
		if bytes.HasPrefix(text, []byte(byteOrderMark)) {
			s.pos = len(byteOrderMark)
		}
	}
	for ; s.pos < len(text); s.pos++ {
		switch text[s.pos] {
		case ' ', '\t', '\r', '\n':
		case '{':
			s.begun = true
			return ""
		default:
			return RuleNotAnObject
		}
	}
	return ""
}
