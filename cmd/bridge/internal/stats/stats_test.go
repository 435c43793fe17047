package stats

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/protocol"
)

// TestClient: hook entries are counted, whatever else is in a transcript.
func TestClient(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	now := time.Now()
	line := func(kind, name string, ms int, at time.Time) string {
		return fmt.Sprintf(`{"type":"attachment","timestamp":%q,"attachment":{"type":%q,"hookName":%q,"durationMs":%d}}`, at.UTC().Format(time.RFC3339), kind, name, ms)
	}
	text := []string{"{", `"hook_success"`, `{"attachment":{"type":"hook_success","hookName":7}}`, `{"message":{"content":"\"hook_success\""}}`, strings.Repeat("x", transcript.MaxHookLine+100), strings.Repeat("x", transcript.MaxHookLine-1)}
	for i := range 20 {
		text = append(text, line("hook_success", "PreToolUse:Bash", i+1, now))
	}
	text = append(text, line("hook_cancelled", "Stop", 0, now), line("hook_success", "Stop", 5, now), line("hook_success", "Old", 5, now.Add(-48*time.Hour)))
	path := filepath.Join(home, "projects", "p", "s.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(text, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := Client(home, now.Add(-24*time.Hour))
	if len(rows) != 2 || rows[0].Name != "PreToolUse:Bash" || rows[0].Count != 20 || rows[0].P50 != 10500 || rows[0].P95 != 20000 || rows[1].Count != 2 || rows[1].Failed != 1 {
		t.Errorf("%+v", rows)
	}
	if rows := Client(filepath.Join(home, "nowhere"), now); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
}

func TestLedger(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	now := time.Now()
	for i, rule := range []string{"continue", "deadline", "malformed-bom", "max-iterations"} {
		ledger.Ledger{Dir: dir}.Append(ledger.Entry{Time: now.Add(time.Duration(i) * time.Second), Type: protocol.Ralph, Rule: rule, Duration: time.Duration(i+1) * time.Millisecond})
	}
	rows := Ledger(dir, now.Add(-time.Hour))
	if len(rows) != 1 || rows[0].Count != 4 || rows[0].Failed != 2 || rows[0].P50 != 2500 {
		t.Errorf("%+v", rows)
	}
	if rows := Ledger(dir, now.Add(time.Hour)); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
}
