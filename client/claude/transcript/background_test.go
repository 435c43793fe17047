package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRunningTasks reads lines in the forms that the clients write.
func TestRunningTasks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(ago time.Duration) string { return now.Add(-ago).Format("2006-01-02T15:04:05.000Z") }
	shell := func(id string, ago time.Duration) string {
		return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"Command running in background with ID: %s."}]},"timestamp":%q,"toolUseResult":{"stdout":"","backgroundTaskId":%q}}`, id, at(ago), id)
	}
	agent := func(id string, ago time.Duration) string {
		return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[]},"timestamp":%q,"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":%q}}`, at(ago), id)
	}
	notified := func(id string) string {
		return fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue","timestamp":%q,"content":"<task-notification>\n<task-id>%s</task-id>\n<status>completed</status>\n</task-notification>"}`, at(0), id)
	}
	stopped := func(tool, member, id string) string {
		return fmt.Sprintf(`{"type":"assistant","timestamp":%q,"message":{"role":"assistant","content":[{"type":"tool_use","name":%q,"input":{%q:%q}}]}}`, at(0), tool, member, id)
	}
	for name, test := range map[string]struct {
		lines []string
		want  int
	}{
		"nothing":               {nil, 0},
		"shells and agents":     {[]string{shell("a", time.Minute), agent("b", time.Minute), shell("c", 0)}, 3},
		"one ended":             {[]string{shell("a", time.Minute), agent("b", time.Minute), notified("a")}, 1},
		"ended before":          {[]string{notified("a"), shell("a", time.Minute)}, 1},
		"stopped":               {[]string{shell("a", time.Minute), shell("b", time.Minute), stopped("TaskStop", "task_id", "a"), stopped("KillShell", "shell_id", "b")}, 0},
		"an agent resumed":      {[]string{agent("b", time.Minute), notified("b"), notified("b")}, 0},
		"forgotten":             {[]string{shell("a", BackgroundLife+time.Second), shell("b", BackgroundLife-time.Second)}, 1},
		"told by a tool result": {[]string{`{"type":"user","timestamp":"` + at(0) + `","toolUseResult":"Error: \"backgroundTaskId\":\"x\""}`}, 0},
		"broken lines":          {[]string{`{"backgroundTaskId":"`, `{"type":"user","toolUseResult":{"backgroundTaskId":"x"}}`, "null", shell("a", 0), `<task-notification><task-id>`}, 1},
	} {
		path := filepath.Join(t.TempDir(), "transcript.jsonl")
		if err := os.WriteFile(path, []byte(strings.Join(test.lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := RunningTasks(path, now); got != test.want {
			t.Errorf("%s: %d tasks, want %d", name, got, test.want)
		}
	}
	if got := RunningTasks(filepath.Join(t.TempDir(), "absent"), now); got != 0 {
		t.Errorf("an absent transcript has %d tasks", got)
	}
}
