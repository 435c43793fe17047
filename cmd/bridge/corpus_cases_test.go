//go:build unix

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/normalize/malformed"
	"github.com/hookbridge/bridge/protocol"
)

// generateCorpus makes the cases of the corpus from the tables of other tests:
// malformed shapes, recorded payloads, command lines, prompts, and the states of
// every dialect and mode.
func generateCorpus(t *testing.T) []corpusCase {
	var g corpusGenerator
	g.malformed()
	g.recorded(t)
	g.commands(t)
	g.prompts(t)
	g.loops()
	g.specs()
	g.modes()
	g.smart()
	g.typed()
	return g.cases
}

type corpusGenerator struct{ cases []corpusCase }

func (g *corpusGenerator) add(name string, files map[string]string, steps ...corpusStep) {
	g.cases = append(g.cases, corpusCase{name, files, steps})
}

func corpusHook(hook, stdin string, env ...string) corpusStep {
	step := corpusStep{Args: []string{"--hook=" + hook}, Env: env, Stdin: stdin}
	if !utf8.ValidString(stdin) {
		step.Stdin, step.Raw = "", []byte(stdin)
	}
	return step
}

func corpusCommand(args ...string) corpusStep {
	return corpusStep{Args: args, Env: []string{"CLAUDE_CODE_SESSION_ID=s1"}}
}

// corpusInput is a payload with the members, given as JSON.
func corpusInput(event, members string) string {
	return fmt.Sprintf(`{"session_id":"s1","transcript_path":"","cwd":"$PROJECT","hook_event_name":%q%s}`, event, members)
}

func corpusStop(message string, members ...string) corpusStep {
	text, _ := json.Marshal(message)
	return corpusHook("stop", corpusInput("Stop", `,"stop_hook_active":false,"last_assistant_message":`+string(text)+strings.Join(members, "")))
}

// malformed: every shape that is wrong for a type and short enough to stand in a
// file, with every type.
func (g *corpusGenerator) malformed() {
	for _, row := range protocol.Rows() {
		for i, shape := range malformed.Shapes() {
			// Each type has its share of the shapes, and permission-request all.
			if len(shape.Text) > 4096 || row.Fail == protocol.FailOpen && i%6 != 0 {
				continue
			}
			g.add(fmt.Sprintf("malformed/%s/%s", row.Type, shape.Name), nil, corpusHook(string(row.Type), string(shape.Text)))
		}
	}
}

var homePath = regexp.MustCompile(`/home/dev/proj`)

// recorded: real payloads, with and without kill switches.
func (g *corpusGenerator) recorded(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "e2e", "testdata", "recorded-2.1.330", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recorded payloads: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		stdin := homePath.ReplaceAllString(string(data), "$$PROJECT")
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		event, _, _ := strings.Cut(name, "-")
		for _, row := range protocol.Rows() {
			if !strings.Contains(fmt.Sprint(row.Events), event) {
				continue
			}
			for _, env := range []string{"", "DISABLE_OMC=1", "OMC_SKIP_HOOKS=" + string(row.Type)} {
				g.add(fmt.Sprintf("recorded/%s/%s/%s", row.Type, name, env), nil, corpusHook(string(row.Type), stdin, env))
			}
		}
	}
}

// commands: each twelfth command line of the shell analysis, in a dialog and
// before the call.
func (g *corpusGenerator) commands(t *testing.T) {
	files := map[string]string{
		"$PROJECT/.git/config": "[core]\n\tbare = false\n", "$PROJECT/.git/HEAD": "ref: refs/heads/main\n", "$PROJECT/.git/objects/info/x": "", "$PROJECT/.git/refs/heads/x": "", "$PROJECT/main.go": "package main\n",
		"$HOME/.config/bridge/config.json": `{"permissions": {"deny": ["Bash(curl *)"], "ask": ["Bash(git push *)"], "allow": ["Bash(npm test)"]}}`,
	}
	n := 0
	for _, fields := range tableLines(t, filepath.Join("..", "..", "internal", "shell", "testdata", "commands.tsv"), 3) {
		command := fields[2]
		if n++; n%12 != 0 && fields[0] != "deny" || strings.ContainsAny(command, "⏎␍⇥⟨") {
			continue
		}
		text, _ := json.Marshal(command)
		tool := `,"tool_name":"Bash","tool_input":{"command":` + string(text) + `}`
		rules, _ := json.Marshal([]map[string]any{{"type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": []map[string]string{{"toolName": "Bash", "ruleContent": command}}}})
		g.add("command/"+command, files,
			corpusHook("permission-request", corpusInput("PermissionRequest", tool+`,"permission_suggestions":`+string(rules))),
			corpusHook("pre-tool-use", corpusInput("PreToolUse", tool+`,"tool_use_id":"t1"`)))
	}
}

