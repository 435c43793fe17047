package shell

import "strings"

// checkAwk reads an awk program. It rejects a program whose text contains, anywhere and
// even in a string, something that could run a command, read or write a file that is not
// an operand, or read the environment.
func checkAwk(c *call) *refusal {
	if c.has("--version") {
		return nil
	}
	if len(c.operands) == 0 {
		return &refusal{"operand", "awk", "The awk program is missing."}
	}
	program := c.operands[0]
	if program.glob >= 0 {
		return globRefusal(program)
	}
	for _, forbidden := range []string{"system", "getline", "@", "ENVIRON", "ARGV", "ARGC", "PROCINFO", "SYMTAB", "FUNCTAB", "\\\n"} {
		if strings.Contains(program.text, forbidden) {
			return &refusal{"script", program.src, "The awk program contains " + strings.TrimSpace(forbidden) + ", which can reach beyond its input."}
		}
	}
	if strings.Contains(strings.ReplaceAll(program.text, "||", ""), "|") {
		return &refusal{"script", program.src, "The awk program contains a pipe."}
	}
	if strings.Contains(program.text, ">") && !comparesOnly(program.text) {
		return &refusal{"script", program.src, "The awk program may redirect output."}
	}
	c.reads(c.operands[1:]...)
	return nil
}

// comparesOnly reports whether every > of an awk program is a comparison: it
// is outside of braces, where only patterns are, or inside parentheses,
// where print cannot redirect. Strings are skipped, so the program must not
// contain what makes it hard to tell where one ends: a regular expression, a
// division or a backslash.
func comparesOnly(program string) bool {
	if strings.ContainsAny(program, "/\\#") {
		return false
	}
	braces, parens := 0, 0
	quoted := false
	for i := 0; i < len(program); i++ {
		switch c := program[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
			if c == '\n' {
				return false
			}
		case c == '{':
			braces++
		case c == '}':
			braces--
			parens = 0
		case c == '(':
			parens++
		case c == ')':
			parens--
		case c == ';' || c == '\n':
			// for (;;) is the only place where one is in parentheses.
			if parens != 0 {
				return false
			}
		case c == 'p' && parens > 0 && strings.HasPrefix(program[i:], "print"):
			return false
		case c == '>':
			if braces > 0 && parens <= 0 || i+1 < len(program) && program[i+1] == '>' {
				return false
			}
		}
		if braces < 0 || parens < 0 {
			return false
		}
	}
	return !quoted
}
