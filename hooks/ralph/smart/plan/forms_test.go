package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
)

// titles are tasks with nothing but a title.
func titles(list ...string) []plan.Task {
	var tasks []plan.Task
	for _, title := range list {
		tasks = append(tasks, task(title, "", title))
	}
	return tasks
}

// TestWhatBeginsATask holds where a task begins and ends, for each form. Holds R3-9.
func TestWhatBeginsATask(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []plan.Task // none where the text is no list
	}{
		"only the headings that say so":         {"### Task 1: A\n### Notes\n### Task 2: B\n# End\n", titles("A", "B")},
		"a said task in a code block":           {"```\n# Task 0: x\n```\n## Task 1: A\n## Notes\n## Task 2: B\n", titles("A", "B")},
		"a said task below another":             {"## Task 1: A\n### Task 1: part\n### Task 2: part\n## Task 2: B\n### Task 1: part\n", []plan.Task{task("A", "### Task 1: part\n### Task 2: part", "A"), task("B", "### Task 1: part", "B")}},
		"a said task below another, after text": {"## Task 1: A\ntext\n### Task 1: part\n## Task 2: B\n", []plan.Task{task("A", "text\n### Task 1: part", "A"), task("B", "", "B")}},
		"numbers that go on, one level below":   {"## Task 1: A\n### Task 2: B\n- [ ] b\n## Task 3: C\n", []plan.Task{task("A", "", "A"), task("B", "", "b"), task("C", "", "C")}},
		"numbers that leave a gap at the top":   {"## Task 1: A\n### Task 2: B\n## Task 4: C\n### Task 5: D\n", titles("A", "B", "C", "D")},
		"numbers that leave a gap below":        {"## Task 1: A\n### Task 3: part\n## Task 2: B\n", []plan.Task{task("A", "### Task 3: part", "A"), task("B", "", "B")}},
		"a number twice at the top":             {"## Task 1: A\n### Task 2: part\n## Task 1: B\n", []plan.Task{task("A", "### Task 2: part", "A"), task("B", "", "B")}},
		"a heading ends a said task":            {"## Task 1: A\n## Notes\ntext\n## Task 2: B\n# End\nmore\n", titles("A", "B")},
		"a lower heading does not":              {"## Task 1: A\n### Notes\ntext\n## Task 2: B\n", []plan.Task{task("A", "### Notes\ntext", "A"), task("B", "", "B")}},
		"text does not":                         {"## Task 1: A\ntext\n", []plan.Task{task("A", "text", "A")}},
		"covers are no tasks":                   {"# Todo\n# Tasks\n## Login\n", titles("Login")},
		"labels are no tasks":                   {"# Criteria\n# Acceptance criteria\n## Login\n", titles("Login")},
		"headings in code are no tasks":         {"```\n# x\n# y\n```\n## A\n## B\n", titles("A", "B")},
		"the smallest headings":                 {"###### A\n###### B\n", titles("A", "B")},
		"one more mark is no heading":           {"####### A\n####### B\n", nil},
		"a heading over all":                    {"# Plan\n## A\n## B\n", titles("A", "B")},
		"the first of two headings over all":    {"# A\n# B\n## C\n", []plan.Task{task("A", "", "A"), task("B", "## C", "B")}},
		"one heading":                           {"### A\n", titles("A")},
		"one heading of the first level":        {"# A\n", nil},
		"a cover between tasks":                 {"## A\ntext\n## Todo\nmore\n## B\n", []plan.Task{task("A", "text\n## Todo\nmore", "A"), task("B", "", "B")}},
		"a lower heading in a section":          {"## A\n### Detail\nmore\n## B\n# Later\nmore\n", []plan.Task{task("A", "### Detail\nmore", "A"), task("B", "", "B")}},
		"a heading without a text":              {"## A\n##\ntext\n## ##\n## B ##\n", []plan.Task{task("A", "##\ntext\n## ##", "A"), task("B", "", "B")}},
		"a tag is no heading":                   {"#one\n#two\n", nil},
		"a heading without a space":             {"##任务\n##文档\n", titles("任务", "文档")[1:]},
		"a said task without a space":           {"##Task 1: A\n##Task 2: B\n", titles("A", "B")},
		"a tab behind the marks":                {"##\tA\n##\tB\n", titles("A", "B")},
		"a heading of stars":                    {"## **\n- A\n- B\n", titles("A", "B")},
		"a shorter fence does not close":        {"## A\n````\n```\n## x\n````\n## B\n", []plan.Task{task("A", "````\n```\n## x\n````", "A"), task("B", "", "B")}},
		"another fence does not close":          {"## A\n```\n~~~\n## x\n```\n## B\n", []plan.Task{task("A", "```\n~~~\n## x\n```", "A"), task("B", "", "B")}},
		"a fence with a word does not close":    {"## A\n```\n```go\n## x\n```\n## B\n", []plan.Task{task("A", "```\n```go\n## x\n```", "A"), task("B", "", "B")}},
		"two marks are no fence":                {"## A\n``\n## B\n", []plan.Task{task("A", "``", "A"), task("B", "", "B")}},
		"indented items":                        {"Do this:\n  - A\n  - B\n", titles("A", "B")},
		"an item below the last":                {"- A\n- B\n  - part\n", []plan.Task{task("A", "", "A"), task("B", "", "part")}},
		"a tab is four spaces":                  {"  - A\n\t- part\n  - B\n", []plan.Task{task("A", "", "part"), task("B", "", "B")}},
		"each tab counts":                       {"\t- A\n\t\t- part\n\t- B\n", []plan.Task{task("A", "", "part"), task("B", "", "B")}},
		"bullets further left than numbers":     {"- note\n  1. A\n  2. B\n", titles("A", "B")},
		"bullets beside numbers":                {"1. A\n- part\n2. B\n", []plan.Task{task("A", "", "part"), task("B", "", "B")}},
		"items in a code block":                 {"```\n- x\n```\n  - A\n  - B\n", titles("A", "B")},
		"text below an item":                    {"- A\n  text\n  - part\n- B\n", []plan.Task{task("A", "text", "part"), task("B", "", "B")}},
		"a blank line in an item":               {"- A\n\n  text\n- B\n", []plan.Task{task("A", "text", "A"), task("B", "", "B")}},
		"text beside the items":                 {"- A\ntext\n- B\n", titles("A", "B")},
		"indented text beside the items":        {"  - A\n text\n  - B\n", titles("A", "B")},
		"numbers":                               {"9. A\n10. B\n", titles("A", "B")},
		"numbers from 0":                        {"0. A\n", titles("A")},
		"four digits":                           {"1234. A\n", titles("A")},
		"five digits":                           {"12345. A\n", nil},
		"numbers in brackets":                   {"(1)A\n(2) B\n（3）C\n", titles("A", "B", "C")},
		"half a bracket":                        {"1)A\n2)B\n", nil},
		"half a bracket and a space":            {"1) A\n2) B\n", titles("A", "B")},
		"a point in front of Chinese":           {"1.登录\n2.⺀\n", titles("登录", "⺀")},
		"a point in front of other letters":     {"1.login\n2.docs\n", nil},
		"a point behind an open bracket":        {"(1.登录\n", nil},
		"a number without a mark":               {"1登录\n2文档\n", nil},
		"two Chinese digits":                    {"十二、登录\n", titles("登录")},
		"three Chinese digits":                  {"二十一、登录十次\n", titles("登录十次")},
		"four Chinese digits":                   {"一一一一、登录\n", nil},
		"a Chinese number further on":           {"一、登录二次\n", titles("登录二次")},
		"a box without a space":                 {"-[ ] A\n*[x] B\n", titles("A", "B")},
		"an empty item":                         {"- A\n- \n- [ ]\n- B\n", titles("A", "B")},
		"boxes and plain items":                 {"## A\n```\nx\n```\n- [ ] box\n- plain\n## B\n", []plan.Task{task("A", "```\nx\n```\n- plain", "box"), task("B", "", "B")}},
		"an item in front of the label":         {"## A\n- note\n**Criteria**:\n- works\n## B\n", []plan.Task{task("A", "- note", "works"), task("B", "", "B")}},
		"a label in a code block":               {"## A\n```\n**Criteria**:\n```\n- works\n## B\n", []plan.Task{task("A", "```\n**Criteria**:\n```", "works"), task("B", "", "B")}},
		"every kind of box":                     {"## A\n- [ ] a\n- [] b\n- [-] c\n- [~] d\n- [x] e\n- [X] f\n- [√] g\n- [✓] h\n- [✔] i\n", []plan.Task{task("A", "", "a", "b", "c", "d", "x e", "x f", "x g", "x h", "x i")}},
		"the first list under tasks":            {"tasks:\n- A\n- B\ntasks:\n- C\n", titles("A", "B")},
		"YAML at the margin":                    {"tasks:\n- title: A\n  criteria:\n    - works\n- B\n", []plan.Task{task("A", "", "works"), task("B", "", "B")}},
		"YAML criteria as far left":             {"tasks:\n- title: A\n  criteria:\n  - works\n- B\n", []plan.Task{task("A", "", "works"), task("B", "", "B")}},
		"YAML ends at the next key":             {"tasks:\n  - A\nother: x\n  - B\n", titles("A")},
		"YAML ends at a key as far left":        {"tasks:\n- A\nother: x\n- B\n", titles("A")},
		"YAML with a blank line":                {"tasks:\n\n- A\n\n- B\n", titles("A", "B")},
		"YAML without a list":                   {"tasks:\n  text\n- A\n- B\n", titles("A", "B")},
		"YAML behind another key":               {"title: x\ntasks:\n- A\n", titles("A")},
		"YAML text below a title":               {"tasks:\n  - title: A\n    more text\n", []plan.Task{task("A", "more text", "A")}},
		"YAML with a description":               {"tasks:\n  - name: 'A'\n    desc: |\n      text\n", []plan.Task{task("A", "text", "A")}},
		"YAML without a title":                  {"tasks:\n  - description: x\n    text\n", []plan.Task{task("description: x", "text", "description: x")}},
		"a YAML key without a colon":            {"tasks:\n  - task\n  - desc\n  - done_when\n", titles("task", "desc", "done_when")},
		"JSON in a list":                        {`["A", {"name": "B"}]`, titles("A", "B")},
		"JSON of something else":                {`{"a": 1}`, nil},
		"JSON with an empty list":               {`[]`, nil},
		"JSON behind a blank line":              {"\n\n[\"A\"]\n", titles("A")},
		"JSON without titles":                   {`["", "*"]`, nil},
		"JSON with one title missing":           {`["A", "*", "B"]`, titles("A", "B")},
		"JSON with a wrong entry":               {`["A", 7]`, nil},
		"JSON with a key twice":                 {`[{"title": "A", "title": "B"}]`, titles("B")},
		"a separator of lines in a title":       {"[\"A\u2028B\u2029C\"]", titles("A B C")},
		"a control character in a title":        {`["A\u0000B\u001b[31m"]`, titles("A B [31m")},
		"JSON criteria with a box and a name":   {`[{"title": "A", "criteria": ["[x] a", {"name": " b "}, {"text": "c", "done": true}, 7], "acceptance_criteria": ["d"]}]`, []plan.Task{task("A", "", "x a", "b", "x c", "d")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := plan.Parse(c.text)
			if ok != (len(c.want) > 0) {
				t.Errorf("a list: %v", ok)
			}
			wantTasks(t, got, c.want)
		})
	}
}

