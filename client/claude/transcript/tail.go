package transcript

import (
	"io"

	"github.com/hookbridge/bridge/protocol"
)

// tailBytes is how much of a transcript that is plain text is read.
const tailBytes = 64 << 10

// Tail returns the end of the file as it stands, for a transcript that holds no
// JSON; the first line may be cut. A file that cannot be read has none.
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
