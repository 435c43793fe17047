package display

import "strconv"

// Count is a number with its noun, such as "1 error" or "3 errors".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
