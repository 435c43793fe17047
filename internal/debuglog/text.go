package debuglog

import (
	"slices"
	"strings"
)

// redactText redacts values in text that is not JSON: NAME=value, NAME: value, --name value, an Authorization header up
// to its end, private keys in PEM format. It complements Redact and cannot be complete. It is a scanner and not a
// regexp, because a hook that links regexp starts 0.1 ms later.
func redactText(s string) string {
	lower := strings.ToLower(s)
	names := []string{"token", "key", "password", "secret", "passwd", "credential", "authorization"}
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(lower, name) }) {
		return s // like most texts
	}
	s = redactPrivateKeys(s)
	var b strings.Builder
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && isNameByte(s[i]) {
			i++
		}
		if start == i {
			b.WriteByte(s[i])
			i++
			continue
		}
		name := s[start:i]
		b.WriteString(name)
		if !sensitive(name) {
			continue
		}
		value, ok := valueAfter(s, i, strings.HasPrefix(name, "--"))
		if !ok {
			continue
		}
		end := valueEnd(s, value)
		if strings.Contains(strings.ToLower(name), "authorization") {
			value, end = headerValue(s, value)
		}
		b.WriteString(s[i:value])
		if end > value {
			b.WriteString(redactedMark)
		}
		i = end
	}
	return b.String()
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// valueAfter returns the start of the value whose name ends at i. The name may be quoted,
// as in truncated or doubly escaped JSON.
func valueAfter(s string, i int, option bool) (at int, ok bool) {
	sign := skip(s, skipQuote(s, i), " \t")
	if at = skip(s, sign, ":="); at > sign {
		return skip(s, at, " \t"), true
	}
	at = skip(s, i, " \t")
	return at, option && at > i
}

// valueEnd returns the end of the value at i: after its closing quote, or before white
// space, a quote or the end of a command.
func valueEnd(s string, i int) int {
	if open := skipQuote(s, i); open > i {
		if n := strings.IndexByte(s[open:], s[open-1]); n >= 0 {
			return open + n + 1
		}
		return len(s)
	}
	if n := strings.IndexAny(s[i:], " \t\r\n\"'&;|"); n >= 0 {
		return i + n
	}
	return len(s)
}

// headerValue returns the span of a header's value, which may contain spaces. Quotes
// around it are not part of it.
func headerValue(s string, i int) (start, end int) {
	start = skipQuote(s, i)
	if n := strings.IndexAny(s[start:], "\"'\r\n"); n >= 0 {
		return start, start + n
	}
	return start, len(s)
}

func skip(s string, i int, set string) int {
	for i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
		i++
	}
	return i
}

// skipQuote skips one quote, whether or not a backslash precedes it.
func skipQuote(s string, i int) int {
	rest := strings.TrimPrefix(s[i:], `\`)
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		return len(s) - len(rest) + 1
	}
	return i
}

func redactPrivateKeys(s string) string {
	const begin, name, end = "-----BEGIN ", "PRIVATE KEY-----", "-----END"
	var b strings.Builder
	for {
		at := strings.Index(s, begin)
		if at < 0 {
			break
		}
		line, _, _ := strings.Cut(s[at:], "\n")
		n := strings.Index(line, name)
		if n < 0 {
			b.WriteString(s[:at+len(begin)])
			s = s[at+len(begin):]
			continue
		}
		b.WriteString(s[:at+n+len(name)] + redactedMark)
		s = s[at+n+len(name):]
		if n = strings.Index(s, end); n < 0 {
			return b.String()
		}
		s = s[n:]
	}
	return b.String() + s
}
