//go:build unix

package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/agents"
)

var quotedReason = regexp.MustCompile("`([^`]+)`")

// TestReasonsOfTheTable: docs/reference/stop-rules.md#stop-reasons names the reasons that
// let a stop pass, and each of them does.
func TestReasonsOfTheTable(t *testing.T) {
	longer(t)
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "stop-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), `<a id="stop-reasons">`)
	section, _, _ = strings.Cut(section, "\n#")
	fields := []string{"stop_reason", "stopReason", "end_turn_reason", "endTurnReason", "reason"}
	rules, reasons := map[string]bool{}, 0
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(cells[1], "rule") {
			continue
		}
		rule := strings.Trim(cells[1], " `")
		rules[rule] = true
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			path := s.mode("ralph", `"iteration":2,"max_iterations":1000,"prompt":"Do it"`)
			for i, cell := range cells[2:4] {
				for _, quoted := range quotedReason.FindAllStringSubmatch(cell, -1) {
					reason := quoted[1]
					texts := []string{reason, strings.ToUpper(reason), strings.ReplaceAll(reason, "_", "-")}
					if i == 0 {
						texts = append(texts, "it ended: "+reason+" (again)")
					}
					for n, text := range texts {
						field := fields[(len(reason)+n)%len(fields)]
						before, _ := os.ReadFile(path)
						a := s.hook("stop", s.stopWith(text, fmt.Sprintf(`,%q:%q`, field, text)))
						after, _ := os.ReadFile(path)
						if allowed := !a.blocks(); allowed != (rule != "none") || allowed != (string(before) == string(after)) {
							t.Errorf("%s %q: %s", field, text, a.stdout)
						}
					}
				}
			}
		})
		reasons += len(quotedReason.FindAllString(cells[2]+cells[3], -1))
	}
	if len(rules) != 7 || reasons < 60 {
		t.Errorf("the table has %d reasons of %v", reasons, rules)
	}
}

// TestWakeupToolOfAnotherCaller: another caller may use another name for
// the tool.
func TestWakeupToolOfAnotherCaller(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it"`)
	for tool, allowed := range map[string]bool{"native.schedule_wakeup": true, "ScheduleWakeup": true, "native.list_wakeups": false} {
		if a := s.hook("stop", s.stopWith(tool, fmt.Sprintf(`,"tool_name":%q`, tool))); a.blocks() == allowed {
			t.Errorf("%s: %s", tool, a.stdout)
		}
	}
}

// TestAutopilotIsCancelledByTheParsedState: the checksum in a cancel signal is that of the
// state as oh-my-claudecode writes it after parsing, whatever the layout of the file
// (docs/reference/stop-rules.md#cancel-signal).
func TestAutopilotIsCancelledByTheParsedState(t *testing.T) {
	t.Parallel()
	at := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	pretty := fmt.Sprintf(`{
  "active": true, "phase": "qa",
  "iteration": 2.0,
  "originalIdea": "Caf\u00e9 \/ 1",
  "phase_durations": {"b": 1e2, "2": -0, "1": [ ]},
  "session_id": %q,
  "started_at": %q
}
`, sessionID, at)
	parsed := fmt.Sprintf(`{"active":true,"phase":"qa","iteration":2,"originalIdea":"Café / 1","phase_durations":{"1":[],"2":0,"b":100},"session_id":%q,"started_at":%q}`, sessionID, at)
	const run = `,"target_workflow_run_id":"r1"`
	for name, test := range map[string]struct {
		state, checksum, more string
		ends                  bool
	}{
		"of the parsed state":       {pretty, sum(parsed), "", true},
		"of the bytes":              {pretty, sum(pretty), "", false},
		"of another state":          {pretty, sum(strings.Replace(parsed, `"qa"`, `"planning"`, 1)), "", false},
		"with a run of no state":    {pretty, sum(parsed), run, false},
		"without the state's run":   {withRun(pretty), sum(withRun(parsed)), "", false},
		"with the run of the state": {withRun(pretty), sum(withRun(parsed)), run, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			dir := filepath.Join(s.omc(), "state", "sessions", sessionID)
			s.put(filepath.Join(dir, "autopilot-state.json"), test.state)
			now := time.Now().UTC()
			s.put(filepath.Join(dir, "cancel-signal-state.json"), fmt.Sprintf(`{"active":true,"mode":"autopilot","source":"skill","requested_at":%q,"expires_at":%q,"target_state_sha256":%q%s}`,
				now.Format(time.RFC3339Nano), now.Add(25*time.Second).Format(time.RFC3339Nano), test.checksum, test.more))
			if a := s.hook("stop", s.stopInput(1)); a.blocks() == test.ends || strings.Contains(a.stdout, "AUTOPILOT CANCELLED") != test.ends {
				t.Errorf("%s", a.stdout)
			}
		})
	}
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func withRun(state string) string { return strings.Replace(state, "{", `{"workflowRunId":"r1",`, 1) }

