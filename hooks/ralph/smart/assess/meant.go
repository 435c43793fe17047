package assess

import (
	"slices"
	"strings"
	"unicode"
)

// page is a text with its code blocks and its hidden parts.
type page struct {
	text   string
	fences []fence
	hidden []span
}

// fence is a code block: its language, and where it and its content begin and end.
type fence struct {
	language         string
	start, stop      int
	inside, finished int
}

// pageOf finds the code blocks of a text.
func pageOf(text string) page {
	p := page{text: text, hidden: hidden(text)}
	at, open := 0, ""
	for line := range strings.Lines(text) {
		rest := strings.TrimSpace(line)
		mark := ""
		for _, c := range []string{"`", "~"} {
			if strings.HasPrefix(rest, c+c+c) {
				mark = rest[:len(rest)-len(strings.TrimLeft(rest, c))]
			}
		}
		switch {
		case open == "" && mark != "" && !strings.Contains(rest[len(mark):], "`"):
			open = mark
			p.fences = append(p.fences, fence{language: strings.ToLower(strings.TrimSpace(rest[len(mark):])), start: at, inside: at + len(line), stop: len(text), finished: len(text)})
		case open != "" && mark != "" && mark[0] == open[0] && len(mark) >= len(open) && rest == mark:
			open = ""
			last := &p.fences[len(p.fences)-1]
			last.finished, last.stop = at, at+len(line)
		}
		at += len(line)
	}
	return p
}

// meant reports whether a block is the assessment of the turn, and not a quotation, an
// example or an announcement. A missed block costs a request for another one; a block
// that is read wrongly ends a task.
func (p page) meant(b block) bool {
	prefix := lineBefore(p.text, b.start)
	start, stop, fenced := b.start, b.stop, false
	if i := slices.IndexFunc(p.fences, func(f fence) bool { return f.inside <= b.start && b.start < f.finished }); i >= 0 {
		f := p.fences[i]
		if !carries(f.language) || strings.TrimSpace(p.text[f.inside:b.start]) != "" || b.stop < f.finished && strings.TrimSpace(p.text[b.stop:f.finished]) != "" {
			return false
		}
		start, stop, fenced, prefix = f.start, max(f.stop, b.stop), true, ""
	}
	if isIndented(prefix) {
		// An indented code block.
		fenced = true
	}
	if prefix != "" && (strings.HasPrefix(strings.TrimSpace(prefix), ">") || strings.ContainsRune("`\"'“‘「『(（=+|\\$", lastRune(prefix))) {
		return false
	}
	if hides(p.hidden, b.start) {
		return false
	}
	before := leadIn(p.text[:start])
	if before.end != colon && (fenced || strings.TrimSpace(prefix) != "") {
		before.end = open
	}
	if before.end.leads() && isExample(before.sentence) || before.quotes() || announcesBlock(before.sentence) {
		return false
	}
	return !exampleBehind(p.text[stop:]) && !goesOn(p.text[stop:])
}

// isIndented reports whether a line has the indentation of a code block without a
// fence.
func isIndented(prefix string) bool {
	return strings.TrimSpace(prefix) == "" && (len(prefix) >= 4 || strings.Contains(prefix, "\t"))
}

// isForm reports whether a block has places that were not filled in: "- ...", "key: ...".
func isForm(body string) bool {
	for line := range strings.SplitSeq(body, "\n") {
		_, value := keyLine(line)
		item, _ := cutItem(strings.TrimSpace(line))
		for _, text := range []string{value, item} {
			if text = strings.TrimSpace(text); text != "" && strings.Trim(text, ".…") == "" {
				return true
			}
		}
	}
	return false
}

// carries reports whether a code block of the language may hold an assessment.
func carries(language string) bool {
	switch language {
	case "", "xml", "html", "markdown", "md", "text", "txt", "plaintext", "plain", "json", "yaml":
		return true
	}
	return false
}

// isExample reports whether a sentence says that what follows is an example, is still to
// come, or belongs to something else.
func isExample(sentence string) bool {
	if hasWord(sentence, "example", "examples", "sample", "template", "placeholder", "would", "later", "eventually", "previous", "previously", "earlier", "old", "expects", "expected", "draft", "never", "not", "don't", "contains", "contained", "says", "said", "logged", "prints", "printed", "instead", "wrong", "fixture", "e.g", "eg") ||
		hasPart(sentence, "for instance", "such as", "like this", "of the form", "instructions ask", "looks like", "look like", "the format is", "the form is", "last turn", "will then", "示例", "例如", "比如", "例子", "模板", "样例", "稍后", "上一轮", "上次", "之前", "原来", "旧的", "格式如下", "格式是", "格式为", "格式应", "形如", "类似", "日志", "文件里", "内容是", "内容为", "到时", "届时") {
		return true
	}
	if hasPart(sentence, "不要", "不会", "不能") && hasPart(sentence, "输出", "评估", "给出", "写出", "提交", "填写", "报告") {
		return true
	}
	if isFuture(sentence) {
		return true
	}
	weak := hasWord(sentence, "when", "whenever", "once", "if", "until", "after", "before", "should", "must", "unless") ||
		hasPart(sentence, "如果", "假如", "一旦", "等到", "直到", "完成后", "结束后", "之后", "以后", "应该", "应当", "必须", "才会", "才能", "的时候", "时输出", "时再")
	return weak && !hasPart(sentence, "here is", "here's", "below is", "my assessment", "final assessment", "assessment of this turn", "assessment for this turn", "this turn", "评估如下", "以下是", "本轮", "现在", "这是")
}

// isFuture reports whether a sentence is about what will be done. "I will now output" is
// about what is done.
func isFuture(sentence string) bool {
	if hasWord(sentence, "now") {
		return false
	}
	return hasWord(sentence, "will", "shall", "i'll", "we'll", "going", "plan", "intend") ||
		hasPart(sentence, "将会", "我会", "我将", "会输出", "将输出", "要输出", "再输出", "才输出", "准备输出", "打算")
}

// announcesBlock reports whether a sentence without a colon announces a block for later.
func announcesBlock(sentence string) bool {
	return isFuture(sentence) && (hasWord(sentence, "output", "emit", "print", "report", "post", "reply", "send", "write", "give", "say") || hasPart(sentence, "输出", "给出", "写", "发", "回复", "报告")) &&
		(hasWord(sentence, "block", "assessment", "following", "below", "this") || hasPart(sentence, "评估", "以下", "如下", "下面", "这个"))
}

// exampleBehind reports whether the text after a block says that the block was an
// example.
func exampleBehind(after string) bool {
	const reach = 160
	after = strings.TrimLeftFunc(after, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`#-()（", r) })
	after, _, _ = strings.Cut(strings.ToLower(strings.ToValidUTF8(after[:min(len(after), reach)], "")), "\n")
	return hasWord(after, "example", "sample", "template", "placeholder", "hypothetical") ||
		hasPart(after, "would output", "will output", "i'll output", "what i will", "what i would", "what i'll", "not my assessment", "not the assessment", "not the real", "not real", "not yet my", "ignore the", "ignore this", "ignore that", "disregard", "sorry", "请忽略", "忽略上", "抱歉", "作废", "示例", "例子", "样例", "模板", "占位", "我会输出", "将输出", "会这样", "不是真", "不是本轮", "并非")
}

func hasPart(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func hasWord(text string, words ...string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ReplaceAll(text, "’", "'"), func(r rune) bool {
		return (r < 'a' || r > 'z') && r != '\'' && r != '.'
	}), func(word string) bool { return slices.Contains(words, strings.Trim(word, ".'")) })
}
