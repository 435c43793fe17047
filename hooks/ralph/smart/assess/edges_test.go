package assess_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
)

const doneText = "Status: completed\nCompletion: 100%\nConfidence: 95%"

// TestSeveralBlocks: the last block with a known status counts. A block without a
// closing tag counts as cut off even if another block follows.
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

// TestTagsOfAnyForm: brackets, attributes and closing tags in all their
// forms.
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
	// These are not tags.
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
		"in an object, a key behind":    {"{\"assessment\": " + object + "}\nNotes: it works", assess.Completed},
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

// TestKeysAndMarks: the first separator divides a line, and emphasis is never part
// of a value.
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
	if a, _ := assess.Find(tag(doneText + "\n**Suggestion**: wait - then go on")); a.Suggestion != "wait - then go on" {
		t.Errorf("%+v", a)
	}
	for _, body := range []string{doneText + "\n: ...", doneText + "\nSuggestion: …", doneText + "\n- ...", doneText + "\nNotes: ..."} {
		if a, ok := assess.Find(tag(body)); !ok || a.Status != assess.Unknown {
			t.Errorf("%q: %v %+v", body, ok, a)
		}
	}
}

// TestNumbersOfAnyForm: percentages in figures and in words.
func TestNumbersOfAnyForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		".95": 95, "about 1.0": 100, "x5": 5, "7 个里完成了百分之95": 95, "7 个里完成了百分之05": 5, "7 个里完成了百分之9": 9, "百分之零": 0, "百分之十": 10, "百分之二十": 20, "百分之九十五": 95, "百分之两": 2, "百分之一百": 100, "百分之一百零五": 100, "百分之百": 100,
		"百分之": 50, "lots": 50, "0.95": 95, "0.5": 50, "1.0": 100, "1.5": 1, "0.75%": 0, "3/4": 75, "3 / 4": 75, "3/0": 3, "99.9%": 99, "-5": 0, "９５％": 95, "250": 100,
		"９０％": 90, "１０": 10, "百分之九十，还有五项": 90, "百分之两百": 100,
	} {
		a, ok := assess.Find(tag("Status: in_progress\nCompletion: " + text + "\nCompleted items:\n- a\nRemaining items:\n- b"))
		if !ok || a.Completion != want {
			t.Errorf("%q: %d, want %d", text, a.Completion, want)
		}
	}
}

// TestWaiting: work that waits for somebody is blocked only if it is in progress and names
// what it waits for.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]assess.Assessment{
		doneText + "\nBlockers: waiting for the key":                         {Status: assess.InProgress, Blocker: "waiting for the key", Contradiction: assess.BlockerRemains},
		"Status: in_progress (waiting for the review)":                       {Status: assess.InProgress},
		"Status: in_progress (waiting for the review)\nBlockers: the review": {Status: assess.Blocked, Blocker: "the review"},
		"Status: in_progress\nBlockers: waiting for the review":              {Status: assess.Blocked, Blocker: "waiting for the review"},
		"Status: in_progress\nBlockers: the network is slow":                 {Status: assess.InProgress, Blocker: "the network is slow"},
		"Status: blocked (the key is missing)":                               {Status: assess.Blocked, Blocker: "the key is missing"},
		"Status: blocked (the key is missing)\nBlockers: the network":        {Status: assess.Blocked, Blocker: "the network"},
		"Status: (blocked) by the key\nBlockers: the key":                    {Status: assess.Blocked, Blocker: "the key"},
		"Status: waiting for the key\nBlockers: the key":                     {Status: assess.Blocked, Blocker: "the key"},
		"Status: inz progress":                                               {Status: assess.Unknown},
		"Completion: 40%":                                                    {Status: assess.InProgress},
		"Completion: 100%":                                                   {Status: assess.Unknown},
		"Completion: 0%":                                                     {Status: assess.Unknown},
		"Remaining items:\n- a":                                              {Status: assess.InProgress},
		"Status: odd\nRemaining items:\n- a":                                 {Status: assess.Unknown},
		"Status: odd\nCompletion: 40%":                                       {Status: assess.Unknown},
		"Completed items:\n- a\nBlockers: the key":                           {Status: assess.Unknown, Blocker: "the key"},
	} {
		a, ok := assess.Find(tag(body))
		if !ok || a.Status != want.Status || a.Blocker != want.Blocker || a.Contradiction != want.Contradiction {
			t.Errorf("%q: %v %+v", body, ok, a)
		}
	}
}

