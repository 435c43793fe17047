package cli_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/shell"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

const repository = "../../../.."

// documents are the Markdown files that people read.
func documents(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 5 {
		t.Fatalf("found only %v", files)
	}
	return files
}

// TestCommandsOfTheDocuments runs every bridge command in a console block, in
// order, in one project per document.
func TestCommandsOfTheDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: runs the program for each command")
	}
	t.Parallel()
	commands := 0
	for _, file := range documents(t) {
		app := newApp(t)
		for _, line := range consoleLines(t, file) {
			if line == "go test ./..." || strings.HasPrefix(line, "go build ") {
				// This test is part of the one, and needs the other.
				continue
			}
			line = strings.TrimPrefix(strings.Replace(line, "go run ./cmd/bridge", "bridge", 1), "./")
			words, err := shell.Fields(line, func(string) string { return "" })
			if err != nil || len(words) == 0 || words[0] != "bridge" {
				t.Errorf("%s: cannot run %q: %v", file, line, err)
				continue
			}
			commands++
			var out, errs bytes.Buffer
			app.Stdout, app.Stderr = &out, &errs
			if code := cli.Main(app, words[1:]); code != 0 {
				t.Errorf("%s: %s: exit code %d\n%s%s", file, line, code, out.String(), errs.String())
			}
		}
	}
	if commands < 8 {
		t.Errorf("ran only %d commands", commands)
	}
}

// newApp creates a session in a new project.
func newApp(t *testing.T) *cli.App {
	t.Helper()
	home := t.TempDir()
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err := errors.Join(err, makeRepository(project)); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home, "CLAUDE_CODE_SESSION_ID": "reader"}
	return &cli.App{
		Stdin: strings.NewReader(""), Getenv: func(name string) string { return env[name] }, Now: time.Now, Dir: project,
	}
}

// consoleLines returns the commands of the console blocks of a document.
func consoleLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	inside := false
	for line := range strings.SplitSeq(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && strings.HasPrefix(line, "$ "):
			lines = append(lines, line[2:])
		}
	}
	return lines
}

// TestTestsOfTheDocuments: every test that a document names exists. Otherwise
// nothing would check the document's claim.
func TestTestsOfTheDocuments(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Za-z0-9_]+)\(`)
	err := filepath.WalkDir(repository, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range function.FindAllStringSubmatch(string(text), -1) {
			known[match[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Za-z0-9_]+)")
	claims := 0
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			claims++
			if !known[match[1]] {
				t.Errorf("%s names %s, which is not there", file, match[1])
			}
		}
	}
	if claims < 50 {
		t.Errorf("the documents name only %d tests", claims)
	}
}
