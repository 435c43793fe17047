package normalize_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/normalize/malformed"
	"github.com/hookbridge/bridge/protocol"
)

// The tests of time run in a bubble whose clock moves only when everything in it waits,
// so they are exact and take no time.

// trickle writes text one byte at a time over d and then leaves the pipe open.
func trickle(w *io.PipeWriter, text []byte, d time.Duration) {
	for _, c := range text {
		time.Sleep(d / time.Duration(len(text)))
		_, _ = w.Write([]byte{c})
	}
}

func TestSlowPipeThatStaysOpenIsAnswered(t *testing.T) {
	t.Parallel()
	for _, typ := range []protocol.Type{protocol.Ralph, protocol.PermissionRequest} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			defer w.Close()
			start := time.Now()
			go trickle(w, malformed.WellFormed(), 2*time.Second)
			result, err := parse(hookOf(t, typ), r)
			if err != nil || result.Input.SessionID != "s-1" {
				t.Errorf("%s: session %q, error %v", typ, result.Input.SessionID, err)
			}
			// permission-request waits 5 ms for a tail.
			if took := time.Since(start); took > 2*time.Second+5*time.Millisecond {
				t.Errorf("%s: took %v", typ, took)
			}
		})
	}
}

// A text that can never become an object is rejected at once, even on a pipe that stays
// open.
func TestHopelessTextIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"null", "[", "x", "\uFEFF\n\"", `{]`} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			defer w.Close()
			start := time.Now()
			go func() { _, _ = io.WriteString(w, text) }()
			if _, err := parse(hookOf(t, protocol.Ralph), r); err == nil || time.Since(start) != 0 {
				t.Errorf("%q: error %v after %v", text, err, time.Since(start))
			}
		})
	}
}

// TestLimits: the client ends session-end soon, and only a hook that fails closed checks
// for text after the value.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, row := range protocol.AllRows() {
		want := normalize.Limits{Size: 8 << 20, Wait: 3 * time.Second}
		switch row.Type {
		case protocol.SessionEnd:
			want.Wait = 250 * time.Millisecond
		case protocol.PermissionRequest:
			want.Tail = 5 * time.Millisecond
		}
		if got := normalize.LimitsOf(hookOf(t, row.Type)); got != want {
			t.Errorf("%s: %+v, want %+v", row.Type, got, want)
		}
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		after time.Duration
		tail  string
		close bool
		want  normalize.Rule
		took  time.Duration
	}{
		{"end of input", 0, "", true, "", 0},
		{"white space and end of input", 0, "\r\n \t", true, "", 0},
		{"open", 0, "", false, "", 5 * time.Millisecond},
		{"white space and open", time.Millisecond, "\n", false, "", 5 * time.Millisecond},
		{"garbage at once", 0, "x", false, normalize.RuleTrailingData, 0},
		{"garbage behind white space", 0, strings.Repeat(" ", 4000) + "x", false, normalize.RuleTrailingData, 0},
		{"garbage within the time", 4 * time.Millisecond, "x", false, normalize.RuleTrailingData, 4 * time.Millisecond},
		{"garbage later", 6 * time.Millisecond, "x", false, "", 5 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			defer r.Close()
			start := time.Now()
			go func() {
				_, _ = w.Write(malformed.WellFormed())
				time.Sleep(c.after)
				_, _ = io.WriteString(w, c.tail)
				if c.close {
					w.Close()
				}
			}()
			_, err := parse(hookOf(t, protocol.PermissionRequest), r)
			took := time.Since(start)
			if got := ruleOf(t, err); got != c.want || took != c.took {
				t.Errorf("%s: rule %q after %v, want %q after %v", c.name, got, took, c.want, c.took)
			}
			time.Sleep(10 * time.Millisecond) // let the writer finish
		})
	}
}

// Other hooks do not check the tail: they read nothing after the value.
func TestReadStopsAfterTheValue(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer r.Close()
	go func() { _, _ = w.Write(malformed.WellFormed()) }()
	text, err := normalize.Read(r, normalize.LimitsOf(hookOf(t, protocol.PreToolUse)))
	if err != nil || !bytes.Equal(text, malformed.WellFormed()) {
		t.Fatalf("%q, %v", text, err)
	}
}

func TestSizeLimit(t *testing.T) {
	t.Parallel()
	value := `{"a":"` + strings.Repeat("b", 200_000) + `"}`
	for _, c := range []struct {
		name string
		text string
		size int
		want normalize.Rule
	}{
		{"exactly", value, len(value), ""},
		{"one too many", value, len(value) - 1, normalize.RuleTooLarge},
		{"the tail does not count", value + strings.Repeat(" ", 300_000), len(value), ""},
		{"never complete", value[:len(value)-1], len(value) - 2, normalize.RuleTooLarge},
	} {
		limits := normalize.Limits{Size: c.size, Tail: time.Minute}
		_, err := normalize.Read(strings.NewReader(c.text), limits)
		if got := ruleOf(t, err); got != c.want {
			t.Errorf("%s: rule %q, want %q", c.name, got, c.want)
		}
	}
}

