package signal_test

import (
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/protocol"
)

// TestAdmission: what a message admits, and what it does not.
func TestAdmission(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Done. The tests would pass, I think.":                 "The tests would pass, I think.",
		"All is well.\n- Tests (verified by reading the code)": "- Tests (verified by reading the code)",
		"I haven't run the suite.":                             "I haven't run the suite.",
		"I didn’t run it.":                                     "I didn’t run it.",
		"It returns sample data.":                              "It returns sample data.",
		"加上了 `@pytest.mark.skip`。":                             "加上了 `@pytest.mark.skip`。",
		"已完成。接口暂时返回假数据。其余没问题。":                                 "接口暂时返回假数据。",
		"理论上没有问题":                                              "理论上没有问题",
		"":                                                     "",
		"Done for now.":                                        "",
		"I removed the hard-coded path.":                       "",
		"The placeholder was replaced by the real call.":       "",
		"Done. The login does not work yet.":                   "The login does not work yet.",
		"登录还有问题，需要继续。":                                         "登录还有问题，需要继续。",
		"That block is from yesterday.":                        "That block is from yesterday.",
		"I need more time":                                     "I need more time",
		"They are still failing":                               "They are still failing",
		"I have not begun the task.":                           "I have not begun the task.",
		"登录仍然失败。":                                              "登录仍然失败。",
		"还没有完成, 我不能这样写":                                        "还没有完成, 我不能这样写",
		"Sorry, ignore the block above.":                       "Sorry, ignore the block above.",
		"I fixed the form that does not work on Safari.":       "",
		"The login does not work, although I fixed the form, and is not done.": "The login does not work, although I fixed the form, and is not done.",
		"**未完成项**: 无":                                 "",
		"如果还没装 Go，先装上。":                               "",
		"If you have not yet installed it, run make.": "",
		"没有未完成的工作。":                                   "",
		"修复了登录仍然失败的问题。":                               "",
		"去掉了写死的路径。":                                   "",
		"All tests pass.":                             "",
		"The task mentions a dummy on purpose.":       "",
	} {
		if got := signal.Admission(text, "Write a dummy server"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAdmissionOfTheForbidden: what the task forbids is a gap, unless the message says that
// there is none.
func TestAdmissionOfTheForbidden(t *testing.T) {
	t.Parallel()
	task := []string{"Fix the prices", "Use a dummy server", "pytest passes without skips or xfails; no TODO is left", "No placeholder, don't leave a hard-coded path", "不要写死路径, 也没有假数据"}
	for text, admits := range map[string]bool{
		"I marked these with `xfail` for the time being.":        true,
		"The four tests are xfail now.":                          true,
		"The path is hard-coded.":                                true,
		"A TODO marks the place.":                                true,
		"The dialog shows a placeholder.":                        true,
		"路径写死了。":                                                 true,
		"列表返回假数据。":                                               true,
		"Not fast, there is a placeholder.":                      true,
		"There are no skips or xfails.":                          false,
		"It passes without xfail.":                               false,
		"It has 0 xfails":                                        false,
		"I didn't add a placeholder.":                            false,
		"It never returns a stub":                                false,
		"路径没有写死。":                                                false,
		"没有硬编码。":                                                 false,
		"The dummy server answers.":                              false,
		"Placeholders like `%(count)d` are kept.":                false,
		"占位符 %s 保持原样。":                                           false,
		"The placeholder text of the field is translated.":       false,
		"**Todo**: none":                                         false,
		"- TODO:":                                                false,
		"Todo：无":                                                 false,
		"Todo: the rest":                                         true,
		"The list Todo: none":                                    true,
		"`PushTokenTest` has had `@Ignore` since March.":         false,
		"The pre-existing @ignore stays.":                        false,
		"I added `@Ignore`.":                                     true,
		"Ties are broken by ingestion time.":                     false,
		"The sum is broken down by month.":                       false,
		"The sums are broken.":                                   true,
		"I removed the stub. The list returns fake data.":        true,
		"It returns a stub for `%s`.":                            true,
		"接口返回占位数据。":                                              true,
		"The list has zero xfails":                               false,
		"90 tests are xfail":                                     true,
		"The nano placeholder is shown":                          true,
		"I haven't run it without the dummy, so it should work.": true,
		"It is not tested, and no stub is left.":                 true,
	} {
		if got := signal.Admission(text, task...); (got != "") != admits {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestAdmissionOfANamedList: tasks that have a list with such a name, or ask for one.
func TestAdmissionOfANamedList(t *testing.T) {
	t.Parallel()
	if got := signal.Admission("The TODO list page works.", "Todo:\nBuild the TODO list page"); got != "" {
		t.Error(got)
	}
	if got := signal.Admission("The TODO list page works.", "Todo:\nBuild the page"); got == "" {
		t.Error("nothing")
	}
}

// TestAfter: two turns of one iteration count together. The failures are those of the
// last turn that used a tool.
func TestAfter(t *testing.T) {
	t.Parallel()
	criteria := []string{"tsc passes"}
	before := signal.Signals{ToolCalls: 2, Failed: "tsc", Leftovers: true}
	if got := (signal.Signals{}).After(before); got.Unmet(criteria) == "" || !got.Leftovers {
		t.Errorf("%+v", got)
	}
	if got := (signal.Signals{ToolCalls: 1}).After(before); got.Unmet(criteria) != "" || !got.Leftovers {
		t.Errorf("%+v", got)
	}
	if got := (signal.Signals{Leftovers: true}).After(signal.Signals{}); !got.Leftovers {
		t.Errorf("%+v", got)
	}
	if got := (signal.Signals{}).After(signal.Signals{}); got.Leftovers {
		t.Errorf("%+v", got)
	}
}

// TestLeftovers: the last search for marks of unfinished work counts.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	type search struct{ command, output string }
	for name, c := range map[string]struct {
		searches []search
		want     bool
	}{
		"a count":            {[]search{{"grep -c TODO docs/api.md", "11"}}, true},
		"a count of nothing": {[]search{{"grep -c TODO docs/api.md", "0"}}, false},
		"counts of files":    {[]search{{"grep -rc TODO docs", "docs/a.md:0\ndocs/b.md:2"}}, true},
		"lines":              {[]search{{"rg -n FIXME .", "a.go:3: // FIXME"}}, true},
		"nothing":            {[]search{{"rg -n FIXME .", ""}}, false},
		"gone at last":       {[]search{{"grep -c TODO a", "3"}, {"grep -c TODO a", "0"}}, false},
		"another search":     {[]search{{"grep -n login a.go", "3: login"}}, false},
	} {
		var turn protocol.Turn
		for i, s := range c.searches {
			id := string(rune('a' + i))
			turn.Entries = append(turn.Entries,
				protocol.Entry{Kind: protocol.EntryToolUse, ToolUseID: id, ToolName: "Bash", ToolInput: []byte(`{"command":"` + s.command + `"}`)},
				protocol.Entry{Kind: protocol.EntryToolResult, ToolUseID: id, Text: s.output})
		}
		if got := signal.OfTurn(turn).Leftovers; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
