package recording

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TestSaveAndLoad: a recording can be loaded again with its input and output,
// without secrets, and only the user can read the file.
func TestSaveAndLoad(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	begun := time.Now()
	for i, hook := range []string{"stop", "pre-tool-use", "stop"} {
		r := Recording{Hook: hook, Time: begun.Add(time.Duration(i) * time.Second), Input: jsontext.Value(fmt.Sprintf(`{"n":%d,"tool_input":{"password":"hunter2"}}`, i)), Output: jsontext.Value(`{"decision": "block"}`)}
		if err := Save(home, r); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Newest(home, "stop")
	if err != nil || !strings.Contains(string(r.Input), `"n":2`) || !strings.Contains(string(r.Output), "block") {
		t.Errorf("%+v, %v", r, err)
	}
	if strings.Contains(string(r.Input), "hunter2") {
		t.Errorf("the secret was recorded: %s", r.Input)
	}
	if info, err := os.Stat(r.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := Newest(home, "setup"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := Newest(t.TempDir(), "stop"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if all, err := Load(Dir(home)); err != nil || len(all) != 3 || all[1].Hook != "pre-tool-use" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestBounds: the newest recordings stay, and old ones are removed.
func TestBounds(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	begun := time.Now()
	for i := range kept + 20 {
		if err := Save(home, Recording{Hook: "stop", Time: begun.Add(time.Duration(i) * time.Millisecond), Input: jsontext.Value("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Load(Dir(home))
	if err != nil || len(all) != kept || !all[kept-1].Time.Equal(begun.Add((kept+19)*time.Millisecond)) {
		t.Errorf("%d recordings, %v", len(all), err)
	}
	if err := Save(home, Recording{Hook: "stop", Time: begun.Add(keptTime + time.Hour), Input: jsontext.Value("{}")}); err != nil {
		t.Fatal(err)
	}
	if all, _ := Load(Dir(home)); len(all) > 1 {
		t.Errorf("%d recordings after two weeks", len(all))
	}
}

// TestManyAtOnce: hooks record at the same time and lose nothing.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	begun := time.Now()
	var wait sync.WaitGroup
	for i := range 100 {
		wait.Go(func() {
			if err := Save(home, Recording{Hook: "stop", Time: begun.Add(time.Duration(i)), Input: jsontext.Value("{}")}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if all, err := Load(Dir(home)); err != nil || len(all) != 100 {
		t.Errorf("%d, %v", len(all), err)
	}
}

// TestWhatIsNoRecording: a bare payload counts as a recording without an output.
// Any other file is an error if it is named, and is skipped in a directory.
func TestWhatIsNoRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"payload.json": `{"hook_event_name":"Stop"}`, "broken.json": "{", "other.json": "[]", "readme.txt": "x", ".hidden.json": `{"hook_event_name":"Stop"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Load(dir)
	if err != nil || len(all) != 1 || all[0].Hook != "Stop" || all[0].Output != nil {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := Load(filepath.Join(dir, "broken.json")); err == nil {
		t.Error("a broken file was read")
	}
	if _, err := Load(filepath.Join(dir, "absent")); err == nil {
		t.Error("an absent file was read")
	}
}