// TestListsAndTables: which lines belong to a list, and which are keys or table
// rows.
func TestListsAndTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body            string
		status          assess.Status
		done, remaining int
	}{
		"a fence in a list":          {doneText + "\nRemaining items:\n```text\nnone\n```\n---\n", assess.Completed, 0, 0},
		"a fence of waves":           {doneText + "\nRemaining items:\n~~~text\nnone\n~~~\n", assess.Completed, 0, 0},
		"keys in an item":            {doneText + "\nRemaining items:\n  - Status: open | Completion: 10%", assess.InProgress, 0, 2},
		"a name of 60 bytes":         {doneText + "\nRemaining items:\n" + strings.Repeat("x", 60) + ": none", assess.Completed, 0, 0},
		"a name of 61 bytes":         {doneText + "\nRemaining items:\n" + strings.Repeat("x", 61) + ": none", assess.InProgress, 0, 1},
		"a name of three words":      {doneText + "\nRemaining items:\nKnown open risks: none", assess.Completed, 0, 0},
		"a name of four words":       {doneText + "\nRemaining items:\nAll known open risks: none", assess.InProgress, 0, 1},
		"the completion first":       {"Completion: 100% | Status: completed | Confidence: 95%", assess.Completed, 0, 0},
		"the confidence first":       {"Confidence: 95%; Completion: 100%; Status: completed", assess.Completed, 0, 0},
		"a mark at the end":          {"Status: completed |\nCompletion: 100% |\nConfidence: 95%,", assess.Completed, 0, 0},
		"a key in a suggestion":      {doneText + "\nSuggestion: read it; Status: blocked", assess.Completed, 0, 0},
		"a key in an item":           {doneText + "\nCompleted items: the page, Status: blocked", assess.Completed, 1, 0},
		"a marked word in a status":  {"Status: completed, `done` but not verified\nCompletion: 100%\nConfidence: 95%", assess.Unknown, 0, 0},
		"a long remark in a name":    {"Status: completed | Completion (" + strings.Repeat("x", 46) + "): 100% | Confidence: 95%", assess.Completed, 0, 0},
		"a long remark in between":   {"Status: completed, as the whole of the suite and the build and the pages show to everybody, Completion: 100%, Confidence: 95%", assess.Completed, 0, 0},
		"a row with an unknown name": {"| Confidence | 95% | Completion |\n| Completion | 100% |\n| Remaining items | Completion | a |", assess.InProgress, 0, 1},
		"a column of one name":       {doneText + "\n|Remaining items|\n|a|", assess.InProgress, 0, 1},
		"nothing in brackets":        {doneText + "\nRemaining items: (none) - as I said", assess.Completed, 0, 0},
		"an item with a remark":      {doneText + "\nRemaining items: the login - both forms", assess.InProgress, 0, 1},
		"an item after a dash":       {doneText + "\nRemaining items:\n- (the login) - none", assess.InProgress, 0, 1},
		"marks and no word":          {doneText + "\nRemaining items:\n- ?? - the login", assess.InProgress, 0, 1},
		"marks, then a bracket":      {doneText + "\nRemaining items:\n- ?? (the login)", assess.InProgress, 0, 1},
		"nothing, with a bracket":    {doneText + "\nRemaining items:\n- none (as I said)", assess.Completed, 0, 0},
		"nothing, and it is untrue":  {doneText + "\nRemaining items:\n- none, but the tests fail", assess.InProgress, 0, 1},
		"nothing - and it is untrue": {doneText + "\nRemaining items:\n- none - but the tests fail", assess.InProgress, 0, 1},
		"nothing that can't be":      {doneText + "\nRemaining items:\n- none, it can't work", assess.InProgress, 0, 1},
		"nothing that didn’t work":   {doneText + "\nRemaining items:\n- none, it didn’t work", assess.InProgress, 0, 1},
		"nothing apart from it":      {doneText + "\nRemaining items:\n- none, apart from the login", assess.InProgress, 0, 1},
		"nothing with a notz":        {doneText + "\nRemaining items:\n- none, notz", assess.Completed, 0, 0},
		"what remains, in Chinese":   {doneText + "\nRemaining items:\n- 剩余工作", assess.InProgress, 0, 1},
		"nothing, in Chinese":        {doneText + "\nRemaining items:\n- 目前没有剩余的工作了。", assess.Completed, 0, 0},
		"rows of one cell":           {"|Status: completed|\n|Completion: 100%|\n|Confidence: 95%|", assess.Completed, 0, 0},
		"a table below a list":       {"Status: completed\nRemaining items:\n| Completion | 100% |\n| Confidence | 95% |", assess.Completed, 0, 0},
		"a name as an item":          {doneText + "\nCompleted items:\n- Remaining items\n- x", assess.Completed, 2, 0},
		"a name on its own line":     {doneText + "\nCompleted items\n- a\nRemaining items\n- x", assess.InProgress, 1, 1},
		"a table of columns":         {"| Status | Completion | Confidence |\n| --- | --- | --- |\n| completed | 100% | 95% | more |", assess.Completed, 0, 0},
		"two tables":                 {"| Status | Completion |\n| - | - |\n| completed | 100% |\n\n| Confidence | Remaining items |\n| - | - |\n| 95% | none |", assess.Completed, 0, 0},
		"a table, and a line":        {"| Status | Completion |\n| - | - |\n| completed | 100% |\nConfidence: 95%\n| Remaining items | none |", assess.Completed, 0, 0},
		"a row with more cells":      {"| Status | completed |\n| Completion | 100% |\n| Confidence | 95% |\n| Remaining items | a | b |", assess.InProgress, 0, 1},
		"a name and a status as row": {"| Status | done |\n| Completion | 100% |\n| Confidence | 95% |", assess.Completed, 0, 0},
		"an open box among the done": {doneText + "\nCompleted items:\n- [x] a\n- [ ] b", assess.Completed, 1, 0},
		"a ticked one remains":       {doneText + "\nRemaining items:\n- [x] a", assess.InProgress, 0, 1},
		"several items on one line":  {doneText + "\nCompleted items: a; b；c<br>d", assess.Completed, 4, 0},
		"the first value counts":     {"Status: completed\n- blocked\nCompletion: 100%\n- 10%\nConfidence: 95%\n- 5%", assess.Completed, 0, 0},
		"the value below the name":   {"Status:\n- completed\nCompletion:\n- 100%\nConfidence:\n- 95%", assess.Completed, 0, 0},
		"an open box as a status":    {"Status:\n- [ ] in_progress\n- [x] completed\nCompletion: 100%\nConfidence: 95%", assess.Completed, 0, 0},
	} {
		a, ok := assess.Find(tag(c.body))
		if !ok || a.Status != c.status || len(a.Done) != c.done || len(a.Remaining) != c.remaining || a.Completion != 100 || a.Confidence != 95 {
			t.Errorf("%s: %v %+v", name, ok, a)
		}
	}
}

