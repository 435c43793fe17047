package specum

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hookbridge/bridge/protocol"
)

// TestAnnouncementsAndDenialsEndNothing: the token does not count if its own sentence or
// the one before it announces or denies it, whatever form the token has.
func TestAnnouncementsAndDenialsEndNothing(t *testing.T) {
	t.Parallel()
	for _, lead := range []string{
		// Announcements.
		"When all tasks are done I will output:", "Once task 9 is verified, this is my last line:", "After the ninth task I say:", "I'll output:", "I’ll say:",
		"If everything passes:", "I am going to print:", "As soon as tasks.md is ticked I print:", "At the very end:", "I would write:", "The coordinator must output:",
		"I plan to output this:", "Eight tasks remain before:", "Only after task 9 do I emit:", "My last line will be:", "Later:", "I need to reach:",
		"Once that is so:", "~~~\nmake test\n~~~\n\nOnce that is so:",
		"I will output it when all nine are done.", "When all is done I say this", "Not until the end do I output the token.", "Then I will say it!",
		// What others say.
		"The instructions expect me to output:", "The prompt says:", "The hook waits for:", "The hook looks for:", "For example:", "I wrote this earlier by mistake:",
		// Denials.
		"Not yet:", "I cannot say:", "I don't output:", "It is too early for:", "I must not say it yet.", "I have not output the token.", "Nothing allows me to say it yet;",
		// Chinese.
		"当所有任务完成时，我会输出：", "等所有任务完成后输出：", "如果全部通过，输出：", "一旦完成就输出：", "完成后再输出：", "最后会输出：", "还不能输出：", "现在还没有完成，不会输出它。", "尚未到输出的时候：", "稍后我将输出：",
		"當所有任務完成時，我會輸出：", "完成後再輸出：", "還沒到輸出的時候：",
		// Japanese.
		"すべて終わったら出力します：", "全部のタスクが完了したとき、次を出力：", "まだ出力しません。", "完了後に出力する予定：", "出力してはいけない：",
		// Korean.
		"모든 작업이 끝나면 출력합니다:", "완료된 후에 출력:", "아직 출력하지 않습니다.", "마지막에 출력할 예정:",
	} {
		for _, form := range []string{"\n\nALL_TASKS_COMPLETE", "\nALL_TASKS_COMPLETE\n", " ALL_TASKS_COMPLETE", "\n\n```\nALL_TASKS_COMPLETE\n```\n", "\n```text\nALL_TASKS_COMPLETE\n```", "\n\n**ALL_TASKS_COMPLETE**", "\r\n\r\n`ALL_TASKS_COMPLETE`"} {
			text := "Task 1 of 9 is done.\n" + lead + form
			earlier := protocol.Turn{HasFinal: true, Final: "On to task 2.", Entries: []protocol.Entry{{Kind: protocol.EntryText, Text: text}}}
			for name, got := range map[string]Signal{
				"the last message": Completed(protocol.Turn{Final: text, HasFinal: true}, false), "an earlier text": Completed(earlier, false),
				"plain text": CompletedPlain(text, false), "speckit": Completed(protocol.Turn{Final: text, HasFinal: true}, true),
			} {
				if got != Unsaid {
					t.Errorf("%s, %q: %v", name, text, got)
				}
			}
		}
	}
}

