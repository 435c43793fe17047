// Package message holds the texts of smart ralph, in Chinese and English: the notices for
// the user (docs/reference/smart-ralph.md#texts) and the prompts for the model. It is
// pure.
package message

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// Lang is a language of the texts.
type Lang protocol.Lang

// The languages.
const (
	Chinese = Lang(protocol.Chinese)
	English = Lang(protocol.English)
)

// LangOf picks the language from the configuration, BRIDGE_LANG or the locale, in this
// order. A locale that names no language, such as C, or one that bridge has no texts in,
// means English.
func LangOf(configured string, getenv func(string) string) Lang {
	for _, value := range []string{configured, getenv("BRIDGE_LANG")} {
		if lang, ok := parseLang(value); ok {
			return lang
		}
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value := getenv(name)
		if value == "" {
			continue
		}
		lang, _ := parseLang(value)
		return lang
	}
	return English
}

func parseLang(value string) (Lang, bool) {
	value = strings.ToLower(value)
	switch {
	case strings.HasPrefix(value, "zh"):
		return Chinese, true
	case strings.HasPrefix(value, "en"):
		return English, true
	}
	return English, false
}

// in picks a text by language.
func (l Lang) in(chinese, english string) string {
	return protocol.Lang(l).In(chinese, english)
}

// f is in with arguments.
func (l Lang) f(chinese, english string, args ...any) string {
	return fmt.Sprintf(l.in(chinese, english), args...)
}

// times is the text for a number of iterations.
func (l Lang) times(n int) string {
	return l.in(strconv.Itoa(n)+" 次迭代", display.Count(n, "iteration"))
}

// rule is the separator line of docs/reference/smart-ralph.md#texts.
func rule() string { return strings.Repeat("━", 40) }

// show makes a text from outside safe and short enough for a line that a person reads.
func show(text string, most int) string {
	return display.Text(clip(strings.Join(strings.Fields(text), " "), most))
}

// clip shortens a text to n characters.
func clip(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n]) + "…"
}
