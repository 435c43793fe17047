package display

import "strings"

// Clip shortens a text to n characters and shows where it was cut.
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

// Title begins a sentence with a name.
func Title(name string) string {
	if name == "" {
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