// prompt is a prompt of a session.
func (s *scene) prompt(session, text string) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":"","cwd":%q,"prompt_id":"p","hook_event_name":"UserPromptSubmit","prompt":%q}`, session, s.project, text)
}

// below lists what a directory holds, as paths.
func (s *scene) below(dir string) (paths []string) {
	s.t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return paths
}

// TestSessionIDsWithDots: a session whose id has dots has its own folder and its own loop
// (docs/reference/modes.md#path-session-ids).
func TestSessionIDsWithDots(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"2026.11.s1", "a.b", "v1.2-x_y.json"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			if a := s.hook("keyword-detector", s.prompt(id, "ralph: fix the failing tests")); !strings.Contains(a.stdout, "ralph") {
				t.Errorf("the prompt: %q %q", a.stdout, a.stderr)
			}
			path := filepath.Join(s.omc(), "state", "sessions", id, "ralph-state.json")
			if a := s.hook("stop", s.says(id, "half of it")); !a.blocks() {
				t.Errorf("the stop: %q", a.stdout)
			}
			if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `"iteration": 2`) {
				t.Errorf("%s, %v", text, err)
			}
			if a := s.hook("stop", s.says("another.session", "done")); a.stdout != "" {
				t.Errorf("another session: %q", a.stdout)
			}
			if a := s.cli("", "status", "--json"); !strings.Contains(a.stdout, id) {
				t.Errorf("status: %q", a.stdout)
			}
			if a := s.cli("", "mode", "stop", "ralph", "--session", id); a.code != 0 {
				t.Errorf("mode stop: %q", a.stderr)
			}
			if a := s.hook("stop", s.says(id, "the end")); a.blocks() {
				t.Errorf("after the cancel: %q", a.stdout)
			}
			if a := s.cli(id, "ralph", "loop", "Work on it.", "--max-iterations", "3"); a.code != 0 {
				t.Errorf("ralph start: %q", a.stderr)
			}
			if a := s.hook("stop", s.says(id, "more")); !a.blocks() || !strings.Contains(a.stdout, "Work on it.") {
				t.Errorf("the loop: %q", a.stdout)
			}
			if a := s.hook("stop", s.says("another.session", "well")); a.blocks() {
				t.Errorf("the loop holds another session: %q", a.stdout)
			}
		})
	}
}

