package smart

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/hooks/ralph/smart/taskfile"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/internal/subprocess"
	"github.com/hookbridge/bridge/protocol"
)

// Observe implements protocol.Observer: it reads git's HEAD and index and the boxes of
// the task file.
func (l *loop) Observe(_ context.Context, turn protocol.Turn) {
	if l.lost || !l.state.Active {
		return
	}
	l.runtime = loadRuntime(l.env.StateHome, l.path(), l.state.StartedAt)
	l.entries = l.fresh(turn)
	last := project.ID(turn.Final)
	// Without a last message in the input, only the transcript is left, and it may still
	// end with the message that was already judged.
	l.same = last == l.runtime.LastMessage
	l.repeated = l.in.Stop.LastAssistantMessage == nil && l.same
	l.runtime.LastMessage = last
	if l.state.Phase == state.Analyzing {
		l.analysis = l.taskText()
		return
	}
	l.signals = signal.OfTurn(protocol.Turn{Entries: l.entries})
	if place := signal.GitPlace(l.root); place != "" {
		l.signals.Moved = l.runtime.Git != "" && place != l.runtime.Git
		l.runtime.Git = place
	}
	l.countRepeats()
	if before := l.runtime.Carried; before != nil {
		l.signals = l.signals.After(*before)
	}
	if l.signals.Error != "" {
		l.signals.Repeats = l.runtime.Repeats
	}
	l.doubts(turn)
	if text, ok := l.smallTaskText(); ok {
		l.signals.FileDone, l.signals.FileTotal = signal.Boxes(text)
	}
}

// doubts looks for evidence against a completion whose assessment is valid.
func (l *loop) doubts(turn protocol.Turn) {
	task := l.state.Current()
	if task == nil {
		return
	}
	var criteria []string
	for _, c := range task.Criteria {
		criteria = append(criteria, c.Text)
	}
	known := append([]string{task.Title, task.Description}, criteria...)
	l.signals.Refuted = l.signals.Unmet(criteria)
	l.signals.Doubted = l.runtime.Doubted == l.state.CurrentIndex+1
	said := turn.Final
	if a := l.assessment(turn); a != nil && a.Suggestion != "" {
		// A statement about the next steps admits nothing.
		for part := range strings.SplitSeq(a.Suggestion, "; ") {
			said = strings.ReplaceAll(said, part, "")
		}
	}
	l.signals.Admitted = signal.Admission(said, known...)
	l.signals.Nothing = turn.Err == protocol.TurnOK && isCurrent(turn, l.entries) && l.signals.ToolCalls == 0 && task.Iterations == 0 && !l.signals.Moved
}

// Programs implements protocol.Runner: git status and the test command, if the user asked
// for them. A dry run runs nothing.
func (l *loop) Programs(ctx context.Context, turn protocol.Turn) func() {
	if l.lost || !l.state.Active || l.state.Phase == state.Analyzing || l.env.DryRun {
		return nil
	}
	status := l.runtime.GitStatus || l.env.Config.Smart.GitStatus
	command := l.testCommand()
	if command != "" {
		if a := l.assessment(turn); a == nil || a.Status != assess.Completed {
			command = ""
		}
	}
	if !status && command == "" {
		return nil
	}
	return func() {
		if status {
			l.gitStatus(ctx)
		}
		if command != "" {
			l.runTests(ctx, command)
		}
	}
}

// Unchanged implements protocol.Runner.
func (l *loop) Unchanged() bool {
	same := false
	err := l.inDir(func(dir *statefile.Dir) error {
		now, err := dir.Read(StateName)
		same = err == nil && bytes.Equal(now.Data, l.read.Data)
		return err
	})
	return err == nil && same
}

// fresh returns the parts of the turn, or none if the transcript still shows a turn that
// was already judged.
func (l *loop) fresh(turn protocol.Turn) []protocol.Entry {
	newest := ""
	for _, e := range turn.Entries {
		if e.Kind == protocol.EntryToolUse {
			newest = e.ToolUseID
		}
	}
	if newest != "" && newest == l.runtime.LastCall {
		return nil
	}
	if newest != "" {
		l.runtime.LastCall = newest
	}
	return turn.Entries
}

