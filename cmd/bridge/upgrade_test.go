//go:build unix

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// world is a home and several projects below one directory.
type world struct {
	t    *testing.T
	root string
	// program is the installed one, which the hook lines name.
	program string
	steps   int
}

// worldStep is one call of the program.
type worldStep struct {
	// project is the working directory below the root; session the one that calls,
	// or none in a terminal.
	project, session string
	args             []string
	// event and members make the payload of a hook.
	event, members string
	// prompt is the prompt's id; without it each payload has its own.
	prompt string
	exit   int
	// want are parts of stdout; "" alone means none at all.
	want []string
}

func typed(project, session, line string, want ...string) worldStep {
	args := strings.Split(line, " ")
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "_", " ")
	}
	return worldStep{project: project, session: session, args: args, want: want}
}

// fails is typed for a call that ends with exit code 1.
func fails(project, session, line string, want ...string) worldStep {
	s := typed(project, session, line, want...)
	s.exit = 1
	return s
}

func called(project, session, hook, event, members string, want ...string) worldStep {
	return worldStep{project: project, session: session, args: []string{"--hook=" + hook}, event: event, members: members, want: want}
}

func stops(project, session, message string, want ...string) worldStep {
	text, _ := json.Marshal(message)
	return called(project, session, "stop", "Stop", `,"stop_hook_active":false,"last_assistant_message":`+string(text), want...)
}

// stopsAgain is a stop with the same prompt as all others of its kind, like one that
// another hook line also gets.
func stopsAgain(project, session, message, hook string, want ...string) worldStep {
	step := stops(project, session, message, want...)
	step.args, step.prompt = []string{"--hook=" + hook}, "p"
	return step
}

func asks(command string, want ...string) worldStep {
	input, _ := json.Marshal(map[string]any{"command": command})
	offers, _ := json.Marshal([]map[string]any{{"type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": []map[string]string{{"toolName": "Bash", "ruleContent": command}}}})
	return called("loop", "s-loop", "permission-request", "PermissionRequest", `,"tool_name":"Bash","tool_input":`+string(input)+`,"permission_suggestions":`+string(offers), want...)
}

// upgradeFiles are what a person and other programs wrote.
var upgradeFiles = map[string]string{
	"home/.claude/settings.json": settingsText,
	"home/.config/bridge/config.json": `{
  // mine
  "log": "debug.log",
  "record": true,
  "deadlines_ms": {"ralph": 60000},
  "lang": "en",
  "permissions": {"deny": ["Bash(curl *)"], "ask": ["Bash(git push *)"], "allow": ["Bash(npm test)"], "max_background_tasks": 2},
  "smart": {"clamp": {"max_iterations": 40}},
  "specum": {"strict_guard": false},
  "keywords": {"disabled": ["ulw"]},
}
`,
	"loop/.claude/bridge.json":         `{"permissions": {"deny": ["Bash(rm *)"]}} // ours`,
	"lines/.claude/settings.json":      "{\n  \"model\": \"opus\"\n}\n",
	"spec/specs/.current-spec":         "app\n",
	"spec/specs/app/tasks.md":          "# Tasks\n\n- [x] 1.1 Build the parser\n- [ ] 1.2 Build the printer\n- [ ] 1.3 Write the README\n",
	"spec/specs/app/.progress.md":      "# Progress\n",
	"spec/specs/app/.ralph-state.json": `{"phase":"execution","taskIndex":1,"totalTasks":3,"taskIteration":1,"maxTaskIterations":5,"globalIteration":2,"maxGlobalIterations":100}` + "\n",
}

const (
	upgradeAnalysis = "<task-analysis>\n## Task 1: Fix the login\nUsers cannot log in.\n\n**Criteria**:\n- [ ] The tests pass\n\n## Task 2: Write the README\n</task-analysis>"
	upgradeProgress = "<completion-assessment>\n**Status**: %s\n**Completion**: %d%%\n**Confidence**: 95%%\n**Remaining items**: none\n</completion-assessment>"
)

