package assess

import (
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// key is a named part of an assessment.
type key int

const (
	noKey key = iota
	statusKey
	completionKey
	confidenceKey
	doneKey
	remainingKey
	blockerKey
	suggestionKey
	otherKey
)

// keyOf maps the names of the parts, in Chinese and English, to keys.
func keyOf(name string) key {
	switch Fold(name) {
	case "完成状态", "状态", "任务状态", "status", "completionstatus", "taskstatus", "state":
		return statusKey
	case "完成度", "完成百分比", "完成率", "进度", "completion", "completionpercentage", "progress", "percentcomplete", "percentage", "completionpercent":
		return completionKey
	case "置信度", "信心", "把握", "confidence", "confidencelevel":
		return confidenceKey
	case "已完成项", "已完成", "完成项", "已完成的项", "已完成项目", "completeditems", "done", "doneitems", "finisheditems", "itemscompleted":
		return doneKey
	case "未完成项", "未完成", "剩余项", "待完成项", "未完成的项", "剩余工作", "remainingitems", "remaining", "pendingitems", "pending", "todo", "openitems", "itemsremaining", "incompleteitems":
		return remainingKey
	case "阻塞问题", "阻塞", "阻塞项", "阻碍", "blockers", "blocker", "blockingissues", "blockeditems", "blockingissue":
		return blockerKey
	case "建议", "下一步", "suggestion", "suggestions", "nextaction", "nextstep", "nextsteps":
		return suggestionKey
	case "理由", "说明", "reasoning", "reason", "notes", "note", "备注":
		return otherKey
	}
	return noKey
}

// Fold makes names and items comparable: it keeps only letters, in lower case, and
// digits.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// read fills the parts from the text of the block, Markdown or JSON.
func (a *Assessment) read(body string) {
	a.Status = Unknown
	completion := -1
	if !strings.HasPrefix(body, "{") || !a.readJSON(body, &completion) {
		completion = a.readMarkdown(body)
	}
	if completion < 0 {
		// The completion is missing: it is computed from the lists.
		if all := len(a.Done) + len(a.Remaining); all > 0 {
			completion = 100 * len(a.Done) / all
		}
	}
	a.Completion = max(completion, 0)
}

func (a *Assessment) readMarkdown(body string) (completion int) {
	completion = -1
	in := list{key: noKey}
	for raw := range strings.SplitSeq(body, "\n") {
		line := strings.TrimSpace(raw)
		if line == "" {
			continue
		}
		at := list{indent: len(raw) - len(strings.TrimLeft(raw, " \t"))}
		_, at.bulleted = cutBullet(line)
		k, value := keyLine(line)
		if k == noKey || in.holds(at, k) {
			a.add(in.key, line, &completion)
			continue
		}
		at.key, at.named = k, value != ""
		// "none" leaves the lists without an open item.
		at.closed = at.named && isNone(value)
		in = at
		a.set(k, value, &completion)
	}
	return completion
}

// list describes the key to which a line belongs, and how the line of that key was
// written.
type list struct {
	key      key
	indent   int
	bulleted bool
	// named says that the key has a value on its own line; closed says that this value is
	// a word for nothing.
	named, closed bool
}

// holds reports whether a line that looks like key k is really an item of the list: "-
// Notes: README is missing" is an item below "**Remaining items**:". Below "- Remaining
// items:", a bullet that is not indented further is the next key. In doubt, an item
// counts as remaining.
func (l list) holds(at list, k key) bool {
	switch l.key {
	case doneKey:
		if k == remainingKey || k == blockerKey {
			return false
		}
	case remainingKey, blockerKey:
	default:
		return false
	}
	switch {
	case l.closed:
		return false
	case at.indent > l.indent, at.bulleted && !l.bulleted:
		return true
	}
	return at.bulleted && !l.named && k == otherKey && l.key != doneKey
}

// keyLine reads "**key**: value", "key: value", "- key: value", "### key" or the row
// "| key | value |" of a table.
func keyLine(line string) (k key, value string) {
	if cells, ok := strings.CutPrefix(line, "|"); ok {
		name, value, _ := strings.Cut(strings.TrimSuffix(cells, "|"), "|")
		return keyOf(name), strings.TrimSpace(value)
	}
	plain := strings.TrimSpace(strings.TrimLeft(strings.ReplaceAll(line, "**", ""), "#"))
	plain = strings.TrimPrefix(strings.TrimPrefix(plain, "- "), "* ")
	at := strings.IndexAny(plain, ":：")
	if at < 0 {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**") {
			return keyOf(plain), ""
		}
		return noKey, ""
	}
	name := plain[:at]
	if len(name) > 60 {
		return noKey, ""
	}
	value = strings.TrimPrefix(strings.TrimPrefix(plain[at:], ":"), "：")
	return keyOf(name), strings.TrimSpace(value)
}

