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
