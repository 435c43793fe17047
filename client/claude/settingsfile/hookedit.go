package settingsfile

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// AddHook returns the text of a settings file with one more handler, in a group of its
// own at the end of the event's groups. Everything else stays the same to the byte.
func AddHook(text []byte, event string, handler jsontext.Value) ([]byte, error) {
	return AddGroup(text, event, jsontext.Value(`{"hooks":[`+string(handler)+`]}`))
}

// Group returns the handler of a line, with its matcher, as a group of its own for
// AddGroup.
func Group(text []byte, line HookLine) (jsontext.Value, error) {
	d, err := open(text)
	if err != nil {
		return nil, err
	}
	v := d.root.Find(line.Pointer)
	if v == nil {
		return nil, fmt.Errorf("there is nothing at %s", line.Pointer)
	}
	handler := v.Clone()
	handler.Standardize()
	group := []byte{'{'}
	if line.HasMatcher {
		if group, err = jsontext.AppendQuote(append(group, `"matcher":`...), line.Matcher); err != nil {
			return nil, err
		}
		group = append(group, ',')
	}
	group = append(append(append(group, `"hooks":[`...), handler.Pack()...), `]}`...)
	return group, (*jsontext.Value)(&group).Compact()
}

// AddGroup is AddHook for a whole group.
func AddGroup(text []byte, event string, whole jsontext.Value) ([]byte, error) {
	d, err := open(text)
	if err != nil {
		return nil, err
	}
	name, err := jsontext.AppendQuote(nil, event)
	if err != nil {
		return nil, err
	}
	group := oneLine(whole)
	member := string(name) + ": [" + group + "]"
	at := "/hooks/" + escapePointer(event)
	switch {
	case d.root.Find("/hooks") == nil:
		err = d.add("", func(indent string) string {
			eol := d.lineEnd()
			return `"hooks": {` + eol + indent + d.indentUnit() + member + eol + indent + "}"
		})
	case d.root.Find(at) == nil:
		err = d.add("/hooks", func(string) string { return member })
	default:
		if v := d.root.Find(at); v.Value.Kind() != '[' {
			return nil, fmt.Errorf("%s is not a list", at)
		}
		err = d.add(at, func(string) string { return group })
	}
	return d.after(err)
}

// oneLine writes a value on one line, with spaces for readability.
func oneLine(value jsontext.Value) string {
	out := value.Clone()
	if err := out.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)); err != nil {
		return string(value)
	}
	return string(out)
}

// RemoveHook returns the text without the handler of a line. The group, the event and the
// hooks member are removed as well if they become empty, unless keep says, for a pointer,
// that the part existed before. Text between the parts is removed with them.
func RemoveHook(text []byte, line HookLine, keep func(pointer string) bool) ([]byte, error) {
	d, err := open(text)
	if err != nil {
		return nil, err
	}
	pointer := line.Pointer
	for {
		parent, last := cut(pointer)
		c, ok := d.composite(parent)
		i := c.index(last)
		if !ok || i < 0 {
			return nil, fmt.Errorf("there is nothing at %s", pointer)
		}
		if len(c.parts) > 1 || parent == "" || keep(parent) {
			return d.after(d.remove(parent, i))
		}
		// A part that contains only this one is removed as a whole. For a group, that is
		// the element and not its list.
		pointer = parent
		if group, ok := strings.CutSuffix(parent, "/hooks"); ok && strings.Count(parent, "/") == 4 {
			pointer = group
		}
	}
}

func cut(pointer string) (parent, last string) {
	i := strings.LastIndexByte(pointer, '/')
	return pointer[:i], pointer[i+1:]
}

// index finds a part by its name or number.
func (c composite) index(name string) int {
	plain := strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
	for i, p := range c.parts {
		if p.name != "" && p.name == plain {
			return i
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n < len(c.parts) && c.parts[n].name == "" {
		return n
	}
	return -1
}

// SetMember returns the text with a member of an object set, such as an environment
// variable in /env. If the object does not exist, it is created.
func SetMember(text []byte, object, name string, value jsontext.Value) ([]byte, error) {
	d, err := open(text)
	if err != nil {
		return nil, err
	}
	quoted, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		return nil, err
	}
	if v := d.root.Find(object + "/" + escapePointer(name)); v != nil {
		if bytes.Equal(bytes.TrimSpace(d.text[v.StartOffset:v.EndOffset]), value) {
			return d.bytes(), nil
		}
		return d.after(d.replace(v.StartOffset, v.EndOffset, string(value)))
	}
	if d.root.Find(object) == nil {
		parent, own := cut(object)
		ownName, err := jsontext.AppendQuote(nil, own)
		if err != nil {
			return nil, err
		}
		whole := jsontext.Value("{" + string(quoted) + ":" + string(value) + "}")
		return d.after(d.add(parent, func(indent string) string { return string(ownName) + ": " + d.encode(whole, indent) }))
	}
	return d.after(d.add(object, func(indent string) string { return string(quoted) + ": " + d.encode(value, indent) }))
}

// RemoveMember returns the text without a member. If the object becomes empty, it is
// removed as well, unless keep says that it existed before.
func RemoveMember(text []byte, object, name string, keep func(pointer string) bool) ([]byte, error) {
	d, err := open(text)
	if err != nil {
		return nil, err
	}
	c, ok := d.composite(object)
	i := c.index(escapePointer(name))
	if !ok || i < 0 {
		return d.bytes(), nil
	}
	if len(c.parts) == 1 && object != "" && !keep(object) {
		parent, own := cut(object)
		return RemoveMember(text, parent, own, keep)
	}
	return d.after(d.remove(object, i))
}

// after returns the text after a change, or the error of the change.
func (d *document) after(err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return d.bytes(), nil
}