// tableLines reads a table of tab-separated fields.
func tableLines(t *testing.T, path string, width int) (rows [][]string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", width); len(fields) == width && !strings.HasPrefix(line, "#") {
			rows = append(rows, fields)
		}
	}
	return rows
}

// prompts: each third labelled prompt, and the stop that follows.
func (g *corpusGenerator) prompts(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "hooks", "keyword", "testdata", "prompts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var row struct {
			Prompt string `json:"prompt"`
		}
		if n++; n%3 != 0 {
			continue
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(row.Prompt)
		g.add(fmt.Sprintf("prompt/%03d", n), nil,
			corpusHook("keyword-detector", corpusInput("UserPromptSubmit", `,"prompt":`+string(text))), corpusStop("A step is done."))
	}
}

// loops: the states of a ralph loop against what the model says.
func (g *corpusGenerator) loops() {
	header := func(lines string) string {
		return "---\nactive: true\n" + lines + "---\n\nFix the tests.\n"
	}
	states := map[string]string{
		"own":            header("iteration: 3\nsession_id: s1\nmax_iterations: 9\ncompletion_promise: \"DONE\"\nstarted_at: \"$NOW\"\n"),
		"last":           header("iteration: 9\nsession_id: s1\nmax_iterations: 9\ncompletion_promise: \"DONE\"\nstarted_at: \"$NOW\"\n"),
		"without-end":    header("iteration: 1\nsession_id: s1\nmax_iterations: 0\ncompletion_promise: null\nstarted_at: \"$NOW\"\n"),
		"foreign":        header("iteration: 3\nsession_id: s2\nmax_iterations: 9\ncompletion_promise: \"DONE\"\nstarted_at: \"$NOW\"\n"),
		"unowned":        header("iteration: 1\nmax_iterations: 9\ncompletion_promise: \"DONE\"\nstarted_at: \"$NOW\"\n"),
		"unowned-old":    header("iteration: 1\nmax_iterations: 9\ncompletion_promise: \"DONE\"\nstarted_at: \"2026-01-01T00:00:00Z\"\n"),
		"paused":         strings.Replace(header("iteration: 3\nsession_id: s1\nmax_iterations: 9\ncompletion_promise: \"DONE\"\nstarted_at: \"$NOW\"\n"), "active: true", "active: false", 1),
		"bad-iteration":  header("iteration: three\nsession_id: s1\nmax_iterations: 9\ncompletion_promise: \"DONE\"\n"),
		"bad-limit":      header("iteration: 3\nsession_id: s1\nmax_iterations: many\ncompletion_promise: \"DONE\"\n"),
		"no-prompt":      "---\nactive: true\niteration: 3\nsession_id: s1\nmax_iterations: 9\n---\n",
		"no-frontmatter": "Fix the tests.\n",
		"empty":          "",
		"chinese":        header("iteration: 3\nsession_id: s1\nmax_iterations: 9\ncompletion_promise: \"完成\"\nstarted_at: \"$NOW\"\n"),
	}
	messages := []string{"One test less.", "<promise>DONE</promise>", "<promise>done</promise>", "I will say <promise>DONE</promise> when it is done. DONE", "", "<promise>完成</promise>"}
	for _, name := range slices.Sorted(maps.Keys(states)) {
		state := states[name]
		files := map[string]string{"$PROJECT/.claude/ralph-loop.local.md": state}
		for i, message := range messages {
			g.add(fmt.Sprintf("loop/%s/%d", name, i), files, corpusStop(message))
		}
		g.add("loop/"+name+"/twice", files, corpusStop("One."), corpusStop("Two.", `,"prompt_id":"p2"`))
		g.add("loop/"+name+"/background", files, corpusStop("One.", `,"background_tasks":[{"id":"a","type":"subagent","status":"running"}]`))
		g.add("loop/"+name+"/commands", files, corpusCommand("status", "--json"), corpusCommand("ralph", "pause"), corpusCommand("ralph", "resume"), corpusCommand("ralph", "cancel"), corpusCommand("ralph", "resume"), corpusStop("Three."))
	}
}

