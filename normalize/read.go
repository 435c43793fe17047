package normalize

import (
	"bytes"
	"io"
	"time"

	"github.com/hookbridge/bridge/hooks"
)

// Limits bound the reading of one value.
type Limits struct {
	// Size is the number of bytes within which the value must end.
	Size int
	// Wait is the time within which the value must be complete.
	Wait time.Duration
	// Tail is how long to look for something behind the value; anything but
	// white space there is an error. Zero does not look at all, not even at what
	// was read already.
	Tail time.Duration
}

// LimitsOf returns the limits of a hook (design decision 3).
func LimitsOf(hook hooks.Hook) Limits {
	row := hook.Row()
	limits := Limits{Size: 8 << 20, Wait: 3 * time.Second}
	if row.Type == hooks.SessionEnd {
		limits.Wait = 250 * time.Millisecond
	}
	if row.Fail == hooks.FailClosed {
		limits.Tail = 5 * time.Millisecond
	}
	return limits
}

// Read reads the text of one JSON object and stops there, because the client
// may never close the pipe. It returns all bytes up to the end of the object,
// with what preceded it; whether that is JSON is for Decode to say. The error
// is a *Malformed.
//
// The read runs in a goroutine of its own, which is what bounds it on every
// platform and for every kind of file. After a timeout, or with a tail that
// never comes, the goroutine stays behind in its read until r ends; a hook's
// process ends before that.
func Read(r io.Reader, limits Limits) ([]byte, error) {
	// Two is all that a feed sends, so that it never waits for us.
	f := &feed{r: r, limits: limits, news: make(chan news, 2)}
	go f.run()

	value, ok := f.next(limits.Wait)
	switch {
	case !ok:
		return nil, &Malformed{Rule: RuleTimeout}
	case value.err != nil || limits.Tail == 0:
		return value.text, value.err
	}
	if tail, ok := f.next(limits.Tail); ok && tail.err != nil {
		return nil, tail.err
	}
	return value.text, nil
}

// feed is the reading side of Read. It sends the value, or what is wrong with
// it; after a value, if there is a tail to look for, what is wrong with the
// tail.
type feed struct {
	r      io.Reader
	limits Limits
	news   chan news
}

type news struct {
	text []byte
	err  error
}

// next waits for news; ok is false if there is none in time.
func (f *feed) next(wait time.Duration) (n news, ok bool) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case n = <-f.news:
		return n, true
	case <-timer.C:
	}
	// On a busy machine both may be ready, and select picks either.
	select {
	case n = <-f.news:
		return n, true
	default:
		return news{}, false
	}
}

// firstRead is what one read can return on Linux: the capacity of a pipe.
const firstRead = 64 << 10

func (f *feed) run() {
	// A reader that panics must end in the fail policy, not in a crash.
	defer func() {
		if recover() != nil {
			f.news <- news{err: &Malformed{Rule: RuleUnreadable}}
		}
	}()
	text, rest, err := f.readValue()
	switch {
	case rest == nil:
		f.news <- news{err: err}
	case f.limits.Tail == 0:
		f.news <- news{text: text}
	default:
		f.news <- news{text: text}
		f.news <- news{err: f.readTail(rest, err)}
	}
}

// readValue reads up to the end of the value and returns what it read behind it
// as rest, with the error of the last read. rest is nil if there is no value.
func (f *feed) readValue() (text, rest []byte, err error) {
	var s scanner
	text = make([]byte, 0, firstRead)
	for {
		if len(text) == cap(text) {
			text = append(make([]byte, 0, min(4*cap(text), f.limits.Size+firstRead)), text...)
		}
		n, err := f.readSome(text[len(text):cap(text)])
		text = text[:len(text)+n]
		end, rule := s.scan(text)
		switch {
		case rule != "":
		case end > f.limits.Size, end == 0 && len(text) > f.limits.Size:
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

// readTail looks at what follows the value until it ends or something stands
// there. err is what the last read returned.
func (f *feed) readTail(tail []byte, err error) error {
	space := make([]byte, 512)
	for {
		if len(bytes.TrimLeft(tail, jsonSpace)) > 0 {
			return &Malformed{Rule: RuleTrailingData}
		}
		if err != nil {
			return nil
		}
		var n int
		n, err = f.readSome(space)
		tail = space[:n]
	}
}

// readSome reads until something arrives or the reader fails.
func (f *feed) readSome(into []byte) (int, error) {
	for range 100 {
		if n, err := f.r.Read(into); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// blank reports whether text holds nothing but a byte order mark and white
// space.
func blank(text []byte) bool {
	return len(bytes.TrimLeft(bytes.TrimPrefix(text, []byte(byteOrderMark)), jsonSpace)) == 0
}
