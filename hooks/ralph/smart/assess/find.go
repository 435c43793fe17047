package assess

import (
	"strings"
	"unicode/utf8"
)

// Find reads the last assessment of a text; ok is false when there is none. A block does
// not count if it is quoted, announced, or part of other content in a code block.
func Find(text string) (a Assessment, ok bool) { return find(text, false) }

// FindAlone is Find for an earlier text of the turn, where only a tag at the beginning of
// a line counts, because a quoted tag must not count.
func FindAlone(text string) (Assessment, bool) { return find(text, true) }

func find(text string, alone bool) (last Assessment, ok bool) {
	tags := openings(text)
	if len(tags) == 0 {
		return Assessment{}, false
	}
	page := pageOf(text)
	for i := len(tags) - 1; i >= 0; i-- {
		end := len(text)
		if i+1 < len(tags) {
			end = tags[i+1].start
		}
		b := blockAt(text, tags[i], end)
		if b.body == "" && len(tags[i].attributes) == 0 || alone && strings.TrimSpace(lineBefore(text, b.start)) != "" || !page.meant(b) {
			continue
		}
		a := b.read()
		if a.Status != Unknown {
			return a, true
		}
		if !ok {
			last, ok = a, true
		}
	}
	return last, ok
}

// block is the text between two tags.
type block struct {
	tag
	body string
	// stop is the end of the block in the text. closed says that it has a closing tag.
	stop   int
	closed bool
}

// blockAt reads the block of a tag. It ends at the next tag at the latest.
func blockAt(text string, t tag, end int) block {
	b := block{tag: t, stop: end}
	if t.empty {
		b.closed, b.stop = true, t.end
		return b
	}
	body := text[t.end:end]
	if from, to := closing(body); from >= 0 {
		b.closed, b.stop = true, t.end+to
		body = body[:from]
	} else if next, ok := tagAt(text, end); ok && strings.TrimSpace(text[next.end:]) == "" {
		// The opening tag again, in place of the closing one.
		b.closed, b.stop = true, next.end
	}
	b.body = unfence(strings.TrimSpace(body))
	return b
}

func (b block) read() Assessment {
	var a Assessment
	var others [][2]string
	for _, pair := range b.attributes {
		n, _ := percent(pair[1], 1<<30)
		switch strings.ToLower(pair[0]) {
		case "task":
			a.Task = n
		case "iteration":
			a.Iteration = n
		default:
			others = append(others, pair)
		}
	}
	a.read(b.body, others)
	a.Partial = !b.closed
	if isForm(b.body) {
		a.Status = Unknown
	}
	a.judge()
	if a.Status == Unknown {
		a.First, _, _ = strings.Cut(b.body, "\n")
		a.First = strings.TrimSpace(a.First)
	}
	return a
}

// unfence removes a code fence that surrounds the whole text.
func unfence(text string) string {
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return text
	}
	_, inner, found := strings.Cut(text, "\n")
	if !found {
		return text
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(inner), "`~"))
}

// lineBefore is the part of the line before a position.
func lineBefore(text string, at int) string {
	return text[strings.LastIndexByte(text[:at], '\n')+1 : at]
}

// tag is an opening tag: where it begins and ends, and its attributes. empty says that it
// closes itself.
type tag struct {
	start, end int
	attributes [][2]string
	empty      bool
}

// openings finds the opening tags of a text, in their order.
func openings(text string) []tag {
	var tags []tag
	for at := 0; ; {
		next := indexName(text[at:])
		if next < 0 {
			return tags
		}
		start := at + next
		for _, bracket := range brackets {
			if before := start - len(bracket); before >= 0 && strings.HasPrefix(text[before:], bracket) {
				if t, ok := tagAt(text, before); ok {
					tags = append(tags, t)
				}
			}
		}
		at = start + nameLength(text[start:])
	}
}

// brackets are the ways to write the bracket of a tag; closers are those of its end.
var brackets, closers = []string{"<", "＜", "&lt;"}, []string{">", "＞", "&gt;"}

// indexName finds the first name of a tag.
func indexName(text string) int {
	for at, r := range text {
		switch r {
		case 'c', 'C', 't', 'T', '完', '任':
			if nameLength(text[at:]) > 0 {
				return at
			}
		}
	}
	return -1
}

