package stop_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/hooks/ralph/loop"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// world is a home, a project and a clock.
type world struct {
	t             *testing.T
	home, project string
	env           map[string]string
	now           time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "home", "src", "project"), now: time.Now()}
	w.mkdir(filepath.Join(w.project, ".git"))
	w.env = map[string]string{"HOME": w.home, "USERPROFILE": w.home, "LOCALAPPDATA": w.home, "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"}
	return w
}

func (w *world) mkdir(dir string) {
	w.t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(path, text string) {
	w.t.Helper()
	w.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

// at is the loop's state file below a directory.
func at(dir string) string { return filepath.Join(dir, loop.DirName, loop.FileName) }

// start writes a loop of a session, or of nobody, below a directory.
func (w *world) start(dir, sessionID string, lines ...string) {
	w.t.Helper()
	text := "---\niteration: 1\nmax_iterations: 0\ncompletion_promise: \"DONE\"\n"
	if sessionID != "" {
		text += "session_id: " + sessionID + "\n"
	}
	for _, line := range lines {
		text += line + "\n"
	}
	w.write(at(dir), text+"---\nWork.\n")
}

// event is a Stop payload.
type event struct {
	hook, session, cwd, message, extra, plugin string
	fresh                                      bool
}

// stop delivers an event and returns what was printed.
func (w *world) stop(e event) string {
	w.t.Helper()
	if e.cwd == "" {
		e.cwd = w.project
	}
	if e.message == "" {
		e.message = "working"
	}
	return w.deliver(e, fmt.Sprintf(`{"session_id":%q,"cwd":%q,"prompt_id":"p1","stop_hook_active":%t,"last_assistant_message":%q%s}`, e.session, e.cwd, !e.fresh, e.message, e.extra))
}

// deliver feeds an input to the hook of an event.
func (w *world) deliver(e event, input string) string {
	w.t.Helper()
	if e.hook == "" {
		e.hook = "stop"
	}
	var out, errs bytes.Buffer
	router.Run(router.Process{
		Args: []string{"bridge", "--hook=" + e.hook}, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string {
			if name == "CLAUDE_PLUGIN_ROOT" {
				return e.plugin
			}
			return w.env[name]
		},
		Now: func() time.Time { return w.now },
	}, e.hook, nil)
	// Only an end and something that is wrong have a line on stderr.
	if lines := strings.Count(errs.String(), "\n"); lines > 1 || lines == 1 && (out.Len() == 0 || blocks(out.String())) {
		w.t.Errorf("stdout %q, stderr %q", out.String(), errs.String())
	}
	schematest.ValidateStdout(w.t, protocol.EventStop, out.Bytes())
	return strings.ReplaceAll(out.String(), self.Name(func(string) string { return "" }), "bridge")
}

func blocks(stdout string) bool { return strings.Contains(stdout, `"decision": "block"`) }

// wantIteration checks the counter below a directory.
func (w *world) wantIteration(dir string, n int) {
	w.t.Helper()
	if text := w.read(at(dir)); !strings.Contains(text, fmt.Sprintf("iteration: %d\n", n)) {
		w.t.Errorf("want iteration %d, got %q", n, text)
	}
}

func TestThreeStops(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	for i := range 3 {
		if out := w.stop(event{session: "s1", message: fmt.Sprint("turn ", i)}); !blocks(out) {
			t.Fatalf("stop %d: %q", i, out)
		}
	}
	w.wantIteration(w.project, 4)
}

// TestAnEndWithoutAHome: a message says that nothing is remembered, if there is no
// other message.
func TestAnEndWithoutAHome(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{"working": "no home directory is known", "<promise>DONE</promise>": "DONE"} {
		w := newWorld(t)
		w.start(w.project, "s1")
		var out, errs bytes.Buffer
		router.Run(router.Process{
			Args: []string{"bridge", "--hook=stop"}, Stdin: strings.NewReader(fmt.Sprintf(`{"session_id":"s1","cwd":%q,"last_assistant_message":%q}`, w.project, message)),
			Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Now: func() time.Time { return w.now },
		}, "stop", nil)
		if text := errs.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, want) {
			t.Errorf("%s: stdout %q, stderr %q", message, out.String(), text)
		}
	}
}

// TestNotMyEvent: the chain handles only the Stop of the main session.
func TestNotMyEvent(t *testing.T) {
	t.Parallel()
	for _, extra := range []string{`,"agent_id":"a1"`, `,"hook_event_name":"SubagentStop"`, `,"hook_event_name":"SubagentStop","agent_id":"a1"`} {
		w := newWorld(t)
		w.start(w.project, "s1")
		if out := w.stop(event{session: "s1", extra: extra}); out != "" {
			t.Errorf("%s: %q", extra, out)
		}
		w.wantIteration(w.project, 1)
	}
}

// TestSameEventAnotherSource: one event that two hook lines deliver is answered once;
// from a line that delivered it already it is a new event (docs/design.md#one-owner).
func TestSameEventAnotherSource(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	for i, step := range []struct {
		plugin string
		blocks bool
	}{
		{"", true}, {"/p1", false}, {"/p2", false}, // one event, three lines
		{"", true}, {"/p1", false}, // constant text: the next event
		{"/p1", true}, {"", false}, // p1 again: the one after
	} {
		if out := w.stop(event{session: "s1", plugin: step.plugin}); blocks(out) != step.blocks {
			t.Fatalf("delivery %d: %q", i, out)
		}
	}
	w.wantIteration(w.project, 4)
}

// TestSplitChain: --hook=persistent-mode and --hook=stop-continuation leave an event to
// the ralph line, in whatever order they come, also when the loop ends
// (docs/reference/claude-code.md#chained-stops).
func TestSplitChain(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{"persistent-mode", "ralph", "stop-continuation"}, {"ralph", "persistent-mode", "stop-continuation"}, {"stop-continuation", "autopilot", "ralph"}} {
		for message, want := range map[string]string{"more": `"decision": "block"`, "<promise>DONE</promise>": "Detected"} {
			w := newWorld(t)
			w.start(w.project, "s1")
			for _, hook := range order {
				out := w.stop(event{session: "s1", hook: hook, message: message})
				if (hook == "ralph") != strings.Contains(out, want) || hook != "ralph" && out != "" {
					t.Errorf("%v, %s: %q", order, hook, out)
				}
			}
		}
	}
}

