//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The corpus is what is put in front of bridge (cases), what came of it (answers), and
// the same answers without their texts (decisions). A change that is meant to change
// nothing leaves all three as they are:
//
//	go test ./cmd/bridge -run TestCorpus                      compare
//	go test ./cmd/bridge -run TestCorpus -corpus texts        compare decisions, write answers
//	go test ./cmd/bridge -run TestCorpus -corpus answers      write answers and decisions
//	go test ./cmd/bridge -run TestCorpus -corpus cases        write all three
//
// BRIDGE_TEST_BINARY runs another program, such as an older one.
var corpusWrite = flag.String("corpus", "", "what TestCorpus writes: texts, answers or cases")

const (
	corpusCases   = "testdata/corpus/cases.jsonl"
	corpusAnswers = "testdata/corpus/answers.jsonl"
)

// corpusCase is one story: files, then calls of the program in order. In every
// text $PROJECT and $HOME are the directories of the case, and $NOW is the time
// at which its files are written.
type corpusCase struct {
	Name  string            `json:"name"`
	Files map[string]string `json:"files,omitzero"`
	Steps []corpusStep      `json:"steps"`
}

type corpusStep struct {
	Args  []string `json:"args"`
	Env   []string `json:"env,omitzero"`
	Stdin string   `json:"stdin,omitzero"`
	// Raw is a stdin that is not UTF-8, in base64.
	Raw []byte `json:"raw,omitzero"`
}

// corpusAnswer is the result of a case. Times, ids and paths are blanked.
type corpusAnswer struct {
	Name  string         `json:"name"`
	Steps []corpusResult `json:"steps"`
	// Files are all files below the project and the home at the end, by path. If several
	// blanked paths are equal, their contents are in one list.
	Files map[string][]string `json:"files,omitzero"`
}

type corpusResult struct {
	Stdout string `json:"stdout"`
	Exit   int    `json:"exit"`
}

func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts 2,400 processes")
	}
	t.Parallel()
	if *corpusWrite == "cases" {
		writeLines(t, corpusCases, generateCorpus(t))
	}
	cases := readLines[corpusCase](t, corpusCases)
	if len(cases) < 400 {
		t.Fatalf("only %d cases", len(cases))
	}
	got := answerCorpus(t, cases)
	if *corpusWrite != "" {
		writeLines(t, corpusAnswers, got)
	}
	if *corpusWrite == "cases" || *corpusWrite == "answers" {
		decisions := slices.Clone(got)
		for i := range decisions {
			decisions[i] = decisions[i].blanked()
		}
		writeLines(t, corpusDecisions, decisions)
	}
	decisions, want := readLines[corpusAnswer](t, corpusDecisions), readLines[corpusAnswer](t, corpusAnswers)
	if len(want) != len(got) || len(decisions) != len(got) {
		t.Fatalf("%d cases, %d answers and %d decisions; write them again with -corpus answers", len(got), len(want), len(decisions))
	}
	for i := range got {
		if differences := got[i].blanked().diff(decisions[i]); differences != "" {
			t.Errorf("%s: another decision, file or exit code (if it is meant: -corpus answers):\n%s", got[i].Name, differences)
		} else if differences := got[i].diff(want[i]); differences != "" {
			t.Errorf("%s: another text (if it is meant: -corpus texts):\n%s", got[i].Name, differences)
		}
	}
}

// TestCorpusBlanksOnlyTexts: what is compared with the first version keeps everything but
// sentences.
func TestCorpusBlanksOnlyTexts(t *testing.T) {
	t.Parallel()
	for stdout, want := range map[string]string{
		"":                        "",
		"Cancelled Ralph loop.\n": "<text>\n",
		`{"decision": "block", "reason": "Say \"reason\": \"x\".", "systemMessage": "🔄"}`:               `{"decision": "block", "reason": "<text>", "systemMessage": "<text>"}`,
		`{"continue": false, "hookSpecificOutput": {"decision": {"behavior": "deny", "message": "m"}}}`: `{"continue": false, "hookSpecificOutput": {"decision": {"behavior": "deny", "message": "<text>"}}}`,
		`{"systemMessage": "", "stop": "bridge ralph cancel"}`:                                          `{"systemMessage": "", "stop": "bridge ralph cancel"}`,
	} {
		if got := blankTexts(stdout); got != want {
			t.Errorf("%s became %s, want %s", stdout, got, want)
		}
	}
}

// answerCorpus runs all cases, as many at once as there are processors.
func answerCorpus(t *testing.T, cases []corpusCase) []corpusAnswer {
	root := memoryDir(t)
	answers, failures := make([]corpusAnswer, len(cases)), make([]error, len(cases))
	work := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range work {
				answers[i], failures[i] = cases[i].run(filepath.Join(root, fmt.Sprintf("%05d", i)))
			}
		})
	}
	for i := range cases {
		work <- i
	}
	close(work)
	wg.Wait()
	if err := errors.Join(failures...); err != nil {
		t.Fatal(err)
	}
	return answers
}

