package assess

import (
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
)

// reader reads the parts of an assessment.
type reader struct {
	*Assessment
	// completion is -1 until there is one; confident says that there is a confidence.
	completion int
	confident  bool
	// remark is what follows the word of the status.
	remark string
}

// read fills the parts from the text of the block, Markdown or JSON.
func (a *Assessment) read(body string, attributes [][2]string) {
	r := reader{Assessment: a, completion: -1}
	a.Status = Unknown
	for _, pair := range attributes {
		r.set(keyOf(pair[0]), pair[1])
	}
	if !r.json(body) {
		r.markdown(body)
	}
	if r.completion < 0 {
		// The completion is missing: it is computed from the lists.
		if all := len(a.Done) + len(a.Remaining); all > 0 {
			r.completion = 100 * len(a.Done) / all
		}
	}
	if a.Status == Unknown && r.unfinished() {
		a.Status = InProgress
	}
	if a.Status == InProgress && a.Blocker != "" && (isWaiting(r.remark) || isWaiting(a.Blocker)) {
		a.Status = Blocked
	}
	if a.Status == Blocked && a.Blocker == "" {
		a.Blocker = r.remark
	}
	a.Completion = max(r.completion, 0)
}

// unfinished reports whether a block without a status says that the task is not done.
func (r *reader) unfinished() bool {
	return r.statusText() == "" && (len(r.Remaining) > 0 || r.completion > 0 && r.completion < 100)
}

// statusText is the text of a status that could not be read.
func (r *reader) statusText() string { return r.remark }

func (r *reader) markdown(body string) {
	in := list{key: noKey}
	var columns []key
	for raw := range strings.SplitSeq(body, "\n") {
		line := strings.TrimSpace(raw)
		if isRule(line) {
			columns = nil
			continue
		}
		if cells, ok := row(line); ok {
			if columns = r.row(cells, columns); len(cells) > 1 {
				continue
			}
		} else {
			columns = nil
		}
		at := list{indent: indentOf(raw)}
		_, at.marker = plan.CutMarker(line)
		for _, part := range segments(line) {
			k, value := keyLine(part)
			if k == noKey && at.marker == plan.NoMarker && isBareKey(part) {
				k = keyOf(part)
			}
			if k == noKey && at.marker == plan.NoMarker && saysNone(part) {
				// "Risks: none" below a list is another key, not an item.
				continue
			}
			if k == noKey || in.holds(at, k) {
				r.add(in.key, part)
				continue
			}
			at.key, at.named = k, value != ""
			// "none" leaves the lists without an open item.
			at.closed = at.named && isNone(value)
			in = at
			r.set(k, value)
		}
	}
}

// saysNone reports whether a line is a short name with a word for nothing: "Risks: none".
func saysNone(line string) bool {
	at, size := separator(line)
	if at <= 0 || at > maxName || len(strings.Fields(line[:at])) > 3 {
		return false
	}
	switch Fold(line[at+size:]) {
	case "none", "nothing", "na", "无", "没有", "暂无":
		return true
	}
	return false
}

// isRule reports whether a line is blank, a horizontal rule or the fence of a code block.
func isRule(line string) bool {
	return strings.Trim(line, "-*_=━─ ") == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// list describes the key to which a line belongs, and how the line of that key was
// written.
type list struct {
	key    key
	indent int
	marker plan.Marker
	// named says that the key has a value on its own line; closed says that this value
	// means "none".
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
	case at.indent > l.indent, at.marker != plan.NoMarker && at.marker != l.marker:
		return true
	}
	return at.marker != plan.NoMarker && !l.named && k == otherKey && l.key != doneKey
}

// segments splits a line that holds several keys, such as "Status: completed |
// Completion: 100%". The first of them has to be one with a single value.
func segments(line string) []string {
	if k, _ := keyLine(line); k != statusKey && k != completionKey && k != confidenceKey {
		return []string{line}
	}
	var parts []string
	for {
		at, size := nextKey(line)
		if at < 0 {
			return append(parts, line)
		}
		parts, line = append(parts, line[:at]), line[at+size:]
	}
}

// nextKey finds the first mark after which another key begins.
func nextKey(line string) (at, size int) {
	for i, r := range line {
		if !strings.ContainsRune("|｜;；,，·", r) || i == 0 {
			continue
		}
		rest := line[i+len(string(r)):]
		if sep, _ := separator(rest); sep < 0 || sep > maxName {
			continue
		}
		if k, _ := keyLine(rest); k != noKey {
			return i, len(string(r))
		}
	}
	return -1, 0
}

// row splits the row of a table into its cells.
func row(line string) (cells []string, ok bool) {
	line = strings.Map(func(r rune) rune {
		if r == '｜' {
			return '|'
		}
		return r
	}, line)
	inner, ok := strings.CutPrefix(line, "|")
	if !ok {
		return nil, false
	}
	for cell := range strings.SplitSeq(strings.TrimSuffix(inner, "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells, true
}

// row reads a row of a table: "| key | value |", or values below a row of keys. It
// returns the keys of the columns if this row or one above it names them.
func (r *reader) row(cells []string, columns []key) []key {
	if columns != nil {
		for i, cell := range cells {
			if i < len(columns) {
				r.set(columns[i], cell)
			}
		}
		return columns
	}
	keys, named := make([]key, len(cells)), 0
	for i, cell := range cells {
		if keys[i] = keyOf(cell); keys[i] != noKey && wordStatus(cell) == Unknown {
			named++
		}
	}
	if named > 1 && named == len(cells) {
		return keys
	}
	if len(cells) > 1 {
		r.set(keys[0], strings.Join(cells[1:], " | "))
	}
	return nil
}

// set stores the value on the line of a key.
func (r *reader) set(k key, value string) {
	switch k {
	case statusKey:
		if Fold(value) == "" {
			return
		}
		r.Status, r.remark = statusOf(value), remarkOf(value)
		if r.Status == Unknown {
			r.remark = value
		}
	case completionKey:
		if n, ok := percent(value, 100); ok {
			r.completion = n
		}
	case confidenceKey:
		n, ok := percent(value, 100)
		if !ok {
			n, ok = sureness(value)
		}
		if ok {
			r.Confidence, r.confident = n, true
		}
	case doneKey:
		r.Done = items(r.Done, value)
	case remainingKey:
		r.Remaining = items(r.Remaining, value)
	case blockerKey:
		if !isSolved(value) {
			r.Blocker = joined(r.Blocker, value)
		}
	case suggestionKey:
		r.Suggestion = joined(r.Suggestion, value)
	case otherKey, noKey:
	}
}

// add appends another line to a key. For a value that is not a list, the first line
// counts.
func (r *reader) add(k key, line string) {
	item, open := cutItem(line)
	switch {
	case k == statusKey && (r.Status != Unknown || open), k == completionKey && r.completion >= 0, k == confidenceKey && r.confident:
	case k == doneKey && open:
		// An empty box in the list of finished items means not finished.
	default:
		r.set(k, item)
	}
}

// cutItem removes the list marker from a line; open says that it had an empty box.
func cutItem(line string) (item string, open bool) {
	item, _ = plan.CutMarker(line)
	done, boxed, rest := plan.CutBox(item)
	if !boxed {
		return strings.TrimSpace(item), false
	}
	return rest, !done
}

// items appends the items of a text. One line may hold several items.
func items(list []string, text string) []string {
	text = strings.NewReplacer("<br>", ";", "<br/>", ";", "<br />", ";").Replace(text)
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
