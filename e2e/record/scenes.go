package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/e2e"
	"github.com/hookbridge/bridge/protocol"
)

// expected are the files of a complete recording. Some clients fire PermissionRequest only interactively; they cannot be
// recorded here. Two events can't be provoked here: PermissionDenied needs the safety check of auto mode, which runs on
// the API's own server, and TeammateIdle a team, which print mode does not form.
var expected = []string{
	"PermissionRequest.json",
	"PostToolUse-Agent.json", "PostToolUse-Bash.json", "PostToolUse-Edit.json", "PostToolUse-Read.json", "PostToolUse-Write.json",
	"PostToolUseFailure-Bash.json", "PreCompact.json",
	"PreToolUse-Agent.json", "PreToolUse-Bash.json", "PreToolUse-Bash-subagent.json", "PreToolUse-Edit.json",
	"PreToolUse-Read.json", "PreToolUse-Write.json",
	"SessionEnd.json", "SessionStart-compact.json", "SessionStart-resume.json", "SessionStart-startup.json",
	"Setup-init.json", "Setup-maintenance.json", "Stop.json", "SubagentStart.json", "SubagentStop.json", "UserPromptSubmit.json",

	"StopFailure.json", "PostCompact.json", "ConfigChange.json", "TaskCompleted.json",
	"UserPromptExpansion.json", "PostToolBatch.json", "Notification.json", "MessageDisplay.json", "TaskCreated.json",
	"Elicitation.json", "ElicitationResult.json", "PreModelSwitch.json", "PostModelSwitch.json", "InstructionsLoaded.json",
	"CwdChanged.json", "FileChanged.json", "DirectoryAdded.json", "WorktreeCreate.json", "WorktreeRemove.json",
}

// optional are files that some versions of the client add.
var optional = []string{"SubagentStop-internal.json"}

// scene is one run of the client. If it resumes, it continues the session of the scene before it.
type scene struct {
	name   string
	resume bool
	prompt string
	args   []string
	env    map[string]string
	allow  []string
	turns  []e2e.Turn
	// input are stream-json messages in place of the prompt; fails says that the client ends with an error.
	input []string
	fails bool
}

