package signal

import (
	"slices"
	"strings"
)

// Admission returns the first sentence of a text that admits a gap: a check that was not
// run or was switched off, something that only stands in for the real thing, or that the
// work is not done. A sentence that says that such a thing is gone, or that there is none,
// admits nothing. known are texts about the task itself: words that they use admit nothing
// either, unless the text forbids what they name.
func Admission(text string, known ...string) string {
	task := strings.ToLower(strings.Join(known, "\n"))
	for _, sentence := range sentences(text) {
		lower := strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
		if isUnfinished(lower, task) {
			return sentence
		}
		if has(lower, gone) {
			continue
		}
		if slices.ContainsFunc(unchecked, func(word string) bool { return strings.Contains(lower, word) && !strings.Contains(task, word) }) ||
			slices.ContainsFunc(stopgaps, func(word string) bool { return names(lower, word) && !names(task, word) }) {
			return sentence
		}
	}
	return ""
}

// names reports whether a line of a text, in lower case, names a stopgap without denying
// it: "no xfail" and "without TODO" do not.
func names(text, word string) bool {
	for line := range strings.Lines(text) {
		at := strings.Index(line, word)
		if at < 0 || strings.HasPrefix(word, "placeholder") && has(line, formats) || strings.HasPrefix(word, "占位") && has(line, formats) {
			continue
		}
		if word == "todo" && isEmptyList(line[:at], line[at+len(word):]) {
			continue
		}
		clause := line[strings.LastIndexAny(line[:at], ",，;；:：")+1 : at]
		words := strings.FieldsFunc(clause, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '\'' })
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(denials, w) || strings.HasSuffix(w, "n't") }) && !has(clause, []string{"没", "无", "不", "未", "禁止"}) {
			return true
		}
	}
	return false
}

// isEmptyList reports whether a word is the name of a list that is empty: "**Todo**:
// none".
func isEmptyList(before, after string) bool {
	if strings.Trim(before, " \t*#-_") != "" {
		return false
	}
	switch strings.Trim(after, " \t\n*_:：.。-") {
	case "", "none", "nothing", "n/a", "无", "没有", "暂无":
		return true
	}
	return false
}

var denials = []string{"no", "not", "without", "never", "nor", "none", "zero", "0"}

// formats are words which show that "placeholder" means a part of a text,
// not a stopgap.
var formats = []string{"%s", "%d", "%(", "%1$", "{0}", "{{", "${", "format string", "placeholder text", "placeholder attribute", "格式串", "输入框"}

// gone are words which say that something is no longer there.
var gone = []string{
	"removed", "replaced", "no longer", "instead of", "no more", "got rid", "deleted", "used to", "was a ", "were ", "previously", "no todo", "any todo", "without any", "re-enabled", "reenabled", "unskipped", "has had", "have had", "already had", "pre-existing", "preexisting",
	"不再", "去掉", "删掉", "删除", "替换", "换成", "换掉", "改掉", "改成", "移除", "清理", "原来", "之前", "没有 todo", "恢复了", "本来就", "早就", "历史遗留",
}

// unchecked are words for a check that was not run.
var unchecked = []string{
	"untested", "not tested", "not been tested", "not run", "not been run", "n't run", "n't been run", "not verified", "n't verified", "n't tested", "unable to run", "without running", "by reading the code", "by inspection",
	"should work", "should pass", "would pass", "should be fine", "would work", "in theory", "presumably", "n't had a chance", "not had a chance",
	"没有运行", "未运行", "没运行", "没有跑", "没跑", "未跑", "没有测试", "未测试", "没测", "未经测试", "没有验证", "未验证", "没验证", "来不及", "没来得及", "理论上", "应该能", "应该可以", "应该没问题", "应该没有问题", "应该会通过", "通过阅读代码", "看代码确认",
}

// stopgaps are words for a check that was switched off, and for something that stands in
// for the real thing.
var stopgaps = []string{
	// A check that was switched off.
	"mark.skip", ".skip(", "t.skip", "@skip", "xfail", "@ignore", "#[ignore", "@disabled", "skipped the", "disabled the test", "disabled this test", "commented out", "跳过了", "注释掉", "禁用了", "关掉了检查",
	// Something that stands in for the real thing.
	"sample data", "dummy", "fake data", "mock data", "mocked data", "hard-coded", "hardcoded", "hard coded", "placeholder", "stubbed", "a stub", "not implemented", "for now it", "for now this", "for now the", "todo", "fixme",
	"示例数据", "假数据", "模拟数据", "占位", "写死", "硬编码", "暂时返回", "暂时用", "暂时先", "先返回", "打桩", "桩函数", "待补充", "后续补", "之后补", "以后补", "留空",
}

// isUnfinished reports whether a sentence, in lower case, says that the work has not begun,
// goes on or does not do what it should.
func isUnfinished(sentence, task string) bool {
	says := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool {
			return strings.Contains(sentence, word) && !strings.Contains(task, word)
		})
	}
	if strings.Contains(sentence, "if you") || strings.HasPrefix(sentence, "如果") {
		// An offer, or advice to the reader.
		return false
	}
	sentence = nothingOpen.Replace(sentence)
	return says(unfinished) || says(broken) && !has(sentence, gone) && !has(sentence, repaired)
}