// upgradeModes are the modes with what an active one answers to the next stop.
var upgradeModes = []string{"ralph", "autopilot", "ultrawork", "ultrapilot", "swarm", "pipeline", "team", "ultraqa"}

// beforeUpgrade is what the older program does.
func beforeUpgrade() []worldStep {
	steps := []worldStep{
		typed("lines", "", "install --block-cap 0", "Added: "),
		typed("lines", "", "install --scope local --hooks stop,permission-request", "Added: "),
		typed("lines", "", "install --scope project --hooks stop", "Added: "),

		typed("loop", "s-loop", "ralph loop Fix_the_tests --max-iterations 9 --completion-promise DONE", "State file: .claude/ralph-loop.local.md"),
		stops("loop", "s-loop", "One.", "Ralph iteration 2"),
		stops("loop", "s-loop", "Two.", "Ralph iteration 3"),
		asks("npm test", `"behavior": "allow"`),
		asks("curl example.org", `"behavior": "deny"`),
		called("loop", "s-loop", "post-tool-use", "PostToolUse", `,"tool_name":"Read","tool_input":{"file_path":"a"},"tool_response":{}`, ""),
		called("loop", "s-loop", "post-tool-use", "PostToolUseFailure", `,"tool_name":"Bash","tool_input":{"command":"make"},"error":"exit 2"`, ""),
		called("loop", "s-loop", "pre-compact", "PreCompact", `,"trigger":"auto","custom_instructions":""`, "a checkpoint was written"),

		typed("paused", "s-paused", "ralph loop Fix_the_tests --max-iterations 9"),
		stops("paused", "s-paused", "One.", "Ralph iteration 2"),
		typed("paused", "s-paused", "ralph pause"),
		typed("limit", "s-limit", "ralph loop Fix_the_tests --max-iterations 2"),
		stops("limit", "s-limit", "One.", "Ralph iteration 2"),
		stops("limit", "s-limit", "Two.", "Max iterations"),
		typed("pending", "", "ralph loop Fix_the_tests --max-iterations 9"),
		typed("left", "s-left", "ralph loop Fix_the_tests --max-iterations 9"),
		stops("left", "s-left", "One.", "Ralph iteration 2"),
		called("left", "s-left", "session-end", "SessionEnd", `,"reason":"logout"`, ""),
		typed("idle", "s-idle", "ralph loop Fix_the_tests --max-iterations 50"),
		called("idle", "s-idle", "post-tool-use", "PostToolUse", `,"tool_name":"Read","tool_input":{"file_path":"a"},"tool_response":{}`, ""),
		typed("again", "s-again", "ralph loop Fix_the_tests --max-iterations 9"),
		stopsAgain("again", "s-again", "One.", "stop", "Ralph iteration 2"),

		typed("smart", "s-smart", "ralph smart --test-command false --prompt 1._Fix_the_login_2._Write_the_README"),
		stops("smart", "s-smart", upgradeAnalysis, "Starting task 1/2"),
		stops("smart", "s-smart", fmt.Sprintf(upgradeProgress, "in_progress", 40), "iteration 1", "Completion: 40%"),
		typed("history", "s-history", "ralph smart --prompt 1._Fix_the_login_2._Write_the_README"),
		stops("history", "s-history", upgradeAnalysis),
		typed("history", "s-history", "ralph cancel"),

		stops("spec", "s-spec", "The parser is built.", `"decision": "block"`),
	}
	for range 10 {
		steps = append(steps, stops("idle", "s-idle", "Nothing to do.", "Ralph iteration"))
	}
	for _, mode := range upgradeModes {
		steps = append(steps, typed("m-"+mode, "s-"+mode, "mode start "+mode+" Migrate_the_tests", "Started "+mode), stops("m-"+mode, "s-"+mode, "A step."))
	}
	return append(steps,
		stops("m-autopilot", "s-autopilot", "EXPANSION_COMPLETE", "Phase: planning, iteration 3/10"),
		called("m-ralph", "s-ralph", "subagent-start", "SubagentStart", `,"agent_id":"a1","agent_type":"executor"`, ""),
		called("m-ralph", "s-ralph", "pre-compact", "PreCompact", `,"trigger":"auto","custom_instructions":""`, "a checkpoint was written"),
		called("m-ralph", "s-ralph", "post-tool-use", "PostToolUseFailure", `,"tool_name":"Bash","tool_input":{"command":"make"},"error":"exit 2"`, ""),
	)
}