func scenes(project string) []scene {
	file := filepath.Join(project, "a.txt")
	return []scene{
		{
			name: "tools", prompt: "use the tools",
			turns: []e2e.Turn{
				e2e.Call("Write", map[string]any{"file_path": file, "content": "one\ntwo\n"}),
				e2e.Call("Read", map[string]any{"file_path": file}),
				e2e.Call("Edit", map[string]any{"file_path": file, "old_string": "two", "new_string": "three"}),
				e2e.CallBash("echo one"),
				e2e.CallBash("cat missing.txt"),
				e2e.CallBash("touch forbidden.txt"),
				e2e.Say("tools done"),
			},
		},
		{name: "resume", resume: true, prompt: "go on", turns: []e2e.Turn{e2e.Say("went on")}},
		{name: "compact", resume: true, prompt: "/compact"},
		{
			name: "agent", prompt: "use an agent",
			turns: []e2e.Turn{
				e2e.Call("Agent", map[string]any{
					"description": "scripted", "prompt": "say one", "subagent_type": "general-purpose", "run_in_background": false,
				}),
				e2e.Say("agent done"),
			},
		},
		{name: "init", prompt: "hello", args: []string{"--init"}, turns: []e2e.Turn{e2e.Say("hello")}},
		{name: "maintenance", prompt: "hello", args: []string{"--maintenance"}, turns: []e2e.Turn{e2e.Say("hello")}},
		{name: "command", prompt: "/greet world", turns: []e2e.Turn{e2e.Say("hello")}},
		{
			name: "changes", prompt: "change things", allow: []string{"Bash"},
			turns: []e2e.Turn{
				// The client starts to watch the files some time after its start, and checks them from time to time.
				e2e.CallBash("sleep 2; echo two >> watched.txt; echo '{\"cleanupPeriodDays\": 20}' > \"$CLAUDE_CONFIG_DIR/settings.json\"; sleep 4"),
				e2e.CallBash("mkdir sub && cd sub"),
				e2e.Say("changed"),
			},
		},
		{
			// The newest models have no tools for tasks.
			name: "tasks", prompt: "make a list", args: []string{"--model", "claude-3-7-sonnet-20250219"},
			turns: []e2e.Turn{
				e2e.Call("TaskCreate", map[string]any{"subject": "one", "description": "the first", "activeForm": "doing one"}),
				e2e.Call("TaskUpdate", map[string]any{"taskId": "1", "status": "completed"}),
				e2e.Say("listed"),
			},
		},
		{
			name: "worktree", prompt: "use a work tree", allow: []string{"ExitWorktree"},
			turns: []e2e.Turn{
				e2e.Call("EnterWorktree", map[string]any{"name": "aside"}),
				e2e.Call("ExitWorktree", map[string]any{"action": "remove", "discard_changes": true}),
				e2e.Say("back"),
			},
		},
		{
			// In print mode with a prompt the client ends without waiting for the hook.
			name: "failure", input: []string{`{"type":"user","message":{"role":"user","content":"hello"}}`}, env: map[string]string{"CLAUDE_CODE_MAX_RETRIES": "0"}, fails: true,
			turns: []e2e.Turn{e2e.Fail(http.StatusTooManyRequests, "rate_limit_error", "Number of requests has exceeded your limit")},
		},
		{
			name: "elicitation", prompt: "ask me", allow: []string{"mcp__asker__ask"}, args: []string{"--mcp-config", filepath.Join(project, "mcp.json")},
			turns: []e2e.Turn{e2e.Call("mcp__asker__ask", map[string]any{}), e2e.Say("asked")},
		},
		{
			name: "control", turns: []e2e.Turn{e2e.Say("hello"), e2e.Say("again")},
			input: []string{
				`{"type":"user","message":{"role":"user","content":"hello"}}`,
				`{"type":"control_request","request_id":"1","request":{"subtype":"set_model","model":"claude-3-7-sonnet-20250219"}}`,
				`{"type":"control_request","request_id":"2","request":{"subtype":"register_repo_root","directory":"` + filepath.Join(project, "other") + `"}}`,
				`{"type":"user","message":{"role":"user","content":"again"}}`,
			},
		},
	}
}

// files are the files in the project.
func files(w *e2e.Workspace, self string) error {
	server, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"asker": map[string]any{"command": self, "args": []string{serverArgument}}}})
	if err != nil {
		return err
	}
	return errors.Join(
		w.Write("CLAUDE.md", "Be short.\n"),
		w.Write(".claude/commands/greet.md", "Say hello to $ARGUMENTS.\n"),
		w.Write("watched.txt", "one\n"),
		w.Write("mcp.json", string(server)),
		w.Write("other/b.txt", "one\n"),
		os.WriteFile(filepath.Join(w.ConfigDir(), "settings.json"), []byte("{}\n"), 0o600))
}

