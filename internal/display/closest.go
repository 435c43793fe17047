package display

import "strings"

// Closest returns the name that a word most probably means, or "". The word must be the beginning of the name, or may
// differ from it in at most a quarter of its letters plus one.
func Closest(word string, names []string) string {
	const longest = 64 // the maximum length of a name, because the work grows with the length
	if word = strings.ToLower(word); len(word) > longest {
		return ""
	}
	best, least := "", len(word)
	for _, name := range names {
		lower := strings.ToLower(name)
		far := Distance(word, lower)
		const enough = 3
		switch {
		case len(word) >= enough && strings.HasPrefix(lower, word):
			far = 0
		case far > 1+len(word)/4:
			continue
		}
		if best == "" || far < least {
			best, least = name, far
		}
	}
	return best
}

// Meant is a question such as ` (did you mean "stop"?)` for a word that is not one of the names, or "".
func Meant(word string, names []string) string {
	if name := Closest(word, names); name != "" {
		return ` (did you mean "` + name + `"?)`
	}
	return ""
}

// Distance is how many bytes must be added, removed or replaced to turn a into b.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
