package permission

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
)

// unclear returns the reason why bridge does not completely understand the input of a tool, or "". Such an input is
// never approved (docs/permissions.md#tool-input).
func unclear(tool string, input jsontext.Value) string {
	required, known := claude.Members(tool)
	if required == "" {
		return ""
	}
	found := false
	dec := jsontext.NewDecoder(bytes.NewReader(input))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return "the input is not an object"
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return "the input cannot be read"
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return "the input cannot be read"
		}
		at := slices.IndexFunc(known, func(m claude.Member) bool { return m.Name == name })
		switch {
		case name == required:
			found = value.Kind() == '"' && len(value) > len(`""`)
		case known == nil || value.Kind() == 'n':
			continue
		case at < 0:
			return fmt.Sprintf("the input has a member %q, which bridge does not know", name)
		case !strings.ContainsRune(known[at].Kinds, rune(value.Kind())):
			return fmt.Sprintf("the member %q of the input has an unusual value", name)
		}
		if (tool == claude.ToolGlob && name == "pattern" || tool == claude.ToolGrep && name == "glob") && leaves(value) {
			return fmt.Sprintf("the pattern in %q may lead out of the project", name)
		}
	}
	if !found {
		return fmt.Sprintf("the input has no %q", required)
	}
	return ""
}

// leaves reports whether a pattern may match outside of the directory in which it is used.
// An absolute pattern is judged by its path.
func leaves(value jsontext.Value) bool {
	unquoted, err := jsontext.AppendUnquote(nil, value)
	pattern := strings.TrimSpace(string(unquoted))
	return err != nil || strings.Contains(pattern, "..") || strings.HasPrefix(pattern, "~") || strings.Contains(pattern, "$")
}
