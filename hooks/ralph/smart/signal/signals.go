// Package signal gathers what rules can find out about a turn without asking the model:
// changed files, test results, check lists and errors (docs/reference/smart-ralph.md,
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

// Tests is the result of the turn's test runs.
type Tests string

// The results of tests. The last run of the turn counts.
const (
	TestsUnknown Tests = "unknown"
	TestsPass    Tests = "pass"
	TestsFail    Tests = "fail"
)

// Signals are what the rules found.
type Signals struct {
	// Files is how many files the turn's edit tools changed. Listed is how many files git
	// status lists beyond those from before the session, if the user wants git status to
	// run. Listed is not progress by itself, because files stay listed.
	Files, Listed int
	// Moved says that HEAD, the index or the list of git status changed since the last
	// stop. Without a repository this is unknown.
	Moved bool
	Tests Tests
	// TestOutput is the end of the output of the user's test command if it failed.
	TestOutput string
	// BoxesDone is how many of the task's BoxesTotal criteria are ticked; NewBoxes is how
	// many of them were ticked at this stop.
	BoxesDone, BoxesTotal, NewBoxes int
	// FileDone is how many of the FileTotal boxes in the task file are ticked, if it has
	// boxes.
	FileDone, FileTotal int
	// Errors counts the tools that failed in the turn.
	Errors int
	// Error is the error at the end of the turn, folded so that the same error compares
	// equal. An error after which the same tool succeeded does not count. Repeats is how
	// many stops in a row ended with it.
	Error   string
	Repeats int
	// Better says that the assessment shows progress: a higher completion than ever
	// before, or another ticked box.
	Better bool
	// ToolCalls counts the tools of the turn.
	ToolCalls int
	// Leftovers says that the turn's last search for marks of unfinished work, such as
	// TODO, found some.
	Leftovers bool `json:",omitzero"`
	// Failed are the commands whose last run in the turn failed. Refuted is a criterion
	// that names one of them, or empty.
	Failed  failing `json:",omitzero"`
	Refuted string  `json:",omitzero"`
	// Admitted is a sentence in which the model admits a gap, or empty. Nothing says that
	// the transcript shows no tool that was used for the task.
	Admitted string `json:",omitzero"`
	Nothing  bool   `json:",omitzero"`
	// Doubted says that a completion of the task was doubted before. That happens only
	// once.
	Doubted bool `json:",omitzero"`
}

// Progress reports whether the rules found any progress.
func (s Signals) Progress() bool { return s.Files > 0 || s.Moved || s.NewBoxes > 0 }

// After adds the signals of a turn to those of the previous turn, if both belong to one
// iteration.
func (s Signals) After(before Signals) Signals {
	s.Files += before.Files
	s.Moved = s.Moved || before.Moved
	s.Errors += before.Errors
	s.Leftovers = s.Leftovers || before.Leftovers
	if s.ToolCalls == 0 {
		s.Failed = before.Failed
	}
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
	searches, commands := map[string]bool{}, map[string]string{}
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
				searches[e.ToolUseID] = findsLeftovers(command)
				if !background {
					commands[e.ToolUseID] = command
				}
			}
		case protocol.EntryToolResult:
			if searches[e.ToolUseID] {
				s.Leftovers = !e.IsError && hasLeftovers(e.Text)
			}
			s.Failed.ran(commands[e.ToolUseID], e.IsError)
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
					// The tool works again, so its earlier error no longer matters.
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

// failures lists the tool calls that ended in an error.
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

// foldError makes errors equal that differ only in numbers and paths, and keeps enough
// text to distinguish others. An error without words is empty.
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
		// Such an error carries no information, like that of a grep without a match.
		return ""
	}
	if len(folded) > most {
		folded = strings.ToValidUTF8(folded[:most], "")
	}
	return folded
}

// Boxes counts the check boxes in a text.
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
