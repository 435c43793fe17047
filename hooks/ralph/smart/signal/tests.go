package signal

import (
	"strings"

	"github.com/hookbridge/bridge/protocol"
)

// run is a command that runs tests.
type run struct {
	// exits says that the exit code is that of the tests, not that of a command after a
	// pipe or "||".
	exits bool
}

// testRun reports whether a command line runs tests. It splits the line roughly as a
// shell would; a mistake costs one signal, which decides nothing by itself.
func testRun(command string) (run, bool) {
	found := false
	r := run{exits: true}
	rest := command
	for rest != "" {
		end := strings.IndexAny(rest, ";|&\n")
		segment := rest
		operator := ""
		if end >= 0 {
			segment = rest[:end]
			width := 1
			if end+1 < len(rest) && rest[end+1] == rest[end] {
				width = 2
			}
			operator = rest[end : end+width]
			rest = rest[end+width:]
			// 2>&1 and &> are not operators here.
			if operator == "&" && (strings.HasSuffix(segment, ">") || strings.HasPrefix(rest, ">")) {
				operator = "&&"
			}
		} else {
			rest = ""
		}
		if isTest(strings.Fields(segment)) {
			found = true
			r.exits = true
		}
		if operator != "&&" && strings.TrimSpace(rest) != "" {
			r.exits = false
		}
	}
	return r, found
}

// isTest reports whether the command is a known test runner.
func isTest(words []string) bool {
	words = unwrap(words)
	if len(words) == 0 {
		return false
	}
	second := ""
	if len(words) > 2 && words[1] == "-C" {
		// go -C DIR test
		words = append(words[:1:1], words[3:]...)
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			second = w
			break
		}
	}
	switch base(words[0]) {
	case "pytest", "py.test", "jest", "vitest", "rspec", "phpunit", "ctest", "tox", "mocha", "nosetests", "ava":
		return true
	case "go", "dotnet", "cargo", "mix", "swift", "deno", "flutter", "rake", "mvn", "gradle", "gradlew", "mvnw", "bazel", "sbt", "zig":
		return second == "test" || second == "nextest" || second == "vstest"
	case "make", "just", "task":
		return second == "test" || second == "tests" || second == "check"
	case "npm", "pnpm", "yarn", "bun":
		if second == "run" || second == "run-script" {
			return strings.HasPrefix(after(words, second), "test")
		}
		return second == "t" || second == "tst" || strings.HasPrefix(second, "test")
	case "python", "python3", "py":
		for i, w := range words {
			if w == "-m" && i+1 < len(words) {
				return words[i+1] == "pytest" || words[i+1] == "unittest"
			}
		}
	}
	return false
}

// unwrap removes words that only start another program.
func unwrap(words []string) []string {
	for len(words) > 0 {
		switch w := base(words[0]); {
		case strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-"):
			words = words[1:]
		case w == "sudo" || w == "env" || w == "time" || w == "npx" || w == "exec" || w == "command" || w == "bunx" || w == "nice":
			words = skipOptions(words[1:])
		case w == "timeout":
			if words = skipOptions(words[1:]); len(words) > 0 {
				words = words[1:]
			}
		case (w == "poetry" || w == "uv" || w == "pipenv" || w == "hatch" || w == "rye") && len(words) > 1 && words[1] == "run":
			words = skipOptions(words[2:])
		case w == "bundle" && len(words) > 1 && words[1] == "exec":
			words = words[2:]
		default:
			return words
		}
	}
	return words
}

func skipOptions(words []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	return words
}

func base(word string) string {
	word = word[strings.LastIndexAny(word, `/\`)+1:]
	for _, suffix := range []string{".exe", ".cmd", ".bat"} {
		word = strings.TrimSuffix(word, suffix)
	}
	return word
}

// after returns the word that follows w.
func after(words []string, w string) string {
	for i, word := range words {
		if word == w && i+1 < len(words) {
			return words[i+1]
		}
	}
	return ""
}

// result reads the outcome of a run: from the exit code if it counts, otherwise from the
// output.
func (r run) result(e protocol.Entry) Tests {
	said := saidResult(e.Text)
	switch {
	case e.IsError, said == TestsFail:
		return TestsFail
	case r.exits, said == TestsPass:
		return TestsPass
	}
	return TestsUnknown
}

// saidResult looks for the words of test runners in an output.
func saidResult(output string) Tests {
	result := TestsUnknown
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		lower := strings.ToLower(line)
		switch {
		case strings.HasPrefix(line, "--- FAIL"), line == "FAIL", strings.HasPrefix(line, "FAIL\t"), strings.HasPrefix(line, "FAIL "),
			strings.HasPrefix(line, "FAILED "), strings.HasPrefix(line, "Failed!"), strings.Contains(lower, "test result: failed"),
			counted(lower, "failed"), counted(lower, "failing"), counted(lower, "failures"), strings.HasPrefix(lower, "npm err"):
			return TestsFail
		case line == "PASS", strings.HasPrefix(line, "ok \t"), strings.HasPrefix(line, "ok  \t"), strings.HasPrefix(line, "Passed!"),
			strings.Contains(lower, "test result: ok"), counted(lower, "passed"), counted(lower, "passing"):
			result = TestsPass
		}
	}
	return result
}

// counted reports whether a number other than 0 precedes word, as in "3 failed".
func counted(line, word string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], " "+word)
		if i < 0 {
			return false
		}
		end := at + i
		start := end
		for start > 0 && line[start-1] >= '0' && line[start-1] <= '9' {
			start--
		}
		if strings.Trim(line[start:end], "0") != "" {
			return true
		}
		at = end + 1
	}
}
