package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// Wrong explains an error in a configuration to a person: what is wrong, the file, and the line if it is known. part is
// the part of text that was decoded. The errors of the libraries count from its beginning, and name the library or Go
// types.
func Wrong(place string, text, part []byte, err error) error {
	start := max(0, bytes.Index(text, part))
	line := func(offset int64) string {
		return fmt.Sprintf("%s, line %d", place, LineAt(text, int64(start)+offset))
	}
	var at *located
	if errors.As(err, &at) {
		return fmt.Errorf("%w in %s%s", at.err, line(at.offset), at.more)
	}
	if syntax, ok := strings.CutPrefix(err.Error(), "hujson: line "); ok {
		var n, column int
		if _, scan := fmt.Sscanf(syntax, "%d, column %d:", &n, &column); scan == nil {
			_, what, _ := strings.Cut(syntax, ": ")
			return fmt.Errorf("it is not valid JSON: %s in %s, line %d", what, place, n)
		}
	}
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) || wrong.GoType == nil {
		var syntax *jsontext.SyntacticError
		switch {
		case !errors.As(err, &syntax):
		case errors.Is(err, jsontext.ErrDuplicateName):
			return fmt.Errorf("the key %q occurs twice in %s", dotted(syntax.JSONPointer), line(syntax.ByteOffset))
		default:
			return fmt.Errorf("it is not valid JSON: %w in %s", syntax.Err, line(syntax.ByteOffset))
		}
		return fmt.Errorf("%w in %s", err, place)
	}
	key := dotted(wrong.JSONPointer)
	if errors.Is(wrong.Err, json.ErrUnknownName) {
		return unknownKey(key, wrong.GoType, line(wrong.ByteOffset))
	}
	if key == "" {
		key = "the file"
	}
	return fmt.Errorf("%s must be %s, in %s", key, expected(wrong.GoType), line(wrong.ByteOffset))
}

// located is an error with the offset of the value that causes it, and the text that follows the place in the message.
type located struct {
	err    error
	offset int64
	more   string
}

func (l *located) Error() string { return l.err.Error() }
func (l *located) Unwrap() error { return l.err }

// at says that the value below a pointer is wrong.
func at(text []byte, pointer jsontext.Pointer, err error, more string) error {
	for d := jsontext.NewDecoder(bytes.NewReader(text)); ; {
		if _, e := d.ReadToken(); e != nil {
			return err
		}
		if d.StackPointer() == pointer {
			return &located{err, d.InputOffset(), more}
		}
	}
}

// dotted writes a JSON pointer with dots, for people.
func dotted(pointer jsontext.Pointer) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(pointer), "/"), "/", ".")
}

// unknownKey returns the error about a key that a struct does not have. If no key of the same object is close, the key
// of that name in another object was probably meant.
func unknownKey(key string, object reflect.Type, place string) error {
	above, name := "", key
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		above, name = key[:i+1], key[i+1:]
	}
	more, err := unknown(above, name, keys(object, "", false))
	for _, full := range keys(reflect.TypeFor[protocol.Config](), "", true) {
		if more != "" && strings.HasSuffix(full, "."+name) {
			more, err = "", fmt.Errorf("unknown key %q (did you mean %q?)", key, full)
		}
	}
	return fmt.Errorf("%w in %s%s", err, place, more)
}

// unknown is the error about a key. more is the text after the place: the valid keys, unless one of them is close.
func unknown(above, name string, names []string) (more string, err error) {
	if closest := display.Closest(name, names); closest != "" {
		return "", fmt.Errorf("unknown key %q (did you mean %q?)", above+name, above+closest)
	}
	return "; the keys are " + strings.Join(names, ", "), fmt.Errorf("unknown key %q", above+name)
}

// keys lists the keys of an object, and with deep those of the objects in it.
func keys(object reflect.Type, above string, deep bool) (all []string) {
	if object.Kind() != reflect.Struct {
		return nil
	}
	for _, field := range reflect.VisibleFields(object) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		all = append(all, above+name)
		if deep {
			all = append(all, keys(field.Type, above+name+".", deep)...)
		}
	}
	return all
}

// NoNull reports a null in a JSON text. No setting may be null: reading it as "not set"
// could drop a rule that the user meant to have.
func NoNull(text []byte) error {
	for d := jsontext.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if token.Kind() == 'n' {
			name := dotted(d.StackPointer())
			if name == "" {
				name = "the file"
			}
			return &located{fmt.Errorf("%s must not be null", name), d.InputOffset(), "; remove it, or write the value"}
		}
	}
}

// expected names the kind of JSON value that fits a type.
func expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return expected(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a value of another kind"
	}
}
