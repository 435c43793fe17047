package assess_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
)

const sample = `我完成了大部分工作。

<completion-assessment>
**完成状态**: in_progress

**完成度**: 75%

**置信度**: 85%

**已完成项**:
- 识别关键函数
- 添加 try-catch 块

**未完成项**:
- 测试错误场景

**阻塞问题**: 无

**建议**: 编写单元测试来验证错误处理是否正确工作
</completion-assessment>`

// TestTheSampleOfTheDesign holds the assessment of
// docs/reference/smart-ralph.md#assessment. Holds R3-23.
func TestTheSampleOfTheDesign(t *testing.T) {
	t.Parallel()
	want := assess.Assessment{
		Status: assess.InProgress, Completion: 75, Confidence: 85,
		Done: []string{"识别关键函数", "添加 try-catch 块"}, Remaining: []string{"测试错误场景"},
		Suggestion: "编写单元测试来验证错误处理是否正确工作",
	}
	for _, text := range []string{sample, strings.ReplaceAll(sample, "\n", "\r\n"), strings.ReplaceAll(sample, ": ", "：")} {
		if got, ok := assess.Find(text); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v %+v\nwant %+v", ok, got, want)
		}
	}
}

func tag(body string) string {
	return "<completion-assessment>\n" + body + "\n</completion-assessment>"
}