// TestStatusesThatGoOn: words may follow a status, unless the status is
// "completed".
func TestStatusesThatGoOn(t *testing.T) {
	t.Parallel()
	for want, texts := range map[assess.Status][]string{
		assess.Blocked:    {"blocked by a missing key", "waiting", "waiting for the review", "waiting on the review", "被阻塞于密钥", "阻塞于密钥问题", "等待用户的密钥", "Blocked by x and y"},
		assess.InProgress: {"in progress for now", "in_progress since today", "partially there", "partly there", "mostly there", "almost there", "nearly there", "still going on", "not yet ready", "进行中的工作", "尚未做完", "还未做完", "还没做完呢", "部分做完", "未完成的工作", "基本做完", "接近做完"},
		assess.Unknown:    {"quickly blocked", "quickly completed", "waiting room", "in vain", "good progress", "not ready", "ready", "completed quickly", "completed?", "completed｜blocked", "completed／blocked", "for waiting", "on waiting", "progress in", "maybe completed", "completed / blocked", "completed | in_progress | blocked", "[ ] completed [ ] blocked", "[x] completed [x] blocked", "/", "|", "completed | - | blocked", "[ ] completed"},
		assess.Completed:  {"completed (all of it)", "completed / 已完成", "completed｜已完成", "completed／已完成", "completed 已完成", "completed|", "| completed", "- | completed", "completed | - | done", "[x] completed [ ] blocked", "[X] done", "completed - all is well", "completed – all", "completed! Great", "completed [1]", "✅ completed", "已完成。全部通过", "done / completed / 已完成"},
		assess.Skipped:    {"skipped", "建议跳过", "skip (not needed)"},
	} {
		for _, text := range texts {
			a, ok := assess.Find(tag("Status: " + text + "\nConfidence: 95%"))
			if !ok || a.Status != want {
				t.Errorf("%q: %v %+v, want %s", text, ok, a, want)
			}
		}
	}
	if a, _ := assess.Find(tag("Status: (blocked) by the key")); !a.IsBlocked() {
		t.Errorf("%+v", a)
	}
}
