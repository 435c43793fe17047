package shell

import "strings"

// lookup finds the row with the longest name that begins the words, and returns
// the words of the name and the words after it.
func lookup(words []word) (found *row, name string, args []word, r *refusal) {
	program := words[0]
	if program.glob >= 0 {
		return nil, "", nil, globRefusal(program)
	}
	if strings.Contains(program.text, "/") {
		return nil, "", nil, &refusal{"program-path", program.src, "A program named by its path may be any program."}
	}
	if words, r = skipGlobal(words); r != nil {
		return nil, "", nil, r
	}
	var best *row
	length, known := 0, false
	for _, rows := range tables() {
		for i := range rows {
			name := rows[i].name
			if !strings.Contains(name, program.text) {
				continue
			}
			n, first := 0, false
			for token := range strings.FieldsSeq(name) {
				if n == len(words) || words[n].glob >= 0 && token != "[" || !oneOf(token, words[n].text) {
					n = -1
					break
				}
				first = true
				n++
			}
			known = known || first
			if n > length {
				best, length = &rows[i], n
			}
		}
	}
	switch {
	case best != nil:
		for _, w := range words[:length] {
			name += " " + w.text
		}
		return best, name[1:], words[length:], nil
	case !known:
		return nil, "", nil, &refusal{"unknown-program", program.src, "The program is not known to be read-only."}
	case len(words) > 1:
		return nil, "", nil, &refusal{"unknown-subcommand", program.src + " " + words[1].src, "The subcommand is not known to be read-only."}
	}
	return nil, "", nil, &refusal{"unknown-subcommand", program.src, "The program is approved with certain subcommands only."}
}

// skipGlobal drops the only options approved before a sub-command. Others
// (git -c, -C, --exec-path, docker -H, kubectl --kubeconfig) choose what runs
// or where.
func skipGlobal(words []word) ([]word, *refusal) {
	switch words[0].text {
	case "git":
		if len(words) > 1 && words[1].text == "--no-pager" {
			return append([]word{words[0]}, words[2:]...), nil
		}
	case "kubectl":
		if len(words) > 2 && (words[1].text == "-n" || words[1].text == "--namespace") {
			if strings.HasPrefix(words[2].text, "-") || words[2].glob >= 0 {
				return nil, &refusal{"option-like-value", words[2].src, "A value that looks like an option is not approved."}
			}
			return append([]word{words[0]}, words[3:]...), nil
		}
	}
	return words, nil
}

// oneOf reports whether a part of a row's name, such as "a|b", includes a word.
func oneOf(token, word string) bool {
	for known := range strings.SplitSeq(token, "|") {
		if known == word {
			return true
		}
	}
	return false
}
