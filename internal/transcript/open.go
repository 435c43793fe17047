package transcript

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/hookbridge/bridge/hooks"
)

// open opens a regular file for reading and returns its size. Links are
// followed. The path comes from the hook's input and may name anything: the
// first look keeps devices from being opened at all, and O_NONBLOCK keeps a
// FIFO put there in between from holding the hook until a writer comes.
func open(path string) (*os.File, int64, hooks.TurnError) {
	if path == "" {
		return nil, 0, hooks.TranscriptMissing
	}
	if info, err := os.Stat(path); err != nil {
		return nil, 0, openFault(err)
	} else if !info.Mode().IsRegular() {
		return nil, 0, hooks.TranscriptUnreadable
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, 0, openFault(err)
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, 0, hooks.TranscriptUnreadable
	}
	return file, info.Size(), hooks.TurnOK
}

func openFault(err error) hooks.TurnError {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return hooks.TranscriptMissing
	}
	return hooks.TranscriptUnreadable
}
