package assess_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
)

const doneText = "Status: completed\nCompletion: 100%\nConfidence: 95%"

// TestSeveralBlocks: the last block with a known status counts, and a block without its
// end is cut off even if another one follows.
func TestSeveralBlocks(t *testing.T) {
	t.Parallel()
	working := tag("Status: in_progress\nCompletion: 40%\nConfidence: 95%")
	odd := tag("Status: who knows\nCompletion: 100%")
	for name, c := range map[string]struct {
		text    string
		status  assess.Status
		partial bool
		first   string
	}{
		"the last one":             {tag(doneText) + "\n\n" + working, assess.InProgress, false, ""},
		"an odd one behind it":     {tag(doneText) + "\n\n" + odd, assess.Completed, false, ""},
		"two odd ones":             {tag("Status: perhaps") + "\n\n" + odd, assess.Unknown, false, "Status: who knows"},
		"without its end":          {"<completion-assessment>\n" + doneText + "\n" + odd, assess.Completed, true, ""},
		"the name at first":        {"completion-assessment:\n\n" + tag(doneText), assess.Completed, false, ""},
		"an odd one in a fence":    {tag("```\nStatus: who knows\n```"), assess.Unknown, false, "Status: who knows"},
		"an odd one in a ~ fence":  {tag("~~~md\nStatus: who knows\n~~~"), assess.Unknown, false, "Status: who knows"},
		"an odd one and one fence": {tag("```"), assess.Unknown, false, "```"},
	} {
		a, ok := assess.Find(c.text)
		if !ok || a.Status != c.status || a.Partial != c.partial || a.First != c.first {
			t.Errorf("%s: %v %+v", name, ok, a)
		}
	}
	if _, ok := assess.Find("completion-assessment"); ok {
		t.Error("the name alone is an assessment")
	}
	if _, ok := assess.Find(strings.Repeat("completion-assessment <completion ", 3)); ok {
		t.Error("the names alone are an assessment")
	}
}

// TestTagsOfAnyForm: the marks of a tag, its attributes and its end.
func TestTagsOfAnyForm(t *testing.T) {
	t.Parallel()
	const open, end = "<completion-assessment>\n", "\n</completion-assessment>"
	for name, text := range map[string]string{
		"a full-width hyphen":             "<completion－assessment>\n" + doneText + "\n</completion－assessment>",
		"an end without its bracket":      open + doneText + "\n</completion-assessment",
		"an end with blanks":              open + doneText + "\n</ completion-assessment >",
		"a blank in front of the slash":   open + doneText + "\n< /completion-assessment>",
		"text right in front of the end":  open + doneText + "</completion-assessment>",
		"full-width marks and a bracket":  "＜completion-assessment＞\n" + doneText + "\nSuggestion: a > b\n＜/completion-assessment＞",
		"a full-width tag, ASCII bracket": "＜completion-assessment>\n" + doneText + "\nSuggestion: a ＞ b\n＜/completion-assessment>",
		"a mention in the text":           open + doneText + "\nSuggestion: keep the completion-assessment short" + end,
		"a mention with a slash":          open + doneText + "\nSuggestion: see docs/completion-assessment in the tree" + end,
	} {
		a, ok := assess.Find(text)
		if !ok || a.Status != assess.Completed || a.Completion != 100 || a.Confidence != 95 || a.Partial {
			t.Errorf("%s: %v %+v", name, ok, a)
		}
	}
	for attributes, want := range map[string][2]int{
		` task=2 iteration=3`: {2, 3}, ` task="2" iteration="3"`: {2, 3}, ` task='2' iteration='3'`: {2, 3}, ` iteration=3`: {0, 3}, ` task = 2`: {2, 0}, ` note="a b" task=2`: {2, 0}, ` task=“2”`: {2, 0}, "\ntask=2\niteration=3\n": {2, 3},
		` task=`: {0, 0}, ` task`: {0, 0}, "\ttask=2\titeration=3": {2, 3},
	} {
		a, ok := assess.Find("<completion-assessment" + attributes + ">\n" + doneText + end)
		if !ok || a.Task != want[0] || a.Iteration != want[1] || a.Status != assess.Completed {
			t.Errorf("%q: %v %+v", attributes, ok, a)
		}
	}
	// What is no tag.
	for _, text := range []string{"<completion-assessmentx>\n" + doneText, "<completion-assessment a<b>\n" + doneText, "<completion-assessment\n\ntask=2>\n" + doneText, "<completion-assessment " + strings.Repeat("x", 300) + ">\n" + doneText, "<completion-assessment"} {
		if a, ok := assess.Find(text); ok {
			t.Errorf("%q: %+v", text, a)
		}
	}
}
