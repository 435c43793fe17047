package keyword_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hookbridge/bridge/hooks/keyword"
)

// share counts how the prompts of one language were judged: found is how many of the orders were understood exactly;
// wrong is how many of the others, which order nothing, were acted on.
type share struct{ orders, found, others, wrong int }

func (s share) String() string {
	return fmt.Sprintf("%d of %d orders understood (%.1f %%), %d of %d other prompts acted on", s.found, s.orders, 100*float64(s.found)/float64(max(s.orders, 1)), s.wrong, s.others)
}

// TestPublicPrompts reads prompts that others wrote (testdata/README.md). The rules were
// improved with one half; the other half only measures, so that its misses are not
// printed.
func TestPublicPrompts(t *testing.T) {
	t.Parallel()
	for _, half := range []struct {
		file    string
		measure bool
	}{{"public-tune.jsonl", false}, {"public-measure.jsonl", true}} {
		shares := map[string]*share{}
		var all share
		for _, l := range corpus(t, half.file) {
			if l.Source == "" {
				t.Errorf("%s: %q has no source", half.file, l.Prompt)
			}
			s := shares[l.Lang]
			if s == nil {
				s = &share{}
				shares[l.Lang] = s
			}
			got, want := answer(keyword.Detect(l.text(), nil)), slices.Sorted(slices.Values(l.Want))
			slices.Sort(got)
			right := slices.Equal(got, want)
			for _, s := range []*share{s, &all} {
				switch {
				case len(want) > 0 && right:
					s.found++
					fallthrough
				case len(want) > 0:
					s.orders++
				default:
					s.others++
					if !right {
						s.wrong++
					}
				}
			}
			if !right && !half.measure {
				t.Logf("%s %s: %q: %q, want %q", l.Lang, l.Kind, l.Prompt, got, want)
			}
		}
		for _, lang := range slices.Sorted(maps.Keys(shares)) {
			t.Logf("%s %s: %v", half.file, lang, shares[lang])
		}
		t.Logf("%s: %v", half.file, all)
		// The figures of docs/keywords.md.
		least, most := 97, 0
		if half.measure {
			least, most = 93, 2
		}
		if 100*all.found < least*all.orders || all.wrong > most {
			t.Errorf("%s: %v; want at least %d %% and at most %d", half.file, all, least, most)
		}
	}
}
