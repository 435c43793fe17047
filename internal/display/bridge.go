package display

import "strings"

// Bridge stands for the command that runs this program wherever a message names it,
// as in Bridge + " ralph resume". What the command is depends on the process, so the
// exits put it in with Named, and decisions stay pure. It is no UTF-8: no text that
// comes out of JSON can hold it.
const Bridge = "\xffbridge"

// Named puts the command in the places of Bridge. name is asked only when there is
// such a place.
func Named(text string, name func() string) string {
	if !strings.Contains(text, Bridge) {
		return text
	}
	return strings.ReplaceAll(text, Bridge, name())
}