// TestForms holds R3-23 and R3-24: Chinese and English keys, Markdown and JSON,
// every way to write a percentage.
// Holds R3-25.
func TestForms(t *testing.T) {
	t.Parallel()
	type a = assess.Assessment
	for name, c := range map[string]struct {
		text string
		want a
	}{
		"English keys": {tag("**Status**: completed\n**Completion**: 100%\n**Confidence**: 95%\n**Completed items**:\n- one\n**Remaining items**: none\n**Blockers**: none\n**Suggestion**: -"),
			a{Status: assess.Completed, Completion: 100, Confidence: 95, Done: []string{"one"}}},
		"without bold":  {tag("Status: in progress\nCompletion: 40\nConfidence: 70\n"), a{Status: assess.InProgress, Completion: 40, Confidence: 70}},
		"headings":      {tag("### 完成状态\ncompleted\n### 完成度\n92%\n### 置信度\n80%\n### 已完成项\n1. 一\n2. 二\n"), a{Status: assess.Completed, Completion: 92, Confidence: 80, Done: []string{"一", "二"}}},
		"a colon first": {tag("Status: in progress\nCompletion: 40\nConfidence: 70\n### : blockers\nno key\n"), a{Status: assess.InProgress, Completion: 40, Confidence: 70}},
		"bullets":       {tag("- **完成状态**: 已完成\n- **完成度**: 100%\n- **置信度**: 90%\n"), a{Status: assess.Completed, Completion: 100, Confidence: 90}},
		"JSON of the flyfoxai form": {tag(`{"completed": true, "completion_percentage": 100, "completed_items": ["a"], "pending_items": [], "blocked_items": [], "confidence": 0.95, "reasoning": "r", "next_action": "n"}`),
			a{Status: assess.Completed, Completion: 100, Confidence: 95, Done: []string{"a"}, Suggestion: "n"}},
		"JSON in a fence":           {tag("```json\n{\"status\": \"in_progress\", \"completion\": \"60%\", \"confidence\": 80, \"remaining\": [\"b\"]}\n```"), a{Status: assess.InProgress, Completion: 60, Confidence: 80, Remaining: []string{"b"}}},
		"JSON that is blocked":      {tag(`{"completed": false, "completion_percentage": 30, "blocked_items": ["no key"], "confidence": 90}`), a{Status: assess.Blocked, Completion: 30, Confidence: 90, Blocker: "no key"}},
		"the word wins over a flag": {tag(`{"completed": true, "status": "in_progress", "confidence": 90, "completion": 80}`), a{Status: assess.InProgress, Completion: 80, Confidence: 90}},
		"blocked":                   {tag("**完成状态**: blocked\n**完成度**: 89%\n**置信度**: 90%\n**阻塞问题**: 缺少密钥"), a{Status: assess.Blocked, Completion: 89, Confidence: 90, Blocker: "缺少密钥"}},
		"a list of blockers":        {tag("**完成状态**: 被阻塞\n**阻塞问题**:\n- 缺少密钥\n- 没有网络"), a{Status: assess.Blocked, Blocker: "缺少密钥; 没有网络"}},
		"skipped":                   {tag("**完成状态**: 跳过\n**置信度**: 90%"), a{Status: assess.Skipped, Confidence: 90}},
		"not completed":             {tag("**Status**: not completed\n**Completion**: 99%\n**Confidence**: 99%"), a{Status: assess.InProgress, Completion: 99, Confidence: 99}},
		"a word of its own":         {tag("**Status**: completed!\n**Completion**: 99%\n**Confidence**: 99%"), a{Status: assess.Completed, Completion: 99, Confidence: 99}},
		"a remark behind the word": {tag("**Status:** ✅ `completed` — all criteria met\n**Completion:** 100% (all)\n**Confidence:** high (95%)\n**Remaining items:** none left.\n**Blockers:** None at the moment."),
			a{Status: assess.Completed, Completion: 100, Confidence: 95}},
		"an unknown status":          {tag("**完成状态**: 很好\n**完成度**: 99%\n**置信度**: 99%"), a{Status: assess.Unknown, Completion: 99, Confidence: 99, First: "**完成状态**: 很好"}},
		"a list of choices":          {tag("**完成状态**: completed | in_progress | blocked\n**完成度**: 0-100%"), a{Status: assess.Unknown, First: "**完成状态**: completed | in_progress | blocked"}},
		"no completion: the lists":   {tag("**完成状态**: in_progress\n**置信度**: 80%\n**已完成项**:\n- a\n- b\n- c\n**未完成项**:\n- d"), a{Status: assess.InProgress, Completion: 75, Confidence: 80, Done: []string{"a", "b", "c"}, Remaining: []string{"d"}}},
		"no confidence":              {tag("**完成状态**: completed\n**完成度**: 100%"), a{Status: assess.Completed, Completion: 100}},
		"the last of several":        {tag("**完成状态**: completed\n**完成度**: 100%\n**置信度**: 99%") + tag("**完成状态**: in_progress\n**完成度**: 10%\n**置信度**: 9%"), a{Status: assess.InProgress, Completion: 10, Confidence: 9}},
		"attributes":                 {"<completion-assessment task=\"2\" iteration='9'>\n**完成状态**: in_progress\n**完成度**: 5%\n**置信度**: 5%</completion-assessment>", a{Status: assess.InProgress, Completion: 5, Confidence: 5, Task: 2, Iteration: 9}},
		"cut off":                    {"<completion-assessment>\n**完成状态**: completed\n**完成度**: 100%\n**置信度**: 99%\n", a{Status: assess.Completed, Completion: 100, Partial: true}},
		"completed, but items":       {tag("**完成状态**: completed\n**完成度**: 100%\n**置信度**: 99%\n**未完成项**:\n- 测试"), a{Status: assess.InProgress, Completion: 100, Confidence: 99, Remaining: []string{"测试"}, Contradiction: assess.ItemsRemain}},
		"completed, but a blocker":   {tag("**完成状态**: completed\n**完成度**: 100%\n**置信度**: 99%\n**阻塞问题**: 没有密钥"), a{Status: assess.InProgress, Completion: 100, Confidence: 99, Blocker: "没有密钥", Contradiction: assess.BlockerRemains}},
		"an empty box is not done":   {tag("**完成状态**: in_progress\n**完成度**: 50%\n**置信度**: 99%\n**已完成项**:\n- [x] 一\n- [ ] 二"), a{Status: assess.InProgress, Completion: 50, Confidence: 99, Done: []string{"一"}}},
		"items on the line of a key": {tag("**完成状态**: in_progress\n**完成度**: 50%\n**置信度**: 99%\n**已完成项**: 一; 二"), a{Status: assess.InProgress, Completion: 50, Confidence: 99, Done: []string{"一", "二"}}},
		"a colon in an item":         {tag("**完成状态**: in_progress\n**完成度**: 50%\n**置信度**: 9%\n**未完成项**:\n- API: 写测试"), a{Status: assess.InProgress, Completion: 50, Confidence: 9, Remaining: []string{"API: 写测试"}}},

		"an item named like a key":         {tag("**Status**: completed\n**Completion**: 100%\n**Confidence**: 99%\n**Completed items**:\n- Status: shown\n- Notes: kept\n**Remaining items**:\n- Notes: README part missing\n- tests"), a{Status: assess.InProgress, Completion: 100, Confidence: 99, Done: []string{"Status: shown", "Notes: kept"}, Remaining: []string{"Notes: README part missing", "tests"}, Contradiction: assess.ItemsRemain}},
		"such an item in Chinese":          {tag("### 完成状态\ncompleted\n### 未完成项\n* **说明**：README\n* 进度: 测试"), a{Status: assess.InProgress, Remaining: []string{"**说明**：README", "进度: 测试"}, Contradiction: assess.ItemsRemain}},
		"such an item with a box or a +":   {tag("Status: in progress\nRemaining items:\n- [ ] Notes: a\n+ Done: b\n• Reason: c\nConfidence: 9%"), a{Status: assess.InProgress, Confidence: 9, Remaining: []string{"Notes: a", "Done: b", "Reason: c"}}},
		"a second line of an item":         {tag("Status: in progress\nRemaining items:\n- README\n  Notes: the last part\n- tests\nConfidence: 9%"), a{Status: assess.InProgress, Confidence: 9, Remaining: []string{"README", "Notes: the last part", "tests"}}},
		"such a blocker":                   {tag("Status: blocked\nBlockers:\n- Status: 503 of the server\n- Notes: no key"), a{Status: assess.Blocked, Blocker: "Status: 503 of the server; Notes: no key"}},
		"deeper below keys with bullets":   {tag("- Status: completed\n- Confidence: 99%\n- Remaining items:\n  - Notes: README\n  - tests\n- Completion: 80%"), a{Status: assess.InProgress, Completion: 80, Confidence: 99, Remaining: []string{"Notes: README", "tests"}, Contradiction: assess.ItemsRemain}},
		"not deeper below such keys":       {tag("- Status: completed\n- Remaining items:\n- Notes: README\n- tests\n- Confidence: 99%"), a{Status: assess.InProgress, Confidence: 99, Remaining: []string{"Notes: README", "tests"}, Contradiction: assess.ItemsRemain}},
		"keys with bullets and no items":   {tag("- Status: completed\n- Remaining items: none\n- Blockers: none\n- Notes: fine\n- Confidence: 99%\n- Completion: 100%"), a{Status: assess.Completed, Completion: 100, Confidence: 99}},
		"none, and a note with a bullet":   {tag("**Status**: completed\n**Completion**: 100%\n**Confidence**: 99%\n**Remaining items**: none\n- Notes: fine"), a{Status: assess.Completed, Completion: 100, Confidence: 99}},
		"what remains in the list of done": {tag("**Status**: completed\n**Confidence**: 99%\n**Completed items**:\n- a\n- Remaining: README"), a{Status: assess.InProgress, Completion: 50, Confidence: 99, Done: []string{"a"}, Remaining: []string{"README"}, Contradiction: assess.ItemsRemain}},
		"a note below keys with bullets":   {tag("- Status: in progress\n- Remaining items:\n- tests\nNotes: fine\n"), a{Status: assess.InProgress, Remaining: []string{"tests"}}},
		"a note behind a named key":        {tag("- Status: in progress\n- Remaining items: tests\n- Notes: fine\n"), a{Status: assess.InProgress, Remaining: []string{"tests"}}},
		"nothing yet, it says":             {tag("**Status**: in_progress\n**Completion**: 0%\n**Completed items**:\n- a"), a{Status: assess.InProgress, Done: []string{"a"}}},
		"the first percentage counts":      {tag("### Completion\n0%\n50%\n### Status\nin progress"), a{Status: assess.InProgress}},
		"a status in brackets":             {tag("Status: (done)"), a{Status: assess.Completed}},
		"items that are numbers":           {tag("Status: in progress\nRemaining items:\n- 42\n0) a\n9. b\n10、c\n- . d"), a{Status: assess.InProgress, Remaining: []string{"42", "a", "b", "c", ". d"}}},
		"JSON that names no completion":    {tag(`{"status": "in_progress", "completed_items": ["a"], "pending_items": ["b"]}`), a{Status: assess.InProgress, Completion: 50, Done: []string{"a"}, Remaining: []string{"b"}}},
		"JSON with another flag":           {tag(`{"completed": true, "verified": false, "confidence": 90, "completion": 100}`), a{Status: assess.Completed, Completion: 100, Confidence: 90}},
		"JSON whose status comes last":     {tag(`{"confidence": 90, "completion": 100, "status": "completed"}`), a{Status: assess.Completed, Completion: 100, Confidence: 90}},
		"JSON that is quite sure":          {tag(`{"completed": true, "completion_percentage": 100, "confidence": 1}`), a{Status: assess.Completed, Completion: 100, Confidence: 100}},
		"JSON that did one percent":        {tag(`{"completed": false, "completion_percentage": 1, "confidence": 0.5}`), a{Status: assess.InProgress, Completion: 1, Confidence: 50}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, ok := assess.Find(c.text); !ok || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v %+v\nwant %+v", ok, got, c.want)
			}
		})
	}
}

