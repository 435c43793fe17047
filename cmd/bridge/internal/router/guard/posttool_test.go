package guard_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func (w *world) getenv(name string) string {
	switch name {
	case "HOME", "USERPROFILE", "LOCALAPPDATA":
		return w.home
	case "OMC_MAX_BACKGROUND_TASKS":
		return w.omcLimit
	}
	return ""
}

// used delivers a tool call after it ran; fields are added to the payload.
func (w *world) used(at time.Time, tool string, fields map[string]any) {
	w.t.Helper()
	payload := map[string]any{"session_id": "s1", "cwd": w.project, "hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": bash("make")}
	for name, value := range fields {
		payload[name] = value
	}
	text, err := json.Marshal(payload)
	if err != nil {
		w.t.Error(err)
		return
	}
	var out, errs bytes.Buffer
	code := router.Run(router.Process{
		Args: []string{"bridge", "--hook=post-tool-use"}, Stdin: bytes.NewReader(text), Stdout: &out, Stderr: &errs, Now: func() time.Time { return at }, Getenv: w.getenv,
	}, "post-tool-use", nil)
	if code != 0 || out.Len() > 0 || errs.Len() > 0 {
		w.t.Errorf("exit code %d, %q %q", code, out.String(), errs.String())
	}
	schematest.ValidateStdout(w.t, protocol.EventPostToolUse, out.Bytes())
}

// failed is what a failed tool call adds to a payload.
func failed(message string) map[string]any {
	return map[string]any{"hook_event_name": "PostToolUseFailure", "error": message}
}

// record reads a record as the Stop chain does.
func (w *world) record(file moderegistry.File) map[string]any {
	w.t.Helper()
	object, ok := moderegistry.OpenRecords(project.Find(w.project, w.getenv), "s1", project.Env(w.getenv, time.Time{})).Read(file)
	if !ok {
		return nil
	}
	var members map[string]any
	if err := json.Unmarshal(object.Bytes(), &members); err != nil {
		w.t.Fatal(err)
	}
	return members
}

// tools is how many tool calls were counted, as the idle guard asks.
func (w *world) tools() int {
	return session.NewStore(project.Env(w.getenv, time.Time{}).StateHome).Tools(session.Key{SessionID: "s1", Root: w.project})
}

// files lists the files below a directory.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestToolErrorRetryCount holds docs/reference/records.md#tool-errors: the same tool
// within a minute is another try, a success of it clears the error.
func TestToolErrorRetryCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	for i, step := range []struct {
		after   time.Duration
		tool    string
		fields  map[string]any
		want    string
		retries float64
	}{
		{0, "Read", nil, "", 0},
		{time.Second, "Bash", failed("Exit code 1"), "Bash", 1},
		{2 * time.Second, "Bash", failed("Exit code 2"), "Bash", 2},
		{3 * time.Second, "Read", nil, "Bash", 2},
		{4 * time.Second, "Bash", map[string]any{"hook_event_name": "PostToolUseFailure", "error": "interrupted", "is_interrupt": true}, "Bash", 2},
		{5 * time.Second, "Bash", map[string]any{"agent_id": "a1"}, "Bash", 2},
		{6 * time.Second, "Read", map[string]any{"hook_event_name": "PostToolUseFailure", "error": "x", "agent_id": "a1"}, "Bash", 2},
		{61 * time.Second, "Bash", failed("again"), "Bash", 3},
		{121 * time.Second, "Bash", failed("a minute later"), "Bash", 1},
		{122 * time.Second, "Edit", failed("no match"), "Edit", 1},
		{123 * time.Second, "Bash", nil, "Edit", 1},
		// A clock that was set back.
		{100 * time.Second, "Edit", failed("no match"), "Edit", 1},
		{124 * time.Second, "Edit", nil, "", 0},
	} {
		w.used(noon.Add(step.after), step.tool, step.fields)
		record := w.record(moderegistry.ToolError)
		if step.want == "" {
			if record != nil {
				t.Errorf("step %d: %v", i, record)
			}
			continue
		}
		if record["tool_name"] != step.want || record["retry_count"] != step.retries {
			t.Errorf("step %d: %v, want %s and %v", i, record, step.want, step.retries)
		}
	}
	// Two of the thirteen calls were a subagent's.
	if n := w.tools(); n != 11 {
		t.Errorf("%d tool calls were counted, want 11", n)
	}
}