// TestOldRecord: a record older than the longest hook timeout is about another
// event, and so is one from the future.
func TestOldRecord(t *testing.T) {
	t.Parallel()
	for _, jump := range []time.Duration{601 * time.Second, -601 * time.Second} {
		w := newWorld(t)
		w.start(w.project, "s1")
		if out := w.stop(event{session: "s1", plugin: "/a"}); !blocks(out) {
			t.Fatal(out)
		}
		w.now = w.now.Add(jump)
		if out := w.stop(event{session: "s1", plugin: "/b"}); !blocks(out) {
			t.Errorf("%v: %q", jump, out)
		}
	}
}

// transcript writes the turn of a stop: a prompt, a message and perhaps a tool.
func (w *world) transcript(message string, tool bool) string {
	w.t.Helper()
	lines := `{"type":"user","message":{"role":"user","content":"go"}}` + "\n"
	if tool {
		lines += `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}` + "\n"
	}
	lines += fmt.Sprintf(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":%q}]}}`+"\n", message)
	path := filepath.Join(w.home, "transcript.jsonl")
	w.write(path, lines)
	return fmt.Sprintf(`,"transcript_path":%q`, path)
}

// TestIdleGuard: ten stops in a row without a tool call and with the same
// message, digits folded, end the loop; a tool call or another message does not.
func TestIdleGuard(t *testing.T) {
	t.Parallel()
	always, same := func(int) bool { return true }, func(int) string { return "Waiting." }
	for name, test := range map[string]struct {
		message  func(i int) string
		readable func(i int) bool // whether the stop has a transcript
		tool     bool
		ends     bool
	}{
		"same message":                  {same, always, false, true},
		"a counter in it":               {func(i int) string { return fmt.Sprintf("Attempt %d  done", i*7) }, always, false, true},
		"another message":               {func(i int) string { return strings.Repeat("x", i+1) }, always, false, false},
		"same message, but work":        {same, always, true, false},
		"the transcript comes late":     {same, func(i int) bool { return i > 1 }, false, true},
		"the transcript is gone":        {same, func(i int) bool { return i == 1 }, false, false},
		"the transcript is never there": {same, func(int) bool { return false }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start(w.project, "s1")
			for i := 1; i <= 12; i++ {
				message := test.message(i)
				extra := w.transcript(message, test.tool)
				if !test.readable(i) {
					extra = ""
				}
				out := w.stop(event{session: "s1", message: message, extra: extra})
				if test.ends && i == 10 {
					if blocks(out) || !strings.Contains(out, "ended after 10 stops in a row") || !strings.Contains(out, "bridge ralph resume") {
						t.Errorf("stop %d: %q", i, out)
					}
					if w.read(at(w.project)) != "" || !strings.Contains(w.read(at(w.project)+".bak"), "Work.") {
						t.Error("the loop was not moved to its backup")
					}
					return
				}
				if !blocks(out) {
					t.Fatalf("stop %d: %q", i, out)
				}
			}
			if test.ends {
				t.Error("the loop never ended")
			}
		})
	}
}