// record returns the names of the files that it wrote.
func record(ctx context.Context, client, out string) ([]string, error) {
	root, err := os.MkdirTemp("", "record-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	w, err := e2e.NewWorkspace(root)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}

	if err := files(w, self); err != nil {
		return nil, err
	}
	payloads := map[string][]byte{}
	var session string
	for i, s := range scenes(w.Project) {
		dir := filepath.Join(w.Root, fmt.Sprintf("payloads-%d", i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		result, err := s.play(ctx, client, w, e2e.Exec(self, dumpArgument, dir), session)
		if err != nil {
			return nil, fmt.Errorf("scene %s: %w", s.name, err)
		}
		session = result.SessionID
		if err := collect(dir, w, payloads); err != nil {
			return nil, fmt.Errorf("scene %s: %w", s.name, err)
		}
	}
	var missing []string
	for _, name := range expected {
		if payloads[name] == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the client fired no %s", strings.Join(missing, ", "))
	}
	return replace(out, payloads)
}

func (s scene) play(ctx context.Context, client string, w *e2e.Workspace, hook e2e.Hook, session string) (*e2e.Result, error) {
	subagent := e2e.Turns(e2e.CallBash("echo two"), e2e.Say("one"))
	model := e2e.StartModel(e2e.Agents(e2e.Turns(s.turns...), subagent))
	defer model.Close()
	settings := e2e.Settings{Permissions: &e2e.Permissions{
		Allow: append([]string{"Write", "Edit", "Read", "Agent", "Bash(echo *)", "Bash(cat *)"}, s.allow...),
	}}
	for _, row := range protocol.AllRows() {
		for _, event := range row.Events {
			settings = settings.On(string(event), hook)
		}
	}
	// The matcher of this event names the files.
	settings.Hooks["FileChanged"][0].Matcher = "watched.txt"
	c := e2e.Client{Path: client, Workspace: w, Model: model, Settings: settings, Prompt: s.prompt, Args: s.args, Env: s.env}
	if s.input != nil {
		c.Input = io.MultiReader(strings.NewReader(strings.Join(s.input, "\n")+"\n"), pause(3*time.Second))
	}
	if s.resume {
		c.Resume = session
	}
	r, err := c.Run(ctx)
	if err != nil {
		return nil, err
	}
	if faults := model.Faults(); len(faults) > 0 {
		return nil, fmt.Errorf("model server: %s", strings.Join(faults, "; "))
	}
	if (r.ExitCode != 0) != s.fails {
		return nil, fmt.Errorf("client exited with %d: %s%s", r.ExitCode, r.Stdout, r.Stderr)
	}
	return r, nil
}

// pause is an empty reader that takes a while to end.
type pause time.Duration

func (p pause) Read([]byte) (int, error) {
	time.Sleep(time.Duration(p))
	return 0, io.EOF
}

// collect normalises the payloads of one run and keeps the first of each name.
func collect(dir string, w *e2e.Workspace, into map[string][]byte) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		name, err := fileName(b)
		if err != nil {
			return err
		}
		if into[name] != nil || !slices.Contains(expected, name) && !slices.Contains(optional, name) {
			continue
		}
		if into[name], err = normalise(b, w); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// fileName is the event with what distinguishes its payloads: tool, source or trigger, and whether a subagent called the tool.
func fileName(payload []byte) (string, error) {
	var p struct {
		Event   string `json:"hook_event_name"`
		Tool    string `json:"tool_name"`
		Source  string `json:"source"`
		Trigger string `json:"trigger"`
		Agent   string `json:"agent_id"`

		AgentType string `json:"agent_type"`
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		return "", fmt.Errorf("payload: %w", err)
	}
	parts := []string{p.Event}
	switch p.Event {
	case "SessionStart":
		parts = append(parts, p.Source)
	case "SubagentStop":
		// The client's own agents, such as the one that compacts, have no type.
		if p.AgentType == "" {
			parts = append(parts, "internal")
		}
	case "Setup":
		parts = append(parts, p.Trigger)
	case "PreToolUse", "PostToolUse", "PostToolUseFailure":
		parts = append(parts, p.Tool)
		if p.Agent != "" {
			parts = append(parts, "subagent")
		}
	}
	return strings.Join(parts, "-") + ".json", nil
}

func replace(out string, payloads map[string][]byte) ([]string, error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	old, err := filepath.Glob(filepath.Join(out, "*.json"))
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, f := range old {
		errs = append(errs, os.Remove(f))
	}
	var names []string
	for name, b := range payloads {
		errs = append(errs, os.WriteFile(filepath.Join(out, name), b, 0o644))
		names = append(names, name)
	}
	slices.Sort(names)
	return names, errors.Join(errs...)
}
