package shell

import "strings"

// checkJq rejects filters that read the environment or load modules, and
// operands that older versions read as options.
func checkJq(c *call) *refusal {
	if len(c.operands) == 0 {
		return nil
	}
	for _, w := range c.operands {
		if strings.HasPrefix(w.text, "-") && w.text != "-" {
			return &refusal{"option-like-operand", w.src, "jq may read the operand as an option."}
		}
	}
	filter := c.operands[0]
	if filter.glob >= 0 {
		return globRefusal(filter)
	}
	for _, name := range []string{"env", "ENV", "import", "include", "input_filename", "debugger", "get_search_list", "modulemeta"} {
		if containsName(filter.text, name) {
			return &refusal{"script", filter.src, "The jq filter contains " + name + ", which reads beyond its input."}
		}
	}
	return nil
}

// containsName reports whether name occurs in text as a whole identifier and not as a field.
func containsName(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(name)
		if (start == 0 || !identifier(text[start-1])) && (end == len(text) || !identifier(text[end])) {
			return true
		}
		from = end
	}
}

func identifier(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