// TestClientCap: the block that the client would override is not printed; the loop and
// its counter stay (docs/design.md#client-cap).
func TestClientCap(t *testing.T) {
	t.Parallel()
	for value, limit := range map[string]int{"": 8, "3": 3, "0": 1000, "many": 8, "-2": 8} {
		w := newWorld(t)
		w.env["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] = value
		w.start(w.project, "s1")
		for i := 1; i <= 9; i++ {
			message := strings.Repeat("y", i)
			out := w.stop(event{session: "s1", message: message, fresh: i == 1, extra: w.transcript(message, false)})
			if i <= limit != blocks(out) {
				t.Fatalf("cap %q, stop %d: %q", value, i, out)
			}
			if i == limit+1 {
				if !strings.Contains(out, "this stop is allowed, because Claude Code overrides") || !strings.Contains(out, "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0") {
					t.Errorf("cap %q: %q", value, out)
				}
				w.wantIteration(w.project, limit+1)
				// The next prompt begins a new turn.
				if out := w.stop(event{session: "s1", message: "z", fresh: true, extra: w.transcript("z", false)}); !blocks(out) {
					t.Errorf("cap %q, next prompt: %q", value, out)
				}
				w.wantIteration(w.project, limit+2)
				break
			}
		}
	}
}

// TestPendingWork: background agents and workflows are waited for without counting; a
// shell (Yeachan-Heo/oh-my-claudecode#2933), a teammate, which also runs while it is idle,
// or an unknown kind is not.
func TestPendingWork(t *testing.T) {
	t.Parallel()
	for tasks, waits := range map[string]bool{
		`[{"id":"a","type":"subagent","status":"running"}]`:                                     true,
		`[{"id":"a","type":"shell","status":"running"}]`:                                        false,
		`[{"id":"a","type":"subagent","status":"completed"}]`:                                   false,
		`[{"id":"a","type":"monitor","status":"running"}]`:                                      false,
		`[{"id":"a","type":"teammate","status":"running"}]`:                                     false,
		`[{"id":"a","type":"workflow","status":"running"}]`:                                     true,
		`[{"id":"a","type":"workflow","status":"completed"}]`:                                   false,
		`[{"type":"shell","status":"running"},{"id":"b","type":"subagent","status":"running"}]`: true,
		`[]`:   false,
		`null`: false,
	} {
		w := newWorld(t)
		w.start(w.project, "s1")
		out := w.stop(event{session: "s1", extra: `,"background_tasks":` + tasks})
		if blocks(out) == waits {
			t.Errorf("%s: %q", tasks, out)
		}
		if waits {
			w.wantIteration(w.project, 1)
			if !strings.Contains(out, "waiting for background agents (1 running)") {
				t.Errorf("%s: %q", tasks, out)
			}
		}
	}
}

// TestOwnership: whose loop it is (docs/design.md#ownership;
// anthropics/claude-plugins-official#370, anthropics/claude-plugins-official#436,
// anthropics/claude-plugins-official#592, anthropics/claude-plugins-official#844,
// anthropics/claude-plugins-official#1319, anthropics/claude-plugins-official#1371,
// anthropics/claude-plugins-official#1775).
func TestOwnership(t *testing.T) {
	t.Parallel()
	old, hourAgo := time.Now().Add(-48*time.Hour), time.Now().Add(-time.Hour)
	for name, test := range map[string]struct {
		prepare func(w *world)
		session string
		blocks  bool
		notice  bool
	}{
		"own":                        {func(w *world) { w.start(w.project, "s1") }, "s1", true, false},
		"foreign":                    {func(w *world) { w.start(w.project, "s2") }, "s1", false, false},
		"input without an id":        {func(w *world) { w.start(w.project, "s2") }, "", false, false},
		"no ids at all":              {func(w *world) { w.start(w.project, "") }, "", true, false},
		"no id, fresh file":          {func(w *world) { w.start(w.project, "", stamp(time.Now())) }, "s1", true, false},
		"no id, no stamp":            {func(w *world) { w.start(w.project, "") }, "s1", false, true},
		"unpacked":                   {func(w *world) { w.start(w.project, "", stamp(hourAgo)); w.age(hourAgo) }, "s1", false, true},
		"no id, old file":            {func(w *world) { w.start(w.project, ""); w.age(old) }, "s1", false, true},
		"id null":                    {func(w *world) { w.start(w.project, "null", stamp(time.Now())) }, "s1", true, false},
		"own, old":                   {func(w *world) { w.start(w.project, "s1"); w.age(old) }, "s1", true, false},
		"stamp and mtime agree, old": {func(w *world) { w.start(w.project, "", stamp(old)); w.age(old) }, "s1", false, true},
		"old stamp in a fresh file":  {func(w *world) { w.start(w.project, "", stamp(old)) }, "s1", false, true},
		"fresh stamp, tracked":       {func(w *world) { w.start(w.project, "", stamp(time.Now())); w.commit() }, "s1", true, false},
		"no stamp, tracked":          {func(w *world) { w.start(w.project, ""); w.commit() }, "s1", false, true},
		"tracked behind a link": {func(w *world) {
			w.start(filepath.Join(w.project, "tools"), "")
			w.link("tools/.claude")
			w.commit()
		}, "s1", false, true},
		"no stamp, old, but pending": {func(w *world) { w.start(w.project, ""); w.age(old); w.pending() }, "s1", true, false},
		"clock in the future":        {func(w *world) { w.start(w.project, ""); w.age(time.Now().Add(48 * time.Hour)) }, "s1", false, true},
		"paused":                     {func(w *world) { w.start(w.project, "s1", "active: false") }, "s1", false, false},
		"corrupted, foreign":         {func(w *world) { w.start(w.project, "s2", "iteration: x") }, "s1", false, false},
		"front matter gone, old":     {func(w *world) { w.write(at(w.project), "x"); w.age(old) }, "s1", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			test.prepare(w)
			before := w.read(at(w.project))
			out := w.stop(event{session: test.session})
			if blocks(out) != test.blocks {
				t.Fatalf("%q", out)
			}
			if test.blocks {
				if test.session != "" && !strings.Contains(w.read(at(w.project)), "session_id: "+test.session) {
					t.Errorf("not claimed: %q", w.read(at(w.project)))
				}
				if other := w.stop(event{session: "s9"}); test.session != "" && blocks(other) {
					t.Errorf("a second session is trapped: %q", other)
				}
				return
			}
			if now := w.read(at(w.project)); now != before {
				t.Errorf("somebody else's file was changed to %q", now)
			}
			if test.notice != strings.Contains(out, "bridge ralph resume") {
				t.Errorf("notice: %q", out)
			}
			if again := w.stop(event{session: test.session, message: "next"}); again != "" {
				t.Errorf("the notice came twice: %q", again)
			}
		})
	}
}

