package agents

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzParse: any readable list accepts one more start and one more end, stays readable
// and keeps members that it does not know.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"agents":[{"agent_id":"a1","agent_type":"x","started_at":"2026-11-21T00:00:00Z","status":"running"}],"total_spawned":1,"mine":{"a":[1]}}`,
		`{"agents":null,"total_spawned":-5}`, `[]`, `{"agents":[{}]}`, `{"total_completed":9223372036854775807}`,
	} {
		f.Add([]byte(seed), "a1")
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text []byte, id string) {
		list, err := Parse(text)
		if err != nil {
			return
		}
		known := list.index(id) >= 0
		list.Start(id, "Explore", "", "", now)
		// An agent that is already running keeps its age.
		if running := list.Running(now, WorkTime); len(running) == 0 && !known {
			t.Fatalf("%q does not run after its start", id)
		}
		list.Stop(id, "Explore", true, now)
		out, err := list.Bytes()
		if err != nil {
			// Invalid UTF-8 cannot be written; the hook says so.
			return
		}
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		if len(again.Agents) != len(list.Agents) {
			t.Fatalf("%d agents became %d", len(list.Agents), len(again.Agents))
		}
		if len(list.Rest) > 0 && !jsontext.Value(again.Rest).IsValid() {
			t.Fatalf("what is not known was lost: %q", out)
		}
	})
}