// TestTaskWords: the words and numbers with which a task begins, as the state
// file writes them too.
func TestTaskWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		number int
		title  string
	}{
		"Task 120: A": {120, "A"}, "task #9. A": {9, "A"}, "**任务 3：登录**": {3, "登录"}, "任务3、**登录**": {3, "登录"}, "TASK 1 – A - B": {1, "A - B"},
		"Task 1234567: A": {123456, "A"},
		"Task: A":         {}, "Task 1": {}, "Task 1:": {}, "Task 1 A": {}, "Tas": {}, "Task": {}, "Test 1: A": {}, "任务: A": {}, "Task x: A": {},
	} {
		number, title, ok := plan.CutTaskWord(text)
		if ok != (want.title != "") || ok && (number != want.number || title != want.title) {
			t.Errorf("%q: %d, %q, %v", text, number, title, ok)
		}
	}
}

// TestLimits: what is cut, what is rejected, and what just fits.
func TestLimits(t *testing.T) {
	t.Parallel()
	analysis := func(list any) ([]plan.Task, error) {
		data, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		return plan.ParseAnalysis("<task-analysis>" + string(data) + "</task-analysis>")
	}
	// A state file takes about 100 bytes for each task and 10 for each criterion.
	type entry struct {
		Title       string   `json:"title"`
		Description string   `json:"description"`
		Criteria    []string `json:"criteria"`
	}
	const room = 700<<10 - 2*100 - 3*10 - len("A"+"B"+"one"+"two"+"B") - len("short")
	for over := range 2 {
		_, err := analysis([]entry{{"A", strings.Repeat("x", room+over), []string{"one", "two"}}, {"B", "short", nil}})
		if over == 0 && err != nil || over == 1 && !errors.Is(err, plan.ErrTooLong) {
			t.Errorf("%d bytes too many: %v", over, err)
		}
	}
	for _, form := range []string{"## 任务 1: A\n", "## A\n", "1. A\n", "- A\n"} {
		if got, ok := plan.Parse(strings.Repeat(form, plan.MaxTasks)); !ok || len(got) != plan.MaxTasks {
			t.Errorf("%q: %d tasks", form, len(got))
		}
		if got, ok := plan.Parse(strings.Repeat(form, plan.MaxTasks+1)); ok {
			t.Errorf("%q: %d tasks", form, len(got))
		}
	}
	if got, err := analysis(make([]entry, plan.MaxTasks)); !errors.Is(err, plan.ErrNoTasks) {
		t.Errorf("tasks without titles: %d, %v", len(got), err)
	}
	if _, err := plan.ParseAnalysis("<task-analysis>\n" + strings.Repeat("## **\n", plan.MaxTasks) + "</task-analysis>"); !errors.Is(err, plan.ErrNoTasks) {
		t.Errorf("headings without titles: %v", err)
	}
	if got, err := analysis(strings.Split(strings.Repeat("A", plan.MaxTasks), "")); err != nil || len(got) != plan.MaxTasks {
		t.Errorf("%d titles, %v", len(got), err)
	}
	if got, err := analysis(strings.Split(strings.Repeat("A", plan.MaxTasks+1), "")); !errors.Is(err, plan.ErrTooMany) {
		t.Errorf("%d titles, %v", len(got), err)
	}
	criteria := []string{""}
	for i := range 201 {
		criteria = append(criteria, fmt.Sprint("c", i))
	}
	got, err := analysis([]entry{{"A", "", criteria}})
	if err != nil || len(got[0].Criteria) != 200 || got[0].Criteria[0].Text != "c0" {
		t.Errorf("%+v, %v", got, err)
	}
	for n, want := range map[int]string{200: strings.Repeat("长", 200), 201: strings.Repeat("长", 200) + "…"} {
		got, err := analysis([]entry{{strings.Repeat("长", n), "", []string{strings.Repeat("x", 4*n)}}})
		if err != nil || got[0].Title != want || len(got[0].Criteria[0].Text) != 4*200+len("…")*(n-200) {
			t.Errorf("%d characters: %+v, %v", n, got, err)
		}
	}
	const longest = 64 << 10
	for over, end := range []string{"x", "\n…"} {
		got := plan.Whole("A\n"+strings.Repeat("x", longest-2+over), "name")
		if got[0].Title != "A" || !strings.HasSuffix(got[0].Description, end) || len(got[0].Description) != longest+len("\n…")*over {
			t.Errorf("%d bytes too many: %d bytes", over, len(got[0].Description))
		}
	}
}

