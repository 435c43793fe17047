// Package signal gathers what the rules can see of a turn without asking the model:
// changed files, test results, check lists, errors (docs/reference/smart-ralph.md,
// R3-27 to R3-31).
package signal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Tests is what the turn's test runs said.
type Tests string

// The results of tests; the last run of the turn counts.
const (
	TestsUnknown Tests = "unknown"
	TestsPass    Tests = "pass"
	TestsFail    Tests = "fail"
)

// Signals are what the rules see.
type Signals struct {
	// Files counts the files that the turn's edit tools changed. Listed is how
	// many git status lists beyond those from before the session, if the user
	// wants it to run; it is no progress by itself, since they stay listed.
	Files, Listed int
	// Moved says that HEAD, the index or the list of git changed since the last
	// stop. Nobody knows without a repository.
	Moved bool
	Tests Tests
	// TestOutput is the end of what the user's test command printed when it
	// failed.
	TestOutput string
	// BoxesDone of BoxesTotal criteria of the task are ticked; NewBoxes of them
	// at this stop.
	BoxesDone, BoxesTotal, NewBoxes int
	// FileDone of FileTotal boxes are ticked in the task file, if it has any.
	FileDone, FileTotal int
	// Errors counts the tools that failed in the turn.
	Errors int
	// Error is the error that the turn ended with, folded so that it equals
	// itself again; one that the same tool got over is none. Repeats counts the stops in a row that ended with it.
	Error   string
	Repeats int
	// Better says that the task got further by its own assessment: more complete
	// than ever, or another box ticked.
	Better bool
	// ToolCalls counts the tools of the turn.
	ToolCalls int
}

// Progress reports whether the rules saw the work move on.
func (s Signals) Progress() bool { return s.Files > 0 || s.Moved || s.NewBoxes > 0 }

// After puts the signals of a turn behind those of the turn before, where both
// belong to one iteration.
func (s Signals) After(before Signals) Signals {
	s.Files += before.Files
	s.Moved = s.Moved || before.Moved
	s.Errors += before.Errors
	s.ToolCalls += before.ToolCalls
	if s.Tests == TestsUnknown {
		s.Tests = before.Tests
	}
	if s.Error == "" {
		s.Error = before.Error
	}
	return s
}

// OfTurn reads the signals of a turn.
func OfTurn(turn protocol.Turn) Signals {
	s := Signals{Tests: TestsUnknown}
	failed := failures(turn.Entries)
	var files []string
	runs, tools := map[string]run{}, map[string]string{}
	failedTool, failedRun := "", false
	for _, e := range turn.Entries {
		switch e.Kind {
		case protocol.EntryToolUse:
			s.ToolCalls++
			tools[e.ToolUseID] = e.ToolName
			switch kind := claude.Kind(e.ToolName); {
			case kind == protocol.ToolWrite:
				if path := editedPath(e.ToolInput); path != "" && !slices.Contains(failed, e.ToolUseID) && !slices.Contains(files, path) {
					files = append(files, path)
				}
			case kind == protocol.ToolShell:
				command, background := commandOf(e.ToolInput)
				if r, ok := testRun(command); ok && !background {
					runs[e.ToolUseID] = r
				}
			}
		case protocol.EntryToolResult:
			r, isRun := runs[e.ToolUseID]
			if isRun {
				if result := r.result(e); result != TestsUnknown {
					s.Tests = result
				}
			}
			tool := tools[e.ToolUseID]
			switch folded := foldError(e.Text); {
			case !e.IsError:
				if tool == failedTool && (isRun || !failedRun) {
					// The tool works again; what went wrong before is over.
					s.Error = ""
				}
			case folded == "":
				s.Errors++
			default:
				s.Errors++
				s.Error, failedTool, failedRun = folded, tool, isRun
			}
		case protocol.EntryText:
		}
	}
	s.Files = len(files)
	return s
}

// failures lists the tool uses whose result is an error.
func failures(entries []protocol.Entry) []string {
	var ids []string
	for _, e := range entries {
		if e.Kind == protocol.EntryToolResult && e.IsError {
			ids = append(ids, e.ToolUseID)
		}
	}
	return ids
}

func editedPath(input []byte) string {
	object, _ := statefile.ParseObject(input)
	return cmp.Or(object.Text("file_path"), object.Text("notebook_path"))
}

func commandOf(input []byte) (command string, background bool) {
	object, _ := statefile.ParseObject(input)
	return object.Text("command"), object.Bool("run_in_background")
}

// foldError makes errors equal that differ in numbers and paths only, and keeps
// enough of them to tell two apart. One without words is empty.
func foldError(text string) string {
	const most = 160
	if len(text) > 4*most {
		text = strings.ToValidUTF8(text[:4*most], "")
	}
	var words []string
	for _, word := range strings.Fields(text) {
		if strings.ContainsAny(word, `/\`) {
			word = "PATH"
		}
		words = append(words, strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, word))
	}
	folded := strings.Join(strings.Fields(strings.ToLower(strings.Join(words, " "))), " ")
	switch folded {
	case "", "error", "exit code", "error: exit code", "command failed":
		// It says nothing: a grep without a match is no error to stumble over.
		return ""
	}
	if len(folded) > most {
		folded = strings.ToValidUTF8(folded[:most], "")
	}
	return folded
}

// Boxes counts the check boxes of a text.
func Boxes(text string) (done, total int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(line) < 6 || line[0] != '-' && line[0] != '*' && line[0] != '+' || line[1] != ' ' || line[2] != '[' || line[4] != ']' {
			continue
		}
		switch line[3] {
		case ' ':
			total++
		case 'x', 'X':
			total++
			done++
		}
	}
	return done, total
}
