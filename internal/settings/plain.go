package settings

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
)

// Plain rewords an error of json.Unmarshal or Standardize for a person: the libraries name
// the Go types of the program, or themselves. Other errors stay as they are.
func Plain(err error) error {
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) || wrong.GoType == nil {
		if text, ok := strings.CutPrefix(err.Error(), "hujson: "); ok {
			return fmt.Errorf("it is not valid JSON: %s", text)
		}
		return err
	}
	name := strings.ReplaceAll(strings.TrimPrefix(string(wrong.JSONPointer), "/"), "/", ".")
	if errors.Is(wrong.Err, json.ErrUnknownName) {
		return fmt.Errorf("unknown name %q", name)
	}
	if name == "" {
		name = "the file"
	}
	return fmt.Errorf("%s must be %s", name, expected(wrong.GoType))
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
