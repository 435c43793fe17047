package shell

import "strings"

// checkGitFormat rejects format placeholders and sort keys that run gpg.
func checkGitFormat(c *call) *refusal {
	for _, o := range c.options {
		switch o.name {
		case "--format", "--pretty", "--sort", "--group":
			// A placeholder may have a +, a - or a blank after its %.
			plain := strings.NewReplacer("%+", "%", "%-", "%", "% ", "%").Replace(o.value)
			if strings.Contains(plain, "%G") || strings.Contains(plain, "signature") {
				return &refusal{"dangerous-option", o.src, "The format runs gpg to verify signatures."}
			}
		}
	}
	return nil
}

// checkGitBranch accepts operands only where they cannot name a new branch:
// as patterns of --list, or as the commit of --merged and its relatives.
func checkGitBranch(c *call) *refusal {
	if r := checkGitFormat(c); r != nil || len(c.operands) == 0 || c.has("--list") {
		return r
	}
	if len(c.operands) == 1 && c.has("--merged", "--no-merged") && !c.has("--verbose", "-v") {
		return nil
	}
	return &refusal{"operand", c.operands[0].src, "git branch creates a branch of that name."}
}

// checkGitTag accepts operands only as patterns of -l or as the commit of
// --merged.
func checkGitTag(c *call) *refusal {
	if r := checkGitFormat(c); r != nil || len(c.operands) == 0 || c.has("-l", "--list") || len(c.operands) == 1 && c.has("--merged", "--no-merged") {
		return r
	}
	return &refusal{"operand", c.operands[0].src, "git tag creates a tag of that name."}
}

// checkGitConfig accepts reading one key. git config NAME reads too, but with one more word it writes, so --get is
// required. A listing may show credentials.
func checkGitConfig(c *call) *refusal {
	mode, names := "", 0
	for _, w := range c.args {
		if w.glob >= 0 {
			return globRefusal(w)
		}
		switch w.text {
		case "--get", "--get-all", "get":
			if mode != "" || names > 0 {
				return &refusal{"unknown-option", w.src, "git config is approved with one reading mode only."}
			}
			mode = w.text
		case "--local", "--global", "--system", "--worktree", "--show-origin", "--show-scope", "--name-only", "--bool", "--int", "--path", "-z", "--null", "--includes", "--no-includes":
		default:
			if strings.HasPrefix(w.text, "-") || mode == "" {
				return &refusal{"unknown-option", w.src, "git config is approved with --get and --get-all only."}
			}
			names++
			for _, part := range []string{"extraheader", "token", "pass", "secret", "cookie"} {
				if strings.Contains(strings.ToLower(w.text), part) {
					return &refusal{"operand", w.src, "The value may be a credential."}
				}
			}
		}
	}
	if mode == "" || names != 1 {
		return &refusal{"operand", "git config", "git config is approved with one name and --get."}
	}
	return nil
}

// checkGitDiff: with --no-index, git diff reads all files below both operands.
func checkGitDiff(c *call) *refusal {
	c.below.Contents = c.has("--no-index")
	return nil
}

// checkOrigin accepts only the remote origin: git takes a name that is not in the configuration as an address, or as a
// directory in which it runs git again.
func checkOrigin(c *call) *refusal {
	for _, w := range c.operands {
		if w.text != "origin" {
			return &refusal{"operand", w.src, "Only the remote origin is approved."}
		}
	}
	return nil
}
