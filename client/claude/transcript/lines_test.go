package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

const (
	testPrompt = `{"type":"user","message":{"role":"user","content":"go on"}}` + "\n"
	testAnswer = `{"message":{"role":"assistant","content":[{"type":"text","text":"done"}]},"type":"assistant"}` + "\n"
)

// meter counts the bytes that are read from a file that ends with a given tail. The
// filler before the tail is created only when it is read.
type meter struct {
	filler string
	before int64
	tail   string

	read  int64
	calls int
}

func (m *meter) size() int64 { return m.before + int64(len(m.tail)) }

func (m *meter) ReadAt(p []byte, off int64) (int, error) {
	m.calls++
	n := 0
	for n < len(p) {
		at := off + int64(n)
		switch {
		case at < m.before:
			rest := min(int64(len(p)-n), m.before-at)
			n += copy(p[n:n+int(rest)], m.filler[at%int64(len(m.filler)):])
		case at < m.size():
			n += copy(p[n:], m.tail[at-m.before:])
		default:
			m.read += int64(n)
			return n, io.EOF
		}
	}
	m.read += int64(len(p))
	return len(p), nil
}

func TestCostDoesNotDependOnTheSize(t *testing.T) {
	t.Parallel()
	turn := testPrompt + strings.Repeat(testAnswer, 100)
	var first *meter
	for _, size := range []int64{1 << 20, 100 << 20, 1 << 30, 1 << 40} {
		m := &meter{filler: testPrompt + testAnswer, before: size, tail: "\n" + turn}
		l := newLines(m, m.size())
		r := readTurn(l, false)
		if len(r.Entries) != 100 || r.Err != protocol.TurnOK || l.capped {
			t.Fatalf("%d bytes: %d entries, err %q", size, len(r.Entries), r.Err)
		}
		if read := maxBytes - l.left; read != m.read {
			t.Errorf("%d bytes: says that %d were read, not %d", size, read, m.read)
		}
		if first == nil {
			first = m
		}
		if m.read != first.read || m.calls != first.calls || m.read > chunk {
			t.Errorf("%d bytes: read %d in %d calls; of 1 MiB %d in %d calls", size, m.read, m.calls, first.read, first.calls)
		}
	}
}

func TestAllocationsDoNotDependOnTheSize(t *testing.T) {
	count := func(size int64) float64 {
		m := &meter{filler: testPrompt + testAnswer, before: size, tail: "\n" + testPrompt + testAnswer}
		return testing.AllocsPerRun(20, func() { readTurn(newLines(m, m.size()), false) })
	}
	small, large := count(1<<20), count(1<<40)
	if small != large || small > 30 {
		t.Errorf("%v allocations for 1 MiB, %v for 1 TiB; want the same and at most 30", small, large)
	}
}

func TestALimitEndsALongTurn(t *testing.T) {
	t.Parallel()
	m := &meter{filler: testAnswer, before: 1 << 40, tail: "\n" + testAnswer}
	l := newLines(m, m.size())
	r := readTurn(l, false)
	if !l.capped || r.Err != protocol.TurnOK || m.read != maxBytes {
		t.Errorf("truncated %v, err %q, %d bytes read", l.capped, r.Err, m.read)
	}
	if n := len(r.Entries); n < maxBytes/len(testAnswer)-2 {
		t.Errorf("%d entries of those within the limit", n)
	}
	if r = withFinal(r, nil); r.Final != "done" {
		t.Errorf("final %q", r.Final)
	}
}

// A line of 500 MB is read up to the limit and no further, whether it is the last line or
// one in the middle of the turn.
func TestALineLongerThanTheLimit(t *testing.T) {
	t.Parallel()
	for tail, want := range map[string]int{"": 0, "\n" + testAnswer: 1} {
		m := &meter{filler: "x", before: 500 << 20, tail: tail}
		l := newLines(m, m.size())
		r := readTurn(l, false)
		if !l.capped || len(r.Entries) != want || r.Err != protocol.TurnOK || m.read != maxBytes {
			t.Errorf("truncated %v, %d entries, err %q, %d bytes read", l.capped, len(r.Entries), r.Err, m.read)
		}
	}
}

func TestALongLineWithinTheLimitIsRead(t *testing.T) {
	t.Parallel()
	long := `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"` + strings.Repeat("x", 5<<20) + `"}]}}` + "\n"
	m := &meter{filler: testPrompt, before: 1 << 30, tail: "\n" + testAnswer + long + testAnswer}
	l := newLines(m, m.size())
	r := readTurn(l, false)
	if l.capped || len(r.Entries) != 2 {
		t.Errorf("truncated %v, %d entries, want 2", l.capped, len(r.Entries))
	}
}

