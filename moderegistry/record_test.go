package moderegistry

import (
	"os"
	"testing"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestRecords: a record belongs to its session; if it has no place, nothing is recorded,
// and that is not an error.
func TestRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mine := w.at("s1").Records()
	homeless, env := project.Env(func(string) string { return "" }, w.now), project.Env(w.getenv, w.now)
	for name, r := range map[string]Records{
		"no directory": OpenRecords(protocol.Places{}, "s1", homeless),
		"no home":      OpenRecords(protocol.Places{Root: w.project, Search: []string{w.project}}, "s1", homeless),
		"no project":   OpenRecords(protocol.Places{}, "s1", env),
		"no name":      mine.Of("../x"),
	} {
		file := ToolError
		if name == "no name" {
			file = AgentReplay // it has no path for all sessions
		} else if r.Dir() != "" {
			t.Errorf("%s: %s", name, r.Dir())
		}
		changed := false
		if name == "no name" {
			if err := mine.Write(SessionStarted, statefile.Object{}); err != nil {
				t.Fatal(err)
			}
		}
		err := r.Update(file, func(text []byte) ([]byte, error) { changed = true; return text, nil })
		_, ok := r.Read(file)
		if err != nil || changed || ok || r.Exists(file) || r.Write(file, statefile.Object{}) != nil || r.Remove(file) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if found := files(t, w.project); len(found) != 0 {
		t.Errorf("%v", found)
	}
	if err := mine.Write(ToolError, statefile.Object{}.Set("session_id", "s1").Set("n", 1)); err != nil {
		t.Fatal(err)
	}
	if o, ok := mine.Read(ToolError); !ok || !mine.Exists(ToolError) || o.Text("session_id") != "s1" {
		t.Errorf("%s", o.Bytes())
	}
	if _, ok := mine.Of("s2").Read(ToolError); ok {
		t.Error("another session reads it")
	}
	if err := mine.Of("s2").Write(ToolError, statefile.Object{}.Set("session_id", "s1")); err != nil {
		t.Fatal(err)
	}
	if o, ok := mine.Of("s2").Read(ToolError); ok {
		t.Errorf("one that names another session counts: %s", o.Bytes())
	}
	if err := mine.Update(ToolError, func([]byte) ([]byte, error) { return nil, os.ErrInvalid }); err == nil || !mine.Exists(ToolError) {
		t.Errorf("%v", err)
	}
	if err := mine.Remove(ToolError); err != nil || mine.Exists(ToolError) {
		t.Errorf("%v", err)
	}
}
