package assess_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
)

// TestGenerousForms: a valid assessment counts, whatever its layout. Holds
// R3-23.
func TestGenerousForms(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"numbered keys":             tag("1. **完成状态**: completed\n2. **完成度**: 100%\n3. **置信度**: 95%\n4. **已完成项**:\n   - 登录\n5. **未完成项**: 无\n6. **阻塞问题**: 无"),
		"numbered without a blank":  tag("1.**完成状态**：已完成\n2.**完成度**：100％\n3.**置信度**：９５％\n4.**未完成项**：无。"),
		"numbered in Chinese":       tag("一、完成状态：已完成\n二、完成度：100%\n三、置信度：95%\n四、未完成项：没有剩余的工作。"),
		"items below numbered keys": tag("1. Status: completed\n2. Completion: 100\n3. Confidence: 95\n4. Completed items:\n- Notes: kept\n5. Remaining items: none"),
		"the colon in the emphasis": tag("**Status:** completed\n**Completion:** 100%\n**Confidence:** 95%"),
		"emphasis and no colon":     tag("**Status** completed\n**Completion** 100%\n**Confidence** 95%"),
		"brackets":                  tag("【完成状态】已完成\n【完成度】100%\n【置信度】95%\n【未完成项】无"),
		"remarks in brackets":       tag("完成状态 (Status): 已完成 (completed)\n完成度（%）：100\n置信度 (Confidence): 95/100\n未完成项 (0): 无（全部完成）"),
		"equals signs":              tag("status = completed\ncompletion = 100%\nconfidence = 95%"),
		"dashes":                    tag("- Status - completed\n- Completion — 100%\n- Confidence – 95%"),
		"names on their own lines":  tag("完成状态\n已完成\n完成度\n100%\n置信度\n95%\n未完成项\n无"),
		"all on one line":           tag("**完成状态**: completed | **完成度**: 100% | **置信度**: 95%"),
		"with commas":               tag("Status: completed, Completion: 100%, Confidence: 95%, Remaining items: none"),
		"a table":                   tag("| **Field** | **Value** |\n|---|---|\n| **Status** | ✅ completed |\n| Completion | 100 % |\n| Confidence | 95 % |\n| Remaining items | none |"),
		"a table with columns":      tag("| 完成状态 | 完成度 | 置信度 | 未完成项 |\n|:---|:---:|---|---|\n| 已完成 | 100% | 95% | 无 |"),
		"elements":                  tag("<status>completed</status>\n<completion>100%</completion>\n<confidence>95</confidence>\n<completed_items>\n- login\n</completed_items>\n<remaining_items>none</remaining_items>"),
		"attributes":                `<completion-assessment task="1" iteration="2" status="completed" completion="100%" confidence="95%" />`,
		"a JSON object around it":   tag(`{"assessment": {"status": "completed", "completion": 100, "confidence": 95, "remaining": []}}`),
		"JSON after a sentence":     tag("Here it is:\n```json\n{\"status\": \"completed\", \"completion\": 100, \"confidence\": 0.95}\n```"),
		"broken JSON":               tag("{\n\"status\": \"completed\",\n\"completion\": 100,\n\"confidence\": 95,\n\"remaining_items\": [],\n}"),
		"choices that are ticked":   tag("Status: [x] completed [ ] in_progress [ ] blocked\nCompletion: 100%\nConfidence: 95%"),
		"both languages":            tag("**Status / 完成状态**: completed / 已完成\n**Completion**: 百分之一百\n**Confidence**: 百分之九十五"),
		"a fence around the tags":   "All criteria are met.\n\n```xml\n" + tag("**Status**: completed\n**Completion**: 100%\n**Confidence**: 95%") + "\n```\n",
		"an underscore in the tag":  "<completion_assessment>\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n</completion_assessment>",
		"capitals in the tag":       "<Completion-Assessment>\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n</Completion-Assessment>",
		"brackets of HTML":          "&lt;completion-assessment&gt;\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n&lt;/completion-assessment&gt;",
		"full-width brackets":       "＜completion-assessment＞\n完成状态：已完成\n完成度：100%\n置信度：95%\n＜/completion-assessment＞",
		"no slash at the end":       "<completion-assessment>\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n<completion-assessment>",
		"a remark behind it":        tag("Status: completed\nCompletion: 100%\nConfidence: 95%") + "\n\nIf you want more, tell me.",
		"a mention behind it":       tag("Status: completed\nCompletion: 100%\nConfidence: 95%") + "\n\nThat was the `<completion-assessment>` block.",
		"announced as done now":     "I will now output the assessment:\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"below a list":              "What I did:\n- ran the tests before the merge\n- updated the notes\n\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"below a result":            "Everything works:\n\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"below a heading":           "Nothing is left.\n\n## Assessment\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"below bold text":           "**Completion assessment:**\n\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"below a line":              "All tests pass\n\n---\n\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"as it was asked for":       "Here is the assessment you asked for:\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"presented in Chinese":      "没有遗留问题，本轮评估如下：\n" + tag("完成状态：已完成\n完成度：100%\n置信度：95%"),
		"another remark behind it":  tag("Status: completed (all criteria met)\nCompletion: 100%\nConfidence: 95%") + "\n\nThe README describes it.",
		"after the work":            "After the tests passed, here is my assessment:\n" + tag("Status: completed\nCompletion: 100%\nConfidence: 95%"),
		"a blocker of the past":     tag("Status: completed\nCompletion: 100%\nConfidence: 95%\nBlockers: the daemon was down (resolved)"),
		"other words for the keys":  "<completion_assessment task=1 iteration=1>\nState: completed\nProgress: 100%\nCertainty: 95%\nDone:\n- login\nTodo:\n- nothing\nIssues: none\nNext step: task 2\n</completion_assessment>",
		"another key with nothing":  tag("Status: completed\nCompletion: 100%\nConfidence: 95%\nRemaining items:\nKnown risks: none\nRisiken: N/A\n风险：无"),
		"a tag in Chinese":          "<完成评估 task=\"3\">\n- Status: completed\n- 完成度 (Completion): 100%\n- 置信度 (Confidence): 95%\n- 未完成项: 无\n</完成评估>",
		"another tag in Chinese":    "<任务评估>\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n</任务评估>",
		"a misspelt tag":            "<completion-assesment>\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n</completion-assesment>",
		"another word in the tag":   "<Task-Evaluation>\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n</Task-Evaluation>",
		"nothing in this task":      tag("Status: completed\nCompletion: 100%\nConfidence: 95%\nRemaining items: None within this task\nBlockers: No blockers."),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, ok := assess.Find(text)
			if !ok || a.Status != assess.Completed || a.Completion != 100 || a.Confidence != 95 || a.Partial || len(a.Remaining) > 0 || a.Blocker != "" {
				t.Errorf("%v %+v", ok, a)
			}
		})
	}
}

