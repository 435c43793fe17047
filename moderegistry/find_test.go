package moderegistry

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// write puts a file below the project's .omc. {now-DURATION} in the text becomes a time,
// {project} the project, {link} a link to it.
func (w *world) write(name, text string) string {
	w.t.Helper()
	return w.writeIn(w.project, name, text)
}

func (w *world) writeIn(project, name, text string) string {
	w.t.Helper()
	path := filepath.Join(project, ".omc", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(w.fill(text)), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) fill(text string) string {
	w.t.Helper()
	text = strings.NewReplacer("{project}", filepath.ToSlash(w.project), "{link}", filepath.ToSlash(w.project)+"-link").Replace(text)
	for {
		before, rest, ok := strings.Cut(text, "{now")
		if !ok {
			return text
		}
		by, after, _ := strings.Cut(rest, "}")
		ago, err := time.ParseDuration(by)
		if err != nil {
			w.t.Fatal(err)
		}
		text = before + w.now.Add(ago).UTC().Format(time.RFC3339Nano) + after
	}
}

// TestFindDecides: on which states a session acts, and about which it only gets a notice.
func TestFindDecides(t *testing.T) {
	t.Parallel()
	const own, shared = "state/sessions/s1/ultrawork-state.json", "state/ultrawork-state.json"
	const fresh = `{"active":true,"started_at":"{now-1s}"}`
	for name, test := range map[string]struct {
		files   map[string]string
		session string // "s1" when empty, none when "-"
		found   string // the file, or empty
		told    string // a part of the only notice, or empty if there is none
	}{
		"the own file":                    {map[string]string{own: fresh}, "", own, ""},
		"the own file ended":              {map[string]string{own: `{"active":false}`, shared: fresh}, "", "", ""},
		"the shared file, never claimed":  {map[string]string{shared: fresh}, "", shared, ""},
		"the shared file is the own":      {map[string]string{shared: `{"active":true,"session_id":"s1","started_at":"{now-30h}"}`}, "", shared, ""},
		"the shared file of another":      {map[string]string{shared: `{"active":true,"session_id":"s2","started_at":"{now-1s}"}`}, "", "", ""},
		"broken and own":                  {map[string]string{own: `{"active":tr`}, "", "", "cannot be used"},
		"broken and shared":               {map[string]string{shared: `{"active":tr`}, "", "", "cannot be used"},
		"broken, and no session":          {map[string]string{shared: `{"active":tr`}, "-", "", "cannot be used"},
		"live, and no session":            {map[string]string{shared: fresh}, "-", shared, ""},
		"old, and no session":             {map[string]string{shared: `{"active":true,"started_at":"{now-3h}"}`}, "-", "", ""},
		"without a time, and no session":  {map[string]string{shared: `{"active":true}`}, "-", "", ""},
		"a prompt that names a command":   {map[string]string{own: `{"active":true,"prompt":"/autopilot it"}`}, "", own, ""},
		"old and of nobody":               {map[string]string{shared: `{"active":true,"started_at":"{now-25h}"}`}, "", "", "bridge ignores"},
		"old, of nobody and ended":        {map[string]string{shared: `{"active":false,"started_at":"{now-25h}"}`}, "", "", ""},
		"old, of nobody and from afar":    {map[string]string{shared: `{"active":true,"started_at":"{now-25h}","project_path":"/elsewhere"}`}, "", "", ""},
		"made here":                       {map[string]string{own: `{"active":true,"project_path":"{project}/"}`}, "", own, ""},
		"made here, through a link":       {map[string]string{own: `{"active":true,"project_path":"{link}"}`}, "", own, ""},
		"made elsewhere":                  {map[string]string{own: `{"active":true,"project_path":"{project}/elsewhere"}`}, "", "", ""},
		"completed another way yesterday": {map[string]string{own: `{"active":true,"started_at":"{now-30h}"}`, "state/sessions/s1/skill-active-state.json": `{"active_skills":{"ultrawork":{"completed_at":"{now-24h}"}}}`}, "", own, ""},
		"completed another way today":     {map[string]string{own: `{"active":true,"started_at":"{now-30h}"}`, "state/sessions/s1/skill-active-state.json": `{"active_skills":{"ultrawork":{"completed_at":"{now-23h}"}}}`}, "", "", ""},
		"completed when it began":         {map[string]string{own: `{"active":true,"started_at":"{now-1h}"}`, "state/sessions/s1/skill-active-state.json": `{"active_skills":{"ultrawork":{"completed_at":"{now-1h}"}}}`}, "", "", ""},
		"waits for its skill":             {map[string]string{own: `{"active":true,"awaiting_confirmation":true,"awaiting_confirmation_set_at":"{now-119s}"}`}, "", "", ""},
		"waits since it began":            {map[string]string{own: `{"active":true,"awaiting_confirmation":true,"started_at":"{now-1s}"}`}, "", "", ""},
		"waits since now":                 {map[string]string{own: `{"active":true,"awaiting_confirmation":true,"started_at":"{now-0s}"}`}, "", "", ""},
		"waited for two minutes":          {map[string]string{own: `{"active":true,"awaiting_confirmation":true,"awaiting_confirmation_set_at":"{now-2m}"}`}, "", own, ""},
		"waits since nobody knows when":   {map[string]string{own: `{"active":true,"awaiting_confirmation":true}`}, "", own, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if err := os.Symlink(w.project, w.project+"-link"); err != nil {
				t.Fatal(err)
			}
			for file, text := range test.files {
				w.write(file, text)
			}
			id := test.session
			switch id {
			case "":
				id = "s1"
			case "-":
				id = ""
			}
			found := w.at(id).Find(Ultrawork)
			if found.OK != (test.found != "") || found.OK && found.State.Name != test.found {
				t.Errorf("%+v", found)
			}
			var told []string
			for _, notice := range found.Notices {
				told = append(told, notice.Text)
			}
			if text := strings.Join(told, "\n"); len(told) > 1 || (text == "") != (test.told == "") || !strings.Contains(text, test.told) {
				t.Errorf("%q", text)
			}
		})
	}
	w := newWorld(t)
	w.write(own, fmt.Sprintf(`{"active":true,"project_path":%q}`, filepath.ToSlash(strings.ToUpper(w.project))))
	if found := w.at("s1").Find(Ultrawork); found.OK != (runtime.GOOS == "windows") {
		t.Errorf("a path in other letters: %+v", found)
	}
}

