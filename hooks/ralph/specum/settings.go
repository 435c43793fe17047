package specum

import (
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Settings are the settings of a project, from the front matter of
// .claude/ralph-specum.local.md.
type Settings struct {
	Enabled bool
	// Dirs are the directories of the specs as they are written; none is the
	// default.
	Dirs []string
}

// ParseSettings reads the front matter: scalars and lists, in YAML's flow and block form, with comments, quotes and any
// line ends. The plugins read only a flow list on one line, and read "enabled: false # note" as enabled
// (docs/reference/ralph-specum.md#resolving).
func ParseSettings(data []byte) Settings {
	settings := Settings{Enabled: true}
	lines := frontLines(string(data))
	for i := 0; i < len(lines); i++ {
		key, value, ok := strings.Cut(lines[i], ":")
		if !ok {
			continue
		}
		value = uncomment(value)
		switch strings.TrimSpace(key) {
		case "enabled":
			settings.Enabled = !isFalse(value)
		case "specs_dirs":
			switch {
			case strings.HasPrefix(value, "["):
				for !strings.HasSuffix(value, "]") && i+1 < len(lines) {
					i++
					value = strings.TrimSpace(value + " " + uncomment(lines[i]))
				}
				settings.Dirs = flowItems(strings.TrimSuffix(value[1:], "]"))
			case value != "":
				settings.Dirs = append(settings.Dirs, statefile.Unquote(value))
			default:
				for ; i+1 < len(lines); i++ {
					item := uncomment(lines[i+1])
					if item == "" {
						continue
					}
					entry, ok := strings.CutPrefix(item, "- ")
					if !ok {
						break
					}
					if entry = statefile.Unquote(strings.TrimSpace(entry)); entry != "" {
						settings.Dirs = append(settings.Dirs, entry)
					}
				}
			}
		}
	}
	return settings
}

// frontLines returns the lines between the first two lines of three dashes, or
// none.
func frontLines(text string) []string {
	text = strings.TrimPrefix(text, "\ufeff")
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case lines == nil && line != "---":
			return nil
		case lines == nil:
			lines = []string{}
		case line == "---":
			return lines
		default:
			lines = append(lines, line)
		}
	}
	return nil
}

// unquoted returns the offsets of c in text outside of quotes.
func unquoted(text string, c byte) (offsets []int) {
	var quote byte
	for i := range len(text) {
		switch at := text[i]; {
		case quote != 0:
			if at == quote {
				quote = 0
			}
		case at == '"' || at == '\'':
			quote = at
		case at == c:
			offsets = append(offsets, i)
		}
	}
	return offsets
}

// uncomment trims a value and removes a comment outside of quotes.
func uncomment(value string) string {
	for _, i := range unquoted(value, '#') {
		if i == 0 || value[i-1] == ' ' || value[i-1] == '\t' {
			return strings.TrimSpace(value[:i])
		}
	}
	return strings.TrimSpace(value)
}

// flowItems splits the inside of a flow list at the commas outside of quotes.
func flowItems(text string) (items []string) {
	from := 0
	for _, end := range append(unquoted(text, ','), len(text)) {
		if item := statefile.Unquote(strings.TrimSpace(text[from:end])); item != "" {
			items = append(items, item)
		}
		from = end + 1
	}
	return items
}

func isFalse(value string) bool {
	switch strings.ToLower(statefile.Unquote(value)) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}
