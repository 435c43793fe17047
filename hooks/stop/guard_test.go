package stop

import (
	"testing"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// TestBlockCap: what the client's variable means.
func TestBlockCap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": clientCap, "0": 0, " 3 ": 3, "-1": clientCap, "x": clientCap, "1x": clientCap} {
		if got := blockCap(func(name string) string { return map[string]string{claude.EnvBlockCap: text}[name] }); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// TestGuard: whether the record of earlier stops allows the next block.
func TestGuard(t *testing.T) {
	t.Parallel()
	tool := protocol.Turn{Entries: []protocol.Entry{{Kind: protocol.EntryToolUse}}}
	idle := func(count int) session.Idle {
		record := session.Record{}
		for range count {
			record.NoteIdle("", 0)
		}
		return record.Idle
	}
	for name, test := range map[string]struct {
		record  session.Record
		active  bool
		turn    protocol.Turn
		counted int
		limit   int
		want    guardResult
		blocks  int // blocks in the record afterwards
		count   int // idle stops in the record afterwards
	}{
		"the first stop":                     {want: mayBlock, limit: 8, count: 1},
		"the ninth idle one":                 {record: session.Record{Idle: idle(8)}, active: true, want: mayBlock, count: 9},
		"the tenth idle one":                 {record: session.Record{Idle: idle(9)}, active: true, want: isIdle},
		"a tool before the tenth":            {record: session.Record{Idle: idle(9)}, active: true, turn: tool, want: mayBlock},
		"a counted tool before the tenth":    {record: session.Record{Idle: idle(9), Tools: 4}, active: true, counted: 5, want: mayBlock},
		"no new tool before the tenth":       {record: session.Record{Idle: idle(9), Tools: 5}, active: true, counted: 5, want: isIdle},
		"below the cap":                      {record: session.Record{Blocks: 7}, active: true, limit: 8, want: mayBlock, blocks: 7, count: 1},
		"at the cap":                         {record: session.Record{Blocks: 8}, active: true, limit: 8, want: isCapped, blocks: 8},
		"without a cap":                      {record: session.Record{Blocks: 99}, active: true, want: mayBlock, blocks: 99, count: 1},
		"a cap of one":                       {record: session.Record{Blocks: 1}, active: true, limit: 1, want: isCapped, blocks: 1},
		"the next prompt":                    {record: session.Record{Blocks: 8}, limit: 8, want: mayBlock, count: 1},
		"a tool at the cap":                  {record: session.Record{Blocks: 8}, active: true, turn: tool, limit: 8, want: mayBlock},
		"a transcript that is not readable":  {record: session.Record{Idle: idle(9), Blocks: 8}, active: true, turn: protocol.Turn{Err: protocol.TranscriptMissing}, limit: 8, want: mayBlock, blocks: 8, count: 9},
		"the same at the first stop":         {record: session.Record{Blocks: 8}, active: true, turn: protocol.Turn{Err: protocol.TranscriptMissing}, limit: 8, want: isCapped, blocks: 8},
		"the same, with counted tools":       {record: session.Record{Idle: idle(9), Tools: 5}, active: true, turn: protocol.Turn{Err: protocol.TranscriptMissing}, counted: 5, want: isIdle},
		"a transcript without an answer yet": {record: session.Record{Idle: idle(9)}, active: true, turn: protocol.Turn{Err: protocol.TranscriptNoAssistant}, want: isIdle},
	} {
		got := guard(&test.record, protocol.Input{Stop: protocol.StopFields{StopHookActive: test.active}}, test.turn, test.counted, test.limit)
		if got != test.want || test.record.Blocks != test.blocks || test.record.Idle.Count != test.count {
			t.Errorf("%s: %d, %+v", name, got, test.record)
		}
	}
}

// TestWithoutARecord: the loop's own counter limits the loop, or the prompt does.
func TestWithoutARecord(t *testing.T) {
	t.Parallel()
	tool := protocol.Turn{Entries: []protocol.Entry{{Kind: protocol.EntryToolUse}}}
	for _, c := range []struct {
		active       bool
		turn         protocol.Turn
		count, limit int
		want         bool
	}{
		{true, tool, 0, 8, true}, {true, tool, 10, 0, true}, {false, protocol.Turn{}, 0, 8, true}, {true, protocol.Turn{}, 0, 8, false},
		{true, protocol.Turn{}, 8, 8, true}, {true, protocol.Turn{}, 9, 8, false}, {true, protocol.Turn{}, 10, 8, true}, {true, protocol.Turn{}, 18, 8, false},
		{true, protocol.Turn{}, 9, 0, true}, {true, protocol.Turn{}, 10, 0, false}, {true, protocol.Turn{}, 10, 50, false}, {true, protocol.Turn{}, 2, 1, false}, {true, protocol.Turn{}, 1, 1, true},
	} {
		if got := mayForget(protocol.StopFields{StopHookActive: c.active}, c.turn, c.count, c.limit); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