// TestNearestFirst: of two .omc directories the nearer one counts. A directory that cannot be used does not hide the
// next one.
func TestNearestFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		near func(w *world, sub string)
		find bool // the state in the sub-directory, not the project's
	}{
		"both can be claimed": {func(w *world, sub string) {
			w.writeIn(sub, "state/ultrawork-state.json", `{"active":true,"started_at":"{now-1s}"}`)
		}, true},
		"none is there": {func(*world, string) {}, false},
		"refused": {func(w *world, sub string) {
			w.writeIn(sub, "state/ultrawork-state.json", `{"active":true,"started_at":"{now-1s}"}`)
			if err := os.Chmod(filepath.Join(sub, ".omc"), 0o777); err != nil {
				w.t.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			far := w.write("state/ultrawork-state.json", `{"active":true,"started_at":"{now-1s}"}`)
			old := w.write("state/last-tool-error.json", "{}")
			if at := w.now.Add(-8 * 24 * time.Hour); os.Chtimes(old, at, at) != nil {
				t.Fatal("the time cannot be set")
			}
			w.write("state/swarm-active.marker", `{"startedAt":"{now-1s}"}`)
			sub := filepath.Join(w.project, "sub")
			if err := os.Mkdir(sub, 0o700); err != nil {
				t.Fatal(err)
			}
			test.near(w, sub)
			r := At(sub, "s1", w.getenv, w.now)
			if found := r.Find(Ultrawork); !found.OK || (found.State.Path() != far) != test.find {
				t.Errorf("%+v", found)
			}
			refused := 0
			if name == "refused" {
				refused = 1
			}
			if found := r.Find(Ultrawork); len(found.Notices) != refused {
				t.Errorf("%+v", found.Notices)
			}
			w.write("state/sessions/s1/pipeline-state.json", `{"active":true}`)
			w.writeIn(sub, "state/pipeline-state.json", "{")
			if found := r.Find(Pipeline); !found.OK || len(found.Notices) != 0 {
				t.Errorf("beside the own one: %+v", found)
			}
			if err := os.Remove(filepath.Join(sub, ".omc", "state", "pipeline-state.json")); err != nil {
				t.Fatal(err)
			}
			for what, states := range map[string][]State{"all": r.All(), "own": r.own()} {
				if n := len(states); states[n-1].Dir != filepath.Join(w.project, ".omc") {
					t.Errorf("%s: %+v", what, states)
				}
			}
			if removals := r.Prune(); len(removals) != 1 || filepath.Base(removals[0].Path) != "last-tool-error.json" {
				t.Errorf("%+v", removals)
			}
			if rival, ok := r.Rival(State{Mode: Autopilot}); !ok || rival.Mode != Swarm {
				t.Errorf("%+v", rival)
			}
		})
	}
}

