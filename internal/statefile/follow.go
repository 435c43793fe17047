package statefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links a path may lead over.
const maxLinks = 40

var errLinks = errors.New("too many links")

// Follow returns where an absolute path leads on the disk: links followed, ".." taken
// from the directory that it stands in. What does not exist leads where it would be made,
// also behind a link to nothing.
func Follow(p string) (string, error) {
	top := filepath.VolumeName(p) + string(filepath.Separator)
	at, links := top, 0
	for parts := split(p); len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, part)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			at = next
			continue
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeIrregular != 0:
			return "", fmt.Errorf("%s: %w", next, ErrNotRegular)
		case info.Mode()&fs.ModeSymlink == 0:
			at = next
			continue
		}
		to, err := os.Readlink(next)
		if links++; err == nil && links > maxLinks {
			err = errLinks
		}
		if err != nil {
			return "", fmt.Errorf("follow %s: %w", next, err)
		}
		if filepath.IsAbs(to) {
			at = filepath.VolumeName(to) + string(filepath.Separator)
		}
		parts = append(split(to), parts...)
	}
	return at, nil
}

// split are the parts of a path behind its volume.
func split(p string) []string {
	return strings.FieldsFunc(p[len(filepath.VolumeName(p)):], func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}
