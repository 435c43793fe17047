package transcript

import (
	"bytes"
	"io"
)

// The size of the first read and of the largest one, in bytes. A usual turn ends
// in the first.
const (
	firstChunk = 32 << 10
	lastChunk  = 1 << 20
)

// lines yields the lines of a file from the last to the first. It keeps to the
// size that the file had at first, so a file that grows meanwhile ends at the
// same place; a file that shrinks meanwhile is a read error.
type lines struct {
	src   io.ReaderAt
	at    int64 // offset in src of buf[start]
	left  int64 // bytes that may still be read
	chunk int

	// buf[start:end] is read and not yet yielded. Yielded lines stay behind end
	// and are never overwritten: they belong to the caller.
	buf        []byte
	start, end int
	done       bool

	read   int64
	capped bool
	err    error
}

func newLines(src io.ReaderAt, size, limit int64) *lines {
	if limit <= 0 {
		limit = DefaultMaxBytes
	}
	return &lines{src: src, at: size, left: limit, chunk: firstChunk, done: size == 0}
}

// next returns the line before the one it returned last, without its line end.
// ok is false at the start of the file, at the limit and after an error.
func (l *lines) next() (line []byte, ok bool) {
	if l.done {
		return nil, false
	}
	searched := 0 // bytes before end in which no line end was found
	for {
		pending := l.buf[l.start : l.end-searched]
		if i := bytes.LastIndexByte(pending, '\n'); i >= 0 {
			line = l.buf[l.start+i+1 : l.end : l.end]
			l.end = l.start + i
			return line, true
		}
		searched = l.end - l.start
		if l.at == 0 {
			l.done = true
			return l.buf[l.start:l.end:l.end], true
		}
		if !l.fill() {
			l.done = true
			return nil, false
		}
	}
}

// fill reads the chunk before the pending bytes.
func (l *lines) fill() bool {
	n := min(int64(l.chunk), l.at, l.left)
	if n == 0 {
		l.capped = true
		return false
	}
	if int64(l.start) < n {
		l.grow(int(n))
	}
	dst := l.buf[l.start-int(n) : l.start]
	got, err := l.src.ReadAt(dst, l.at-n)
	l.read += int64(got)
	if int64(got) < n {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		l.err = err
		return false
	}
	l.start -= int(n)
	l.at -= n
	l.left -= n
	l.chunk = min(l.chunk*2, lastChunk)
	return true
}

// grow makes a new buffer with room for n bytes before the pending ones. The old
// one is left to the lines that were yielded from it. A line longer than a chunk
// doubles the room each time, so that it is not copied once a chunk.
func (l *lines) grow(n int) {
	pending := l.buf[l.start:l.end]
	room := max(n, int(min(int64(len(pending)), l.at, l.left)))
	buf := make([]byte, room+len(pending))
	copy(buf[room:], pending)
	l.buf, l.start, l.end = buf, room, len(buf)
}