// TestToolErrorIsBounded: the record has at most 200 characters of the input
// and 500 of the error, and cuts no character in half.
func TestToolErrorIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	fields := failed(strings.Repeat("é", 9000))
	fields["tool_input"] = bash(strings.Repeat("ü", 9000))
	w.used(noon, "Bash", fields)
	record := w.record(moderegistry.ToolError)
	preview, _ := record["tool_input_preview"].(string)
	message, _ := record["error"].(string)
	if n := len([]rune(preview)); n < 200 || n > 202 {
		t.Errorf("the preview has %d characters", n)
	}
	if n := len([]rune(message)); n < 500 || n > 502 {
		t.Errorf("the error has %d characters", n)
	}
	if record["timestamp"] != "2026-03-01T12:00:00.000Z" {
		t.Errorf("%v", record)
	}
}

// TestOnePathForWriterAndReader holds docs/reference/modes.md#one-path-table: if the
// project has an .omc, the record is in the session's directory below it; otherwise the
// project gets no file.
func TestOnePathForWriterAndReader(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	before := len(files(t, w.project))
	w.used(noon, "Bash", failed("x"))
	if after := len(files(t, w.project)); after != before {
		t.Errorf("the project has %d files, had %d", after, before)
	}
	w = newWorld(t, "main")
	w.write(filepath.Join(w.project, ".omc", "config.json"), "{}")
	w.used(noon, "Bash", failed("x"))
	if _, err := os.Lstat(filepath.Join(w.project, ".omc", "state", "sessions", "s1", "last-tool-error-state.json")); err != nil {
		t.Error(err)
	}
}

// TestSuccessWritesOneByte: a tool call that worked costs one append, and nothing
// else appears on disk.
func TestSuccessWritesOneByte(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	for range 5 {
		w.used(noon, "Read", nil)
	}
	names := files(t, filepath.Join(w.home, ".local"))
	if len(names) != 1 || w.tools() != 5 {
		t.Errorf("%v, %d calls", names, w.tools())
	}
}

// TestFailuresAtOnce: parallel tool calls lose neither a failure nor a
// count.
func TestFailuresAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { w.used(noon, "Bash", failed("x")) })
	}
	group.Wait()
	record := w.record(moderegistry.ToolError)
	if record["retry_count"] != 8.0 || w.tools() != 8 {
		t.Errorf("%v, %d calls", record, w.tools())
	}
}

// late performs the writes of a type after its deadline.
func (w *world) late(record func(protocol.Request) []protocol.Write, at time.Time, tool, message string) {
	w.t.Helper()
	in := protocol.Input{Base: protocol.Base{SessionID: "s1", CWD: w.project, HookEventName: protocol.EventPostToolUse}}
	in.Tool.ToolName, in.Tool.ToolInput, in.Tool.Error = tool, jsontext.Value(`{"command":"make"}`), message
	if message != "" {
		in.HookEventName = protocol.EventPostToolUseFailure
	}
	for _, write := range record(project.Request(in, project.Env(w.getenv, at))) {
		if err := write.Do(); err != nil {
			w.t.Errorf("%s: %v", write.What, err)
		}
	}
}

