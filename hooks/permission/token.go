package permission

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Words beside which a credential stands in a configuration of git, and in the
// settings of other programs.
const (
	gitTokenWords = "extraheader token password cookie"
	tokenWords    = "token password passwd secret auth apikey api_key cookie __"
)

// holdsToken reports a git configuration in which a credential may stand, or that
// cannot be read.
func holdsToken(file string) bool { return holdsWord(file, gitTokenWords) }

// holdsWord reports a file that holds one of the words, or an address with a
// password, or that cannot be read.
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
