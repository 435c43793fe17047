package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/e2e"
)

// events are those that the scenes below make the client fire.
var events = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "Stop",
	"SubagentStart", "SubagentStop", "PreCompact", "SessionEnd", "Setup",
}

// expected are the files of a complete recording. Clients that ask for permission only interactively fire no PermissionRequest
// here and can't be recorded.
var expected = []string{
	"PermissionRequest.json",
	"PostToolUse-Agent.json", "PostToolUse-Bash.json", "PostToolUse-Edit.json", "PostToolUse-Read.json", "PostToolUse-Write.json",
	"PostToolUseFailure-Bash.json", "PreCompact.json",
	"PreToolUse-Agent.json", "PreToolUse-Bash.json", "PreToolUse-Bash-subagent.json", "PreToolUse-Edit.json",
	"PreToolUse-Read.json", "PreToolUse-Write.json",
	"SessionEnd.json", "SessionStart-compact.json", "SessionStart-resume.json", "SessionStart-startup.json",
	"Setup-init.json", "Setup-maintenance.json", "Stop.json", "SubagentStart.json", "SubagentStop.json", "UserPromptSubmit.json",
}

// optional are files that some versions of the client add.
var optional = []string{"SubagentStop-internal.json"}

// scene is one run of the client. A session that resumes goes on with that of the scene before it.
type scene struct {
	name   string
	resume bool
	prompt string
	args   []string
	turns  []e2e.Turn
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
	}
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
		Allow: []string{"Write", "Edit", "Read", "Agent", "Bash(echo *)", "Bash(cat *)"},
	}}
	for _, event := range events {
		settings = settings.On(event, hook)
	}
	c := e2e.Client{Path: client, Workspace: w, Model: model, Settings: settings, Prompt: s.prompt, Args: s.args}
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
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("client exited with %d: %s%s", r.ExitCode, r.Stdout, r.Stderr)
	}
	return r, nil
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
