package signal_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/protocol"
)

// call is a tool call with its result.
type call struct {
	tool, input, output string
	failed              bool
}

func bash(command, output string, failed bool) call {
	input, _ := json.Marshal(map[string]string{"command": command})
	return call{"Bash", string(input), output, failed}
}

func edit(path string, failed bool) call {
	return call{"Edit", `{"old_string":"file_path","file_path":"` + path + `"}`, "", failed}
}

func turn(calls ...call) protocol.Turn {
	var t protocol.Turn
	for i, c := range calls {
		id := fmt.Sprint("toolu_", i)
		t.Entries = append(t.Entries,
			protocol.Entry{Kind: protocol.EntryToolUse, ToolUseID: id, ToolName: c.tool, ToolInput: []byte(c.input)},
			protocol.Entry{Kind: protocol.EntryToolResult, ToolUseID: id, Text: c.output, IsError: c.failed})
	}
	return t
}

// TestFileChanges holds R3-27.
func TestFileChanges(t *testing.T) {
	t.Parallel()
	got := signal.OfTurn(turn(edit("a.go", false), edit("a.go", false), edit("b.go", false), edit("c.go", true),
		call{"NotebookEdit", `{"notebook_path":"n.ipynb"}`, "", false}, call{"Write", `{"file_path":`, "", false}, call{"Read", `{"file_path":"d.go"}`, "", false}))
	if got.Files != 3 || got.Errors != 1 || got.ToolCalls != 7 || !got.Progress() {
		t.Errorf("%+v", got)
	}
	if (signal.Signals{}).Progress() {
		t.Error("nothing is progress")
	}
}

// TestTestRunners holds R3-28: common runners, similar commands, and commands that only
// look like a runner.
func TestTestRunners(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"npm test", "npm run test:unit", "npm t", "pnpm test", "yarn test", "bun test", "pytest", "pytest -q tests/", "python -m pytest -x", "python3 -m unittest",
		"dotnet test", "dotnet test --no-build My.sln", "go test ./...", "go -C sub test ./...", "cargo test", "cargo nextest run", "CI=1 npm test", "cd app && npm test", "cd app; go test ./...",
		"timeout 60 go test ./...", "npx vitest run", "uv run pytest", "make test", "./gradlew test", "mvn -q test", "poetry run pytest", "bundle exec rspec", "go test ./... 2>&1", "node_modules/.bin/jest",
		"sudo -E npm test", "env CI=1 npm test", "time npm test", "exec jest", "command jest", "bunx jest", "nice jest", "pipenv run pytest", "hatch run pytest", "rye run pytest", "timeout -k 5 60 true; jest",
		"npm test;", "npm test &", "cd app;npm test", "; npm test", "npm test && echo done", "go test ./... >log 2>&1 && cat log", "npm test &>log",
	} {
		if got := signal.OfTurn(turn(bash(command, "", false))).Tests; got != signal.TestsPass {
			t.Errorf("%q that exits with 0: %s", command, got)
		}
		if got := signal.OfTurn(turn(bash(command, "", true))).Tests; got != signal.TestsFail {
			t.Errorf("%q that fails: %s", command, got)
		}
	}
	for _, command := range []string{"go build ./...", "npm install", "npm run build", "cat pytest.ini", "echo go test", "grep -r 'npm test' .", "git commit -m 'cargo test'", "go vet ./...", "dotnet build", "ls test", "",
		"go -C", "go -C sub", "python -m", "npm run", "timeout", "timeout 60", "sudo", "sudo -E", "CI=1", "poetry", "poetry run", "bundle", "bundle exec", "docker exec pytest", "docker run pytest"} {
		if got := signal.OfTurn(turn(bash(command, "5 failed", true))).Tests; got != signal.TestsUnknown {
			t.Errorf("%q: %s", command, got)
		}
	}
}

