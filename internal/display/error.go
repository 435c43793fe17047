package display

import "strings"

// Error is the text of an error on one line: joined errors are separated by semicolons
// and not by line ends. Text that an error quotes stays as it is.
func Error(err error) string {
	text := err.Error()
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			text = strings.Replace(text, inner.Error(), Error(inner), 1)
		}
	case interface{ Unwrap() []error }:
		var texts, lines []string
		for _, inner := range e.Unwrap() {
			texts, lines = append(texts, inner.Error()), append(lines, Error(inner))
		}
		if strings.Join(texts, "\n") == text {
			return strings.Join(lines, "; ")
		}
		for i, inner := range texts {
			text = strings.Replace(text, inner, lines[i], 1)
		}
	}
	return text
}