// TestSessionIDsThatNameNoFolder: an id that must not be part of a path writes nothing
// beside the files that all sessions share, and its session still has the loop that names
// it there (docs/reference/modes.md#path-session-ids).
func TestSessionIDsThatNameNoFolder(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"../../x", "..", "a..b", ".hidden", "x.", "a/../../b", "."} {
		t.Run(strings.ReplaceAll(id, "/", "|"), func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			now := time.Now().UTC().Format(time.RFC3339)
			shared := filepath.Join(s.omc(), "state", "ralph-state.json")
			s.put(shared, fmt.Sprintf(`{"active":true,"session_id":%q,"started_at":%q,"iteration":2,"max_iterations":10,"prompt":"Do it"}`, id, now))
			before := s.below(filepath.Dir(s.omc()))
			if a := s.hook("stop", s.says(id, "half of it")); !a.blocks() {
				t.Errorf("the stop: %q", a.stdout)
			}
			if text, err := os.ReadFile(shared); err != nil || !strings.Contains(string(text), `"iteration":3`) {
				t.Errorf("%s, %v", text, err)
			}
			if a := s.hook("keyword-detector", s.prompt(id, "autopilot: build a shop")); !strings.Contains(a.stdout, "session id may contain only") {
				t.Errorf("the prompt: %q %q", a.stdout, a.stderr)
			}
			for _, hook := range []struct{ name, event, more string }{
				{"subagent-start", "SubagentStart", `,"agent_id":"a","agent_type":"executor"`},
				{"post-tool-use", "PostToolUseFailure", `,"tool_name":"Bash","tool_input":{"command":"x"},"error":"no"`},
				{"session-end", "SessionEnd", `,"reason":"other"`},
			} {
				s.hook(hook.name, fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q%s}`, id, s.project, hook.event, hook.more))
			}
			for _, path := range s.below(filepath.Dir(s.omc())) {
				if !slices.Contains(before, path) && (strings.Contains(path, "..") || !strings.HasPrefix(path, "/.omc/state/")) {
					t.Errorf("it wrote %s", path)
				}
			}
		})
	}
}

// TestStoriesThatPassAreNotOpen: Yeachan-Heo/oh-my-claudecode's stories with passes: true
// and architectVerified: false pass and are not reviewed. The loop says so, asks for the
// review, and ends with a reviewer's approval in the result of a tool
// (docs/reference/omc-ralph.md#stories).
func TestStoriesThatPassAreNotOpen(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	state := s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it","prd_mode":true`)
	prd := filepath.Join(filepath.Dir(state), "prd.json")
	const stories = `{
  "project": "shop",
  "userStories": [
    {"id": "US-001", "title": "Sell", "passes": true, "architectVerified": false},
    {"id": "US-002", "title": "Buy",  "passes": true, "architectVerified": false}
  ]
}
`
	s.put(prd, stories)
	transcript := filepath.Join(s.home, "turn.jsonl")
	stop := func(message, agent string, approved ...string) answer {
		report := "I checked them."
		for _, id := range approved {
			report += fmt.Sprintf("\n<ralph-approved story-id=%q>VERIFIED_COMPLETE</ralph-approved>", id)
		}
		s.put(transcript, `{"type":"user","message":{"role":"user","content":"go"}}
`+fmt.Sprintf(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"subagent_type":%q,"prompt":"Check."}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":%q}]}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":%q}]}}
`, agent, report, message))
		return s.hook("stop", strings.Replace(s.stopWith(message, ""), `"transcript_path":""`, fmt.Sprintf(`"transcript_path":%q`, transcript), 1))
	}
	read := func() string {
		text, err := os.ReadFile(prd)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if a := stop("All done.", "executor", "US-001", "US-002"); !a.blocks() || !strings.Contains(a.stdout, "All 2 stories in prd.json pass, but 2 of them have not been reviewed") || strings.Contains(a.stdout, "0 of 2") || !strings.Contains(a.stdout, `story-id=\"US-002\"`) {
		t.Errorf("not reviewed: %s", a.stdout)
	}
	if read() != stories {
		t.Errorf("an executor approved: %s", read())
	}
	if a := stop("One is approved.", "oh-my-claudecode:architect", "US-001"); !a.blocks() || !strings.Contains(a.stdout, "but 1 of them") {
		t.Errorf("one approved: %s", a.stdout)
	}
	half := strings.Replace(stories, `true, "architectVerified": false`, `true, "architectVerified": true`, 1)
	if read() != half {
		t.Errorf("one approved: %s", read())
	}
	if a := stop("The other as well.", "critic", "US-002"); a.blocks() || !strings.Contains(a.stdout, "RALPH LOOP VERIFIED COMPLETE") {
		t.Errorf("both approved: %s", a.stdout)
	}
	if read() != strings.ReplaceAll(half, "false", "true") {
		t.Errorf("both approved: %s", read())
	}
	if _, err := os.Stat(state); err == nil {
		t.Error("the loop goes on")
	}
}

