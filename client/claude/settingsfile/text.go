package settingsfile

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// document is a settings file in which parts are added and removed as text, so that
// everything else stays the same to the byte.
type document struct {
	mark, text []byte
	root       hujson.Value
}

func open(text []byte) (*document, error) {
	d := &document{}
	if body, marked := bytes.CutPrefix(text, []byte("\ufeff")); marked {
		d.mark, text = []byte("\ufeff"), body
	}
	d.text = bytes.Clone(text)
	if len(bytes.TrimSpace(d.text)) == 0 {
		d.text = []byte("{}\n")
	}
	return d, d.parse()
}

func (d *document) parse() (err error) {
	d.root, err = hujson.Parse(d.text)
	if err == nil && d.root.Value.Kind() != '{' {
		err = fmt.Errorf("it is not a JSON object")
	}
	return err
}

func (d *document) bytes() []byte { return append(bytes.Clone(d.mark), d.text...) }

// replace replaces a range with text and parses the file again.
func (d *document) replace(from, to int, text string) error {
	d.text = append(append(bytes.Clone(d.text[:from]), text...), d.text[to:]...)
	return d.parse()
}

// lineEnd is the line ending of the file.
func (d *document) lineEnd() string {
	if bytes.Contains(d.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// indentUnit is the indentation of the file; if there is none to see, it is two spaces.
func (d *document) indentUnit() string {
	for line := range bytes.Lines(d.text) {
		if i := bytes.IndexFunc(line, func(r rune) bool { return r != ' ' && r != '\t' }); i > 0 && line[i] == '"' {
			return string(line[:i])
		}
	}
	return "  "
}

// indentAt is the indentation of the line that contains an offset.
func (d *document) indentAt(offset int) string {
	start := bytes.LastIndexByte(d.text[:offset], '\n') + 1
	end := start
	for end < len(d.text) && (d.text[end] == ' ' || d.text[end] == '\t') {
		end++
	}
	return string(d.text[start:end])
}

// composite is an object or an array with the positions of its parts.
type composite struct {
	start, end int // of the whole, brackets included
	parts      []part
	// after is the text between the last part, or its comma, and the closing bracket.
	after string
}

// part is one member or element: the text before it, the part itself, and the text
// between it and its comma.
type part struct {
	name          string
	before        string
	start, end    int
	between       string
	trailingComma bool
}

func (d *document) composite(pointer string) (c composite, ok bool) {
	v := d.root.Find(pointer)
	if v == nil {
		return composite{}, false
	}
	c.start, c.end = v.StartOffset, v.EndOffset
	switch value := v.Value.(type) {
	case *hujson.Object:
		for i, m := range value.Members {
			p := part{name: m.Name.Value.(hujson.Literal).String(), before: string(m.Name.BeforeExtra), start: m.Name.StartOffset, end: m.Value.EndOffset, between: string(m.Value.AfterExtra)}
			p.trailingComma = i+1 < len(value.Members) || m.Value.AfterExtra != nil
			c.parts = append(c.parts, p)
		}
		c.after = string(value.AfterExtra)
	case *hujson.Array:
		for i, e := range value.Elements {
			p := part{before: string(e.BeforeExtra), start: e.StartOffset, end: e.EndOffset, between: string(e.AfterExtra)}
			p.trailingComma = i+1 < len(value.Elements) || e.AfterExtra != nil
			c.parts = append(c.parts, p)
		}
		c.after = string(value.AfterExtra)
	default:
		return composite{}, false
	}
	return c, true
}

// add appends a part to an object or array. text is the part in the layout of encode,
// with its lines indented relative to the part itself.
func (d *document) add(pointer string, text func(indent string) string) error {
	c, ok := d.composite(pointer)
	if !ok {
		return fmt.Errorf("%s is neither an object nor an array", pointer)
	}
	eol, parent := d.lineEnd(), d.indentAt(c.start)
	inline := len(c.parts) > 0 && !bytes.ContainsRune(d.text[c.start:c.end], '\n')
	if inline {
		last := c.parts[len(c.parts)-1]
		at := last.end + len(last.between)
		if last.trailingComma {
			return d.replace(at+1, at+1, " "+compact(text(""))+",")
		}
		return d.replace(at, at, ", "+compact(text("")))
	}
	if len(c.parts) == 0 {
		indent := parent + d.indentUnit()
		closing := ""
		if !strings.Contains(c.after, "\n") {
			closing = eol + parent
		}
		return d.replace(c.start+1, c.start+1, eol+indent+text(indent)+closing)
	}
	last := c.parts[len(c.parts)-1]
	indent := d.indentAt(last.start)
	// A comment after the last part belongs to it; the new part begins after the comment.
	kept := strings.TrimRight(c.after, " \t\r\n")
	if last.trailingComma {
		at := last.end + len(last.between) + 1 + len(kept)
		return d.replace(at, at, eol+indent+text(indent)+",")
	}
	at := last.end
	return d.replace(at, at+len(kept), ","+kept+eol+indent+text(indent))
}

// remove removes a part of an object or array, with its comma.
func (d *document) remove(pointer string, i int) error {
	c, ok := d.composite(pointer)
	if !ok || i >= len(c.parts) {
		return fmt.Errorf("%s has no part %d", pointer, i)
	}
	p := c.parts[i]
	end := p.end + len(p.between)
	// Comments before the part may be about the preceding part, so they stay.
	kept := strings.TrimRight(p.before, " \t\r\n")
	cut := func(from, to int) error {
		next := bytes.TrimLeft(d.text[to:], " \t\r")
		if strings.Contains(kept[strings.LastIndexByte(kept, '\n')+1:], "//") && !bytes.HasPrefix(next, []byte("\n")) {
			// The text that follows must not become a part of the comment.
			kept += d.lineEnd() + d.indentAt(c.start)
		}
		return d.replace(from, to, kept)
	}
	if i == 0 {
		if p.trailingComma {
			end++
		}
		from := p.start - len(p.before)
		if len(c.parts) == 1 && strings.TrimSpace(c.after) == "" {
			end += len(c.after)
		}
		return cut(from, end)
	}
	previous := c.parts[i-1]
	comma := previous.end + len(previous.between)
	if !p.trailingComma {
		// This is the last part of a list without a trailing comma, so the comma before
		// it is removed.
		return cut(comma, end)
	}
	return cut(comma+1, end+1)
}

// compact removes the line breaks from a part that encode wrote.
func compact(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if i > 0 && b.Len() > 0 && strings.HasSuffix(b.String(), ",") {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// encode formats a value on several lines.
func (d *document) encode(value jsontext.Value, indent string) string {
	out := value.Clone()
	if err := out.Indent(jsontext.WithIndentPrefix(indent), jsontext.WithIndent(d.indentUnit())); err != nil {
		return string(value)
	}
	return strings.ReplaceAll(string(out), "\n", d.lineEnd())
}