// TestMoreThanNothing: a line below a list that says more than "none" is an item.
func TestMoreThanNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Login works: no": "Login works: no",
		"- Docs: none":    "Docs: none",
		"A long sentence about the end-to-end test: none": "A long sentence about the end-to-end test: none",
		"Known risks: none yet":                           "Known risks: none yet",
		"Known risks:":                                    "Known risks:",
	} {
		a, ok := assess.Find(tag("Status: completed\nCompletion: 100%\nConfidence: 95%\nRemaining items:\n" + text))
		if !ok || len(a.Remaining) != 1 || a.Remaining[0] != want || a.Status == assess.Completed {
			t.Errorf("%q: %+v", text, a)
		}
	}
	long := "Known risks of this " + strings.Repeat("x", 60)
	if a, _ := assess.Find(tag("Status: completed\nRemaining items:\n" + long + ": none")); len(a.Remaining) != 1 {
		t.Errorf("%+v", a)
	}
	// Anything that is not a tag of an assessment stays text.
	for _, text := range []string{"<complete>", "<task-list>", "<完成>", "<completion assess>", "<task - evaluation>"} {
		if _, ok := assess.Find(text + "\nStatus: completed\nCompletion: 100%\nConfidence: 95%\n" + strings.Replace(text, "<", "</", 1)); ok {
			t.Errorf("%s is an assessment", text)
		}
	}
}

