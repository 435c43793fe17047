package e2e

import (
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestALimitKeepsTheLoop: an error of the API ends the turn and not the loop. No iteration is counted, status shows the
// error, and the model is told about it when the session is resumed.
func TestALimitKeepsTheLoop(t *testing.T) {
	s := newStage(t, Slowly(think, Turns(
		Say("Part one is built."),
		Fail(http.StatusTooManyRequests, "rate_limit_error", "You have hit your limit · resets 3pm (Europe/Berlin)"),
		Say("Part two is built."), Say("All of it works. <promise>DONE</promise>"))))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 20, Promise: "DONE", Prompt: task})
	settings := wired(t).On("StopFailure", Exec(bridge(t), "--hook=stop-failure"))
	env := map[string]string{"CLAUDE_CODE_MAX_RETRIES": "0"}
	// In print mode the client ends without waiting for this hook, so it gets its prompt on a pipe that stays open.
	prompt := `{"type":"user","message":{"role":"user","content":"` + task + `"}}` + "\n"
	failed := Client{Path: s.client, Workspace: s.Workspace, Model: s.model, SessionID: id, Settings: settings, Env: env,
		Input: io.MultiReader(strings.NewReader(prompt), untilRecorded(s))}
	if _, err := failed.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := s.frontMatter(loopFile, "iteration"); n != "2" {
		t.Errorf("the loop stands at %s, want 2", n)
	}
	const told = "API error (rate_limit); resets 3pm (Europe/Berlin)"
	if out := s.command(id, "status"); !strings.Contains(out, told) {
		t.Errorf("status:\n%s", out)
	}
	r := s.run(Client{Prompt: "go on", Resume: id, Settings: settings, Env: env})
	s.wantEnded(task)
	if blocks := r.Transcript.StopBlocks(); len(blocks) != 2 {
		t.Errorf("%d blocks, want 2: %q", len(blocks), blocks)
	}
	requests := s.model.Requests(id, Main)
	if !slices.ContainsFunc(requests, func(q Request) bool { return strings.Contains(q.Context(), told) }) {
		t.Errorf("none of %d requests says that the turn ended with an error", len(requests))
	}
}

// reader is a function that reads.
type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// untilRecorded waits until an error of the API was recorded, at most a minute.
func untilRecorded(s *stage) io.Reader {
	return reader(func([]byte) (int, error) {
		for range 600 {
			if found, _ := filepath.Glob(filepath.Join(s.StateDir(), "sessions", "*.failed")); len(found) > 0 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		return 0, io.EOF
	})
}
