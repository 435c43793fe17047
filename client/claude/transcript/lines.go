package transcript

import (
	"bytes"
	"io"
)

// chunk is the size of a read in bytes. Reading costs less than touching memory for the
// first time, so all reads use the same buffer.
const chunk = 32 << 10

// lines yields the lines of a file from the last to the first. It uses the size that the
// file had at first, so a file that grows in between ends at the same place; a file that
// shrinks in between is a read error.
type lines struct {
	src   io.ReaderAt
	at    int64 // offset in src of buf[start]
	left  int64 // bytes that may still be read
	chunk int

	// buf[start:end] has been read but not yet yielded. breaks are the positions of its
	// line ends, which a forward search finds many times faster than a backward one.
	buf        []byte
	start, end int
	breaks     []int
	done       bool

	capped bool
	err    error
}

func newLines(src io.ReaderAt, size int64) *lines {
	return &lines{src: src, at: size, left: maxBytes, chunk: chunk, breaks: make([]int, 0, 128), done: size == 0}
}

// next returns the line before the previous result, without its line end. The line is
// valid until the next call. ok is false at the start of the file, at the limit and after
// an error.
func (l *lines) next() (line []byte, ok bool) {
	if l.done {
		return nil, false
	}
	for len(l.breaks) == 0 {
		if l.at == 0 {
			l.done = true
			return l.buf[l.start:l.end:l.end], true
		}
		if !l.fill() {
			l.done = true
			return nil, false
		}
	}
	last := len(l.breaks) - 1
	i := l.breaks[last]
	line = l.buf[i+1 : l.end : l.end]
	l.breaks, l.end = l.breaks[:last], i
	return line, true
}

// fill reads the chunk before the pending bytes, which contain no line end. For a line
// longer than a chunk, the size of the read doubles each time, so that the line is not
// moved once per chunk.
func (l *lines) fill() bool {
	n := int(min(int64(max(l.chunk, l.end-l.start)), l.at, l.left))
	if n == 0 {
		l.capped = true
		return false
	}
	l.makeRoom(n)
	dst := l.buf[l.start-n : l.start]
	got, err := l.src.ReadAt(dst, l.at-int64(n))
	if got < n {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		l.err = err
		return false
	}
	for at := l.start - n; ; at++ {
		i := bytes.IndexByte(l.buf[at:l.start], '\n')
		if i < 0 {
			break
		}
		at += i
		l.breaks = append(l.breaks, at)
	}
	l.start -= n
	l.at -= int64(n)
	l.left -= int64(n)
	return true
}

// makeRoom moves the pending bytes to the end of a buffer that has room for n more before
// them.
func (l *lines) makeRoom(n int) {
	pending := l.buf[l.start:l.end]
	buf := l.buf
	if n+len(pending) > len(buf) {
		buf = make([]byte, max(n+len(pending), 2*l.chunk))
	}
	copy(buf[len(buf)-len(pending):], pending)
	l.buf, l.start, l.end = buf, len(buf)-len(pending), len(buf)
}
