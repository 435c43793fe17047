// Package self describes this program: its version, the command that runs it, and how to install a copy of it.
package self

import "bytes"

// Version is bridge's own version.
const Version = "0.1.0"

// The mark contains the version between two texts that no version contains, so that
// VersionIn finds it in the file of a program.
const (
	markBefore = "\x00hookbridge version "
	mark       = markBefore + Version + "\x00"
)

// Mark is the text by which VersionIn knows the version of this program.
func Mark() string { return mark }

// VersionIn is the version of the bridge whose program is data; "" for a bridge that is
// older than the mark.
func VersionIn(data []byte) string {
	for {
		_, rest, ok := bytes.Cut(data, []byte(markBefore))
		if !ok {
			return ""
		}
		const longest = 32
		version, _, ok := bytes.Cut(rest[:min(len(rest), longest)], []byte{0})
		if ok && isVersion(version) {
			return string(version)
		}
		data = rest
	}
}

// isVersion reports whether a text looks like 1.2.3 or 1.2.3-rc1.
func isVersion(text []byte) bool {
	for _, c := range text {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '.' || c == '-') {
			return false
		}
	}
	return len(text) > 0 && bytes.Count(text, []byte(".")) >= 2 && text[0] >= '0' && text[0] <= '9'
}