// TestPercentages holds R3-24.
func TestPercentages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"75%": 75, "75 %": 75, "75％": 75, "７５％": 75, "75": 75, "约75%": 75, "~75%": 75, "75/100": 75, "3/4": 75, "0.75": 75, "1.0": 100,
		"0.5%": 0, "75.9%": 75, "250%": 100, "-5": 0, "": 0, "n/a": 0, "1": 1, "1%": 1, "99999999999999999999": 100, "75/0": 75, "1.5": 1, "75.0": 75, "０．９０": 90, "９９％": 99, "1.00": 100, "0.9 (high)": 90, "90% (高)": 90,
	} {
		a, ok := assess.Find(tag("**完成状态**: in_progress\n**置信度**: " + text))
		if !ok || a.Confidence != want {
			t.Errorf("%q: %d, want %d", text, a.Confidence, want)
		}
	}
}

func TestNoAssessment(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "done", "<completion-assessment", "<completion-assessments>x</completion-assessments>",
		"<completion-assessment></completion-assessment>", "<completion-assessment\n\n>completed", strings.Repeat("x", 100) + "</completion-assessment>"} {
		if a, ok := assess.Find(text); ok {
			t.Errorf("%q: %+v", text, a)
		}
	}
	if _, ok := assess.FindAlone("as I wrote, `" + tag("**完成状态**: completed") + "`"); ok {
		t.Error("a quoted tag counts")
	}
	if _, ok := assess.FindAlone(tag("**完成状态**: completed")); !ok {
		t.Error("a tag that begins the text does not count")
	}
	if _, ok := assess.FindAlone("first\n  " + tag("**完成状态**: completed")); !ok {
		t.Error("a tag that begins a line does not count")
	}
}

