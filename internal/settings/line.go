package settings

import "bytes"

// LineAt is the line of a text, from 1, on which an offset is.
func LineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), int64(len(text)))], []byte("\n"))
}
