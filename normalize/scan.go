package normalize

import "bytes"

const (
	byteOrderMark = "\uFEFF"
	jsonSpace     = " \t\r\n"
)

// scanner finds the end of the first JSON object of a text that arrives in
// pieces. It counts brackets outside strings and judges nothing else: where the
// text is JSON the end is right, and where it is not, Decode refuses whatever
// was cut off.
type scanner struct {
	pos      int // bytes looked at
	begun    bool
	depth    int
	inString bool
	escaped  bool
}

// scan goes on where it stopped; text holds everything so far. It returns the
// offset behind the object, or 0 as long as there is none, or a rule if there
// never will be one.
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
