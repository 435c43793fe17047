package shell

import "strings"

// checkSed reads every script of a sed command. Accepted are addresses and the
// commands p P d D q Q = n N g G h H x l z F s y and braces. Left out are w and
// W (write a file), e (runs a command), r and R (read a file), the flags w and e
// of s, and commands with free text or labels, whose end differs between
// versions.
func checkSed(c *call) *refusal {
	var scripts []word
	for _, o := range c.options {
		if o.name == "-e" || o.name == "--expression" {
			scripts = append(scripts, word{text: o.value, src: o.src})
		}
	}
	files := c.operands
	if len(scripts) == 0 {
		if len(files) == 0 {
			if c.has("--version", "--help") {
				return nil
			}
			return &refusal{"operand", "sed", "The sed script is missing."}
		}
		if files[0].glob >= 0 {
			return globRefusal(files[0])
		}
		scripts, files = files[:1], files[1:]
	}
	for _, s := range scripts {
		p := sedScript{text: s.text}
		if !p.accept() {
			return &refusal{"script", s.src, "The sed script contains a command that is not known to be read-only."}
		}
	}
	c.reads(files...)
	return nil
}

// sedScript is a reader of a sed script.
type sedScript struct {
	text string
	pos  int
}

func (s *sedScript) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// skip moves over any of the characters.
func (s *sedScript) skip(chars string) {
	for s.pos < len(s.text) && strings.IndexByte(chars, s.text[s.pos]) >= 0 {
		s.pos++
	}
}

func (s *sedScript) accept() bool {
	depth := 0
	for {
		s.skip(" \t\n;")
		if s.pos == len(s.text) {
			return depth == 0
		}
		if !s.addresses() {
			return false
		}
		s.skip(" \t")
		s.skip("!")
		s.skip(" \t")
		command := s.peek()
		s.pos++
		switch command {
		case '{':
			depth++
			continue
		case '}':
			depth--
			if depth < 0 {
				return false
			}
		case 'p', 'P', 'd', 'D', '=', 'n', 'N', 'g', 'G', 'h', 'H', 'x', 'z', 'F':
		case 'q', 'Q', 'l':
			s.skip(" ")
			s.skip("0123456789")
		case 's':
			if !s.substitute() {
				return false
			}
		case 'y':
			delimiter, ok := s.delimiter()
			if !ok || !s.until(delimiter, true) || !s.until(delimiter, false) {
				return false
			}
		default:
			return false
		}
		// Nothing may be between a command and its end.
		s.skip(" \t")
		switch s.peek() {
		case ';', '\n', '}':
		default:
			if s.pos < len(s.text) {
				return false
			}
		}
	}
}

func (s *sedScript) addresses() bool {
	if !s.address() {
		return false
	}
	s.skip(" \t")
	if s.peek() != ',' {
		return true
	}
	s.pos++
	s.skip(" \t")
	if c := s.peek(); c == '+' || c == '~' {
		s.pos++
	}
	before := s.pos
	return s.address() && s.pos > before
}

// address moves over at most one address.
func (s *sedScript) address() bool {
	switch c := s.peek(); {
	case c == '$':
		s.pos++
	case c >= '0' && c <= '9':
		s.skip("0123456789")
		if s.peek() == '~' {
			s.pos++
			s.skip("0123456789")
		}
	case c == '/':
		s.pos++
		if !s.until('/', true) {
			return false
		}
		s.skip("IM")
	}
	return true
}

func (s *sedScript) substitute() bool {
	delimiter, ok := s.delimiter()
	if !ok || !s.until(delimiter, true) || !s.until(delimiter, false) {
		return false
	}
	s.skip("gpiIM0123456789")
	return true
}

// delimiter reads the delimiter of s or y. Letters, digits, brackets and blanks are legal
// but unusual, and would make the end hard to find, so they are not accepted.
func (s *sedScript) delimiter() (byte, bool) {
	c := s.peek()
	s.pos++
	return c, c != 0 && strings.IndexByte("/|,#:;@%!_~+=^&-", c) >= 0
}

// until moves past the next delimiter. GNU sed ends an expression at the first delimiter
// without a backslash; BSD sed does not see one inside a bracket expression. If the two
// differ, the script is not approved.
func (s *sedScript) until(delimiter byte, brackets bool) bool {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n':
			return false
		case c == '\\':
			s.pos++
			if s.pos < len(s.text) && s.text[s.pos] == '\n' {
				return false
			}
		case c == delimiter:
			s.pos++
			return true
		case c == '[' && brackets:
			if !s.bracket(delimiter) {
				return false
			}
			continue
		}
		s.pos++
	}
	return false
}

// bracket moves past a bracket expression that contains no delimiter, no backslash and no
// nested class that looks like its end.
func (s *sedScript) bracket(delimiter byte) bool {
	s.pos++
	if s.peek() == '^' {
		s.pos++
	}
	if s.peek() == ']' {
		s.pos++
	}
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '[' && s.pos+1 < len(s.text) && strings.IndexByte(":.=", s.text[s.pos+1]) >= 0:
			end := strings.Index(s.text[s.pos+2:], s.text[s.pos+1:s.pos+2]+"]")
			if end < 0 || strings.ContainsAny(s.text[s.pos:s.pos+2+end], string(delimiter)+"\n\\") && delimiter != ':' {
				return false
			}
			if delimiter == ':' || delimiter == '=' {
				return false
			}
			s.pos += 2 + end + 2
			continue
		case c == ']':
			s.pos++
			return true
		case c == delimiter, c == '\n', c == '\\':
			return false
		}
		s.pos++
	}
	return false
}
