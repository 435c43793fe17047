package keyword_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks/keyword"
)

// labelled is a line of testdata/prompts.jsonl.
type labelled struct {
	Lang, Kind string
	Want       []string
	Prompt     string
	Pad        string
	Times      int
	Source     string
}

func (l labelled) text() string { return l.Prompt + strings.Repeat(l.Pad, l.Times) }

func corpus(t testing.TB, name string) []labelled {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	for line := range bytes.Lines(data) {
		var l labelled
		if err := json.Unmarshal(line, &l, json.MatchCaseInsensitiveNames(true), json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, l)
	}
	return all
}

// answer writes a detection as the corpus does.
func answer(d keyword.Detection) []string {
	var words []string
	for _, mode := range d.Modes {
		words = append(words, string(mode))
	}
	if d.Cancel {
		return []string{strings.Join(append([]string{"cancel"}, words...), " ")}
	}
	return words
}

// No prompt of the corpus starts or ends a mode that its user did not mean, and at least
// 95 of 100 orders are understood, in each language and overall.
func TestCorpus(t *testing.T) {
	t.Parallel()
	type score struct{ orders, found, others, wrong int }
	scores := map[string]*score{}
	for _, l := range corpus(t, "prompts.jsonl") {
		if scores[l.Lang] == nil {
			scores[l.Lang] = &score{}
		}
		s := scores[l.Lang]
		got := answer(keyword.Detect(l.text(), nil))
		slices.Sort(got)
		want := slices.Clone(l.Want)
		slices.Sort(want)
		if len(want) > 0 {
			s.orders++
		} else {
			s.others++
		}
		switch {
		case slices.Equal(got, want):
			if len(want) > 0 {
				s.found++
			}
		case len(got) > 0:
			s.wrong++
			t.Errorf("%s %s: %q\ngot %q, want %q", l.Lang, l.Kind, l.Prompt, got, want)
		default:
			t.Logf("missed, %s %s: %q, want %q", l.Lang, l.Kind, l.Prompt, want)
		}
	}
	var all score
	for lang, s := range scores {
		t.Logf("%s: %d of %d orders understood, %d of %d other prompts acted on", lang, s.found, s.orders, s.wrong, s.others)
		if 100*s.found < 95*s.orders {
			t.Errorf("%s: only %d of %d orders understood", lang, s.found, s.orders)
		}
		all.orders, all.others = all.orders+s.orders, all.others+s.others
	}
	if all.orders+all.others < 180 || all.orders < 100 || all.others < 100 {
		t.Errorf("the corpus has %d orders and %d other prompts", all.orders, all.others)
	}
}