func (c corpusCase) run(dir string) (corpusAnswer, error) {
	defer os.RemoveAll(dir)
	project, home := filepath.Join(dir, "project"), filepath.Join(dir, "home")
	fill := strings.NewReplacer("$PROJECT", project, "$HOME", home, "$NOW", time.Now().UTC().Format(time.RFC3339)).Replace
	for _, path := range []string{filepath.Join(project, ".git"), home} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return corpusAnswer{}, err
		}
	}
	for path, text := range c.Files {
		path = fill(path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(fill(text)), 0o600)); err != nil {
			return corpusAnswer{}, err
		}
	}
	answer := corpusAnswer{Name: c.Name}
	blank := strings.NewReplacer(binary, "bridge", project, "$PROJECT", home, "$HOME").Replace
	for _, step := range c.Steps {
		// On the PATH, the program has a name of the same width in every run.
		cmd := exec.Command(binary, step.Args...)
		stdin := step.Raw
		if stdin == nil {
			stdin = []byte(fill(step.Stdin))
		}
		cmd.Dir, cmd.Stdin = project, bytes.NewReader(stdin)
		cmd.Env = append([]string{"HOME=" + home, "PATH=" + filepath.Dir(binary) + string(filepath.ListSeparator) + os.Getenv("PATH"), "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0"}, step.Env...)
		result, err := execute(cmd)
		if err != nil {
			return corpusAnswer{}, fmt.Errorf("%s: %w", c.Name, err)
		}
		answer.Steps = append(answer.Steps, corpusResult{blankVarying(blank(result.stdout)), result.code})
	}
	var err error
	answer.Files, err = corpusFiles(dir, blank)
	return answer, err
}

// corpusFiles reads all files below dir. Locks are left out: they are empty, and only
// show that a process used them.
func corpusFiles(dir string, blank func(string) string) (map[string][]string, error) {
	files := map[string][]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(path, "/locks/") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		if strings.Contains(path, "/ledger/") {
			text = blankLedger(data)
		}
		name := blankVarying(blank(path))
		files[name] = append(files[name], blankVarying(blank(text)))
		return nil
	})
	for _, contents := range files {
		slices.Sort(contents)
	}
	return files, err
}

// blankLedger keeps the decision and the rule of each line.
func blankLedger(data []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(data) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			fmt.Fprintf(&b, "unreadable: %s", line)
			continue
		}
		for _, name := range []string{"session", "type", "event", "step", "decision", "rule"} {
			fmt.Fprint(&b, entry[name], " ")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// varying are texts that differ between two runs of one program: points in time,
// days, hashes of paths, process ids.
var varying = []struct {
	pattern *regexp.Regexp
	blank   string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?`), "<time>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d+Z`), "<time>"},
	{regexp.MustCompile(`\d{8}-\d{6}`), "<time>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d`), "<day>"},
	{regexp.MustCompile(`\b1[789]\d{8}(\d{3}|\d{6}|\d{9})?\b`), "<epoch>"},
	{regexp.MustCompile(`\b[0-9a-f]{16,64}\b`), "<hash>"},
	{regexp.MustCompile(`"(pid|duration_ms)": ?\d+`), `"$1": <number>`},
	// A record that is written in place is padded to its former length.
	{regexp.MustCompile(`\s+$`), "\n"},
	{regexp.MustCompile(`\b\d+(\.\d+)?(ns|µs|ms|s)\b`), "<duration>"},
	{regexp.MustCompile(`\b\d+ (d( \d+ h)?|h( \d+ min)?|min|s)\b`), "<elapsed>"},
}

func blankVarying(text string) string {
	for _, v := range varying {
		text = v.pattern.ReplaceAllString(text, v.blank)
	}
	return text
}

// diff says in a few lines how an answer differs from the recorded one.
func (a corpusAnswer) diff(want corpusAnswer) string {
	var b strings.Builder
	note := func(what, got, want string) {
		if got != want {
			fmt.Fprintf(&b, "  %s\n    now %q\n    was %q\n", what, got, want)
		}
	}
	note("name", a.Name, want.Name)
	for i := range max(len(a.Steps), len(want.Steps)) {
		var got, was corpusResult
		if i < len(a.Steps) {
			got = a.Steps[i]
		}
		if i < len(want.Steps) {
			was = want.Steps[i]
		}
		note(fmt.Sprintf("stdout of call %d", i+1), got.Stdout, was.Stdout)
		note(fmt.Sprintf("exit code of call %d", i+1), fmt.Sprint(got.Exit), fmt.Sprint(was.Exit))
	}
	for name, contents := range a.Files {
		note("file "+name, strings.Join(contents, "\x00"), strings.Join(want.Files[name], "\x00"))
	}
	for name := range want.Files {
		if _, ok := a.Files[name]; !ok {
			fmt.Fprintf(&b, "  file %s is missing\n", name)
		}
	}
	return b.String()
}

func readLines[T any](t *testing.T, path string) (all []T) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, one)
	}
	return all
}

func writeLines[T any](t *testing.T, path string, all []T) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	for _, one := range all {
		line, err := json.Marshal(one, json.Deterministic(true), jsontext.EscapeForHTML(false))
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	if err := errors.Join(out.Flush(), file.Close()); err != nil {
		t.Fatal(err)
	}
}