// TestTerminalHasNoOwnFile: without a session, a file that has ended does not hide files
// that are further away, and notices about other files are kept.
func TestTerminalHasNoOwnFile(t *testing.T) {
	t.Parallel()
	for near, notices := range map[string]int{`{"active":false}`: 0, `{"active":tr`: 1} {
		w := newWorld(t)
		w.write("state/ultrawork-state.json", `{"active":true,"started_at":"{now-1s}"}`)
		sub := filepath.Join(w.project, "sub")
		w.writeIn(sub, "state/ultrawork-state.json", near)
		if found := At(sub, "", w.getenv, w.now).Find(Ultrawork); !found.OK || len(found.Notices) != notices {
			t.Errorf("%s: %+v", near, found)
		}
	}
}

// TestCancelSignal: a signal of the session ends its mode, one without a session allows
// the stop, and a signal for autopilot has to name the state that it means.
func TestCancelSignal(t *testing.T) {
	t.Parallel()
	const state = `{"active":true,"started_at":"{now-1m}"}`
	for name, test := range map[string]struct {
		mode   Mode
		shared bool
		signal string
		want   Signal
	}{
		"of the session":               {Ultrawork, false, `{"active":true,"requested_at":"{now-1s}"}`, SignalHere},
		"of nobody":                    {Ultrawork, true, `{"active":true,"requested_at":"{now-1s}"}`, SignalAnywhere},
		"not active":                   {Ultrawork, false, `{"active":false,"requested_at":"{now-1s}"}`, NoSignal},
		"broken":                       {Ultrawork, false, `{"active":true,"requested_at":"{now-1s}"`, NoSignal},
		"five seconds ahead":           {Ultrawork, false, `{"active":true,"requested_at":"{now5s}"}`, SignalHere},
		"more than five seconds ahead": {Ultrawork, false, `{"active":true,"requested_at":"{now5001ms}"}`, NoSignal},
		"29 seconds old":               {Ultrawork, false, `{"active":true,"requested_at":"{now-29s}"}`, SignalHere},
		"30 seconds old":               {Ultrawork, false, `{"active":true,"requested_at":"{now-30s}"}`, NoSignal},
		"for 30 seconds":               {Ultrawork, false, `{"active":true,"requested_at":"{now-1s}","expires_at":"{now29s}"}`, SignalHere},
		"for 31 seconds":               {Ultrawork, false, `{"active":true,"requested_at":"{now-1s}","expires_at":"{now30s}"}`, NoSignal},
		"for the mode":                 {Ultrawork, false, `{"active":true,"mode":"Ultrawork","requested_at":"{now-1s}"}`, SignalHere},
		"for another mode":             {Ultrawork, false, `{"active":true,"mode":"ralph","requested_at":"{now-1s}"}`, NoSignal},
		"for an autopilot":             {Autopilot, false, `{"active":true,"mode":"autopilot","source":"x","requested_at":"{now-1s}","expires_at":"{now20s}","target_state_sha256":"{sum}"}`, SignalHere},
		"for no mode":                  {Autopilot, false, `{"active":true,"source":"x","requested_at":"{now-1s}","expires_at":"{now20s}","target_state_sha256":"{sum}"}`, NoSignal},
		"from nowhere":                 {Autopilot, false, `{"active":true,"mode":"autopilot","requested_at":"{now-1s}","expires_at":"{now20s}","target_state_sha256":"{sum}"}`, NoSignal},
		"without an end":               {Autopilot, false, `{"active":true,"mode":"autopilot","source":"x","requested_at":"{now-1s}","target_state_sha256":"{sum}"}`, NoSignal},
		"for another state":            {Autopilot, false, `{"active":true,"mode":"autopilot","source":"x","requested_at":"{now-1s}","expires_at":"{now20s}","target_state_sha256":"00"}`, NoSignal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write("state/sessions/s1/"+string(test.mode)+"-state.json", state)
			found := w.at("s1").Find(test.mode)
			if !found.OK {
				t.Fatalf("%+v", found)
			}
			dir := "state/sessions/s1/"
			if test.shared {
				dir = "state/"
			}
			w.write(dir+"cancel-signal-state.json", strings.ReplaceAll(test.signal, "{sum}", strings.ToUpper(found.State.checksum())))
			if got := w.at("s1").CancelSignal(found.State); got != test.want {
				t.Errorf("%v", got)
			}
		})
	}
}