// TestStopWithoutAStartEndsTheOnlyAgentOfItsType: Yeachan-Heo/oh-my-claudecode#3252
// (docs/reference/records.md#subagents).
func TestStopWithoutAStartEndsTheOnlyAgentOfItsType(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.mode("ralph", `"iteration":2,"max_iterations":10,"prompt":"Do it"`)
	event := func(hook, event, id, kind string) {
		s.hook(hook, fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q,"agent_id":%q,"agent_type":%q}`, sessionID, s.project, event, id, kind))
	}
	event("subagent-start", "SubagentStart", "a1", "executor")
	event("subagent-start", "SubagentStart", "a2", "architect")
	event("subagent-start", "SubagentStart", "b1", "writer")
	event("subagent-start", "SubagentStart", "b2", "writer")
	event("subagent-stop", "SubagentStop", "a3", "executor")
	event("subagent-stop", "SubagentStop", "b3", "writer")
	text, err := os.ReadFile(filepath.Join(s.omc(), "state", "sessions", sessionID, "subagent-tracking-state.json"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := agents.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range list.Agents {
		got = append(got, fmt.Sprintf("%s %s %s %v", a.ID, a.Type, a.Status, a.Synthetic))
	}
	if want := []string{"a1 executor completed false", "a2 architect running false", "b1 writer running false", "b2 writer running false", "b3 writer completed true"}; !slices.Equal(got, want) || list.Completed != 2 || list.Spawned != 5 {
		t.Errorf("%q, %d completed", got, list.Completed)
	}
	if a := s.hook("stop", s.stopInput(1)); a.blocks() || !strings.Contains(a.stdout, "3 running") {
		t.Errorf("the stop: %s", a.stdout)
	}
	for id, kind := range map[string]string{"a2": "architect", "b1": "writer", "b2": "writer"} {
		event("subagent-stop", "SubagentStop", id, kind)
	}
	if a := s.hook("stop", s.stopInput(2)); !a.blocks() {
		t.Errorf("after the last agent: %s", a.stdout)
	}
}

// TestModesNameCommandsThatExist: the cancel of another plugin is named where that plugin
// is enabled, and bridge's slash command where bridge runs as a plugin
// (docs/reference/modes.md#commands).
func TestModesNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings string
		plugin   bool
		model    string
	}{
		"bridge alone":              {"", false, ""},
		"with oh-my-claudecode":     {`{"enabledPlugins":{"oh-my-claudecode@omc":true}}`, false, "/oh-my-claudecode:cancel or `"},
		"with ultrapower":           {`{"enabledPlugins":{"ultrapower@x":true,"other@x":true}}`, false, "/ultrapower:cancel or `"},
		"oh-my-claudecode is off":   {`{"enabledPlugins":{"oh-my-claudecode@omc":false}}`, false, ""},
		"a plugin of a longer name": {`{"enabledPlugins":{"oh-my-claudecode-theme@x":true}}`, false, ""},
		"bridge as a plugin":        {"", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, members := range map[string]string{
				"ralph": `"iteration":2,"max_iterations":10,"prompt":"Do it"`, "autopilot": `"iteration":2,"phase":"qa"`, "ultrawork": `"reinforcement_count":0`,
			} {
				s := newScene(t)
				s.mode(mode, members)
				if test.settings != "" {
					s.put(filepath.Join(s.home, ".claude", "settings.json"), test.settings)
				}
				var extra []string
				user := "To stop: " + binary + " mode stop " + mode
				if test.plugin {
					extra, user = []string{"CLAUDE_PLUGIN_ROOT=" + s.home}, "To stop: /bridge:cancel-mode"
				}
				a := s.hook("stop", s.stopInput(1), extra...)
				if model := test.model + binary + " mode stop " + mode; !a.blocks() || !strings.Contains(a.stdout, strings.TrimPrefix(model, "`")) || !strings.Contains(a.stdout, user) {
					t.Errorf("%s: %s", mode, a.stdout)
				}
				if test.model == "" && strings.Contains(a.stdout, ":cancel or") {
					t.Errorf("%s names a command that does not exist: %s", mode, a.stdout)
				}
			}
		})
	}
}
