package display

import "strings"

// maxName is the length of a name that needs no quotes.
const maxName = 64

// Name returns a text from a file unchanged if it is a plain name: up to 64 ASCII
// letters, digits and characters such as "." and "-". Anything else could be a sentence
// that a model follows, so it is returned as Data.
func Name(s string) string {
	if plain(s, maxName) {
		return s
	}
	return Data(s, maxName)
}

// Place is Name for a path, which may be as long as paths are.
func Place(s string) string {
	const maxPath = 4096
	if plain(s, maxPath) {
		return s
	}
	return Data(s, maxPath)
}

// Data marks text from a file as data: on one line and in quotes, with at most n characters. No character can end the
// quotes, and none is invisible.
func Data(s string, n int) string {
	return `"` + strings.ReplaceAll(Text(Clip(s, n)), `"`, "'") + `"`
}

func plain(s string, most int) bool {
	if s == "" || len(s) > most {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte("._-/\\:@+~#", c) < 0 {
			return false
		}
	}
	return true
}
