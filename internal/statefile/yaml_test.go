package statefile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"
)

// TestFrontMatterAgreesWithYAML: our reader and a YAML reader read flat scalars alike.
// This leaves out what the dialect reads differently on purpose: comments after a value,
// escapes in quotes, indicators, and words to which YAML gives another type.
func TestFrontMatterAgreesWithYAML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, agreesWithYAML)
}

func FuzzFrontMatterAgreesWithYAML(f *testing.F) { f.Fuzz(rapid.MakeFuzz(agreesWithYAML)) }

func agreesWithYAML(t *rapid.T) {
	keys := []string{"iteration", "max_iterations", "session_id", "completion_promise", "x-1"}
	var lines []string
	for _, key := range keys {
		if rapid.Bool().Draw(t, "has "+key) {
			space := rapid.SampledFrom([]string{" ", "  ", " \t"}).Draw(t, "space")
			lines = append(lines, key+":"+space+scalar(t)+rapid.SampledFrom([]string{"", " ", "  "}).Draw(t, "end"))
		}
	}
	lines = append(lines, "last: 1")
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	block := strings.Join(lines, eol) + eol
	var theirs map[string]any
	if err := yaml.Unmarshal([]byte(block), &theirs); err != nil {
		t.Fatalf("%v in %q", err, block)
	}
	ours, err := ParseFrontMatter([]byte("---" + eol + block + "---" + eol + "prompt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		value, ok := ours.Get(key)
		their, has := theirs[key]
		if ok != has {
			t.Fatalf("%s: ours %v, theirs %v in %q", key, ok, has, block)
		}
		if text := fmt.Sprint(their); has && their != nil && value != text {
			t.Fatalf("%s: ours %q, theirs %q in %q", key, value, text, block)
		}
		if has && their == nil && value != "" && value != "null" {
			t.Fatalf("%s: ours %q, theirs null in %q", key, value, block)
		}
	}
}

// scalar is a value that YAML and the dialect read alike.
func scalar(t *rapid.T) string {
	word := rapid.StringMatching(`[A-Za-z][A-Za-z0-9_./-]{0,8}( [A-Za-z0-9_./(),!-]{1,8}){0,3}`).Filter(func(s string) bool {
		switch strings.ToLower(s) {
		case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan":
			return false
		}
		return !strings.Contains(s, " -")
	})
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return fmt.Sprint(rapid.IntRange(0, 1<<30).Draw(t, "number"))
	case 1:
		return `"` + word.Draw(t, "word") + `"`
	case 2:
		return `'` + word.Draw(t, "word") + `'`
	case 3:
		return "null"
	case 4:
		return Quote(strings.ReplaceAll(rapid.StringMatching(`[ -~é界]{0,12}`).Draw(t, "any"), "\t", " "))
	}
	return word.Draw(t, "word")
}
