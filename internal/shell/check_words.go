package shell

import "strings"

// anything accepts every word: the program prints its arguments or ignores them.
func anything(*call) *refusal { return nil }

// checkEcho accepts every word. A pattern must match only names that may be shown.
func checkEcho(c *call) *refusal {
	for _, w := range c.args {
		if w.glob >= 0 {
			c.paths = append(c.paths, w)
		}
	}
	return nil
}

// checkPrintf rejects -v, which assigns a variable and evaluates its subscript,
// %n, which assigns one too, escapes that zsh could turn into a %, and arguments
// that zsh could evaluate as an arithmetic expression.
func checkPrintf(c *call) *refusal {
	args := c.args
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	if strings.HasPrefix(args[0].text, "-") {
		return &refusal{"unknown-option", args[0].src, "An option of printf is not approved: -v assigns a variable."}
	}
	if r := noGlob(args); r != nil {
		return r
	}
	numbers, ok := printfFormat(args[0].text)
	if !ok {
		return &refusal{"operand", args[0].src, "The format of printf may assign a variable."}
	}
	for _, w := range args[1:] {
		if strings.ContainsAny(w.text, "$`") || numbers && (strings.Trim(w.text, "0123456789.-+") != "" || strings.Contains(w.text, "--") || strings.Contains(w.text, "++")) {
			return &refusal{"operand", w.src, "A shell may evaluate the argument of printf as an expression."}
		}
	}
	return nil
}

// printfFormat reports whether a format assigns nothing, and whether some argument
// is read as a number.
func printfFormat(format string) (numbers, ok bool) {
	for i := 0; i < len(format); i++ {
		switch format[i] {
		case '\\':
			if i++; i < len(format) && strings.IndexByte("xuUCM01234567", format[i]) >= 0 {
				return false, false
			}
		case '%':
			flags := i + 1
			for i++; i < len(format) && strings.IndexByte("#-+ 0123456789.'", format[i]) >= 0; i++ {
			}
			switch {
			case i == len(format), format[i] == '%' && i == flags:
			case strings.IndexByte("sbqc", format[i]) >= 0:
			case strings.IndexByte("diouxXeEfFgGaA", format[i]) >= 0:
				numbers = true
			default:
				return false, false
			}
		}
	}
	return numbers, true
}

// checkSleep accepts up to three digits of seconds.
func checkSleep(c *call) *refusal {
	if len(c.operands) == 1 {
		whole, frac, dot := strings.Cut(strings.TrimSuffix(c.operands[0].text, "s"), ".")
		if len(whole) <= 3 && digitsOnly(whole) && (!dot || digitsOnly(frac)) {
			return nil
		}
	}
	return &refusal{"operand", "sleep", "Only a short time in seconds is approved."}
}

// checkTest accepts one unary or binary expression, with an optional !. -v and
// -R evaluate subscripts; in zsh the numeric operators evaluate expressions.
func checkTest(c *call) *refusal {
	args := c.args
	if c.name == "[" {
		if len(args) == 0 || args[len(args)-1].text != "]" {
			return &refusal{"operand", "[", "The closing bracket is missing."}
		}
		args = args[:len(args)-1]
	}
	if r := noGlob(args); r != nil {
		return r
	}
	if len(args) > 1 && args[0].text == "!" {
		args = args[1:]
	}
	switch len(args) {
	case 1:
		if !strings.HasPrefix(args[0].text, "-") {
			return nil
		}
	case 2:
		switch args[0].text {
		case "-n", "-z":
			return nil
		case "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-u", "-w", "-x", "-G", "-L", "-N", "-O", "-S":
			c.paths = append(c.paths, args[1])
			return nil
		}
	case 3:
		switch args[1].text {
		case "=", "==", "!=", "<", ">":
			return nil
		case "-nt", "-ot", "-ef":
			c.paths = append(c.paths, args[0], args[2])
			return nil
		case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
			if digitsOnly(strings.TrimPrefix(args[0].text, "-")) && digitsOnly(strings.TrimPrefix(args[2].text, "-")) {
				return nil
			}
		}
	}
	token := c.name
	if len(args) > 0 {
		token = args[0].src
	}
	return &refusal{"operand", token, "Only a single test of a file, a string or two numbers is approved."}
}

// checkCounts requires a number as the count of head and tail, so that no cluster hides a letter such as the f of tail
// -nf.
func checkCounts(c *call) *refusal {
	for _, o := range c.options {
		switch o.name {
		case "-n", "-c", "--lines", "--bytes":
			if n := strings.TrimRight(strings.TrimLeft(o.value, "+-"), "bkKMGTB"); !digitsOnly(n) {
				return &refusal{"option-value", o.src, "The option " + o.name + " needs a number."}
			}
		}
	}
	return nil
}

// checkXxd accepts a dump of one file. The second operand of xxd is its output
// file, -r makes it a writer, and it compares options by their first letters
// without clusters: -ps is -p, not -p with -s.
func checkXxd(c *call) *refusal {
	operands := 0
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		if w.glob >= 0 {
			return globRefusal(w)
		}
		switch w.text {
		case "-a", "-b", "-e", "-E", "-i", "-p", "-ps", "-u":
			continue
		case "-c", "-g", "-l", "-s", "-o":
			if i+1 == len(c.args) || !digitsOnly(strings.TrimPrefix(c.args[i+1].text, "0x")) {
				return &refusal{"option-value", w.src, "The option needs a number."}
			}
			i++
			continue
		}
		if len(w.text) > 2 && strings.IndexByte("cgls", w.text[1]) >= 0 && w.text[0] == '-' && digitsOnly(w.text[2:]) {
			continue
		}
		if strings.HasPrefix(w.text, "-") && w.text != "-" {
			return &refusal{"unknown-option", w.src, "The option of xxd is not known to be read-only."}
		}
		if operands++; operands > 1 {
			return &refusal{"operand", w.src, "The second operand of xxd is its output file."}
		}
		c.reads(w)
	}
	return nil
}