// countRepeats counts how many iterations in a row ended with the same error (R3-30). A
// stop without a tool call says nothing about errors.
func (l *loop) countRepeats() {
	switch {
	case l.signals.ToolCalls == 0 && l.signals.Error == "":
	case l.signals.Error == "":
		l.runtime.Error, l.runtime.Repeats = "", 0
	case l.signals.Error == l.runtime.Error:
		l.runtime.Repeats++
	default:
		l.runtime.Error, l.runtime.Repeats = l.signals.Error, 1
	}
}

// taskPath is the path of the task file if it may be read: the path that a person gave on
// the command line, or a file inside the project. A state file from elsewhere must not
// make the hook read other files.
func (l *loop) taskPath() (path string, inside bool) {
	if l.runtime.TaskFile != "" {
		return l.runtime.TaskFile, false
	}
	name := l.state.TaskFile
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(l.root, name)
		if err != nil {
			return "", true
		}
		name = rel
	}
	if name == "" || !filepath.IsLocal(name) {
		return "", true
	}
	return name, true
}

var errNoTaskFile error = &protocol.Said{Chinese: "任务文件不在项目里", English: "the task file is not in the project"}

// taskText reads the task file.
func (l *loop) taskText() analysisSource {
	path, inside := l.taskPath()
	if path == "" {
		return analysisSource{err: errNoTaskFile}
	}
	if !inside {
		text, err := taskfile.Read(path)
		return analysisSource{text.Content, err}
	}
	data, err := statefile.ReadInside(l.root, path, taskfile.MaxSize)
	if errors.Is(err, statefile.ErrNotRegular) || errors.Is(err, statefile.ErrTooLarge) {
		err = errNoTaskFile
	}
	if err == nil && strings.TrimSpace(string(data)) == "" {
		err = taskfile.ErrEmpty
	}
	return analysisSource{strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd"), err}
}

// smallTaskText reads a task file that is small enough to be read at every stop.
func (l *loop) smallTaskText() (string, bool) {
	path, inside := l.taskPath()
	if path == "" {
		return "", false
	}
	if inside {
		path = filepath.Join(l.root, path)
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 256<<10 {
		return "", false
	}
	source := l.taskText()
	return source.text, source.err == nil
}

func (l *loop) testCommand() string {
	if l.runtime.TestCommand != "" {
		return l.runtime.TestCommand
	}
	return l.env.Config.Smart.TestCommand
}

// margin is the part of the deadline that is reserved for deciding and writing.
const margin = 500 * time.Millisecond

// bounded is how long a program may run: at most wanted, and never past the deadline of
// the hook.
func bounded(ctx context.Context, wanted time.Duration) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return min(wanted, time.Until(deadline)-margin)
	}
	return wanted
}

// gitStatus counts the files that git lists, without those that were already dirty when
// the work began (R3-27).
func (l *loop) gitStatus(ctx context.Context) {
	const wait, most = 2 * time.Second, 1 << 20
	out, err := gitStatusOf(l.root, bounded(ctx, wait), most)
	if err != nil {
		l.testNote = note(l.testNote, fmt.Sprintf("git status: %v", err))
		return
	}
	count, id := strings.Count(out, "\x00"), project.ID(out)
	if l.runtime.Files == "" {
		l.runtime.Baseline = count
	} else if id != l.runtime.Files {
		l.signals.Moved = true
	}
	l.runtime.Files = id
	l.signals.Listed = max(count-l.runtime.Baseline, 0)
}

// runTests runs the user's test command; its exit code is the signal.
func (l *loop) runTests(ctx context.Context, command string) {
	wait := 30 * time.Second
	if n := l.env.Config.Smart.TestTimeout; n > 0 {
		wait = time.Duration(n) * time.Second
	}
	wait = bounded(ctx, wait)
	code, out, err := subprocess.Shell(l.root, command, wait)
	switch {
	case errors.Is(err, subprocess.ErrTimeout):
		l.testNote = note(l.testNote, fmt.Sprintf("test_command: %v; to give it more time, raise deadlines_ms.ralph and smart.test_timeout_s in your configuration", err))
	case err != nil:
		l.testNote = note(l.testNote, fmt.Sprintf("test_command: %v", err))
	case code == 0:
		l.signals.Tests = signal.TestsPass
	default:
		l.signals.Tests = signal.TestsFail
		l.signals.TestOutput = out
	}
}

func note(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}
