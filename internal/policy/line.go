package policy

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Line is the number of the line that holds the rule in its source, from 1, or 0 if the rule is no longer there. It
// reads the file, for which hooks have no time.
func (r Rule) Line() int {
	data, err := statefile.ReadFile(r.Source, statefile.MaxSize)
	if err != nil {
		return 0
	}
	text, err := settings.Standardize(data)
	if err != nil {
		return 0
	}
	below := "/permissions/" + r.List + "/"
	for d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); ; {
		token, err := d.ReadToken()
		if err != nil {
			return 0
		}
		if token.Kind() == '"' && token.String() == r.Text && strings.HasPrefix(string(d.StackPointer()), below) {
			return settings.LineAt(text, d.InputOffset())
		}
	}
}
