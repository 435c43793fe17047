package normalize_test

import (
	"testing"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/normalize"
)

const stopPayload = `{"session_id":"1d5b1db1-2ee4-4064-bbff-d571cf5b7463","transcript_path":"/home/dev/.claude/projects/-home-dev-proj/1d5b1db1.jsonl","cwd":"/home/dev/proj","prompt_id":"357edadb","permission_mode":"default","effort":{"level":"high"},"hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"main done","background_tasks":[],"session_crons":[]}`

// TestDecodeAllocations is a budget: it fails when a change makes the hook path
// do noticeably more work.
func TestDecodeAllocations(t *testing.T) {
	hook, _ := hooks.ParseHook("stop")
	text := []byte(stopPayload)
	n := testing.AllocsPerRun(100, func() {
		if _, err := normalize.Decode(hook, text); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%.0f allocations", n)
}

func BenchmarkDecode(b *testing.B) {
	hook, _ := hooks.ParseHook("stop")
	text := []byte(stopPayload)
	for b.Loop() {
		if _, err := normalize.Decode(hook, text); err != nil {
			b.Fatal(err)
		}
	}
}
