package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is a shell word whose text is known before the shell runs, apart from
// the expansion of globs.
type word struct {
	text string
	src  string
	glob int // index in text of the first unquoted glob character, or -1
}

// unquote returns the literal value of w. It rejects whatever a shell would
// expand, except globs, which it reports.
func unquote(w *syntax.Word, src string) (word, *refusal) {
	out := word{src: src, glob: -1}
	refuse := func(rule, why string) (word, *refusal) {
		return word{}, &refusal{rule, src, why}
	}
	var b strings.Builder
	single := false // the part before was single-quoted
	for i, part := range w.Parts {
		wasSingle := single
		single = false
		switch p := part.(type) {
		case *syntax.Lit:
			if r := unquoteLit(p.Value, &b, &out, i == len(w.Parts)-1); r != nil {
				r.token = src
				return word{}, r
			}
		case *syntax.SglQuoted:
			if p.Dollar {
				return refuse("ansi-quote", "$'...' hides characters behind escapes.")
			}
			if wasSingle {
				// With rc_quotes, zsh reads '' inside quotes as a quote.
				return refuse("quoting", "Adjacent single quotes read differently in zsh.")
			}
			single = true
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				return refuse("ansi-quote", `$"..." is translated by the locale.`)
			}
			for j, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return refuse("expansion", "The word is expanded by the shell, so its value is not known.")
				}
				if !unquoteDouble(lit.Value, &b, j == len(p.Parts)-1) {
					return refuse("expansion", "The word contains a dollar sign that a shell may expand.")
				}
			}
		default:
			return refuse("expansion", "The word is expanded by the shell, so its value is not known.")
		}
	}
	out.text = b.String()
	if out.glob >= 0 && dotGlob(out.text) {
		return refuse("glob", `A pattern that begins with a dot can match "..".`)
	}
	if out.glob >= 0 && strings.Contains(out.text, "**") {
		return refuse("glob", "A recursive pattern may follow links out of the project.")
	}
	return out, nil
}

// plainBraces are the characters between braces that no shell expands.
const plainBraces = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+"

// unquoteLit appends the unquoted literal s. last says that the word ends with s.
func unquoteLit(s string, b *strings.Builder, out *word, last bool) *refusal {
	var prev byte // the character before, if it was unquoted and in this part
	for i := 0; i < len(s); i++ {
		c := s[i]
		at := b.Len()
		switch c {
		case '\\':
			i++
			if i == len(s) {
				return &refusal{rule: "quoting", why: "The word ends with a backslash."}
			}
			b.WriteByte(s[i])
			prev = 0
			continue
		case '*', '?', '[':
			if out.glob < 0 {
				out.glob = at
			}
		case '^':
			// A pattern in zsh with extended_glob.
			if at == 0 {
				out.glob = 0
			}
		case '~':
			if at == 0 || prev == '=' || prev == ':' {
				return &refusal{rule: "tilde", why: "The shell expands the tilde."}
			}
		case '=':
			if at == 0 && s != "=" {
				return &refusal{rule: "zsh-equals", why: "zsh expands a word that begins with an equals sign."}
			}
		case '$':
			if !last || i != len(s)-1 {
				return &refusal{rule: "expansion", why: "The word contains a dollar sign that a shell may expand."}
			}
		case '`':
			return &refusal{rule: "expansion", why: "The word contains a command substitution."}
		case '{':
			// HEAD@{1} and @{u}: no comma and no two dots, so no expansion.
			end := strings.IndexByte(s[i:], '}')
			if prev != '@' || end < 0 || end == 1 || strings.Trim(s[i+1:i+end], plainBraces) != "" {
				return &refusal{rule: "brace", why: "The shell may expand the braces."}
			}
			b.WriteString(s[i : i+end+1])
			i += end
			prev = '}'
			continue
		case '}', '(', ')', '<', '>', '|', '&', ';':
			return &refusal{rule: "brace", why: "The word contains a character that the shell may interpret."}
		}
		b.WriteByte(c)
		prev = c
	}
	return nil
}

// unquoteDouble appends the literal s of a double-quoted string and reports
// whether its value is the same in every shell.
func unquoteDouble(s string, b *strings.Builder, last bool) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
				i++
				if s[i] != '\n' {
					b.WriteByte(s[i])
				}
				continue
			}
		case '`':
			return false
		case '$':
			// grep "foo$" and "a$|b$" are patterns.
			if end := i == len(s)-1; end && !last || !end && strings.IndexByte(" |)", s[i+1]) < 0 {
				return false
			}
		}
		b.WriteByte(s[i])
	}
	return true
}

// dotGlob reports a path component that begins with a dot and contains a glob
// character.
func dotGlob(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") {
			return true
		}
	}
	return false
}

// zshPattern reports a word that zsh expands if extended_glob is set. A revision such
// as HEAD^ or HEAD~1 has the same form.
func zshPattern(word string) bool {
	return strings.ContainsAny(word, "^#") || strings.Contains(strings.TrimRight(word, "~"), "~")
}