// afterUpgrade is what the new program does with all that.
func (w *world) afterUpgrade() []worldStep {
	ended := strings.TrimSuffix(filepath.Base(w.one("history/.claude/ralph-smart/history/*.md")), ".md")
	steps := []worldStep{
		typed("loop", "", "status --json", `"iteration": 3`, `"session_id": "s-loop"`, `"state": "active"`),
		typed("loop", "", "ralph status", "s-loop", "3/9"),
		typed("loop", "", "explain --hook=pre-compact --last", "m-ralph"),
		called("loop", "s-loop", "session-start", "SessionStart", `,"source":"compact"`, "In progress before the compaction", "iteration 3"),
		stops("loop", "s-loop", "Three.", "Ralph iteration 4"),
		asks("npm test", `"behavior": "allow"`),
		asks("curl example.org", `"behavior": "deny"`, "the rule Bash(curl *)"),
		asks("rm -r build", `"behavior": "deny"`, "the rule Bash(rm *)"),
		asks("git push origin main", ""),
		typed("loop", "", "explain --hook=permission-request --last", "git push origin main"),
		typed("loop", "s-loop", "ralph pause", "at iteration 4"),
		stops("loop", "s-loop", "Paused.", ""),
		typed("loop", "s-loop", "ralph resume"),
		stops("loop", "s-loop", "Four.", "Ralph iteration 5"),
		typed("loop", "s-loop", "ralph cancel"),
		stops("loop", "s-loop", "Cancelled.", ""),
		typed("loop", "s-loop", "ralph resume"),
		stops("loop", "s-loop", "<promise>DONE</promise>", "promise>DONE"),

		stops("paused", "s-paused", "Two.", ""),
		typed("paused", "s-paused", "ralph resume"),
		stops("paused", "s-paused", "Three.", "Ralph iteration 3"),
		fails("limit", "s-limit", "ralph resume"),
		typed("limit", "s-limit", "ralph resume --max-iterations 5"),
		stops("limit", "s-limit", "Three.", "Ralph iteration 3"),
		stops("pending", "s-claims", "One.", "Ralph iteration 2"),
		stops("pending", "s-other", "One.", ""),
		called("left", "s-heir", "session-start", "SessionStart", `,"source":"startup"`, "Abandoned by session s-left"),
		stopsAgain("again", "s-again", "One.", "ralph", ""),
		stops("idle", "s-idle", "Nothing to do.", "ended after 10 stops in a row"),

		typed("smart", "s-smart", "ralph status", "smart", "s-smart"),
		stops("smart", "s-smart", fmt.Sprintf(upgradeProgress, "in_progress", 60), "iteration 2", "Completion: 60%"),
		// The test command comes from a record that the first version wrote.
		stops("smart", "s-smart", fmt.Sprintf(upgradeProgress, "completed", 100), "tests fail"),
		typed("smart", "s-smart", "ralph cancel"),
		typed("history", "s-history", "ralph resume --history", ended, "0/2"),
		typed("history", "s-history", "ralph resume --restore "+ended),
		stops("history", "s-history", fmt.Sprintf(upgradeProgress, "in_progress", 30), "iteration 1", "Completion: 30%"),

		typed("spec", "", "spec list", "app", "execution"),
		stops("spec", "s-other", "Whose is it?", "belongs to another session"),
		stops("spec", "s-spec", "Nothing new.", "Continue spec: app (Task 2/3"),

		typed("m-ralph", "", "status", "omc", "2/10", "s-ralph"),
		called("m-ralph", "s-ralph", "session-start", "SessionStart", `,"source":"compact"`, "ralph"),
		called("m-ralph", "s-ralph", "subagent-stop", "SubagentStop", `,"agent_id":"a1","agent_type":"executor","stop_hook_active":false,"last_assistant_message":"Done."`),
		stops("m-ralph", "s-ralph", "Another step.", "ITERATION 3/10"),
		stops("m-autopilot", "s-autopilot", "PLANNING_COMPLETE", "Phase: execution, iteration 4/10"),
		stops("m-ultrawork", "s-ultrawork", "Another step.", "ULTRAWORK #2/50"),
		stops("m-team", "s-team", "Another step."),
		called("m-ralph", "s-prompt", "keyword-detector", "UserPromptSubmit", `,"prompt":"ulw fix it"`, ""),
	}
	for _, mode := range upgradeModes {
		steps = append(steps,
			typed("m-"+mode, "s-"+mode, "mode list "+mode, "active"),
			typed("m-"+mode, "s-"+mode, "mode stop "+mode, "Stopped "+mode),
			stops("m-"+mode, "s-"+mode, "Stopped.", ""),
		)
		if mode != "swarm" {
			// A marker contains nothing that could be resumed.
			steps = append(steps, typed("m-"+mode, "s-"+mode, "mode start "+mode+" --resume", "Resumed "+mode))
		}
	}
	return append(steps,
		typed("loop", "", "log --last 1000 --session s-limit", "continue", "s-limit"),
		typed("loop", "", "log --json --last 1000", `"session": "s-spec"`),
		typed("loop", "", "stats", "stop", "permission-request"),
		typed("loop", "", "replay ../"+w.one("home/.local/state/bridge/recordings/*-post-tool-use-*"), "1 call replayed. Same answer as recorded: 1 of 1"),
		typed("loop", "", "replay ../"+w.one("home/.local/state/bridge/recordings/*-permission-request-*"), "1 call replayed. Same answer as recorded: 1 of 1"),
		typed("loop", "", "check npm_test", "allow"),
		fails("loop", "", "check curl_example.org", "deny", "Bash(curl *)"),
		typed("loop", "", "doctor", "12 hook lines ran and answered"),
		// The lines of the first version stay; those of the events that it did not know are added.
		typed("lines", "", "install", "Added: StopFailure, ", "Kept: UserPromptSubmit, Stop, SessionStart, "),
		typed("lines", "", "install", "is up to date: 18 hook lines"),
		typed("lines", "", "install --scope local", "Added: UserPromptSubmit, ", "Kept: Stop, PermissionRequest"),
		typed("lines", "", "install --scope project", "Added: UserPromptSubmit, ", "Kept: Stop"),
	)
}

