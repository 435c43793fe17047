package assess_test

import (
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
)

// TestTheSentenceBefore: the last sentence before a block decides whether it is meant.
// Holds R3-23.
func TestTheSentenceBefore(t *testing.T) {
	t.Parallel()
	block := tag(doneText)
	for before, meant := range map[string]bool{
		"I added an example.\n":                                  true,
		"I added an old example\n":                               false,
		"- I added an old example ":                              false,
		"- I added an old example\n\n":                           true,
		"The subagent reported:\n\n---\n":                        false,
		"The subagent reported: **\n":                            false,
		"For the other session this is\nthe final assessment:\n": false,
		"- the subagent reported errors\nFinal result:\n":        true,
		"For example, the subagent said this\n\nFinal result:\n": true,
		"For example, say\n- Final assessment:\n":                true,
		"The subagent said this. Final result:\n":                true,
		"The subagent said this; final result:\n":                true,
		"子代理报告了错误。最终结果：\n":                                       true,
		"。最终结果：\n":                                               true,
		". Final result:\n":                                      true,
		"A poem about trees:\n":                                  false,
		"When all is green, the final status:\n":                 false,
		"如果全部通过，最终状态：\n":                                         false,
		"The ifz module is green\n":                              true,
		"一首诗：\n":                                                 false,
		"3. It is not done yet\n\n":                              true,
		"3) It is not done yet\n\n":                              true,
		"3、还没有做完\n\n":                                            true,
		"3 files do not work yet\n\n":                            false,
		". not yet\n\n":                                          false,
		"3.5 is not done yet\n\n":                                false,
		"| the row is not done yet\n\n":                          true,
		"# Not done yet\n\n":                                     true,
		"It is not done yet\n\n":                                 false,
		"It is not done yet.\n\n":                                true,
		"It was not done yet (that was before)\n\n":              true,
		"":     true,
		"\n\n": true,
		"That has nothing to do with a log file. The tests pass now, finally ": true,
	} {
		a, ok := assess.Find(before + block)
		if (ok && a.Status == assess.Completed) != meant {
			t.Errorf("%q: %v %+v", before, ok, a)
		}
	}
}

// TestCodeAround: a code block that holds only the assessment may carry it.
func TestCodeAround(t *testing.T) {
	t.Parallel()
	block := tag(doneText)
	for text, meant := range map[string]bool{
		"```\n" + block + "\n```":                                                  true,
		"~~~\n" + block + "\n~~~\nThis was only an example.":                       false,
		"~~~\n" + block + "\n~~~\nThat is all.":                                    true,
		"Line one is here.\nLine two is here.\n\n```go\n" + block + "\n```\nDone.": false,
		"Line one is here.\nLine two is here.\n\n```md\n" + block + "\n```\nDone.": true,
		"```go\nx()\n```\n\nIt works.\n" + block:                                   true,
		"```\n" + block + "\nsome more\n```":                                       false,
		"```\nsome more\n" + block + "\n```":                                       false,
		"```\n<completion-assessment>\n" + doneText + "\n```\n":                    true,
		"A poem:\n```\n" + block + "\n```":                                         false,
		"It is not done yet.\n```\n" + block + "\n```":                             false,
		"It is not done yet. " + block:                                             false,
		"It is not done yet.\n    " + block:                                        false,
		"It is not done yet.\n\t" + block:                                          false,
		"It is not done yet.\n   " + block:                                         true,
		"It is done. " + block:                                                     true,
	} {
		a, ok := assess.Find(text)
		if (ok && a.Completion == 100) != meant {
			t.Errorf("%q: %v %+v", text, ok, a)
		}
	}
}

// TestTheTextAround: what hides a block, what the block replies to, and how the text
// continues.
func TestTheTextAround(t *testing.T) {
	t.Parallel()
	block := tag(doneText)
	for text, meant := range map[string]bool{
		"You want the final result:\n" + block:                           false,
		"你要的最终结果：\n" + block:                                             false,
		"Everything was reported as green\n\n" + block:                   true,
		block + "\n\nbut the tests are red":                              false,
		block + "\n\n**and** then it broke":                              false,
		block + "\nzero tests ran":                                       false,
		block + "\n但是测试失败":                                               false,
		block + "\n可是测试失败":                                               false,
		block + "\n不过测试失败":                                               false,
		block + "\n测试通过":                                                 true,
		block + "\nThe tests pass.":                                      true,
		block + "\n{x}":                                                  true,
		block + "\n@x":                                                   true,
		"<DETAILS>\n" + block + "\n</DETAILS>":                           false,
		"<Details open>\n" + block + "\n</details>":                      false,
		"Working on it.\n<!--\n" + block + "\n-->":                       false,
		"Working on it.\n\n<!--\n" + block:                               false,
		"See <!-- here.\n" + block:                                       true,
		"<details>\n\n" + block:                                          true,
		"The `<details>` element is used.\n\n" + block:                   true,
		"<pre></pre>\n" + block:                                          true,
		"<pre></pre>" + block:                                            true,
		"<!-- x -->" + block:                                             true,
		"<details>\n<pre>x</pre>\n" + block + "</details>":               false,
		"<details>\n<pre>x</pre>\n</details>\n<!--\n" + block + "\n-->":  false,
		"<details>\n<pre>x</pre>\n</details>\n" + block + "\n<!-- x -->": true,
		"<!-- x -->\n<!-- y -->\n" + block:                               true,
		"<!-- x -->\nSee:\n<!-- y\n" + block + "\n-->":                   false,
		"\xff\xfe <details>\n" + block + "\n</details>":                  false,
	} {
		a, ok := assess.Find(text)
		if (ok && a.Status == assess.Completed) != meant {
			t.Errorf("%q: %v %+v", text, ok, a)
		}
	}
}