// TestPendingRetry holds docs/reference/hook-standard.md#timeouts: what a late
// post-tool-use could not note is marked, and the next event makes up for it.
func TestPendingRetry(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	w.late(guard.LatePostToolUse, noon, "Bash", "one")
	w.late(guard.LatePostToolUse, noon.Add(time.Second), "Bash", "two")
	record := w.record(moderegistry.PendingToolUse)
	if record["status"] != "pending-retry" || record["event"] != "PostToolUseFailure" || record["timestamp"] != "2026-03-01T12:00:01.000Z" {
		t.Fatalf("%v", record)
	}
	w.used(noon.Add(2*time.Second), "Read", nil)
	if record := w.record(moderegistry.PendingToolUse); record != nil {
		t.Errorf("still pending: %v", record)
	}
	if record := w.record(moderegistry.ToolError); record["retry_count"] != 2.0 || record["error"] != "two" || w.tools() != 3 {
		t.Errorf("%v, %d calls", record, w.tools())
	}
	// A late success clears the error too.
	w.late(guard.LatePostToolUse, noon.Add(3*time.Second), "Bash", "")
	w.used(noon.Add(4*time.Second), "Read", nil)
	if record := w.record(moderegistry.ToolError); record != nil {
		t.Errorf("%v", record)
	}
}

// TestPendingIsBoundedAndTolerant: the next event works, however often a disk hangs and whatever the record contains.
func TestPendingIsBoundedAndTolerant(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	w.write(filepath.Join(w.project, ".omc", "config.json"), "{}")
	for i := range 25 {
		w.late(guard.LatePostToolUse, noon.Add(time.Duration(i)*time.Second), "Bash", fmt.Sprint("error ", i))
	}
	if uses, _ := w.record(moderegistry.PendingToolUse)["tool_uses"].([]any); len(uses) != 20 {
		t.Errorf("%d calls are pending", len(uses))
	}
	file := filepath.Join(w.project, ".omc", "state", "sessions", "s1", "post-tool-use-state.json")
	for _, text := range []string{"", "[]", "null", `{"status":"pending-retry","tool_uses":5}`, `{"status":"done","tool_uses":[{"tool_name":"x","failed":true}]}`, strings.Repeat("[", 5000)} {
		w.write(file, text)
		w.used(noon, "Read", nil)
		if _, err := os.Lstat(file); !os.IsNotExist(err) {
			t.Errorf("%.20q is still there: %v", text, err)
		}
	}
	if record := w.record(moderegistry.ToolError); record != nil {
		t.Errorf("%v", record)
	}
}

// TestLateGuardIsRecorded: the record of the last tool error says that
// pre-tool-use was late, even after the tool succeeds. This does not count as an
// error of the tool, which Claude would be asked to fix.
func TestLateGuardIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	w.used(noon, "Bash", failed("x"))
	w.late(guard.LatePreToolUse, noon, "Write", "")
	record := w.record(moderegistry.ToolError)
	timeout, _ := record["hook_timeout"].(map[string]any)
	if record["tool_name"] != "Bash" || record["retry_count"] != 1.0 || timeout["hook"] != "pre-tool-use" || timeout["tool_name"] != "Write" || timeout["timestamp"] != "2026-03-01T12:00:00.000Z" {
		t.Errorf("%v", record)
	}
	w.used(noon.Add(time.Second), "Bash", nil)
	record = w.record(moderegistry.ToolError)
	if _, ok := record["tool_name"]; ok || record["hook_timeout"] == nil {
		t.Errorf("%v", record)
	}
}

// TestNoHome: an impossible home directory does not cause a line on stderr at
// every tool call.
func TestNoHome(t *testing.T) {
	t.Parallel()
	for _, home := range []string{"", os.DevNull} {
		w := newWorld(t, "main")
		w.home = home
		w.used(noon, "Read", nil)
		w.write(filepath.Join(w.project, ".omc", "config.json"), "{}")
		w.used(noon, "Bash", failed("x"))
		if record := w.record(moderegistry.ToolError); record["tool_name"] != "Bash" {
			t.Errorf("home %q: %v", home, record)
		}
	}
}