// TestTheTags: which pair of tags counts, and what a code fence inside it
// removes. Holds R3-11.
func TestTheTags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]plan.Task{
		"<task-analysis>- A</task-analysis>":                       titles("A"),
		"<task-analysis\n>- A</task-analysis>":                     nil,
		"<task-analysis <b>- A</task-analysis>":                    nil,
		"<task-analysis</task-analysis>":                           nil,
		"</task-analysis>":                                         nil,
		"<task-analysis>```\n- A\n```</task-analysis>":             titles("A"),
		"<task-analysis>\n~~~~\n- A\n~~~~\n</task-analysis>":       titles("A"),
		"<task-analysis>\n```\n- A\n~~~\n</task-analysis>":         nil,
		"<task-analysis>\n```\n```\n- A\n- B\n</task-analysis>":    titles("A", "B"),
		"<task-analysis>``````</task-analysis>":                    nil,
		"<task-analysis>```\n```</task-analysis>":                  nil,
		"<task-analysis>```</task-analysis>":                       nil,
		"<task-analysis>```\n``</task-analysis>":                   nil,
		"<task-analysis>{\"tasks\": [\"A\"]}\n</task-analysis>":    titles("A"),
		"<task-analysis>```json\n[\"A\"]\n```\n</task-analysis>":   titles("A"),
		"<task-analysis>\n## Task 1: A\n</task-analysis> </b> a>b": titles("A"),
	} {
		got, err := plan.ParseAnalysis(text)
		if (err == nil) != (want != nil) {
			t.Errorf("%q: %v", text, err)
		}
		if len(got) > 0 || len(want) > 0 {
			wantTasks(t, got, want)
		}
	}
}
