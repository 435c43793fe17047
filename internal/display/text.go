// Package display makes text from outside safe to show: state files, transcripts and
// payloads may contain control characters that move a terminal's cursor, split a log line
// or disguise a command as another one.
package display

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s with every character that is invisible or controls a terminal written as
// a visible \u00XX escape (docs/design.md#clean-text): C0 including tab and line end,
// DEL, C1, line and paragraph separators, bidirectional controls, zero-width and other
// default-ignorable format characters. Each byte of invalid UTF-8 becomes U+FFFD, except
// for Bridge, which stays. A character above U+FFFF becomes the escapes of its surrogate
// pair. If nothing has to be replaced, the text is returned without a copy. The result is
// for people and logs. It cannot be converted back, because a backslash in s is not
// escaped.
func Text(s string) string {
	first := firstBad(s)
	if first < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:first])
	for i := first; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case strings.HasPrefix(s[i:], Bridge):
			size = len(Bridge)
			b.WriteString(Bridge)
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case hidden(r):
			writeEscape(&b, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// Lines is Text for a text of several lines: line ends, tabs and the carriage return of a
// CRLF stay. A JSON text keeps its value.
func Lines(s string) string {
	if firstBad(s) < 0 {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		body := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		for i, cell := range strings.Split(body, "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(Text(cell))
		}
		if end := line[len(body):]; end == "\r" {
			b.WriteString(Text(end))
		} else {
			b.WriteString(end)
		}
	}
	return b.String()
}

func firstBad(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case strings.HasPrefix(s[i:], Bridge):
			size = len(Bridge)
		case r == utf8.RuneError && size == 1 || hidden(r):
			return i
		}
		i += size
	}
	return -1
}

// hidden reports whether a character is invisible. Variation selectors do not count,
// because many emoji contain one and it conceals nothing.
func hidden(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r <= 0x9f:
		return true
	case r < 0xad:
		return false
	}
	switch {
	case r == 0xad, // soft hyphen
		r == 0x61c,                   // Arabic letter mark
		r == 0x180e,                  // Mongolian vowel separator
		r >= 0x200b && r <= 0x200f,   // zero width, left-to-right and right-to-left marks
		r >= 0x2028 && r <= 0x202e,   // separators, bidirectional embedding and override
		r >= 0x2060 && r <= 0x206f,   // word joiner, invisible operators, isolates
		r == 0xfeff,                  // byte order mark
		r >= 0xfff9 && r <= 0xfffb,   // interlinear annotation
		r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return false
}

// writeEscape writes r as JSON would escape it, with a surrogate pair above U+FFFF, so
// that a cleaned JSON text is still a JSON text of the same value.
func writeEscape(b *strings.Builder, r rune) {
	if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
		writeEscape(b, hi)
		writeEscape(b, lo)
		return
	}
	const digits = "0123456789ABCDEF"
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(digits[r>>shift&0xf])
	}
}