// TestWhatStandsBehindTheTokenCounts: denials and announcements may also follow the
// token.
func TestWhatStandsBehindTheTokenCounts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ALL_TASKS_COMPLETE?", "ALL_TASKS_COMPLETE will be my last line.", "ALL_TASKS_COMPLETE is not due.", "ALL_TASKS_COMPLETE comes later.", "ALL_TASKS_COMPLETE, if all goes well",
		"ALL_TASKS_COMPLETE 还没到", "ALL_TASKS_COMPLETE はまだです", "ALL_TASKS_COMPLETE 아직 아님",
	} {
		if got := Completed(protocol.Turn{Final: text, HasFinal: true}, false); got != Unsaid {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestANewSentenceBehindTheToken: a new sentence says nothing about the token.
func TestANewSentenceBehindTheToken(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ALL_TASKS_COMPLETE. If you want more, ask.", "ALL_TASKS_COMPLETE\nIf you want more, ask.", "The flag is MY_ALL_TASKS_COMPLETE.\n\nALL_TASKS_COMPLETE"} {
		if got := Completed(protocol.Turn{Final: text, HasFinal: true}, false); got != Stated {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestTokenIsAWord: with an adjacent letter, digit or underscore it is another word.
func TestTokenIsAWord(t *testing.T) {
	t.Parallel()
	for _, c := range "_059amzAMZ" {
		for _, text := range []string{string(c) + Token, Token + string(c)} {
			if got := Completed(protocol.Turn{Final: text, HasFinal: true}, false); got != Unsaid {
				t.Errorf("%q: %v", text, got)
			}
		}
	}
}

// TestLastWords: the reach of a negation begins at the start of a word or character.
func TestLastWords(t *testing.T) {
	t.Parallel()
	for n := range 60 {
		for _, word := range []string{"cannot", "déjà", "不能", "a-b"} {
			text := "I " + word + strings.Repeat(".", n)
			got := lastWords(text)
			before := strings.TrimSuffix(text, got)
			if !strings.HasSuffix(text, got) || len(got) < min(len(text), reachBefore) || len(got) > reachBefore+len("cannot") {
				t.Errorf("%q: %q", text, got)
			}
			if !utf8.ValidString(got) || before != "" && isWordByte(before[len(before)-1]) {
				t.Errorf("%q is cut at %q", text, got)
			}
		}
	}
	if !unmeant("Once that is so:\n\n", "") {
		t.Error("a line that leads over belongs to the sentence")
	}
	if announces("say it") || announces("it is to be") {
		t.Error("a word at the beginning, or at the end, announces")
	}
}

// TestQuotationsAreMentions: a quoted token counts only if the files agree.
func TestQuotationsAreMentions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"> ALL_TASKS_COMPLETE", "This ends the loop:\n\n> ALL_TASKS_COMPLETE", `"ALL_TASKS_COMPLETE"`, "“ALL_TASKS_COMPLETE”", "「ALL_TASKS_COMPLETE」", "The token is \"ALL_TASKS_COMPLETE\".", "grep -n ALL_TASKS_COMPLETE implement.md",
	} {
		if got := Completed(protocol.Turn{Final: text, HasFinal: true}, false); got != Mentioned {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestCompletionsEndTheLoop: texts that a coordinator writes when it is done.
func TestCompletionsEndTheLoop(t *testing.T) {
	t.Parallel()
	for _, lead := range []string{
		"", "All 9 tasks are done.", "Everything is verified and the state file is removed.", "All done:", "No tasks remain.", "Nothing is left.", "I did not have to change the API.",
		"The user will find the summary in .progress.md.", "If you have questions, ask.", "- 9 tasks\n- no test fails", "## Summary\n\n| task | state |\n|---|---|\n| 9 | done |", "I will now output:",
		"I'll output the token now:", "The spec would not build before. Now it does.", "When I began, two tests failed. They pass.", "全部任务已完成。", "所有任务都已验证完毕：", "没有剩余任务。", "已完成当前任务，全部结束：",
		"すべてのタスクが完了しました。", "完了：", "모든 작업이 완료되었습니다.", "완료:",
	} {
		for _, form := range []string{"\n\nALL_TASKS_COMPLETE", "\n\n**ALL_TASKS_COMPLETE**\n", "\n```\nALL_TASKS_COMPLETE\n```", "\r\nALL_TASKS_COMPLETE."} {
			text := lead + form
			if got := Completed(protocol.Turn{Final: text, HasFinal: true}, false); got != Stated {
				t.Errorf("%q: %v", text, got)
			}
		}
	}
	long := strings.Repeat("I will output nothing yet. ", 20_000) + "\n\nAll is done.\n\nALL_TASKS_COMPLETE"
	if got := Completed(protocol.Turn{Final: long, HasFinal: true}, false); got != Stated {
		t.Errorf("a long message: %v", got)
	}
}

// TestWordsOf: an apostrophe belongs to a word, and so does every letter.
func TestWordsOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Don’t be lazy, it's a quiz.": "don’t|be|lazy|it's|a|quiz", "a\x7fb{c`d": "a|b|c|d", "déjà vu": "déjà|vu", "1 2": ""} {
		if got := strings.Join(wordsOf(text), "|"); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