// nothingOpen removes the keys of an assessment, the phrases that say that nothing is
// open, and "ties are broken by the date".
var nothingOpen = strings.NewReplacer("没有未完成", "", "无未完成", "", "未完成项", "", "未完成的项", "", "未完成事项", "", "未完成工作", "", "未完成内容", "",
	"broken by", "", "broken down", "", "broken into", "", "broken up", "")

// unfinished are words for work that is to be done.
var unfinished = []string{
	"not yet", "n't yet", "not there yet", "not work yet", "not done", "not finished", "not complete", "n't done", "n't finished", "n't complete", "more time", "not started", "n't started", "not begun", "n't begun", "not ready", "n't ready", "not all of the criteria", "not all criteria",
	"still have to", "still need to", "still needs to", "still to do", "still to be done", "still working on", "i have to verify", "i must verify", "i need to verify", "still in progress", "work in progress", "still missing", "remains to be done", "there is more to do", "there is still", "block is from", "assessment is from",
	"ignore the block", "ignore the above", "ignore the assessment", "ignore that block", "ignore that assessment", "ignore this block", "ignore this assessment", "disregard the",
	"now i start", "now i begin", "i start with", "i'll start with", "i will start with", "let me start", "i now start", "i'm starting with", "i will continue with", "i'll continue with", "i keep working",
	"还没", "尚未", "还未", "仍未", "未开始", "没开始", "没有开始", "未完成", "没完成", "没有完成", "没做完", "没有做完", "需要更多时间", "还需要时间", "我还需要", "我还要", "还差", "仍需", "忽略上面", "忽略以上", "忽略这个", "现在开始分析", "现在开始做", "现在开始实现", "现在开始处理", "先开始", "继续处理", "接下来开始", "还在进行", "仍在进行", "需要继续", "还有问题",
}

// broken are words for what does not work. They may also tell what was repaired.
var broken = []string{
	"still fail", "still broken", "still red", "still crash", "still wrong", "still not", "still does", "still isn't", "does not work", "doesn't work", "do not work", "don't work", "not working", "n't working", "is broken", "are broken", "are red", "is red", "keeps failing", "keep failing", "tests are failing", "test is failing", "build is failing", "fails now", "not passing", "do not pass", "does not pass", "don't pass", "doesn't pass",
	"仍然失败", "仍失败", "还是失败", "依然失败", "依旧失败", "仍然报错", "还是报错", "仍报错", "依然报错", "仍有错误", "仍然有", "没有通过", "未通过", "没通过", "不能用", "用不了", "不工作", "无法工作", "无法使用", "不起作用", "没有生效", "未生效", "没生效", "是坏的", "是红的", "登录不了",
}

// repaired are words for what is in order again.
var repaired = []string{
	"fixed", "fixes", "now works", "works now", "now passes", "now pass", "pass now", "passes now", "resolved", "solved", "was that", "because", "the bug", "before", "used to", "green", "instead", "on purpose", "expected", "intended",
	"修复", "修好", "解决", "现在可以", "现在能", "恢复", "的问题", "改为", "预期",
}

func has(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// sentences splits a text at the ends of its sentences and lines. A full stop inside a
// word does not end a sentence.
func sentences(text string) (list []string) {
	for line := range strings.Lines(text) {
		start := 0
		for i, r := range line {
			ends := strings.ContainsRune("。！？；\n", r)
			if strings.ContainsRune(".!?;", r) {
				ends = i+1 >= len(line) || strings.IndexByte(" \n\"')*_", line[i+1]) >= 0
			}
			if !ends {
				continue
			}
			end := i + len(string(r))
			if s := strings.TrimSpace(line[start:end]); s != "" {
				list = append(list, s)
			}
			start = end
		}
		if s := strings.TrimSpace(line[start:]); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// findsLeftovers reports whether a command looks for marks of unfinished work.
func findsLeftovers(command string) bool {
	words := strings.Fields(command)
	for i, word := range words {
		switch base(strings.Trim(word, "'\"()")) {
		case "grep", "rg", "ag", "ack", "egrep", "fgrep", "findstr":
			rest := strings.ToLower(strings.Join(words[i+1:], " "))
			return has(rest, []string{"todo", "fixme", "placeholder", "not implemented", "notimplemented", "占位", "待补充", "unimplemented"})
		}
	}
	return false
}

// hasLeftovers reports whether such a command found something.
func hasLeftovers(output string) bool {
	output = strings.TrimSpace(output)
	for line := range strings.SplitSeq(output, "\n") {
		// grep -c prints a count for each file.
		count := strings.TrimSpace(line[strings.LastIndexByte(line, ':')+1:])
		if count != "0" && count != "" && !strings.HasPrefix(strings.ToLower(output), "exit code") {
			return true
		}
	}
	return false
}
