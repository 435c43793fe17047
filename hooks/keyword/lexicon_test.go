package keyword

import (
	"reflect"
	"slices"
	"testing"

	"github.com/hookbridge/bridge/moderegistry"
)

// lists returns every list of a language.
func lists(language any) map[string][]string {
	all := map[string][]string{}
	v := reflect.ValueOf(language)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		for j := range v.Field(i).Len() {
			all[name] = append(all[name], v.Field(i).Index(j).String())
		}
	}
	return all
}

// TestWordsAreFound: words are looked up by binary search, so each list must be sorted.
func TestWordsAreFound(t *testing.T) {
	t.Parallel()
	all := lists(english)
	delete(all, "polite")
	all["besideAlone"], all["joints"] = besideAlone, joints
	for name, list := range lists(european) {
		all["european "+name] = list
	}
	for name, list := range all {
		if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%s is not sorted, or has a word twice", name)
		}
		for _, w := range list {
			if !words(list).has(w) || words(list).has(w+"x") && !slices.Contains(list, w+"x") {
				t.Errorf("%s: %q", name, w)
			}
		}
	}
}

// TestNewModeIsOneRow: a row in the table is enough for a mode to be started, ended,
// quoted, hidden in a hook's own text and switched off, in each language.
func TestNewModeIsOneRow(t *testing.T) {
	t.Parallel()
	const night moderegistry.Mode = "nightshift"
	table := append(slices.Clone(modes), row{mode: night, triggers: [uses][]string{
		name: {"nightshift"}, order: {"work N nights"}, head: {"late work"}, zh: {"夜班"}, ja: {"ナイトシフト"}, ko: {"나이트시프트"},
	}})
	for _, test := range []struct {
		prompt, rule string
	}{
		{"nightshift: fix the tests", "head"}, {"use nightshift to fix the tests", "start"}, {"fix the tests, nightshift", "tail"}, {"Fix the tests in nightshift mode.", "manner"},
		{"work three nights on the tests", "order"}, {"late work: fix the tests", "head"}, {"we had late work yesterday", ""},
		{"启动“夜班”。", "start"}, {"ナイトシフトで直して", "manner"}, {"나이트시프트 실행해줘", "start"},
		{"stop nightshift", "cancel"}, {"停止夜班", "cancel"}, {"ナイトシフトを止めて", "cancel"}, {"나이트시프트 중지해", "cancel"},
		{"what is nightshift?", ""}, {"[nightshift iteration 3]\nuse nightshift to fix it", ""},
	} {
		d := detect(test.prompt, nil, table)
		if d.Rule != test.rule || test.rule != "" && !slices.Equal(d.Modes, []moderegistry.Mode{night}) {
			t.Errorf("%q: %+v, want %q", test.prompt, d, test.rule)
		}
		if d := Detect(test.prompt, nil); d.Found() {
			t.Errorf("%q without the row: %+v", test.prompt, d)
		}
		if d := detect(test.prompt, []string{"Nightshift"}, table); d.Found() && !d.Cancel {
			t.Errorf("%q switched off: %+v", test.prompt, d)
		}
	}
}
