package normalize

import (
	"bytes"
	"cmp"
	"io"
	"time"

	"github.com/hookbridge/bridge/protocol"
)

// Limits are the limits for reading one value.
type Limits struct {
	// Size is the number of bytes within which the value must end.
	Size int
	// Wait is the time within which the value must be complete. The caller of Read has to
	// watch it.
	Wait time.Duration
	// Tail is how long Read waits for text after the value; anything but white space
	// there is an error. With zero, Read does not check at all, not even what it has
	// already read.
	Tail time.Duration
}

// LimitsOf returns the limits of a hook (docs/design.md#input).
func LimitsOf(hook protocol.Hook) Limits {
	row := hook.Row()
	limits := Limits{Size: 8 << 20, Wait: cmp.Or(row.Wait, 3*time.Second)}
	if row.Fail == protocol.FailClosed {
		limits.Tail = 5 * time.Millisecond
	}
	return limits
}

// Read reads the text of one JSON object and then stops, because the client may never
// close the pipe. It returns all bytes up to the end of the object, including what
// precedes it; Decode checks whether that is JSON. The error is a *Malformed.
//
// It waits as long as r does, so the caller has to limit the time. A tail that never
// comes leaves a goroutine that reads until r ends; a hook's process ends before that.
func Read(r io.Reader, limits Limits) (text []byte, err error) {
	// A reader that panics must lead to the fail policy, not to a crash.
	defer func() {
		if recover() != nil {
			text, err = nil, &Malformed{Rule: RuleUnreadable}
		}
	}()
	text, rest, err := readValue(r, limits.Size)
	switch {
	case rest == nil:
		return nil, err
	case limits.Tail == 0:
		return text, nil
	// Text that was already read is checked without waiting, so that a busy machine does not change the result.
	case !white(rest):
		return nil, &Malformed{Rule: RuleTrailingData}
	case err != nil:
		return text, nil
	}
	if err := tailWithin(r, limits.Tail); err != nil {
		return nil, err
	}
	return text, nil
}

// firstRead is the capacity of a pipe on Linux, the most that one read can return.
const firstRead = 64 << 10

// readValue reads up to the end of the value. It returns the text after the value as
// rest, with the error of the last read. rest is nil if there is no value.
func readValue(r io.Reader, size int) (text, rest []byte, err error) {
	var s scanner
	text = make([]byte, 0, firstRead)
	for {
		if len(text) == cap(text) {
			text = append(make([]byte, 0, min(4*cap(text), size+firstRead)), text...)
		}
		n, err := readSome(r, text[len(text):cap(text)])
		text = text[:len(text)+n]
		end, rule := s.scan(text)
		switch {
		case rule != "":
		case end > size, end == 0 && len(text) > size:
			rule = RuleTooLarge
		case end > 0:
			return text[:end:end], text[end:], err
		case err == nil:
			continue
		case err != io.EOF:
			rule = RuleUnreadable
		case blank(text):
			rule = RuleEmpty
		default:
			rule = RuleTruncated
		}
		return nil, nil, &Malformed{Rule: rule}
	}
}

// tailWithin is readTail with the time limit most; a tail that comes later does not count.
func tailWithin(r io.Reader, most time.Duration) error {
	found := make(chan error, 1)
	go func() {
		defer func() {
			if recover() != nil {
				found <- &Malformed{Rule: RuleUnreadable}
			}
		}()
		found <- readTail(r)
	}()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case err := <-found:
		return err
	case <-timer.C:
	}
	// On a busy machine both may be ready, and select picks either.
	select {
	case err := <-found:
		return err
	default:
		return nil
	}
}

// readTail reads what follows the value, until the input ends or something other than
// white space appears.
func readTail(r io.Reader) error {
	space := make([]byte, 512)
	for {
		n, err := readSome(r, space)
		if !white(space[:n]) {
			return &Malformed{Rule: RuleTrailingData}
		}
		if err != nil {
			return nil
		}
	}
}

// white reports whether text contains only white space.
func white(text []byte) bool { return len(bytes.TrimLeft(text, jsonSpace)) == 0 }

// readSome reads until there is data or the reader fails.
func readSome(r io.Reader, into []byte) (int, error) {
	for range 100 {
		if n, err := r.Read(into); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// blank reports whether text contains only a byte order mark and white space.
func blank(text []byte) bool {
	return white(bytes.TrimPrefix(text, []byte(byteOrderMark)))
}
