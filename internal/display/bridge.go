package display

import "strings"

// Bridge stands for the command that runs this program wherever a message names it, as in
// Bridge + " ralph resume". The command depends on the process, so Named inserts it when
// a text leaves the program, and decisions stay pure. Bridge is not valid UTF-8, so no
// text that comes from JSON can contain it.
const Bridge = "\xffbridge"

// Named replaces Bridge with the command. name is called only if the text contains
// Bridge.
func Named(text string, name func() string) string {
	if !strings.Contains(text, Bridge) {
		return text
	}
	return strings.ReplaceAll(text, Bridge, name())
}
