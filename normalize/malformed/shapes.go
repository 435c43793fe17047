package malformed

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/bridge/normalize"
)

// Shapes returns the table.
func Shapes() []Shape {
	return slices.Concat(nothing(), encodings(), tails(), names(), depths(), roots(), types(), syntax(), truncated(), contents())
}

func nothing() []Shape {
	return []Shape{
		{"empty", nil, always(normalize.RuleEmpty)},
		{"blank", []byte(" \t\r\n\n"), always(normalize.RuleEmpty)},
		{"only a byte order mark", []byte("\uFEFF"), always(normalize.RuleEmpty)},
	}
}

func encodings() []Shape {
	return []Shape{
		{"byte order mark", []byte("\uFEFF" + body("")), failClosed(normalize.RuleBOM)},
		{"two byte order marks", []byte("\uFEFF\uFEFF" + body("")), always(normalize.RuleNotAnObject)},
		{"UTF-16LE with a mark", inUTF16("\uFEFF"+body(""), false), always(normalize.RuleNotAnObject)},
		{"UTF-16BE with a mark", inUTF16("\uFEFF"+body(""), true), always(normalize.RuleNotAnObject)},
		{"UTF-16BE", inUTF16(body(""), true), always(normalize.RuleNotAnObject)},
		// In UTF-16, a zero byte of the last brace follows the value. If the tail is checked, it is found first.
		{"UTF-16LE", inUTF16(`{"a":1}`, false), tailOr(normalize.RuleSyntax)},
		{"Latin-1", []byte(body(",\"prompt\":\"caf\xe9\"")), failClosed(normalize.RuleInvalidUTF8)},
		{"overlong slash", []byte(body(",\"x\":\"..\xc0\xaf\"")), failClosed(normalize.RuleInvalidUTF8)},
		{"surrogate in UTF-8", []byte(body(",\"x\":\"\xed\xa0\x80\"")), failClosed(normalize.RuleInvalidUTF8)},
		{"half a rune", []byte(body(",\"x\":\"\xe2\x82\"")), failClosed(normalize.RuleInvalidUTF8)},
		{"bad UTF-8 in a nested name", []byte(body(",\"x\":[{\"\xff\":1}]")), failClosed(normalize.RuleInvalidUTF8)},
		{"bad UTF-8 between tokens", []byte(body(",\"x\":1\xff")), invalidOr(normalize.RuleSyntax)},
		{"half a surrogate pair between tokens", []byte(body(`,"x":1\ud800`)), always(normalize.RuleSyntax)},
		{"half an escape of a surrogate", []byte(body(`,"x":"\ud8"`)), always(normalize.RuleSyntax)},
	}
}

func tails() []Shape {
	trailing := failClosed(normalize.RuleTrailingData)
	return []Shape{
		{"NUL after the object", []byte(body("") + "\x00"), trailing},
		{"garbage after the object", []byte(body("") + " x"), trailing},
		{"comma after the object", []byte(body("") + ","), trailing},
		{"closing brace after the object", []byte(body("") + "}"), trailing},
		{"two objects", []byte(body("") + body("")), trailing},
		{"two objects on two lines", []byte(body("") + "\n" + body("") + "\n"), trailing},
		{"byte order mark after the object", []byte(body("") + "\uFEFF"), trailing},
		{"no-break space after the object", []byte(body("") + "\u00a0"), trailing},
	}
}

func names() []Shape {
	duplicate := always(normalize.RuleDuplicateName)
	folded := func(field string) ruleFunc { return known(field, normalize.RuleCaseFoldedName) }
	return []Shape{
		{"duplicate name", []byte(body(`,"cwd":"/other"`)), duplicate},
		{"duplicate name with the same value", []byte(body(`,"cwd":"/project"`)), duplicate},
		{"duplicate unknown name", []byte(body(`,"x":1,"x":1`)), duplicate},
		{"duplicate name by an escape", []byte(body(`,"sessio\u006e_id":"s-2"`)), duplicate},
		{"duplicate nested name", []byte(`{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls","command":"rm -rf /"}}`), duplicate},
		{"duplicate nested name by an escape", []byte(`{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls","comma\u006ed":"rm -rf /"}}`), duplicate},
		{"duplicate name deep inside", []byte(body(`,"x":[[{"y":{"z":1,"z":2}}]]`)), duplicate},
		{"Session_Id", []byte(body(`,"Session_Id":"s-2"`)), folded("session_id")},
		{"CWD", []byte(body(`,"CWD":"/other"`)), folded("cwd")},
		{"Tool_Name", []byte(body(`,"Tool_Name":"Read"`)), folded("tool_name")},
		{"long s", []byte(body(`,"ſeſſion_id":"s-2"`)), folded("session_id")},
		{"long s by an escape", []byte(body(`,"\u017fession_id":"s-2"`)), folded("session_id")},
		{"Kelvin sign", []byte(body(`,"hooK_event_name":"Stop"`)), folded("hook_event_name")},
		{"alias in another case", []byte(body(`,"sessionID":"s-2"`)), folded("session_id")},
		{"second alias in another case", []byte(body(`,"toolresponse":"x"`)), folded("tool_response")},
	}
}

func depths() []Shape {
	const deep = 20_000
	return []Shape{
		{"deep arrays", []byte(body(`,"x":` + strings.Repeat("[", deep) + strings.Repeat("]", deep))), always(normalize.RuleTooDeep)},
		{"deep objects", []byte(body(`,"x":` + strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep))), always(normalize.RuleTooDeep)},
		{"deep and never closed", []byte(`{"x":` + strings.Repeat("[", deep)), always(normalize.RuleTruncated)},
		{"over 8 MiB", bytes.Join([][]byte{[]byte(`{"x":"`), bytes.Repeat([]byte("a"), 8<<20), []byte(`"}`)}, nil), always(normalize.RuleTooLarge)},
		{"8 MiB of white space", bytes.Join([][]byte{bytes.Repeat([]byte(" "), 8<<20), WellFormed()}, nil), always(normalize.RuleTooLarge)},
	}
}

func roots() []Shape {
	var shapes []Shape
	for _, text := range []string{
		"null", "true", "false", "0", "-1.5e3", `"text"`, "[]", "[" + body("") + "]", "NaN", "}{", "x" + body(""),
		"\x00" + body(""), "\x1e" + body(""), "\u00a0" + body(""), "Welcome!\n" + body(""), "\x1f\x8b\x08\x00", "// note\n" + body(""),
	} {
		shapes = append(shapes, Shape{"root " + strings.ToValidUTF8(text[:min(len(text), 8)], "?"), []byte(text), always(normalize.RuleNotAnObject)})
	}
	return shapes
}

func inUTF16(text string, bigEndian bool) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		low, high := byte(unit), byte(unit>>8)
		if bigEndian {
			low, high = high, low
		}
		out = append(out, low, high)
	}
	return out
}
