package keyword

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPrompt is how many bytes of a prompt are searched; 50,000 characters of any script
// fit.
const maxPrompt = 200_000

// hidden replaces every byte that does not count. The length stays the same, so that an
// offset into the masked text is also one into the prompt.
const hidden = 0

// mask returns the prompt in lower case (ASCII only) and hides everything that the user shows rather than says: code,
// markup, URLs, paths, quotes, tables, diffs, terminal lines and output of hooks. Line breaks stay. Quoted triggers stay
// too, because 启动“拉尔夫循环” is an order; quoted lists their positions.
func mask(prompt string, table []row, all []trigger) (text []byte, quoted []span) {
	text = make([]byte, len(prompt))
	for i := range len(prompt) {
		c := prompt[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c == hidden:
			c = ' '
		}
		text[i] = c
	}
	maskLines(text, table)
	maskInlineCode(text)
	maskComments(text)
	maskTags(text)
	maskURLs(text)
	quoted = maskQuotes(text, all)
	maskPaths(text)
	return text, quoted
}

type span struct{ start, end int }

// hide hides a range except for its line breaks.
func hide(text []byte, start, end int) {
	for i := start; i < end; i++ {
		if text[i] != '\n' {
			text[i] = hidden
		}
	}
}

// maskLines hides lines that are recognised by their beginning.
func maskLines(text []byte, table []row) {
	var fence []byte
	inDiff, blank, indented := false, true, false
	for start := 0; start < len(text); {
		line, _, _ := bytes.Cut(text[start:], []byte{'\n'})
		end := start + len(line)
		trimmed := bytes.TrimSpace(line)
		indent := len(line) - len(bytes.TrimLeft(line, " \t"))
		switch {
		case fence != nil:
			// An unclosed fence hides the rest of the prompt.
			if bytes.HasPrefix(trimmed, fence) && len(bytes.Trim(trimmed, string(fence[:1]))) == 0 {
				fence = nil
			}
			hide(text, start, end)
		case fenceOf(trimmed) != nil:
			fence = fenceOf(trimmed)
			hide(text, start, end)
		case isEcho(trimmed, table):
			// What follows is the hook's text, and may be an old task of the user
			// (Yeachan-Heo/oh-my-claudecode#2795). Only the word that ends everything
			// still counts.
			last := bytes.LastIndexByte(bytes.TrimRight(text, " \t\r\n"), '\n') + 1
			if last <= start || !isCancelName(strings.Trim(string(bytes.TrimSpace(text[last:])), " .!")) {
				last = len(text)
			}
			hide(text, start, last)
			return
		case bytes.HasPrefix(trimmed, []byte("diff --git ")), bytes.HasPrefix(trimmed, []byte("@@ ")):
			inDiff = true
			hide(text, start, end)
		case inDiff && isDiffLine(line):
			hide(text, start, end)
		case isShown(trimmed), len(trimmed) > 0 && (blank || indented) && isIndented(line, indent):
			indented = isIndented(line, indent)
			hide(text, start, end)
			inDiff = false
		default:
			inDiff, indented = false, false
		}
		blank = len(trimmed) == 0 || trimmed[len(trimmed)-1] == ':'
		start = end + 1
	}
}

// isIndented reports whether a line belongs to an indented code block.
func isIndented(line []byte, indent int) bool {
	return indent >= 4 || indent > 0 && line[0] == '\t'
}

func fenceOf(line []byte) []byte {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(bytes.TrimLeft(line, mark)); n >= 3 {
			return line[:n:n]
		}
	}
	return nil
}

func isDiffLine(line []byte) bool {
	return len(line) > 0 && strings.IndexByte(`+- \`, line[0]) >= 0 || bytes.HasPrefix(line, []byte("index ")) || bytes.HasPrefix(line, []byte("@@"))
}

// isShown reports whether a line shows something: a quote, a table row, a terminal line,
// an added line of a diff, a line of a chat, the client's own marks.
func isShown(line []byte) bool {
	return len(line) > 1 && line[0] == '+' && !isDigit(line[1]) || showMarks.begin(string(line[:min(len(line), 16)])) || len(line) > 1 && (line[0] == '$' || line[0] == '%') && line[1] == ' '
}

var showMarks = parts{">", "|", "❯", "⎿", "●", "⏺", "✻", "＞", "human:", "assistant:", "user:", "system:", "skill:"}

// maskInlineCode hides `code`; an unclosed backtick hides the rest of its line.
func maskInlineCode(text []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		n := 1
		for i+n < len(text) && text[i+n] == '`' {
			n++
		}
		end, run := i+n, 0
		for end < len(text) && text[end] != '\n' {
			run++
			if text[end] != '`' {
				run = 0
			}
			end++
			if run == n && (end == len(text) || text[end] != '`') {
				break
			}
		}
		hide(text, i, end)
		i = end - 1
	}
}

