package permission

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Words that occur beside a credential: in a git configuration, as names of JSON members, and in the settings of other
// programs.
const (
	gitTokenWords  = "extraheader token password cookie"
	jsonTokenWords = `token" key" secret" password" authorization" bearer`
	tokenWords     = "token password passwd secret auth apikey api_key cookie __"
)

// unsure reports a file whose name does not say whether it holds a token.
func (l *look) unsure(dir, name string) bool {
	return l.secrets().Unsure(dir, name) || reach.GitConfig(dir, name)
}

// tokenIn reports whether such a file may contain a token, or cannot be read.
func tokenIn(file string) bool {
	switch {
	case reach.GitConfig(filepath.ToSlash(filepath.Dir(file)), filepath.Base(file)):
		return holdsWord(file, gitTokenWords)
	case strings.EqualFold(filepath.Ext(file), ".json"):
		return holdsWord(file, jsonTokenWords)
	default:
		return holdsWord(file, tokenWords)
	}
}

// holdsWord reports a file that contains one of the words or an address with a password, or cannot be read.
func holdsWord(file, words string) bool {
	text, err := readPlain(file, statefile.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		return true
	}
	for line := range strings.Lines(strings.ToLower(string(text))) {
		for word := range strings.FieldsSeq(words) {
			if strings.Contains(line, word) {
				return true
			}
		}
		// https://user:token@host
		if _, host, ok := strings.Cut(line, "http"); ok && strings.Contains(host, "@") {
			return true
		}
	}
	return false
}