// If another process truncates the file while it is read, the result is what was found
// before, or an error.
func TestAFileThatShrinksMeanwhile(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat(testAnswer, 10_000)
	r := readTurn(newLines(strings.NewReader(whole[:1000]), int64(len(whole))), false)
	if r.Err != protocol.TranscriptUnreadable || len(r.Entries) != 0 {
		t.Errorf("cut before the first read: err %q, %d entries", r.Err, len(r.Entries))
	}
	src := &failing{src: strings.NewReader(whole), after: 2}
	l := newLines(src, int64(len(whole)))
	r = readTurn(l, false)
	if r.Err != protocol.TurnOK || len(r.Entries) == 0 || l.capped {
		t.Errorf("cut later: err %q, %d entries, truncated %v", r.Err, len(r.Entries), l.capped)
	}
}

func TestAFileThatGrowsMeanwhile(t *testing.T) {
	t.Parallel()
	old := testPrompt + testAnswer
	r := readTurn(newLines(strings.NewReader(old+testPrompt+testPrompt), int64(len(old))), false)
	if len(r.Entries) != 1 || r.Err != protocol.TurnOK {
		t.Errorf("%d entries, err %q", len(r.Entries), r.Err)
	}
}

type failing struct {
	src   io.ReaderAt
	after int
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.after == 0 {
		return 0, errors.New("input/output error")
	}
	f.after--
	return f.src.ReadAt(p, off)
}

// TestLinesAgreeWithSplit compares the backward reader with a plain split, for
// line lengths on both sides of every chunk.
func TestLinesAgreeWithSplit(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b bytes.Buffer
		for i := range rnd.IntN(40) {
			fmt.Fprintf(&b, "%d:%s\n", i, strings.Repeat("x", rnd.IntN(1<<rnd.IntN(18))))
		}
		if rnd.IntN(2) == 0 && b.Len() > 0 {
			b.Truncate(b.Len() - 1)
		}
		l := newLines(bytes.NewReader(b.Bytes()), int64(b.Len()))
		l.left = 1 << 30
		l.chunk = 1 << rnd.IntN(16)
		var got []string
		for line, ok := l.next(); ok; line, ok = l.next() {
			got = append(got, string(line))
		}
		want := strings.Split(b.String(), "\n")
		if b.Len() == 0 {
			want = nil
		}
		slices.Reverse(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%d lines of %d bytes differ from %d split lines", len(got), b.Len(), len(want))
		}
		if read := 1<<30 - l.left; read != int64(b.Len()) || l.capped || l.err != nil {
			t.Fatalf("read %d of %d bytes, capped %v, err %v", read, b.Len(), l.capped, l.err)
		}
	}
}

// The parts of a turn that were already read stay the same while more is read into the same memory.
func TestEntriesStayValid(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(testPrompt)
	for i := range 2000 {
		fmt.Fprintf(&b, `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"%06d"},{"type":"tool_use","id":"t%06d","name":"N%06d","input":{"n":"%06d"}}]}}`+"\n", i, i, i, i)
	}
	l := newLines(strings.NewReader(b.String()), int64(b.Len()))
	l.chunk = 1000
	r := readTurn(l, true)
	if len(r.Entries) != 4000 {
		t.Fatalf("%d entries", len(r.Entries))
	}
	for i := range 2000 {
		n := fmt.Sprintf("%06d", i)
		text, call := r.Entries[2*i], r.Entries[2*i+1]
		if text.Text != n || call.ToolUseID != "t"+n || call.ToolName != "N"+n || string(call.ToolInput) != `{"n":"`+n+`"}` {
			t.Fatalf("%d: %+v %+v", i, text, call)
		}
	}
}

func BenchmarkReadTurn(b *testing.B) {
	for _, size := range []int64{1 << 20, 1 << 30} {
		b.Run(fmt.Sprintf("%dMiB", size>>20), func(b *testing.B) {
			m := &meter{filler: testPrompt + testAnswer, before: size, tail: "\n" + testPrompt + strings.Repeat(testAnswer, 50)}
			b.ReportAllocs()
			for b.Loop() {
				readTurn(newLines(m, m.size()), false)
			}
		})
	}
}