func maskComments(text []byte) {
	for i := 0; i < len(text); {
		n := bytes.Index(text[i:], []byte("<!--"))
		if n < 0 {
			return
		}
		end := len(text)
		if m := bytes.Index(text[i+n:], []byte("-->")); m >= 0 {
			end = i + n + m + 3
		}
		hide(text, i+n, end)
		i = end
	}
}

// maskTags hides elements with their content, and tags without a partner. Each closing
// tag is paired with the last opening tag of its name, so that nesting stays cheap.
func maskTags(text []byte) {
	open := map[string][]int{}
	var depthEnd []span
	for i := 0; i < len(text); i++ {
		if text[i] != '<' {
			continue
		}
		tag, end := parseTag(text, i)
		if end == 0 {
			continue
		}
		if starts := open[tag]; text[i+1] == '/' && len(starts) > 0 {
			start := starts[len(starts)-1]
			open[tag] = starts[:len(starts)-1]
			depthEnd = append(depthEnd, span{start, end})
		} else if text[i+1] != '/' && text[end-2] != '/' {
			open[tag] = append(open[tag], i)
		}
		depthEnd = append(depthEnd, span{i, end})
		i = end - 1
	}
	// Spans are sorted by their ends. From the last to the first, each span is hidden up
	// to the part that later spans have already hidden.
	upto := len(text)
	for i := len(depthEnd) - 1; i >= 0; i-- {
		s := depthEnd[i]
		if s.start < upto {
			hide(text, s.start, min(s.end, upto))
			upto = s.start
		}
	}
}

// parseTag returns the name and the end of the tag at i; end is 0 if there is no tag. It
// searches only up to the next <, so no text is searched twice.
func parseTag(text []byte, i int) (tag string, end int) {
	j := i + 1
	if j < len(text) && text[j] == '/' {
		j++
	}
	from := j
	for j < len(text) && (isLetter(text[j]) || j > from && (isDigit(text[j]) || text[j] == '-' || text[j] == '_' || text[j] == ':' || text[j] == '.')) {
		j++
	}
	if j == from {
		return "", 0
	}
	tag = string(text[from:j])
	for ; j < len(text) && text[j] != '<'; j++ {
		if text[j] == '>' {
			return tag, j + 1
		}
	}
	return "", 0
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// maskURLs hides text with a scheme or with www at its beginning, up to a space or a
// Chinese or Japanese punctuation mark.
func maskURLs(text []byte) {
	for i := 0; i < len(text); {
		start := -1
		switch {
		case text[i] == ':' && bytes.HasPrefix(text[i:], []byte("://")):
			start = i
			for start > 0 && (isLetter(text[start-1]) || text[start-1] == '+') {
				start--
			}
		case text[i] == 'w' && bytes.HasPrefix(text[i:], []byte("www.")) && (i == 0 || !isLetter(text[i-1])):
			start = i
		}
		if start < 0 {
			i++
			continue
		}
		end := i + 3
		for end < len(text) {
			r, size := utf8.DecodeRune(text[end:])
			if unicode.IsSpace(r) || r == hidden || isWide(r) || strings.ContainsRune(`"<>`, r) {
				break
			}
			end += size
		}
		hide(text, start, end)
		i = end
	}
}

// isWide reports whether a character belongs to a script without spaces around Latin
// words, or is one of its punctuation marks.
func isWide(r rune) bool {
	return r >= 0x2E80 && (isHan(r) || isKana(r) || isHangul(r) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF65)
}

func isHan(r rune) bool { return r >= 0x3400 && r <= 0x9FFF || r >= 0x20000 && r <= 0x323AF }
func isKana(r rune) bool {
	return r >= 0x3041 && r <= 0x30FF && r != '・' || r >= 0xFF66 && r <= 0xFF9F
}
func isHangul(r rune) bool {
	return r >= 0xAC00 && r <= 0xD7A3 || r >= 0x1100 && r <= 0x11FF || r >= 0x3131 && r <= 0x318E
}

// maxQuote is the length of the longest quote, in characters; a longer one is not closed
// properly.
const maxQuote = 400

// maskQuotes hides text between quotation marks on one line. If a quote is only a
// trigger, just its marks are hidden.
func maskQuotes(text []byte, all []trigger) (quoted []span) {
	none := missing{}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		closing := closingOf(r)
		if closing == 0 || r == '\'' && i > 0 && isWordByte(text[i-1]) {
			i += size
			continue
		}
		start := i + size
		end := none.closeQuote(text, start, closing)
		if end < 0 {
			i += size
			continue
		}
		stop := end + utf8.RuneLen(closing)
		if end-start <= 48 && isTrigger(string(bytes.TrimSpace(text[start:end])), all) {
			copy(text[i:start], "   ")
			copy(text[end:stop], "   ")
			quoted = append(quoted, span{start, end})
		} else {
			hide(text, i, stop)
		}
		i = stop
	}
	return quoted
}

