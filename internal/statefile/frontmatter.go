package statefile

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// ErrNoFrontMatter means that the file does not begin with a block between two lines of
// three dashes.
var ErrNoFrontMatter = errors.New("no front matter")

// FrontMatter is a Markdown file that begins with flat "key: value" lines between two lines of three dashes. Only the
// first such block counts, because a prompt may contain dashes and keys of its own. Every byte that is not set stays the
// same: unknown lines, order, line endings, a byte order mark.
type FrontMatter struct {
	data []byte
	// first and last are the limits of the lines between the dashes.
	first, last int
	// body is where the text after the closing line begins.
	body int
	eol  string
}

var byteOrderMark = []byte("\ufeff")

// ParseFrontMatter finds the front matter of data. The error is
// ErrNoFrontMatter.
func ParseFrontMatter(data []byte) (FrontMatter, error) {
	at := 0
	if bytes.HasPrefix(data, byteOrderMark) {
		at = len(byteOrderMark)
	}
	line, next := cutLine(data, at)
	if !isDashes(line) || next == len(data) {
		return FrontMatter{}, ErrNoFrontMatter
	}
	fm := FrontMatter{data: data, first: next, eol: "\n"}
	if bytes.HasSuffix(data[at:next], []byte("\r\n")) {
		fm.eol = "\r\n"
	}
	for at = next; at < len(data); at = next {
		line, next = cutLine(data, at)
		if isDashes(line) {
			if at == fm.first {
				return FrontMatter{}, ErrNoFrontMatter
			}
			fm.last, fm.body = at, next
			return fm, nil
		}
	}
	return FrontMatter{}, ErrNoFrontMatter
}

// cutLine returns the line at the offset without its ending, and the offset of the next
// line.
func cutLine(data []byte, at int) (line []byte, next int) {
	end := bytes.IndexByte(data[at:], '\n')
	if end < 0 {
		return data[at:], len(data)
	}
	return bytes.TrimSuffix(data[at:at+end], []byte("\r")), at + end + 1
}

func isDashes(line []byte) bool {
	return string(bytes.TrimRight(line, " \t\r")) == "---"
}

// Body returns the text after the front matter unchanged.
func (fm FrontMatter) Body() string { return string(fm.data[fm.body:]) }

// Get returns the value of the first line with this key, without its outer quotes; ok is
// false if there is no such line. Text after a # belongs to the value, because a promise
// may contain one.
func (fm FrontMatter) Get(key string) (value string, ok bool) {
	start, end, ok := fm.find(key)
	if !ok {
		return "", false
	}
	return Unquote(string(fm.data[start:end])), true
}

// Raw returns the value as it is written, quotes included.
func (fm FrontMatter) Raw(key string) (value string, ok bool) {
	start, end, ok := fm.find(key)
	return string(fm.data[start:end]), ok
}

// find returns the start and end of the value of key.
func (fm FrontMatter) find(key string) (start, end int, ok bool) {
	for at, next := fm.first, 0; at < fm.last; at = next {
		var line []byte
		line, next = cutLine(fm.data, at)
		if len(line) <= len(key) || line[len(key)] != ':' || string(line[:len(key)]) != key {
			continue
		}
		value := line[len(key)+1:]
		lead := len(value) - len(bytes.TrimLeft(value, " \t"))
		start = at + len(key) + 1 + lead
		return start, start + len(bytes.TrimRight(value[lead:], " \t\r")), true
	}
	return 0, 0, false
}

// Set returns the file with the value of key replaced, or with a line for it added at the
// end of the front matter. value is written unchanged.
func (fm FrontMatter) Set(key, value string) []byte {
	start, end, ok := fm.find(key)
	switch {
	case !ok:
		start, end, value = fm.last, fm.last, key+": "+value+fm.eol
	case fm.data[start-1] == ':':
		value = " " + value
	}
	return slices.Concat(fm.data[:start], []byte(value), fm.data[end:])
}

// SetAll applies Set for each pair of key and value.
func (fm FrontMatter) SetAll(pairs ...[2]string) []byte {
	for _, pair := range pairs {
		data := fm.Set(pair[0], pair[1])
		next, err := ParseFrontMatter(data)
		if err != nil {
			// A value with a line break could end the block early, so the file stays as
			// it was.
			return fm.data
		}
		fm = next
	}
	return fm.data
}

// Unquote removes one matching outer pair of quotes. Between double quotes, \" and \\
// stand for one character; everything else stands for itself.
func Unquote(value string) string {
	if len(value) < 2 || value[0] != value[len(value)-1] {
		return value
	}
	inner := value[1 : len(value)-1]
	switch value[0] {
	case '\'':
		return inner
	case '"':
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(inner)
	}
	return value
}

// Quote writes value between double quotes, so that Unquote returns it again. Line breaks
// become spaces, because a value has to be on one line.
func Quote(value string) string {
	value = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(value)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}