// TestClaims: a model that says that a task is done claims it, whether or not it is
// believed; a block needs a named blocker.
func TestClaims(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]bool{
		"Status: completed":                              {true, false},
		"Status: completed\nRemaining items: tests":      {true, false},
		"Status: completed\nBlockers: no key":            {true, false},
		"Status: in progress":                            {false, false},
		"Status: in progress\nBlockers: no key":          {false, false},
		"Status: blocked":                                {false, false},
		"Status: blocked\nBlockers: no key":              {false, true},
		"Status: in progress\nRemaining items: no tests": {false, false},
	} {
		a, ok := assess.Find(tag(body))
		if got := [2]bool{a.Claims(), a.IsBlocked()}; !ok || got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
	for n, want := range map[int]assess.Status{60: assess.Completed, 61: assess.Unknown} {
		if a, _ := assess.Find(tag(fmt.Sprintf("%-*s: completed", n, "Status"))); a.Status != want {
			t.Errorf("a name of %d characters: %v", n, a.Status)
		}
	}
}

// TestReadingIsLinear reads messages that are designed to be slow to read.
func TestReadingIsLinear(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("<completion-assessment", 400_000), strings.Repeat("<completion-assessment>", 400_000),
		tag(strings.Repeat("**", 500_000)), tag(strings.Repeat("**未完成项**: ;;;;\n", 50_000)), tag("{" + strings.Repeat(`"a":[`, 200_000)),
	} {
		begin := time.Now()
		assess.Find(text)
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%.40q… took %v", text, took)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add(sample)
	f.Add(tag(`{"completed": true}`))
	f.Fuzz(func(t *testing.T, text string) {
		a, _ := assess.Find(text)
		if a.Completion < 0 || a.Completion > 100 || a.Confidence < 0 || a.Confidence > 100 || a.Partial && a.Confidence > 0 {
			t.Fatalf("%q: %+v", text, a)
		}
		if a.Status == assess.Completed && (len(a.Remaining) > 0 || a.Blocker != "") {
			t.Fatalf("%q: %+v", text, a)
		}
	})
}
