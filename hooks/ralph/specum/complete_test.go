//go:build unix

package specum

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// TestTheUsersIndexCommand: it runs in the project once the spec is complete, in the
// place of bridge's own index.
func TestTheUsersIndexCommand(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.stop("s1", "a", false)
	s.remove(s.statePath)
	const message = "ALL_TASKS_COMPLETE"
	event, said := s.event("s1"), message
	event.Env.Config.Specum.IndexCommand = "echo done >indexed #"
	event.Input.Stop = protocol.StopFields{StopHookActive: true, LastAssistantMessage: &said}
	found, err := Find(event)
	if err != nil || found.Active == nil {
		t.Fatalf("%+v, %v", found, err)
	}
	d := found.Active.Decide(protocol.Turn{Final: message, HasFinal: true}, s.now)
	for _, write := range append(d.Writes, d.After...) {
		if err := write.Do(); err != nil && !write.Optional {
			t.Errorf("%s: %v", write.What, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(s.root, "indexed")); err != nil || string(text) != "done\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(s.root, "specs", ".index")); err == nil {
		t.Error("there are two indexes")
	}
}
