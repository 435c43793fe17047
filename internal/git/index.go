package git

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// maxIndex is enough for the index of a repository with two million files.
const maxIndex = 256 << 20

// Tracked reports whether a git index lists the file. If so, the file came with the
// repository and was not started here. An index that cannot be read counts as listing it.
// The directory of the file is resolved first, because the index may list the file under
// another path, or a link under this one.
func Tracked(file string) bool {
	listed, known := Listed(file)
	return listed || !known
}

// Listed is Tracked for a message: known is false if the index can not be read.
func Listed(file string) (listed, known bool) {
	resolved, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return false, false
	}
	file = filepath.Join(resolved, filepath.Base(file))
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		git := Dir(dir)
		if git == "" {
			if dir == filepath.Dir(dir) {
				return false, true
			}
			continue
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return false, false
		}
		index, err := statefile.ReadFile(filepath.Join(git, "index"), maxIndex)
		if err != nil {
			return false, os.IsNotExist(err)
		}
		return lookUp(index, filepath.ToSlash(name))
	}
}

// lookUp searches a git index for name and ignores case: on some file systems .Claude in the repository is .claude.
// known is false if it did not find the name and does not understand the whole index.
func lookUp(index []byte, name string) (found, known bool) {
	whole := Entries(index, func(path string, _ uint32) bool {
		found = lists(path, name)
		return found
	})
	return found, found || whole
}

// Entries calls visit with the path and the mode of each entry of a git index of version 2, 3 or 4, until visit returns
// true. The result is false if Entries does not understand the index, or if the index is split and so not complete.
func Entries(index []byte, visit func(path string, mode uint32) (stop bool)) (whole bool) {
	const header = 12
	if len(index) < header || string(index[:4]) != "DIRC" {
		return false
	}
	version := binary.BigEndian.Uint32(index[4:])
	count := binary.BigEndian.Uint32(index[8:])
	if version < 2 || version > 4 {
		return false
	}
	at := header
	var path []byte
	for range count {
		// Ten words of stat data, a hash of 20 bytes, two bytes of flags. (SHA-256 hashes
		// are longer, so the names would begin in the wrong place; the check below
		// notices that.)
		const fixed = 62
		if at+fixed > len(index) {
			return false
		}
		start, modeAt := at+fixed, at+24
		if version >= 3 && index[at+60]&0x40 != 0 {
			start += 2
		}
		if start > len(index) {
			return false
		}
		if version == 4 {
			drop, n := prefixLength(index[start:])
			if n == 0 || drop > len(path) {
				return false
			}
			start += n
			path = path[:len(path)-drop]
		} else {
			path = path[:0]
		}
		end := bytes.IndexByte(index[start:], 0)
		if end < 0 {
			return false
		}
		path = append(path, index[start:start+end]...)
		if visit(string(path), binary.BigEndian.Uint32(index[modeAt:])) {
			return true
		}
		if version == 4 {
			at = start + end + 1
		} else {
			// Entries are padded with one to eight NULs to a multiple of eight.
			at += (start + end - at + 8) &^ 7
		}
	}
	return !isSplit(index[min(at, len(index)):])
}

// lists reports whether the entry path is name, or a directory above it: a sparse
// index holds whole directories as one entry that ends in a slash.
func lists(path, name string) bool {
	if strings.HasSuffix(path, "/") {
		return len(name) > len(path) && strings.EqualFold(name[:len(path)], path)
	}
	return strings.EqualFold(path, name)
}

// isSplit reports whether the extensions that follow the entries of an index name
// a second file with more entries, or cannot be read.
func isSplit(extensions []byte) bool {
	// A hash of 20 bytes ends the index.
	for len(extensions) > 20 {
		if len(extensions) < 8 {
			return true
		}
		size := int64(binary.BigEndian.Uint32(extensions[4:])) + 8
		if string(extensions[:4]) == "link" || size > int64(len(extensions)) {
			return true
		}
		extensions = extensions[size:]
	}
	return false
}

// prefixLength reads git's variable-width integer; n is the number of bytes, 0
// when it is cut off.
func prefixLength(b []byte) (value, n int) {
	for n < len(b) && n < 5 {
		c := b[n]
		n++
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, n
		}
		value++
	}
	return 0, 0
}
