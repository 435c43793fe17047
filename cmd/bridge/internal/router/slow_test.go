package router_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// TestIncompleteInputTimesOut: a client that never ends its object gets the fail
// policy's answer, to the millisecond (docs/design.md#input). The clock of the bubble
// only moves when everything in it waits.
func TestIncompleteInputTimesOut(t *testing.T) {
	t.Parallel()
	for _, row := range protocol.AllRows() {
		for _, text := range []string{"", " ", "{", `{"session_id":"s"`, `{"a":"`} {
			world := newWorld(t)
			synctest.Test(t, func(t *testing.T) {
				hook, _ := protocol.ParseHook(string(row.Type))
				r, w := io.Pipe()
				defer w.Close()
				if text != "" {
					go func() { _, _ = io.WriteString(w, text) }()
				}
				var out, errs bytes.Buffer
				start := time.Now()
				router.Run(router.Process{
					Args: []string{"bridge"}, Stdin: r, Stdout: &out, Stderr: &errs,
					Getenv: func(name string) string { return world.env[name] }, Now: time.Now,
				}, string(row.Type), nil)
				if took, want := time.Since(start), normalize.LimitsOf(hook).Wait; took != want {
					t.Errorf("%s, %q: took %v, want %v", row.Type, text, took, want)
				}
				wantFailed(t, row, out.String())
				if !strings.Contains(errs.String(), "did not arrive in time") {
					t.Errorf("%s, %q: %q", row.Type, text, errs.String())
				}
			})
		}
	}
}