// TestUpgrade: what the first version wrote still works: hook lines, configuration,
// active loops and modes, and records. uninstall restores what was there before that
// version.
func TestUpgrade(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts a hundred and fifty processes")
	}
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root, program: filepath.Join(root, "home/.local/share/bridge/bin/bridge")}
	if old := os.Getenv("BRIDGE_UPGRADE_FROM"); old != "" {
		w.write(old)
		if *upgradeWrite {
			w.keep(old)
		}
	} else {
		w.fill()
	}
	const settings, config, log = "home/.claude/settings.json", "home/.config/bridge/config.json", "home/.local/state/bridge/debug.log"
	ledger := w.one("home/.local/state/bridge/ledger/*")
	before := map[string]string{settings: w.read(settings), config: w.read(config), log: w.read(log), ledger: w.read(ledger)}
	w.replace()
	w.do(w.program, w.afterUpgrade())
	for name, text := range before {
		switch now := w.read(name); {
		case name == settings:
			for line := range strings.Lines(text) {
				if strings.Contains(line, "--hook=") && !strings.Contains(now, strings.TrimRight(line, ",\n")) {
					t.Errorf("%s has lost %s: %q", name, line, now)
				}
			}
		case name == config:
			if now != text {
				t.Errorf("%s has become %q", name, now)
			}
		case len(now) == len(text) || !strings.HasPrefix(now, text):
			t.Errorf("%s does not go on where it was", name)
		}
	}
	w.do(w.program, []worldStep{
		typed("lines", "", "uninstall --scope local", "Removed"),
		typed("lines", "", "uninstall --scope project", "Removed"),
		typed("lines", "", "uninstall", "Removed"),
	})
	for _, name := range []string{settings, "lines/.claude/settings.json"} {
		if now := w.read(name); now != upgradeFiles[name] {
			t.Errorf("%s is not what it was before the first install: %q", name, now)
		}
	}
	if _, err := os.Lstat(w.path("lines/.claude/settings.local.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the settings that only bridge had written are still there: %v", err)
	}
}

