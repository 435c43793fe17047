package signal

import (
	"slices"
	"strings"
)

// Admission returns the first sentence of a text that admits a gap: a check that was not
// run or was switched off, or something that only stands in for the real thing. A
// sentence that says that such a thing is gone admits nothing. known are texts about the
// task itself, whose words may be used.
func Admission(text string, known ...string) string {
	task := strings.ToLower(strings.Join(known, "\n"))
	for _, sentence := range sentences(text) {
		lower := strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
		if has(lower, gone) {
			continue
		}
		for _, word := range admissions {
			if strings.Contains(lower, word) && !strings.Contains(task, word) {
				return sentence
			}
		}
	}
	return ""
}

// gone are words for what was there before the turn.
var gone = []string{
	"removed", "replaced", "no longer", "instead of", "no more", "got rid", "deleted", "used to", "was a ", "were ", "previously", "no todo", "any todo", "without any", "re-enabled", "reenabled", "unskipped",
	"不再", "去掉", "删掉", "删除", "替换", "换成", "换掉", "改掉", "改成", "移除", "清理", "原来", "之前", "没有 todo", "恢复了",
}

var admissions = []string{
	// A check that was not run.
	"untested", "not tested", "not been tested", "not run", "not been run", "n't run", "n't been run", "not verified", "n't verified", "n't tested", "unable to run", "without running", "by reading the code", "by inspection",
	"should work", "should pass", "would pass", "should be fine", "would work", "in theory", "presumably", "n't had a chance", "not had a chance",
	"没有运行", "未运行", "没运行", "没有跑", "没跑", "未跑", "没有测试", "未测试", "没测", "未经测试", "没有验证", "未验证", "没验证", "来不及", "没来得及", "理论上", "应该能", "应该可以", "应该没问题", "应该没有问题", "应该会通过", "通过阅读代码", "看代码确认",
	// A check that was switched off.
	"mark.skip", ".skip(", "t.skip", "@skip", "xfail", "@ignore", "#[ignore", "@disabled", "skipped the", "disabled the test", "disabled this test", "commented out", "跳过了", "注释掉", "禁用了", "关掉了检查",
	// Something that stands in for the real thing.
	"sample data", "dummy", "fake data", "mock data", "mocked data", "hard-coded", "hardcoded", "hard coded", "placeholder", "stubbed", "a stub", "not implemented", "for now it", "for now this", "for now the", "todo", "fixme",
	"示例数据", "假数据", "模拟数据", "占位", "写死", "硬编码", "暂时返回", "暂时用", "暂时先", "先返回", "打桩", "桩函数", "待补充", "后续补", "之后补", "以后补", "留空",
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
