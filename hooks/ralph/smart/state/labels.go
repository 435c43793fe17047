package state

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/protocol"
)

// The labels are written in the language of the session, and in Chinese if it has none.
// They are read in both languages always (docs/reference/smart-ralph.md#state).

func headLine(lang protocol.Lang, number int, title string) string {
	if lang == protocol.English {
		return fmt.Sprintf("## Task %d: %s", number, title)
	}
	return fmt.Sprintf("## 任务 %d: %s", number, title)
}

func criteriaLine(lang protocol.Lang) string {
	if lang == protocol.English {
		return "**Criteria**:"
	}
	return "**完成标准**:"
}

func (t Task) statusLine(lang protocol.Lang) string {
	form := "**状态**: %s | **完成度**: %d%% | **迭代**: %d"
	if lang == protocol.English {
		form = "**Status**: %s | **Completion**: %d%% | **Iterations**: %d"
	}
	return fmt.Sprintf(form, t.Status, t.Completion, t.Iterations)
}

// languageOfLine is the language of the label with which a line begins. A line that is
// rewritten keeps it.
func languageOfLine(line string) protocol.Lang {
	at := strings.IndexFunc(line, unicode.IsLetter)
	if at >= 0 && line[at] < 0x80 {
		return protocol.English
	}
	return protocol.Chinese
}

// languageOf reads the value of lang; an unknown value counts as none.
func languageOf(value string) protocol.Lang {
	switch lang := protocol.Lang(strings.ToLower(value)); lang {
	case protocol.English, protocol.Chinese:
		return lang
	}
	return ""
}
