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