// endless is an input without an end; it counts the bytes that were read.
type endless struct{ taken int }

func (e *endless) Read(p []byte) (int, error) {
	if e.taken == 0 {
		p[0] = '{'
	} else {
		p[0] = ' '
	}
	for i := 1; i < len(p); i++ {
		p[i] = ' '
	}
	e.taken += len(p)
	return len(p), nil
}

func TestEndlessInputIsLeftAlone(t *testing.T) {
	t.Parallel()
	input := &endless{}
	limits := normalize.Limits{Size: 1 << 20}
	_, err := normalize.Read(input, limits)
	if got := ruleOf(t, err); got != normalize.RuleTooLarge {
		t.Errorf("rule %q", got)
	}
	if input.taken > limits.Size+128<<10 {
		t.Errorf("read %d bytes", input.taken)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestReaderThatFails(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]readerFunc{
		"error":       func([]byte) (int, error) { return 0, errors.New("broken") },
		"late error":  func(p []byte) (int, error) { return copy(p, `{"a"`), errors.New("broken") },
		"no progress": func([]byte) (int, error) { return 0, nil },
		"panic":       func([]byte) (int, error) { panic("broken") },
	} {
		_, err := normalize.Read(r, normalize.LimitsOf(hookOf(t, protocol.Ralph)))
		if got := ruleOf(t, err); got != normalize.RuleUnreadable {
			t.Errorf("%s: rule %q", name, got)
		}
	}
	// An error that arrives with the last byte of the value changes nothing.
	whole := readerFunc(func(p []byte) (int, error) { return copy(p, malformed.WellFormed()), errors.New("broken") })
	if _, err := parse(hookOf(t, protocol.PermissionRequest), whole); err != nil {
		t.Error(err)
	}
}

func TestPanicInTheTail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first := true
		r := readerFunc(func(p []byte) (int, error) {
			if first {
				first = false
				return copy(p, malformed.WellFormed()), nil
			}
			panic("broken")
		})
		_, err := parse(hookOf(t, protocol.PermissionRequest), r)
		if got := ruleOf(t, err); got != normalize.RuleUnreadable {
			t.Errorf("rule %q", got)
		}
	})
}

func TestReadFindsTheEndOfTheObject(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		`{}`, " \n{}", "\uFEFF{}", "\uFEFF\t{}", `{"a":"}"}`, `{"a":"\"}"}`, `{"a":"\\"}`, `{"a":"\\\"}"}`, `{"}":{"]":[[]]}}`, `{"a":"{["}`, `{"\u007d":"\n"}`,
	} {
		for _, tail := range []string{"", "\n", "}", `"`, `{"a":`, "\x00"} {
			text, err := normalize.Read(strings.NewReader(value+tail), normalize.LimitsOf(hookOf(t, protocol.Ralph)))
			if err != nil || string(text) != value {
				t.Errorf("of %q Read returns %q, %v", value+tail, text, err)
			}
		}
	}
}

// FuzzRead checks that Read and the JSON library find the same end of an object, whatever follows it and however the
// text is split.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"a":"b\"}"} x`), uint8(3))
	f.Add([]byte("\uFEFF {\"a\":[{}]}{"), uint8(1))
	f.Add([]byte(`{"\\":"\\"}`), uint8(2))
	for _, shape := range malformed.Shapes() {
		if len(shape.Text) < 4096 {
			f.Add(shape.Text, uint8(7))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		limits := normalize.Limits{Size: 1 << 20}
		whole, err := normalize.Read(bytes.NewReader(text), limits)
		input := bytes.NewReader(text)
		pieces, err2 := normalize.Read(readerFunc(func(p []byte) (int, error) {
			return input.Read(p[:min(len(p), int(size)+1)])
		}), limits)
		if ruleOf(t, err) != ruleOf(t, err2) || !bytes.Equal(whole, pieces) {
			t.Errorf("whole %q, %v; in pieces %q, %v", whole, err, pieces, err2)
		}
		if !bytes.HasPrefix(text, whole) {
			t.Errorf("%q is not the beginning of %q", whole, text)
		}

		json := bytes.TrimPrefix(text, []byte("\uFEFF"))
		d := jsontext.NewDecoder(bytes.NewReader(json))
		value, jsonErr := d.ReadValue()
		if jsonErr == nil && value.Kind() == '{' {
			want := text[:len(text)-len(json)+int(d.InputOffset())]
			if err != nil || !bytes.Equal(whole, want) {
				t.Errorf("of %q Read returns %q, %v, want %q", text, whole, err, want)
			}
		}
	})
}
