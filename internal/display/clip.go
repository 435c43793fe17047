package display

import "strings"

// Clip shortens a text to n characters and marks the cut.
func Clip(text string, n int) string {
	text = strings.TrimSpace(text)
	for i := range text {
		if n == 0 {
			return text[:i] + " …"
		}
		n--
	}
	return text
}

// Title capitalises a name for the beginning of a sentence.
func Title(name string) string {
	if name == "" {
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
