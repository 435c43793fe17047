package policy

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/shell"
)

func callOf(t *testing.T, tool, input string) Call {
	t.Helper()
	c, err := NewCall(tool, jsontext.Value(input), "/work/p", "/work/p", func(name string) string {
		if name == "HOME" {
			return "/home/u"
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestMatches has a row for each form of a rule.
func TestMatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, tool, input string
		want              bool
	}{
		{"Bash", "Bash", `{"command":"ls"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"git push"}`, true},
		{"Bash(git push:*)", "Bash", `{"command":"git  push origin main"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"cd x && git push -f"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"echo $(git push)"}`, true},
		{"Bash(git push *)", "Bash", `{"command":"git pushx"}`, false},
		{"Bash(git push *)", "Bash", `{"command":"git 'push' origin"}`, true},
		{"Bash(* --force)", "Bash", `{"command":"git push --force"}`, true},
		{"Write(/etc/**)", "Write", `{"file_path":"/etc/ssh/sshd_config"}`, true},
		{"Write(/etc/**)", "Write", `{"file_path":"/etc/../home/x"}`, false},
		{"Write(/etc/**)", "Write", `{"file_path":"../../etc/passwd"}`, true},
		{"Write(~/.ssh/**)", "Write", `{"file_path":"/home/u/.ssh/config"}`, true},
		{"Write(.env)", "Write", `{"file_path":"a/b/.env"}`, true},
		{"Write(.env)", "Write", `{"file_path":"/elsewhere/.env"}`, false},
		{"Write(src/**/*.go)", "Write", `{"file_path":"src/a/b/c.go"}`, true},
		{"Write(src/*.go)", "Write", `{"file_path":"src/a/c.go"}`, false},
		{"WebFetch(domain:example.com)", "WebFetch", `{"url":"https://API.example.com:8443/x"}`, true},
		{"WebFetch(domain:example.com)", "WebFetch", `{"url":"https://example.com.evil.test/"}`, false},
		{"mcp__github__*", "mcp__github__create_issue", `{}`, true},
		{"mcp__github__*", "mcp__gitlab__create_issue", `{}`, false},
	} {
		rule, err := ParseRule(test.rule, "test")
		if err != nil {
			t.Fatal(err)
		}
		if token, got := rule.Matches(callOf(t, test.tool, test.input)); got != test.want {
			t.Errorf("%s on %s %s: %v (%q), want %v", test.rule, test.tool, test.input, got, token, test.want)
		}
	}
}

// TestNoRule: the error about a text that is not a rule names the text and its file.
func TestNoRule(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "Bash(", "Bash()", "Bash(x", "Ba sh", "(x)", "a)"} {
		if r, err := ParseRule(text, "the file"); !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), "the file") {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

// TestShapelessInput: a call whose input cannot be understood must not count as a call that no rule matches.
func TestShapelessInput(t *testing.T) {
	t.Parallel()
	for tool, input := range map[string]string{"Bash": `{}`, "PowerShell": `{"command":1}`, "Write": `[]`, "WebFetch": `{"url":"http://[::1"}`} {
		if c, err := NewCall(tool, jsontext.Value(input), "/", "/", func(string) string { return "" }); !errors.Is(err, ErrToolInput) {
			t.Errorf("%s %s: %+v, %v", tool, input, c, err)
		}
	}
}

// FuzzMatches: a rule that is a command without stars matches that command wherever
// it is in a line, and a rule for everything matches every line.
func FuzzMatches(f *testing.F) {
	f.Add("git push", "ls; git push")
	f.Add("rm -rf /", "echo 'rm -rf /'")
	f.Add("a\nb", "a\\\nb")
	all := Rule{Tool: "Bash", Pattern: "*", HasPattern: true}
	f.Fuzz(func(t *testing.T, pattern, line string) {
		c := Call{Tool: "Bash", Text: line}
		for _, simple := range shell.Walk(line).Commands {
			c.Commands = append(c.Commands, shell.Join(simple.Args))
		}
		if _, ok := all.Matches(c); !ok && line != "" {
			t.Fatalf("%q escapes a rule for everything", line)
		}
		for _, command := range c.Commands {
			if strings.Contains(command, "*") || command == "" || strings.HasSuffix(command, ":") {
				continue
			}
			exact := Rule{Tool: "Bash", Pattern: command, HasPattern: true}
			if _, ok := exact.Matches(c); !ok {
				t.Fatalf("%q escapes a rule for its command %q", line, command)
			}
		}
		for _, simple := range shell.Walk(line).Commands {
			plain := shell.Join(simple.Plain())
			if strings.Contains(plain, "*") || plain == "" || strings.HasSuffix(plain, ":") {
				continue
			}
			seen := Call{Tool: "Bash", Text: line, Commands: []string{plain}}
			if _, ok := (Rule{Tool: "Bash", Pattern: plain, HasPattern: true}).Matches(seen); !ok {
				t.Fatalf("%q escapes a rule for %q", line, plain)
			}
		}
		if foreign := (Call{Tool: "PowerShell", Text: line}); strings.ContainsAny(line, ";|&$(){}<>`\"'\n\r#@%*?[]!") {
			if _, ok := (Rule{Tool: "PowerShell", Pattern: "*", HasPattern: true}).Permits(foreign); ok {
				t.Fatalf("%q passes for one plain command", line)
			}
		}
		if rule, err := ParseRule("Bash("+pattern+")", "x"); err == nil {
			policy := Policy{Deny: []Rule{rule}, Allow: []Rule{rule}}
			policy.Problems()
			rule.Permits(c)
			rule.Matches(c)
			rule.Matches(Call{Tool: "Write", Paths: []string{"/" + line}, Root: "/r", Home: "/h"})
		}
	})
}