// link makes .claude a link.
func (w *world) link(target string) {
	w.t.Helper()
	if err := os.Symlink(target, filepath.Join(w.project, loop.DirName)); err != nil {
		w.t.Fatal(err)
	}
}

func stamp(at time.Time) string { return "started_at: " + at.UTC().Format(time.RFC3339) }

// age sets the modification time of the state file.
func (w *world) age(to time.Time) {
	w.t.Helper()
	if err := os.Chtimes(at(w.project), to, to); err != nil {
		w.t.Fatal(err)
	}
}

// pending records a state as a start in a terminal does.
func (w *world) pending() {
	w.t.Helper()
	store := session.NewStore(project.Env(func(name string) string { return w.env[name] }, w.now).StateHome)
	if err := store.AddPending(at(w.project)); err != nil {
		w.t.Fatal(err)
	}
}

// commit puts the state file under version control, as a hostile or careless
// repository does.
func (w *world) commit() {
	w.t.Helper()
	if err := os.RemoveAll(filepath.Join(w.project, ".git")); err != nil {
		w.t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = w.project
		cmd.Env = append(os.Environ(), "HOME="+w.home, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Skipf("git is needed to make a repository: %v %s", err, out)
		}
	}
}

// TestWhereStateIsFound: from the working directory up to the root, then in
// CLAUDE_PROJECT_DIR, never in the home directory (docs/design.md#project-root;
// anthropics/claude-plugins-official#3989, anthropics/claude-plugins-official#88,
// anthropics/claude-plugins-official#394, anthropics/claude-plugins-official#4909).
func TestWhereStateIsFound(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(w *world) (cwd string)
		blocks  bool
	}{
		"in a parent": {func(w *world) string {
			w.start(w.project, "s1")
			w.mkdir(filepath.Join(w.project, "a", "b"))
			return filepath.Join(w.project, "a", "b")
		}, true},
		"above the root": {func(w *world) string {
			w.start(filepath.Dir(w.project), "s1")
			return w.project
		}, false},
		"in the home directory": {func(w *world) string {
			w.start(w.home, "s1")
			w.mkdir(filepath.Join(w.home, "notes"))
			return filepath.Join(w.home, "notes")
		}, false},
		"the home directory is the working directory": {func(w *world) string {
			w.start(w.home, "s1")
			return w.home
		}, true},
		"in CLAUDE_PROJECT_DIR, elsewhere": {func(w *world) string {
			other := filepath.Join(w.home, "other")
			w.start(other, "s1")
			w.env["CLAUDE_PROJECT_DIR"] = other
			return w.project
		}, true},
		"CLAUDE_PROJECT_DIR contains the directory": {func(w *world) string {
			other := filepath.Join(w.home, "other")
			w.start(other, "s1")
			w.mkdir(filepath.Join(other, "deep"))
			w.env["CLAUDE_PROJECT_DIR"] = other
			return filepath.Join(other, "deep")
		}, true},
		"through a link": {func(w *world) string {
			w.start(w.project, "s1")
			link := filepath.Join(w.home, "link")
			if err := os.Symlink(w.project, link); err != nil {
				w.t.Fatal(err)
			}
			return link
		}, true},
		"own file above a foreign one": {func(w *world) string {
			w.start(w.project, "s1")
			w.start(filepath.Join(w.project, "a"), "s2")
			return filepath.Join(w.project, "a")
		}, true},
		"per-session file beside another session's": {func(w *world) string {
			w.start(w.project, "s2")
			w.write(filepath.Join(w.project, loop.DirName, loop.SessionFileName("s1")), "---\niteration: 1\nmax_iterations: 0\nsession_id: s1\n---\nMine.\n")
			return w.project
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cwd := test.prepare(w)
			if out := w.stop(event{session: "s1", cwd: cwd}); blocks(out) != test.blocks {
				t.Errorf("%q", out)
			}
		})
	}
}