func closingOf(r rune) rune {
	switch r {
	case '"', '\'':
		return r
	case '“', '„':
		return '”'
	case '‘':
		return '’'
	case '«':
		return '»'
	case '「':
		return '」'
	case '『':
		return '』'
	case '《':
		return '》'
	case '＂':
		return '＂'
	}
	return 0
}

// missing remembers, for each closing mark, up to which offset there is none, so that
// many unmatched opening marks cost no more than one.
type missing map[rune]span

// closeQuote returns the end of the quote, or -1. It never searches further than maxQuote
// characters.
func (m missing) closeQuote(text []byte, from int, closing rune) int {
	i := from
	if none := m[closing]; from >= none.start && from < none.end {
		i = none.end
	}
	n := (i - from) / utf8.UTFMax
	for ; i < len(text) && n < maxQuote; n++ {
		r, size := utf8.DecodeRune(text[i:])
		if r == '\n' {
			break
		}
		if r == closing && i > from {
			next, _ := utf8.DecodeRune(text[i+size:])
			if closing != '\'' && closing != '’' || i+size == len(text) || !unicode.IsLetter(next) {
				return i
			}
		}
		i += size
	}
	m[closing] = span{from, i}
	return -1
}

func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

// maskPaths hides paths. ASCII letters, digits and the marks of file names around a slash
// belong to a path. Other letters after a slash belong to it as long as another slash or
// an extension follows, so that an order directly after a path still counts:
// src/auth.tsをラルフで直して.
func maskPaths(text []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] != '/' && text[i] != '\\' {
			continue
		}
		start := i
		for start > 0 && isPathByte(text[start-1]) {
			start--
		}
		if start > 1 && text[start-1] == ':' && isLetter(text[start-2]) {
			start -= 2
		}
		end := pathEnd(text, i+1)
		for end > i && text[end-1] == '.' && (end == len(text) || text[end] <= ' ') {
			end-- // a full stop
		}
		if end-start > 1 {
			hide(text, start, end)
			i = end - 1
		}
	}
}

// pathEnd returns the end of a path that continues after a slash.
func pathEnd(text []byte, from int) int {
	end := from
	for i := from; i < len(text); {
		c := text[i]
		switch {
		case isPathByte(c) || c == '/' || c == '\\':
			i++
			end = i
		case c < utf8.RuneSelf:
			return end
		default:
			r, size := utf8.DecodeRune(text[i:])
			if !unicode.IsLetter(r) && r != 'ー' || i-end > maxQuote {
				return end
			}
			i += size
			// If the next byte shows that this is a name, the name ends here.
			if i < len(text) && (text[i] == '/' || text[i] == '.' && i+1 < len(text) && isWordByte(text[i+1])) {
				end = i
			}
		}
		if i > end && i < len(text) && text[i] < utf8.RuneSelf && text[i] != '/' && text[i] != '.' {
			return end
		}
	}
	return end
}

func isPathByte(c byte) bool {
	return isWordByte(c) || c == '.' || c == '-' || c == '@' || c == '~' || c == '+' || c == '*'
}
