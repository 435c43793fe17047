package transcript

import (
	"io"

	"github.com/hookbridge/bridge/protocol"
)

// tailBytes is how many bytes of a plain-text transcript are read.
const tailBytes = 64 << 10

// Tail returns the end of a transcript without JSON, unchanged; the first line may be cut. If the file cannot be read,
// Tail returns nothing.
func Tail(path string) string {
	file, size, fault := open(path)
	if fault != protocol.TurnOK {
		return ""
	}
	defer file.Close()
	data, err := io.ReadAll(io.NewSectionReader(file, max(0, size-tailBytes), tailBytes))
	if err != nil {
		return ""
	}
	return string(data)
}
