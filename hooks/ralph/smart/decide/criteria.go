package decide

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// MentionsTests reports whether the criteria or the title of a task mention tests. A
// failing test run counts against the task only in that case (R3-31).
func MentionsTests(t state.Task) bool {
	if mentionsTests(t.Title) {
		return true
	}
	for _, c := range t.Criteria {
		if mentionsTests(c.Text) {
			return true
		}
	}
	return false
}

// mentionsTests looks for the Chinese word, or for the English word with its endings.
// "latest" and "contest" do not count.
func mentionsTests(text string) bool {
	if strings.Contains(text, "测试") || strings.Contains(text, "用例") {
		return true
	}
	text = strings.ToLower(text)
	for at := 0; ; {
		i := strings.Index(text[at:], "test")
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || before > unicode.MaxASCII || !unicode.IsLetter(before) || strings.HasSuffix(text[:at], "py") || strings.HasSuffix(text[:at], "unit") {
			return true
		}
		at += len("test")
	}
}

// aboutAnother reports whether an assessment that names another task is about that task:
// it lists criteria of it, and none of the current one.
func aboutAnother(s state.State, a assess.Assessment) bool {
	current := s.Current()
	if a.Task == 0 || a.Task == s.CurrentIndex+1 || a.Task > len(s.Tasks) || current == nil {
		return false
	}
	listed := func(t state.Task) bool {
		for _, c := range t.Criteria {
			if matches(c.Text, a.Done) {
				return true
			}
		}
		return matches(t.Title, a.Done)
	}
	return listed(s.Tasks[a.Task-1]) && !listed(*current)
}

// tick ticks the criteria that the assessment lists as done, and returns how many of them
// were open before. A criterion that is also listed as remaining stays open, and a ticked
// one stays ticked (R3-26).
func tick(t *state.Task, a assess.Assessment) (ticked int) {
	for i := range t.Criteria {
		c := &t.Criteria[i]
		if !c.Done && matches(c.Text, a.Done) && !matches(c.Text, a.Remaining) {
			c.Done = true
			ticked++
		}
	}
	return ticked
}

// matches reports whether a criterion equals an item, or one of the two contains the
// other.
func matches(criterion string, items []string) bool {
	criterion = assess.Fold(criterion)
	for _, item := range items {
		item = assess.Fold(item)
		if item == criterion && item != "" || long(item) && strings.Contains(criterion, item) || long(criterion) && strings.Contains(item, criterion) {
			return true
		}
	}
	return false
}

// long keeps a short word such as "ok" from matching everything.
func long(s string) bool { return utf8.RuneCountInString(s) >= 2 && len(s) >= 4 }
