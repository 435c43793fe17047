package protocol

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestObjectWriterSpacesAllMembersTheSameWay(t *testing.T) {
	t.Parallel()
	for space, want := range map[string]string{
		"":  `x{"a":"\"\n�","n":-1,"b":true,"none":[],"list":["p","q"],"o":{},"in":{"e":"","v":{"k":[1,2]}}}`,
		" ": `x{"a": "\"\n�", "n": -1, "b": true, "none": [], "list": ["p", "q"], "o": {}, "in": {"e": "", "v": {"k": [1, 2]}}}`,
	} {
		w := WriteObject([]byte("x"), space)
		w.Text("a", "\"\n\xff")
		w.Some("left out", "")
		w.Int("n", -1)
		w.Bool("b", true)
		w.Texts("none", nil)
		w.Texts("list", []string{"p", "q"})
		w.Object("o", func(*ObjectWriter) {})
		w.Object("in", func(w *ObjectWriter) {
			w.Text("e", "")
			w.Value("left out", nil)
			w.Value("v", jsontext.Value(`{ "k" :[1 ,2]}`))
		})
		got, err := w.End()
		if err != nil || string(got) != want {
			t.Errorf("space %q: %s, %v, want %s", space, got, err, want)
		}
	}
	w := WriteObject(nil, "")
	w.Value("v", jsontext.Value("{"))
	if _, err := w.End(); err == nil {
		t.Error("half a value is taken for JSON")
	}
}