// nameLength returns the length of the tag name at the beginning of a text, or 0. The
// name is completion-assessment; it may have another separator or none, be misspelt, or
// be Chinese.
func nameLength(text string) int {
	first := prefixFold(text, "completion", "completed", "complete", "task", "任务完成", "完成情况", "完成度", "完成", "任务")
	if first == 0 {
		return 0
	}
	at := first
	if at < len(text) && strings.IndexByte("-_ ", text[at]) >= 0 {
		at++
	} else if strings.HasPrefix(text[at:], "－") {
		at += len("－")
	}
	second := prefixFold(text[at:], "assessment", "assesment", "asessment", "assessement", "evaluation", "评估", "自评")
	if second == 0 {
		return 0
	}
	return at + second
}

// prefixFold returns the length of the first word in the list with which the text begins,
// or 0. Case does not matter.
func prefixFold(text string, words ...string) int {
	for _, word := range words {
		if len(text) >= len(word) && strings.EqualFold(text[:len(word)], word) {
			return len(word)
		}
	}
	return 0
}

// tagAt reads the opening tag at a position.
func tagAt(text string, at int) (t tag, ok bool) {
	const most = 300
	for i, bracket := range brackets {
		rest, found := strings.CutPrefix(text[at:], bracket)
		if !found {
			continue
		}
		n := nameLength(rest)
		if n == 0 {
			return tag{}, false
		}
		rest = rest[n:]
		shut, size := -1, 0
		for _, closer := range []string{closers[i], ">"} {
			if j := strings.Index(rest[:min(len(rest), most)], closer); j >= 0 && (shut < 0 || j < shut) {
				shut, size = j, len(closer)
			}
		}
		if shut < 0 || strings.Contains(rest[:shut], "<") || strings.Contains(rest[:shut], "\n\n") || shut > 0 && !strings.ContainsAny(rest[:1], " \t\r\n/") {
			return tag{}, false
		}
		t = tag{start: at, end: at + len(bracket) + n + shut + size}
		inner := strings.TrimSpace(rest[:shut])
		inner, t.empty = strings.CutSuffix(inner, "/")
		if inner != "" {
			t.attributes = attributes(inner)
		}
		return t, true
	}
	return tag{}, false
}

// attributes reads name="value" and name=value.
func attributes(text string) (pairs [][2]string) {
	text = strings.NewReplacer("“", `"`, "”", `"`, "＝", "=", "&quot;", `"`).Replace(text)
	for {
		name, rest, found := strings.Cut(text, "=")
		if !found {
			return pairs
		}
		name = name[strings.LastIndexAny(strings.TrimSpace(name), " \t\n")+1:]
		rest = strings.TrimSpace(rest)
		value, quoted := "", false
		for _, quote := range []string{`"`, "'"} {
			if inner, ok := strings.CutPrefix(rest, quote); ok {
				value, rest, _ = strings.Cut(inner, quote)
				quoted = true
			}
		}
		if !quoted {
			end := strings.IndexAny(rest, " \t\n")
			if end < 0 {
				end = len(rest)
			}
			value, rest = rest[:end], rest[end:]
		}
		pairs, text = append(pairs, [2]string{strings.TrimSpace(name), value}), rest
	}
}

// closing finds the closing tag of a block.
func closing(body string) (from, to int) {
	for at := 0; ; {
		next := indexName(body[at:])
		if next < 0 {
			return -1, 0
		}
		name := at + next
		before := strings.TrimRight(body[:name], " ")
		if before, slash := strings.CutSuffix(before, "/"); slash {
			before = strings.TrimRight(before, " ")
			for _, bracket := range brackets {
				if strings.HasSuffix(before, bracket) {
					from, to = len(before)-len(bracket), name+nameLength(body[name:])
					rest := strings.TrimLeft(body[to:], " ")
					for _, closer := range closers {
						if strings.HasPrefix(rest, closer) {
							return from, len(body) - len(rest) + len(closer)
						}
					}
					if strings.TrimSpace(rest) == "" {
						return from, to
					}
				}
			}
		}
		at = name + nameLength(body[name:])
	}
}

// lastRune is the last character of a text that is not a blank.
func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \t"))
	return r
}