// TestCancelledMeanwhile: a file that an upstream command removes stays removed.
func TestCancelledMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	if out := w.stop(event{session: "s1"}); !blocks(out) {
		t.Fatal(out)
	}
	if err := os.Remove(at(w.project)); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if out := w.stop(event{session: "s1", message: fmt.Sprint(i)}); out != "" {
			t.Errorf("%q", out)
		}
	}
	if w.read(at(w.project)) != "" {
		t.Error("the cancelled loop came back")
	}
}

// TestTranscriptVectors: the cases of docs/reference/ralph-loop.md#vectors that are
// about the transcript, for a client that sends no last message.
func TestTranscriptVectors(t *testing.T) {
	t.Parallel()
	const prompt = `{"type":"user","message":{"role":"user","content":"go"}}`
	said := func(content string) string {
		return `{"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":` + content + `}}`
	}
	text := func(s string) string { return said(fmt.Sprintf(`[{"type":"text","text":%q}]`, s)) }
	tool := said(`[{"type":"tool_use","id":"t","name":"Bash","input":{}}]`) + "\n" +
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"<promise>DONE</promise>"}]}}`
	const promise = "<promise>DONE</promise>"
	for name, test := range map[string]struct {
		lines []string
		rule  string // "block", or what the notice says
	}{
		"promise":                    {[]string{prompt, text(promise)}, "Detected"},
		"promise, then a later text": {[]string{prompt, text(promise), text("That was it.")}, "Detected"},
		"promise, then tools":        {[]string{prompt, text(promise), strings.Repeat(tool+"\n", 150)}, "Detected"},
		"promise in an earlier turn": {[]string{prompt, text(promise), prompt, text("more")}, "block"},
		"thinking only":              {[]string{prompt, said(`[{"type":"thinking","thinking":"<promise>DONE</promise>"}]`)}, "block"},
		"tool only":                  {[]string{prompt, tool}, "block"},
		"string content":             {[]string{prompt, said(`"<promise>DONE</promise>"`)}, "Detected"},
		"top-level role":             {[]string{prompt, `{"role":"assistant","content":[{"type":"text","text":"<promise>DONE</promise>"}]}`}, "Detected"},
		"spaced role":                {[]string{prompt, strings.ReplaceAll(text(promise), `"role":"assistant"`, `"role" : "assistant"`)}, "Detected"},
		"sidechain":                  {[]string{prompt, text("mine"), strings.Replace(text(promise), `"isSidechain":false`, `"isSidechain":true`, 1)}, "block"},
		"half line":                  {[]string{prompt, text("whole"), text(promise)[:60]}, "block"},
		"control char (anthropics/claude-code#68665)": {[]string{prompt, text("x") + "\x01", text(promise)}, "Detected"},
		"CRLF":            {[]string{prompt + "\r", text(promise) + "\r"}, "Detected"},
		"byte order mark": {[]string{"\ufeff" + prompt, text(promise)}, "Detected"},
		"bare word (anthropics/claude-code#81827)": {[]string{prompt, text("DONE")}, "block"},
		"empty text continues":                     {[]string{prompt, text("")}, "block"},
		"no assistant":                             {[]string{prompt}, "No assistant messages found"},
		"unparsable":                               {[]string{"once upon a time"}, "Failed to parse the transcript"},
		"transcript absent":                        {nil, "Transcript file not found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start(w.project, "s1")
			path := filepath.Join(w.home, "transcript.jsonl")
			if test.lines != nil {
				w.write(path, strings.Join(test.lines, "\n")+"\n")
			}
			out := w.deliver(event{session: "s1"}, fmt.Sprintf(`{"session_id":"s1","cwd":%q,"transcript_path":%q,"hook_event_name":"Stop"}`, w.project, path))
			if test.rule == "block" {
				if !blocks(out) {
					t.Errorf("%q", out)
				}
				w.wantIteration(w.project, 2)
				return
			}
			if blocks(out) || !strings.Contains(out, test.rule) || !strings.Contains(w.read(at(w.project)+".bak"), "Work.") {
				t.Errorf("%q, want %s", out, test.rule)
			}
		})
	}
}

// TestHostileText: what a repository puts into a state file reaches the user's
// terminal without control characters, and the model to the letter.
func TestHostileText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(at(w.project), "---\niteration: 1\nmax_iterations: 0\nsession_id: s1\ncompletion_promise: \"a\x1b[2Jb\u202e\"\n---\nDo \x1b[31mit\n")
	out := w.stop(event{session: "s1"})
	if !blocks(out) || strings.Contains(out, "\x1b") || strings.ContainsRune(strings.Split(out, "systemMessage")[1], '\u202e') {
		t.Errorf("%q", out)
	}
	if !strings.Contains(out, `"reason": "Do \u001b[31mit"`) {
		t.Errorf("the prompt was changed: %q", out)
	}
	if !strings.Contains(out, `\\u001B[2Jb\\u202E`) {
		t.Errorf("the control characters are not visible: %q", out)
	}
}
