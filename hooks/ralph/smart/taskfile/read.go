// Package taskfile reads the file in which a person describes tasks, and says clearly
// what is wrong if it cannot be used (docs/reference/smart-ralph.md, R3-6 and R3-8).
package taskfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

const (
	// WarnSize is the size in bytes above which a task file is called large.
	WarnSize = 1 << 20
	// MaxSize is the size in bytes above which it is refused.
	MaxSize = 10 << 20
	// MinFree is how many bytes must be free on the project's disk.
	MinFree = 50 << 20
)

// hinted is an error that says what is wrong with a task file and what to
// do about it.
type hinted struct {
	protocol.Said
	hint protocol.Said
}

func says(chinese, english, chineseHint, hint string) error {
	return &hinted{protocol.Said{Chinese: chinese, English: english}, protocol.Said{Chinese: chineseHint, English: hint}}
}

var (
	// ErrMissing means that there is no file at the path.
	ErrMissing = says("不存在", "does not exist", "请检查路径; 相对路径从当前目录开始。", "Check the path; a relative path begins at the current directory.")
	// ErrNotFile means that the path is a directory, a device or a FIFO.
	ErrNotFile = says("不是普通文件", "is not a regular file", "请给出一个描述任务的文本文件。", "Name a text file that describes the tasks.")
	// ErrUnreadable means that the user has no permission to read the file.
	ErrUnreadable = says("无法读取", "cannot be read", "请检查它的权限。", "Check its permissions.")
	// ErrTooLarge means more than MaxSize.
	ErrTooLarge = says("超过 10 MiB", "is larger than 10 MiB", "请把任务写进一个较小的文件, 让它引用大文件。", "Put the tasks into a smaller file that refers to the large one.")
	// ErrEmpty means that the file holds only white space.
	ErrEmpty = says("是空的", "is empty", "请把任务写进去, 格式不限。", "Write the tasks into it, in any format.")
	// ErrDiskFull means that fewer than MinFree bytes are free.
	ErrDiskFull = says("项目所在磁盘的可用空间不足 50 MiB", "the project's disk has less than 50 MiB free", "请腾出一些空间再试: 磁盘满了, 工作状态会丢失。", "Free some space and try again: on a full disk the state of the work would be lost.")
)

// EncodingError means that a file is not UTF-8.
type EncodingError struct {
	// Offset is the position of the first invalid byte, from 0.
	Offset int
	// Likely is the probable encoding, such as "UTF-16LE" or "GBK".
	Likely string
}

func (e *EncodingError) Error() string { return e.In(protocol.English) }

// In implements protocol.Bilingual.
func (e *EncodingError) In(lang protocol.Lang) string {
	likely := e.Likely
	if likely == binary {
		likely = lang.In("二进制文件", binary)
	}
	return fmt.Sprintf(lang.In("不是 UTF-8: 第一个无效字节在偏移 %d 处, 看起来是 %s", "is not UTF-8: the first bad byte is at offset %d; it looks like %s"), e.Offset, likely)
}

const binary = "a binary file"

// fileError is an error about the file at a path.
type fileError struct {
	path string
	err  error
}

func (e *fileError) Error() string { return e.In(protocol.English) }
func (e *fileError) Unwrap() error { return e.err }

// In implements protocol.Bilingual.
func (e *fileError) In(lang protocol.Lang) string {
	return lang.In("任务文件 ", "the task file ") + e.path + " " + protocol.ErrorIn(lang, e.err)
}

// Text is a task file that can be used.
type Text struct {
	Content string
	// Size is the size of the file in bytes.
	Size int
	// Large is set above WarnSize.
	Large bool
}

