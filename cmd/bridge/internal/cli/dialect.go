package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph"
	"github.com/hookbridge/bridge/internal/display"
)

// Validate refuses a dialect that does not exist. Otherwise a misspelt one would look like
// a project without loops. kong calls it.
func (s selection) Validate() error {
	var names []string
	for _, dialect := range ralph.Dialects() {
		names = append(names, dialect.Name)
	}
	if s.Dialect == "" || slices.Contains(names, s.Dialect) {
		return nil
	}
	return fmt.Errorf("there is no dialect %q%s; the dialects are %s", s.Dialect, display.Meant(s.Dialect, names), strings.Join(names, ", "))
}