// TestTestResults holds R3-28.
func TestTestResults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		calls []call
		want  signal.Tests
	}{
		"the last run counts":              {[]call{bash("go test ./...", "", true), bash("go test ./...", "ok", false)}, signal.TestsPass},
		"a pipe hides the exit code":       {[]call{bash("go test ./... | tail -5", "FAIL\texample.com/x\t0.1s", false)}, signal.TestsFail},
		"a pipe whose text says nothing":   {[]call{bash("go test ./... | tail -1", "done", false)}, signal.TestsUnknown},
		"a pipe whose text says passed":    {[]call{bash("pytest | tail -1", "===== 12 passed in 0.3s =====", false)}, signal.TestsPass},
		"or true hides the exit code":      {[]call{bash("npm test || true", "Tests: 1 failed, 3 passed, 4 total", false)}, signal.TestsFail},
		"0 failed is no failure":           {[]call{bash("pytest | cat", "12 passed, 0 failed", false)}, signal.TestsPass},
		"ten failed":                       {[]call{bash("pytest | cat", "10 failed", false)}, signal.TestsFail},
		"nine failed":                      {[]call{bash("pytest | cat", "9 failed", false)}, signal.TestsFail},
		"failed, but how many":             {[]call{bash("pytest | cat", "some failed", false)}, signal.TestsUnknown},
		"behind the prompt nobody knows":   {[]call{bash("npm test & sleep 1", "", false)}, signal.TestsUnknown},
		"cargo":                            {[]call{bash("cargo test | cat", "test result: FAILED. 1 passed; 1 failed", false)}, signal.TestsFail},
		"dotnet":                           {[]call{bash("dotnet test | cat", "Passed!  - Failed:     0, Passed:     3", false)}, signal.TestsPass},
		"in the background nobody knows":   {[]call{{"Bash", `{"command":"npm test","run_in_background":true}`, "started", false}}, signal.TestsUnknown},
		"no test at all":                   {[]call{bash("ls", "", false)}, signal.TestsUnknown},
		"the words of another command":     {[]call{bash("cat log.txt", "3 failed", false)}, signal.TestsUnknown},
		"a run that succeeded says failed": {[]call{bash("go test ./...", "--- FAIL: TestX (0.00s)", false)}, signal.TestsFail},
	} {
		if got := signal.OfTurn(turn(c.calls...)).Tests; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestTheSameErrorIsRecognised holds R3-30: errors that differ only in numbers and
// paths are the same; errors with other words are not.
func TestTheSameErrorIsRecognised(t *testing.T) {
	t.Parallel()
	of := func(text string) string { return signal.OfTurn(turn(bash("x", text, true))).Error }
	if a, b := of("Error: cannot find /tmp/a12/x.go line 7"), of("error: cannot  find C:\\b\\y.go line 99"); a != b || a == "" {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := of("cannot find the file"), of("permission denied"); a == b {
		t.Errorf("both %q", a)
	}
	for _, text := range []string{"", "Exit code 1", "exit code 127\n"} {
		if got := of(text); got != "" {
			t.Errorf("%q says nothing, but is %q", text, got)
		}
	}
	test, list := bash("go test ./...", "no such package", true), bash("ls", "fine", false)
	for name, c := range map[string]struct {
		calls []call
		want  bool
	}{
		"at the end":                      {[]call{list, bash("make", "no rule", true)}, true},
		"got over":                        {[]call{bash("make", "no rule", true), list}, false},
		"another tool worked":             {[]call{bash("make", "no rule", true), edit("x", false)}, true},
		"tests fail, another command not": {[]call{test, list}, true},
		"tests fail, then pass":           {[]call{test, bash("go test ./...", "ok", false)}, false},
	} {
		if got := signal.OfTurn(turn(c.calls...)).Error != ""; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := of(strings.Repeat("很长 ", 100_000)); len(got) > 200 || got == "" {
		t.Errorf("%d bytes", len(got))
	}
	for _, pair := range [][2]string{{"failed after 0 s", "failed after 7 s"}, {"line 10", "line 9"}, {"line 1", "line 100"}} {
		if a, b := of(pair[0]), of(pair[1]); a != b {
			t.Errorf("%q and %q", a, b)
		}
	}
	if got := signal.OfTurn(turn(bash("x", "no", true), bash("y", "fine", false))); got.Errors != 1 {
		t.Errorf("%+v", got)
	}
}

// TestTwoTurnsOfOneIteration: the signals of a turn count until a later turn replaces
// them.
func TestTwoTurnsOfOneIteration(t *testing.T) {
	t.Parallel()
	before := signal.Signals{Files: 10, Moved: true, Errors: 20, ToolCalls: 30, Tests: signal.TestsFail, Error: "before"}
	got := signal.Signals{Files: 1, Errors: 2, ToolCalls: 3, Tests: signal.TestsUnknown}.After(before)
	if want := (signal.Signals{Files: 11, Moved: true, Errors: 22, ToolCalls: 33, Tests: signal.TestsFail, Error: "before"}); got != want {
		t.Errorf("%+v", got)
	}
	got = signal.Signals{Moved: true, Tests: signal.TestsPass, Error: "now"}.After(signal.Signals{Tests: signal.TestsFail, Error: "before"})
	if want := (signal.Signals{Moved: true, Tests: signal.TestsPass, Error: "now"}); got != want {
		t.Errorf("%+v", got)
	}
}

// TestBoxes holds R3-29.
func TestBoxes(t *testing.T) {
	t.Parallel()
	done, total := signal.Boxes("- [x] a\n* [X] b\n  + [ ] c\n- [y] d\n-[ ] e\n- [ ]\ntext - [x] f\n")
	if done != 2 || total != 3 {
		t.Errorf("%d of %d", done, total)
	}
	if done, total := signal.Boxes("# Tasks\n\n- [x]a\n"); done != 1 || total != 1 {
		t.Errorf("%d of %d behind other lines", done, total)
	}
}

// TestGitPlace holds R3-27 and R3-48.
func TestGitPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := signal.GitPlace(dir); got != "" {
		t.Errorf("without a repository: %q", got)
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	git("init", "-q", "-b", "main")
	seen := map[string]string{}
	step := func(what string, moved bool) {
		t.Helper()
		place := signal.GitPlace(dir)
		was, known := seen[place]
		if place == "" || known == moved {
			t.Errorf("after %s: place %q (first seen after %q), moved should be %v", what, place, was, moved)
		}
		seen[place] = what
	}
	step("init", true)
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	step("a new file", false)
	git("add", "a")
	step("add", true)
	git("commit", "-q", "-m", "a")
	step("commit", true)
	if err := os.WriteFile(filepath.Join(dir, "b"), []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("add", "b")
	step("add of another file", true)
	git("pack-refs", "--all")
	step("packed refs", true)
	git("checkout", "-q", "-b", "other")
	step("another branch", true)
}

// TestSignalsAreFast reads a turn of many calls with large results.
func TestSignalsAreFast(t *testing.T) {
	t.Parallel()
	var calls []call
	for i := range 500 {
		calls = append(calls, edit(fmt.Sprint("file", i), i%7 == 0), bash("go test ./... | cat", strings.Repeat("x failed\n", 2000), i%5 == 0))
	}
	begin := time.Now()
	got := signal.OfTurn(turn(calls...))
	if took := time.Since(begin); took > 20*time.Second || got.ToolCalls != 1000 {
		t.Errorf("%+v took %v", got, took)
	}
}
