//go:build unix

package main

import "testing"

// TestUnknownInputIsAsked: bridge approves no tool call, of any tool, whose input it does
// not understand completely.
func TestUnknownInputIsAsked(t *testing.T) {
	longer(t)
	t.Parallel()
	tr := newTrap(t)
	tr.put("src/a.go", "package a\n")
	for _, test := range []struct {
		tool     string
		input    any
		approves bool
	}{
		{"Bash", map[string]any{"command": "ls src", "description": "List", "timeout": 1000, "run_in_background": false, "dangerouslyDisableSandbox": false}, true},
		{"Bash", map[string]any{"command": "ls src", "dangerouslyDisableSandbox": true}, false},
		{"Bash", map[string]any{"command": "ls src", "env": map[string]any{"LD_PRELOAD": "x"}}, false},
		{"Bash", map[string]any{"command": "ls src", "cwd": "/etc"}, false},
		{"Bash", map[string]any{"command": "ls src", "Command": "rm x"}, false},
		{"Bash", map[string]any{"command": "ls src", "timeout": "x"}, false},
		{"Read", map[string]any{"file_path": "src/a.go", "offset": 1, "limit": 2}, true},
		{"Read", map[string]any{}, false},
		{"Read", map[string]any{"file_path": ""}, false},
		{"Read", map[string]any{"file_path": nil}, false},
		{"Read", map[string]any{"filePath": "/etc/shadow"}, false},
		{"Read", map[string]any{"file_path": "src/a.go", "File_Path": "/etc/shadow"}, false},
		{"NotebookRead", map[string]any{}, false},
		{"Glob", map[string]any{"pattern": "src/**/*.go"}, true},
		{"Glob", map[string]any{}, false},
		{"Glob", map[string]any{"pattern": "../../**"}, false},
		{"Glob", map[string]any{"pattern": "src/../../**"}, false},
		{"Glob", map[string]any{"pattern": "{..,x}/**"}, false},
		{"Glob", map[string]any{"pattern": "~/**"}, false},
		{"Glob", map[string]any{"pattern": "$HOME/**"}, false},
		{"Glob", map[string]any{"pattern": "/etc/*"}, false},
		{"Grep", map[string]any{"pattern": "package", "path": "src", "glob": "*.go", "-n": true, "head_limit": 5}, true},
		{"Grep", map[string]any{"pattern": "package", "path": "src", "glob": "../../**"}, false},
	} {
		if a := tr.tool(test.tool, test.input); a.approves() != test.approves {
			t.Errorf("%s %v: %q %q, want approved: %v", test.tool, test.input, a.stdout, a.stderr, test.approves)
		}
	}
	tr.configure(`{"permissions": {"allow": ["Bash(make)", "Read", "Edit"]}}`)
	for tool, input := range map[string]any{"Bash": map[string]any{"command": "make", "env": map[string]any{}}, "Read": map[string]any{}, "Edit": map[string]any{"path": "x"}} {
		if a := tr.tool(tool, input); a.approves() {
			t.Errorf("a rule answers for %s %v", tool, input)
		}
	}
}
