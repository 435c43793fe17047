package transcript

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// open opens a transcript and returns its size. The path comes from the hook's input and
// may be anything.
func open(path string) (*os.File, int64, protocol.TurnError) {
	file, info, err := statefile.Open(path)
	switch {
	case err == nil:
		return file, info.Size(), protocol.TurnOK
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, 0, protocol.TranscriptMissing
	}
	return nil, 0, protocol.TranscriptUnreadable
}