// replace puts the new program in the place of the old one.
func (w *world) replace() {
	w.t.Helper()
	program, err := os.ReadFile(binary)
	if err != nil {
		w.t.Fatal(err)
	}
	next := w.program + ".next"
	if err := os.MkdirAll(filepath.Dir(next), 0o700); err != nil {
		w.t.Fatal(err)
	}
	writeProgram(w.t, next, program)
	if err := os.Rename(next, w.program); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) path(name string) string { return filepath.Join(w.root, name) }

// one is the first file of those that match.
func (w *world) one(pattern string) string {
	w.t.Helper()
	all, err := filepath.Glob(w.path(pattern))
	if err != nil || len(all) == 0 {
		w.t.Fatalf("%v: no %s", err, pattern)
	}
	return strings.TrimPrefix(all[0], w.root+"/")
}

func (w *world) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

func (w *world) do(program string, steps []worldStep) {
	w.t.Helper()
	for _, step := range steps {
		w.steps++
		dir := w.path(step.project)
		cmd := exec.Command(program, step.args...)
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + w.path("home"), "PATH=" + os.Getenv("PATH"), "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0", "CLAUDE_CODE_SESSION_ID=" + step.session}
		if step.event != "" {
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"transcript_path":"","cwd":%q,"prompt_id":%q,"hook_event_name":%q%s}`, step.session, dir, cmp.Or(step.prompt, fmt.Sprint(w.steps)), step.event, step.members))
		}
		a, err := execute(cmd)
		if err != nil {
			w.t.Fatal(err)
		}
		what := fmt.Sprintf("%s: bridge %s", step.project, strings.Join(step.args, " "))
		if a.code != step.exit {
			w.t.Errorf("%s: exit code %d\n%s%s", what, a.code, a.stdout, a.stderr)
		}
		for _, want := range step.want {
			if !strings.Contains(a.stdout, want) || want == "" && a.stdout != "" {
				w.t.Errorf("%s: no %q in\n%s%s", what, want, a.stdout, a.stderr)
			}
		}
	}
}

// write lets an older program write the files.
func (w *world) write(program string) {
	w.t.Helper()
	steps := beforeUpgrade()
	for _, step := range steps {
		// git takes only what has these for a work tree.
		for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "objects/info/packs": "\n", "refs/heads/.keep": ""} {
			w.put(filepath.Join(step.project, ".git", name), text)
		}
	}
	for name, text := range upgradeFiles {
		w.put(name, text)
	}
	w.do(program, steps)
	// A copy of the project that did not keep the times: only the record tells whose the
	// loop is.
	ago := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(w.path("pending/.claude/ralph-loop.local.md"), ago, ago); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) put(name, text string) {
	w.t.Helper()
	path := w.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		w.t.Fatal(err)
	}
}