// set stores the value on the line of a key.
func (a *Assessment) set(k key, value string, completion *int) {
	switch k {
	case statusKey:
		a.Status = statusOf(value)
	case completionKey:
		if n, ok := percent(value, 100); ok {
			*completion = n
		}
	case confidenceKey:
		a.Confidence, _ = percent(value, 100)
	case doneKey:
		a.Done = items(a.Done, value)
	case remainingKey:
		a.Remaining = items(a.Remaining, value)
	case blockerKey:
		a.Blocker = joined(a.Blocker, value)
	case suggestionKey:
		a.Suggestion = joined(a.Suggestion, value)
	case otherKey, noKey:
	}
}

// add appends another line to a key. For a value that is not a list, the first line
// counts.
func (a *Assessment) add(k key, line string, completion *int) {
	item, open := cutItem(line)
	switch {
	case k == statusKey && a.Status != Unknown, k == completionKey && *completion >= 0, k == confidenceKey && a.Confidence != 0:
	case k == doneKey && open:
		// An empty box in the list of finished items means not finished.
	default:
		a.set(k, item, completion)
	}
}

// cutBullet removes a bullet from the beginning of a line.
func cutBullet(line string) (rest string, ok bool) {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "•"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return line, false
}

// cutItem removes the list marker from a line; open says that it had an empty box.
func cutItem(line string) (item string, open bool) {
	item, _ = cutBullet(line)
	digits := 0
	for digits < len(item) && item[digits] >= '0' && item[digits] <= '9' {
		digits++
	}
	for _, mark := range []string{". ", ") ", "、"} {
		if rest, ok := strings.CutPrefix(item[digits:], mark); ok && digits > 0 {
			item = rest
		}
	}
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if rest, ok := strings.CutPrefix(item, box); ok {
			return strings.TrimSpace(rest), box == "[ ] "
		}
	}
	return item, false
}

// items appends the items of a text. One line may hold several items.
func items(list []string, text string) []string {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '；' }) {
		if part = strings.TrimSpace(part); !isNone(part) {
			list = append(list, part)
		}
	}
	return list
}

func joined(a, b string) string {
	if isNone(b) {
		return a
	}
	if a == "" {
		return b
	}
	return a + "; " + b
}

// isNone reports whether a text is a word for nothing.
func isNone(s string) bool {
	switch Fold(s) {
	case "", "无", "没有", "暂无", "无阻塞", "没有阻塞", "无阻塞问题", "没有阻塞问题", "none", "na", "nothing", "null", "nil", "no", "noblockers", "noneremaining", "没有了", "全部完成", "nothingremaining",
		"无明显阻塞", "目前无", "目前没有", "没有任何阻塞", "无剩余", "无剩余项", "无未完成项", "没有未完成项", "全部已完成", "noblocker", "noneatthemoment", "nonecurrently", "currentlynone",
		"noneidentified", "nothingleft", "noneleft", "noremainingitems", "alldone", "allcompleted", "allitemscompleted":
		return true
	}
	return false
}

