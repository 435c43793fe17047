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
		"the name right behind the tag":   "<completion-assessment>completion-assessment\n" + doneText + end,
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

// TestJSONOrText: an object counts if there are no keys around it.
func TestJSONOrText(t *testing.T) {
	t.Parallel()
	const object = `{"status": "completed", "completion": 100, "confidence": 95}`
	for name, c := range map[string]struct {
		body   string
		status assess.Status
	}{
		"with text behind it":           {object + "\nNotes: it works", assess.Completed},
		"in an object, below text":      {"The result follows\n{\"assessment\": " + object + "}", assess.Completed},
		"in an object, text around it":  {"The result follows\n{\"assessment\": " + object + "}\nThat is all", assess.Completed},
		"braces in a text":              {doneText + "\nSuggestion: answer with {\"status\": \"blocked\", \"blockers\": \"key\"}", assess.Completed},
		"braces in front of a text":     {"Suggestion: use {}\n" + doneText, assess.Completed},
		"braces and a key in one line":  {`Look {"status": "blocked", "blockers": "key", "n": 5} Status: done`, assess.Unknown},
		"another object in it":          {`{"status": "completed", "completion": 100, "confidence": 95, "metrics": {"status": "blocked", "confidence": 10}}`, assess.Completed},
		"a word where an object may be": {`{"result": "blocked", "status": "completed", "completion": 100, "confidence": 95}`, assess.Completed},
		"a brace that does not close":   {doneText + "\nSuggestion: use {", assess.Completed},
		"a brace that does not open":    {doneText + "\nSuggestion: use }", assess.Completed},
		"braces in the wrong order":     {doneText + "\nSuggestion: use } and {", assess.Completed},
		"an object that is no JSON":     {"{status: completed}", assess.Completed},
		"an object within an array":     {"[" + object + "]", assess.Completed},
		"the flag and the word":         {`{"completed": true, "status": "in_progress"}`, assess.InProgress},
		"the word and the flag":         {`{"status": "completed", "completed": false, "completion": 100, "confidence": 95}`, assess.Completed},
		"the flag alone":                {`{"completed": true, "completion": 100, "confidence": 95}`, assess.Completed},
		"the flag alone, false":         {`{"completed": false, "completion": 50}`, assess.InProgress},
		"the flag, false, and a reason": {`{"completed": false, "blockers": "a key is missing"}`, assess.Blocked},
		"the flag, true, and a reason":  {`{"completed": true, "blockers": "a key is missing"}`, assess.InProgress},
	} {
		a, ok := assess.Find(tag(c.body))
		if !ok || a.Status != c.status {
			t.Errorf("%s: %v %+v", name, ok, a)
		}
		if a.Status == assess.Completed && a.Completion+a.Confidence != 195 && name != "an object that is no JSON" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestKeysAndMarks: the first mark divides a line, and emphasis belongs to no value.
func TestKeysAndMarks(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a mark in the value":          "Status: completed\nCompletion: 100% -> all = done\nConfidence: 95% - sure",
		"the value in the emphasis":    "**Status: completed**\n**Completion: 100%**\n**Confidence: 95%**\n**Suggestion: write more**",
		"more stars at the beginning":  "***Status** completed\n***Completion** 100%\n***Confidence** 95%",
		"nothing, with a remark":       doneText + "\n**Blockers**: none - as I said",
		"nothing, with another remark": doneText + "\n**Blockers** - none - as I said",
		"elements":                     "<status>completed</status>\n<completion>100</completion>\n<confidence>95</confidence>\n<blockers>none</blockers>\n<remaining>\n</remaining>\nand that is all",
		"empty elements":               "<status>completed</status>\n<completion>100</completion>\n<confidence>95</confidence>\n<blockers></blockers>\n<suggestion></suggestion>",
		"a mark in front of a name":    doneText + "\n:Remaining items\n- x",
		"an element without its end":   "<status>completed\n<completion>100\n<confidence>95",
		"a list after another":         doneText + "\n<completed_items>\n- a\n</completed_items>\n- b\n<remaining_items>none</remaining_items>",
	} {
		a, ok := assess.Find(tag(body))
		if !ok || a.Status != assess.Completed || a.Completion != 100 || a.Confidence != 95 || a.Blocker != "" || len(a.Remaining) > 0 || a.Suggestion != "" && a.Suggestion != "write more" || len(a.Done) > 1 {
			t.Errorf("%s: %v %+v", name, ok, a)
		}
	}
	for _, body := range []string{doneText + "\n: ...", doneText + "\nSuggestion: …", doneText + "\n- ...", doneText + "\nNotes: ..."} {
		if a, ok := assess.Find(tag(body)); !ok || a.Status != assess.Unknown {
			t.Errorf("%q: %v %+v", body, ok, a)
		}
	}
}