// TestNotMeant: a block that is not a statement of the turn is never read as its
// assessment. Holds R3-23.
func TestNotMeant(t *testing.T) {
	t.Parallel()
	block := tag("**Status**: completed\n**Completion**: 100%\n**Confidence**: 99%")
	fenced := "```\n" + block + "\n```"
	indented := "    " + strings.ReplaceAll(block, "\n", "\n    ")
	for name, text := range map[string]string{
		"announced, in a code block":   "I will later output:\n\n" + fenced + "\n\nFor now I continue.",
		"hoped for":                    "The result I hope for:\n" + block,
		"denied":                       "I cannot honestly claim this yet:\n" + block,
		"what somebody wants":          "You want me to end with\n" + block + "\nI need more time; the login is broken.",
		"what a person sent":           "The user pasted this:\n" + block + "\nI have not begun the task.",
		"what a search found":          "grep found in notes.md:\n\n" + block + "\n\nI have not started yet.",
		"what a command printed":       "Output of `cat notes.md`:\n\n" + block + "\n\nThe file contains an old assessment.",
		"of the session before":        "Last session ended with:\n" + block + "\nNow I start with the analysis.",
		"of another agent":             "The subagent reported:\n" + block + "\nI have to verify this first.",
		"of another agent, presented":  "Here is what the subagent\nreported:\n" + block,
		"of another agent, in a line":  "The subagent sent this block.\n\n" + block,
		"taken back":                   block + "\n\nSorry, ignore the block above, the login does not work yet.",
		"in a sentence that goes on":   "If the tests were green, I would have written\n" + block + "\nbut they are red.",
		"a step of a plan":             "Next steps: fix login, run tests, then emit\n" + block,
		"the last step of a list":      "1. fix login\n2. emit\n\n" + block,
		"in a comment":                 "<!--\n" + block + "\n-->\nWorking.",
		"in an element":                "<details><summary>template</summary>\n" + block + "\n</details>\nNot done yet.",
		"in an element with a blank":   "<blockquote cite=\"x\">\n" + block + "\n</blockquote>",
		"in a tilde fence":             "Your prompt asked for\n~~~text\n" + block + "\n~~~\nbut I am not there yet.",
		"denied in Chinese":            "还没有完成, 我不能这样写:\n" + block,
		"of a tool in Chinese":         "工具输出如下:\n" + block + "\n登录仍然失败。",
		"of another session, Chinese":  "上一次会话的评估是:\n" + block + "\n现在开始分析。",
		"led into by something else":   "My colleague has a nice note:\n" + block,
		"the form that is aimed at":    "First I show the target format:\n\n" + block,
		"announced":                    "When all tests pass I will output:\n" + block,
		"announced without a colon":    "Once CI is green I will post the following assessment.\n\n" + block,
		"announced in Chinese":         "全部完成后我会输出：\n" + fenced,
		"an example":                   "For example:\n" + fenced,
		"an example in Chinese":        "例如：\n" + block,
		"the form explained":           "The format is:\n" + fenced,
		"a code block of indentation":  "The instructions ask for a block such as\n\n" + indented + "\n\nwhere the status is one of four words.",
		"an example, it says behind":   block + "\n(This is only an example.)",
		"an example behind in Chinese": block + "\n以上只是示例。",
		"what I will output":           fenced + "\nThat is what I will output when it is done.",
		"the output of a command":      "It printed\n```console\n$ cat last.md\n" + block + "\n```",
		"code":                         "```go\n" + block + "\n```",
		"more than the block":          "The log:\n```\nstart\n" + block + "\nend\n```",
		"the file before":              "The old file contains:\n" + fenced,
		"the last turn":                "In the last turn I wrote:\n" + block,
		"in a quotation":               "> " + strings.ReplaceAll(block, "\n", "\n> "),
		"in inline code":               "The form is `" + block + "`.",
		"in quotation marks":           "It says \"" + block + "\".",
	} {
		if a, ok := assess.Find(text); ok {
			t.Errorf("%s: %+v", name, a)
		}
	}
	for name, text := range map[string]string{
		"the form":                      tag("**Status**: completed | in_progress | blocked\n**Completion**: 0-100%"),
		"a form with places":            tag("**Status**: completed\n**Completion**: 100%\n**Confidence**: 99%\n**Completed items**:\n- ...\n"),
		"choices, none of them ticked":  tag("Status: [ ] completed [ ] in_progress\nCompletion: 100%\nConfidence: 99%"),
		"choices, two of them ticked":   tag("Status: [x] completed [x] in_progress\nCompletion: 100%\nConfidence: 99%"),
		"two statuses":                  tag("Status: completed / in_progress\nCompletion: 100%\nConfidence: 99%"),
		"a status that asks":            tag("Status: completed?\nCompletion: 100%\nConfidence: 99%"),
		"a status taken back":           tag("Status: completed (not yet verified)\nCompletion: 100%\nConfidence: 99%"),
		"a status taken back, Chinese":  tag("完成状态: 已完成（尚未验证）\n完成度: 100%\n置信度: 99%"),
		"a status that is not finished": tag("Status: completed with failures\nCompletion: 100%\nConfidence: 99%"),
		"no status, all else is fine":   tag("Completion: 100%\nConfidence: 99%\nRemaining items: none"),
		"prose":                         tag("The task is completed, 100%, I am 99% confident."),
	} {
		if a, ok := assess.Find(text); !ok || a.Status != assess.Unknown || a.First == "" {
			t.Errorf("%s: %v %+v", name, ok, a)
		}
	}
	// A word for "nothing" that the text takes back counts as something.
	for _, value := range []string{"none, but the tests did not run", "无，但是测试没跑", "None of the tests were run", "没有测试", "Nothing except the README", "none (README is missing)", "没有写文档", "no tests", "无法确认部署", "暂无，待补充 README"} {
		a, ok := assess.Find(tag("Status: completed\nCompletion: 100%\nConfidence: 99%\nRemaining items: " + value))
		if !ok || a.Status == assess.Completed {
			t.Errorf("%q: %+v", value, a)
		}
	}
	for _, value := range []string{"no key", "the key is not resolved", "密钥问题尚未解决", "will be fixed once the key is fixed", "缺少密钥"} {
		a, ok := assess.Find(tag("Status: completed\nCompletion: 100%\nConfidence: 99%\nBlockers: " + value))
		if !ok || a.Status == assess.Completed {
			t.Errorf("%q: %+v", value, a)
		}
	}
}

// TestBlockedInOtherWords: if the status says what the work is waiting for, that is the blocker.
func TestBlockedInOtherWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"Status: blocked (no staging credentials)":                         "no staging credentials",
		"Status: blocked by a missing API key":                             "a missing API key",
		"**完成状态**：阻塞，缺少密钥":                                                 "缺少密钥",
		"Status: in_progress (waiting for the certificate)\nBlockers: DNS": "DNS",
		"Status: in progress\nBlockers: waiting for the security team":     "waiting for the security team",
	} {
		if a, ok := assess.Find(tag(body)); !ok || !a.IsBlocked() || a.Blocker != want {
			t.Errorf("%s: %+v", body, a)
		}
	}
}