// statusOf maps words to statuses. Only whole words count: "not completed" is not
// "completed".
func statusOf(s string) Status {
	if strings.ContainsAny(s, "|/") {
		// The list of choices, copied as it is from the form.
		return Unknown
	}
	if cut := strings.IndexAny(s, "(（,，。;；—–"); cut > 0 {
		s = s[:cut]
	}
	s, _, _ = strings.Cut(s, " - ")
	switch Fold(s) {
	case "completed", "complete", "done", "finished", "已完成", "完成", "全部完成", "完成了", "true", "已全部完成":
		return Completed
	case "inprogress", "incomplete", "notcompleted", "notcomplete", "notdone", "partial", "partiallycompleted", "partiallycomplete", "ongoing",
		"进行中", "未完成", "部分完成", "正在进行", "接近完成", "基本完成", "false", "almostdone", "mostlydone":
		return InProgress
	case "blocked", "阻塞", "被阻塞", "已阻塞", "受阻", "stuck":
		return Blocked
	case "skipped", "skip", "跳过", "已跳过":
		return Skipped
	}
	return Unknown
}

// percent reads 75%, 75 ％, 75, 约75%, 75/100 and 0.75, and limits the result to 0..limit.
// ok is false if there is no number.
func percent(s string, limit int) (n int, ok bool) {
	s = strings.Map(halfWidth, s)
	at := strings.IndexAny(s, "0123456789")
	if at < 0 {
		return 0, false
	}
	if at > 0 && s[at-1] == '-' {
		return 0, true
	}
	whole, rest := digits(s[at:])
	var fraction string
	if after, found := strings.CutPrefix(rest, "."); found {
		_, rest = digits(after)
		fraction = after[:len(after)-len(rest)]
	}
	rest = strings.TrimSpace(rest)
	if of, found := strings.CutPrefix(rest, "/"); found {
		if total, _ := digits(strings.TrimSpace(of)); total > 0 {
			return min(100*whole/total, limit), true
		}
	}
	// A fraction: 0.75 and 1.0, but not 0.75%.
	if fraction != "" && !strings.HasPrefix(rest, "%") && (whole == 0 || whole == 1 && strings.Trim(fraction, "0") == "") {
		hundredths, _ := digits((fraction + "0")[:2])
		return min(100*whole+hundredths, limit), true
	}
	return min(whole, limit), true
}

// halfWidth replaces full-width characters of numbers with ASCII.
func halfWidth(r rune) rune {
	switch {
	case r >= '０' && r <= '９':
		return r - '０' + '0'
	case r == '．':
		return '.'
	case r == '／':
		return '/'
	case r == '％':
		return '%'
	}
	return r
}

// digits reads a whole number at the start of s. An absurdly long number counts as a
// billion.
func digits(s string) (n int, rest string) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if n < 1e9 {
			n = n*10 + int(s[i]-'0')
		}
	}
	return min(n, 1e9), s[i:]
}

// readJSON reads the JSON form, with the members completed, completion_percentage,
// completed_items, pending_items, blocked_items, confidence and next_action, or with the
// names of the Markdown form.
func (a *Assessment) readJSON(body string, completion *int) bool {
	read := *a
	dec := jsontext.NewDecoder(strings.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	word, flag := Unknown, Unknown
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return false
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return false
		}
		k := keyOf(name)
		switch {
		case Fold(name) == "completed" && value.Kind() == 't':
			flag = Completed
		case Fold(name) == "completed" && value.Kind() == 'f':
			flag = InProgress
		case Fold(name) == "completed":
			k = doneKey
		}
		if k == confidenceKey && string(value) == "1" {
			// JSON cannot distinguish 1.0 from 1.
			value = jsontext.Value("100")
		}
		for _, text := range texts(value) {
			read.set(k, text, completion)
		}
		if k == statusKey {
			word = read.Status
		}
	}
	*a = read
	// The status word wins over the completed flag, whichever comes first.
	if a.Status = word; word == Unknown {
		if a.Status = flag; flag == InProgress && a.Blocker != "" {
			a.Status = Blocked
		}
	}
	return true
}

// texts returns the strings in a JSON value.
func texts(value jsontext.Value) []string {
	switch value.Kind() {
	case '"':
		var s string
		_ = json.Unmarshal(value, &s)
		return []string{s}
	case '[':
		var values []jsontext.Value
		_ = json.Unmarshal(value, &values)
		var all []string
		for _, v := range values {
			all = append(all, texts(v)...)
		}
		return all
	case '0', 't', 'f':
		return []string{string(value)}
	}
	return nil
}