// specs: the states of ralph-specum.
func (g *corpusGenerator) specs() {
	tasks := "# Tasks\n\n- [x] 1.1 Build the parser\n  - **Verify**: go test\n- [ ] 1.2 Build the printer\n- [ ] 1.3 Write the README\n"
	states := map[string]string{
		"first":    `{"phase":"execution","taskIndex":0,"totalTasks":3,"taskIteration":1,"maxTaskIterations":5,"globalIteration":1,"maxGlobalIterations":100}`,
		"middle":   `{"phase":"execution","taskIndex":1,"totalTasks":3,"taskIteration":1,"maxTaskIterations":5,"globalIteration":2,"maxGlobalIterations":100}`,
		"last":     `{"phase":"execution","taskIndex":2,"totalTasks":3,"taskIteration":5,"maxTaskIterations":5,"globalIteration":7,"maxGlobalIterations":100}`,
		"all-done": `{"phase":"execution","taskIndex":3,"totalTasks":3,"taskIteration":1,"maxTaskIterations":5,"globalIteration":9,"maxGlobalIterations":100}`,
		"limit":    `{"phase":"execution","taskIndex":1,"totalTasks":3,"taskIteration":6,"maxTaskIterations":5,"globalIteration":100,"maxGlobalIterations":100}`,
		"research": `{"phase":"research","taskIndex":0,"totalTasks":0}`,
		"approval": `{"phase":"execution","taskIndex":1,"totalTasks":3,"awaitingApproval":true}`,
		"corrupt":  `{"phase":"execution",`,
		"quick":    `{"phase":"requirements","taskIndex":0,"totalTasks":0,"quickMode":true}`,
		"recovery": `{"phase":"execution","taskIndex":1,"totalTasks":3,"recoveryMode":true,"maxFixTasksPerOriginal":3}`,
	}
	for _, name := range slices.Sorted(maps.Keys(states)) {
		state := states[name]
		files := map[string]string{"$PROJECT/specs/.current-spec": "app\n", "$PROJECT/specs/app/tasks.md": tasks, "$PROJECT/specs/app/.ralph-state.json": state + "\n", "$PROJECT/specs/app/.progress.md": "# Progress\n"}
		for i, message := range []string{"The parser is built.", "ALL_TASKS_COMPLETE", "TASK_COMPLETE"} {
			g.add(fmt.Sprintf("spec/%s/%d", name, i), files, corpusStop(message), corpusStop(message+" Again.", `,"prompt_id":"p2"`))
		}
		g.add("spec/"+name+"/question", files, corpusHook("pre-tool-use", corpusInput("PreToolUse", `,"tool_name":"AskUserQuestion","tool_input":{"questions":[]},"tool_use_id":"t1"`)),
			corpusHook("session-start", corpusInput("SessionStart", `,"source":"startup"`)), corpusCommand("spec", "list", "--json"), corpusCommand("spec", "status"))
	}
}

// modes: each mode started, stopped at, and ended.
func (g *corpusGenerator) modes() {
	for _, mode := range []string{"ralph", "autopilot", "ultrawork", "ultrapilot", "swarm", "pipeline", "team", "ultraqa"} {
		start := corpusCommand("mode", "start", mode, "Migrate the tests")
		for _, other := range []string{"ralph", "autopilot", "ultrawork", "pipeline"} {
			g.add("mode/"+mode+"/beside-"+other, nil, start, corpusCommand("mode", "start", other, "Write the docs"), corpusStop("A step."), corpusCommand("mode", "list", "--json"))
		}
		g.add("mode/"+mode+"/life", nil, start, corpusStop("A step."), corpusStop("Another step.", `,"prompt_id":"p2"`), corpusCommand("mode", "stop", mode), corpusStop("A third step.", `,"prompt_id":"p3"`), corpusCommand("mode", "start", mode, "--resume"))
		g.add("mode/"+mode+"/words", nil, start,
			corpusStop("EXPANSION_COMPLETE"), corpusHook("keyword-detector", corpusInput("UserPromptSubmit", `,"prompt":"cancelomc"`)), corpusStop("Stopped?", `,"prompt_id":"p2"`))
		for _, source := range []string{"startup", "resume", "clear", "compact"} {
			g.add("mode/"+mode+"/session-"+source, nil, start, corpusHook("session-start", corpusInput("SessionStart", `,"source":"`+source+`"`)),
				corpusHook("session-end", corpusInput("SessionEnd", `,"reason":"clear"`)))
		}
		g.add("mode/"+mode+"/agents", nil, start,
			corpusHook("subagent-start", corpusInput("SubagentStart", `,"agent_id":"a1","agent_type":"Explore"`)),
			corpusHook("subagent-stop", corpusInput("SubagentStop", `,"agent_id":"a1","agent_type":"Explore","stop_hook_active":false,"last_assistant_message":"Found it."`)),
			corpusHook("pre-compact", corpusInput("PreCompact", `,"trigger":"auto","custom_instructions":""`)),
			corpusHook("setup", corpusInput("Setup", `,"trigger":"maintenance"`)), corpusStop("A step."))
	}
}

