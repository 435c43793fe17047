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

// ParseSettings reads the front matter: scalars and lists, in YAML's flow and block
// form, with comments, quotes and any line ends. The peers read only a flow list on one
// line, and took "enabled: false # note" for enabled
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

// uncomment trims a value and takes off a comment that stands outside of quotes.
func uncomment(value string) string {
	var quote byte
	for i := range len(value) {
		switch c := value[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && (i == 0 || value[i-1] == ' ' || value[i-1] == '\t'):
			return strings.TrimSpace(value[:i])
		}
	}
	return strings.TrimSpace(value)
}

// flowItems splits the inside of a flow list at the commas outside of quotes.
func flowItems(text string) (items []string) {
	add := func(item string) {
		if item = statefile.Unquote(strings.TrimSpace(item)); item != "" {
			items = append(items, item)
		}
	}
	var quote byte
	from := 0
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ',':
			add(text[from:i])
			from = i + 1
		}
	}
	add(text[from:])
	return items
}

func isFalse(value string) bool {
	switch strings.ToLower(statefile.Unquote(value)) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}