// Read reads the file at path. It follows links, because a person named the path. All
// errors begin with the path.
func Read(path string) (Text, error) {
	data, err := read(path)
	if err != nil {
		return Text{}, &fileError{path, err}
	}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	if bad := firstBad(text); bad >= 0 {
		return Text{}, fmt.Errorf("the task file %s %w", path, &EncodingError{bad + len(data) - len(text), Encoding(data)})
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return Text{}, &fileError{path, ErrEmpty}
	}
	return Text{string(text), len(data), len(data) > WarnSize}, nil
}

func read(path string) ([]byte, error) {
	data, err := statefile.ReadFile(path, MaxSize)
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrMissing
	case errors.Is(err, fs.ErrPermission):
		return nil, ErrUnreadable
	case errors.Is(err, statefile.ErrNotRegular):
		return nil, ErrNotFile
	case errors.Is(err, statefile.ErrTooLarge):
		return nil, ErrTooLarge
	}
	return nil, &protocol.Said{Chinese: "无法读取", English: "cannot be read", Err: err}
}

// firstBad returns the offset of the first byte that is not UTF-8, or -1. A NUL byte
// counts as well, because UTF-16 is full of them.
func firstBad(text []byte) int {
	for i := 0; i < len(text); {
		if text[i] == 0 {
			return i
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// Encoding guesses the encoding of a text that is not UTF-8.
func Encoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return "UTF-16LE"
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return "UTF-16BE"
	}
	sample := data[:min(len(data), 64<<10)]
	if zeros := bytes.Count(sample, []byte{0}); zeros > 0 {
		odd := 0
		for i := 1; i < len(sample); i += 2 {
			if sample[i] == 0 {
				odd++
			}
		}
		switch {
		case zeros*4 < len(sample):
			return binary
		case odd*2 > zeros:
			return "UTF-16LE"
		}
		return "UTF-16BE"
	}
	pairs, broken := gbkPairs(sample)
	if pairs > 0 && broken*10 <= pairs {
		return "GBK (GB18030)"
	}
	return "Latin-1 or Windows-1252"
}

// gbkPairs counts the byte pairs that are a character in GBK, and the high bytes that
// belong to no pair.
func gbkPairs(data []byte) (pairs, broken int) {
	for i := 0; i < len(data); i++ {
		if data[i] < 0x80 {
			continue
		}
		if i+1 < len(data) && data[i] >= 0x81 && data[i] <= 0xfe && data[i+1] >= 0x80 && data[i+1] != 0xff {
			pairs++
			i++
			continue
		}
		broken++
	}
	return pairs, broken
}

// Hint returns what to do about an error of Read or CheckSpace.
func Hint(lang protocol.Lang, err error) string {
	var encoding *EncodingError
	var known *hinted
	switch {
	case errors.As(err, &encoding):
		from := strings.Fields(encoding.Likely)[0]
		if from == "a" || strings.HasPrefix(from, "Latin") {
			return lang.In("请保存为 UTF-8 再试。", "Save it as UTF-8 and try again.")
		}
		return fmt.Sprintf(lang.In("请保存为 UTF-8 再试, 例如: iconv -f %s -t UTF-8 FILE > FILE.utf8", "Save it as UTF-8 and try again, such as with: iconv -f %s -t UTF-8 FILE > FILE.utf8"), from)
	case errors.As(err, &known):
		return known.hint.In(lang)
	}
	return ""
}

// CheckSpace refuses a disk without enough space for the state. free is the number of
// free bytes; ok is false if the system does not tell.
func CheckSpace(free uint64, ok bool) error {
	if ok && free < MinFree {
		return &spaceError{free >> 20}
	}
	return nil
}

// spaceError is ErrDiskFull with how much is free.
type spaceError struct{ mib uint64 }

func (e *spaceError) Error() string { return e.In(protocol.English) }
func (e *spaceError) Unwrap() error { return ErrDiskFull }

// In implements protocol.Bilingual.
func (e *spaceError) In(lang protocol.Lang) string {
	return fmt.Sprintf("%s (%d MiB)", protocol.ErrorIn(lang, ErrDiskFull), e.mib)
}