// smart: a task file from its analysis to its end.
func (g *corpusGenerator) smart() {
	assess := func(status string, percent, confidence int, pending string) string {
		return fmt.Sprintf("<completion-assessment>\n**完成状态**: %s\n**完成度**: %d%%\n**置信度**: %d%%\n**未完成项**:\n%s\n</completion-assessment>", status, percent, confidence, pending)
	}
	analysis := "<task-analysis>\n## 任务 1: Fix the login\nUsers cannot log in.\n\n**完成标准**:\n- [ ] The tests pass\n\n## 任务 2: Write the README\n</task-analysis>"
	start := corpusCommand("ralph", "smart", "--prompt", "1. Fix the login 2. Write the README")
	turns := map[string][]string{
		"to-the-end":  {analysis, assess("in_progress", 50, 80, "- The tests"), assess("completed", 100, 95, "无"), assess("completed", 100, 95, "无")},
		"silent":      {"I looked at it.", analysis, "I changed two files.", "I changed one more file."},
		"blocked":     {analysis, assess("blocked", 30, 90, "- A key is missing")},
		"stalled":     {analysis, assess("in_progress", 50, 80, "- The tests"), assess("in_progress", 50, 80, "- The tests"), assess("in_progress", 50, 80, "- The tests"), assess("in_progress", 50, 80, "- The tests")},
		"doubtful":    {analysis, assess("completed", 100, 40, "无"), assess("completed", 80, 95, "- One more")},
		"no-analysis": {"One.", "Two.", "Three.", "Four."},
	}
	for _, name := range slices.Sorted(maps.Keys(turns)) {
		messages := turns[name]
		steps := []corpusStep{start}
		for i, message := range messages {
			steps = append(steps, corpusStop(message, fmt.Sprintf(`,"prompt_id":"p%d"`, i)))
		}
		g.add("smart/"+name, nil, append(steps, corpusCommand("status", "--json"))...)
		g.add("smart/"+name+"/paused", nil, append(steps[:2:2], corpusCommand("ralph", "pause"), corpusStop("One more."), corpusCommand("ralph", "resume"), corpusStop("And one.", `,"prompt_id":"p9"`), corpusCommand("ralph", "cancel"))...)
	}
}

// typed has commands that a person types, with valid and invalid arguments.
func (g *corpusGenerator) typed() {
	for _, line := range []string{
		"ralph loop Fix", "ralph loop", "ralph loop Fix --max-iterations 0", "ralph loop Fix --max-iterations -1", "ralph loop Fix --max-iterations x",
		"ralph loop Fix --completion-promise", "ralph resume", "ralph pause", "ralph cancel", "ralph status", "ralph status --json", "ralph config", "ralph nothing",
		"mode list", "mode list --json", "mode start", "mode start nothing", "mode stop ralph", "spec list", "spec resolve", "spec status", "status", "status --json",
		"hooks", "hooks --json", "check ls", "check --json ls", "check", "log", "log --last x", "stats", "help", "help loops", "nothing", "schema stop", "schema nothing",
	} {
		g.add("typed/"+line, nil, corpusStep{Args: strings.Fields(line)}, corpusCommand(strings.Fields(line)...))
	}
	for _, hook := range []string{"", "nothing", "Stop", "PreToolUse", "setup", "user-prompt-submit", "post-tool-use-failure"} {
		g.add("typed/--hook="+hook, nil, corpusHook(hook, corpusInput("Stop", "")), corpusStep{Args: []string{"--hook", hook, "--more"}, Stdin: corpusInput("Stop", "")})
	}
}
