package smart_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/protocol"
)

// TestEditsByHand edits a valid state.md at random, as a person would, and then lets a
// session stop, resume, pause or cancel. It checks three things: everything that the person
// wrote is in state.md or in a file that a message names; a session that was stopped or
// paused does not become active; and all damage is reported with its line. Holds R3-13 and
// R3-18.
func TestEditsByHand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := worldInMemory(t, r)
		e := &editor{world: w, r: r}
		e.begin()
		e.lose()
		for range rapid.IntRange(1, 3).Draw(r, "rounds") {
			if !w.exists(stateFile) || !e.round() {
				return
			}
		}
	})
}

// editor is a person with a text editor.
type editor struct {
	*world
	r *rapid.T
	// lines is the text, without line endings.
	lines []string
	// words are texts that the person wrote; harmed are lines that bridge cannot
	// understand.
	words  []string
	harmed []string
	// activates says that the person wrote that the session is active.
	activates bool
	count     int
}

// begin starts a session and puts it into a random condition.
func (e *editor) begin() {
	e.start("1. 一\n2. 二\n3. 三", nil)
	e.decide(say(threeTasks))
	switch rapid.SampledFrom([]string{"active", "assessed", "paused", "blocked", "stalled"}).Draw(e.r, "condition") {
	case "assessed":
		e.decide(assessed("in_progress", 40, 80))
	case "paused":
		if _, err := e.order(func(c protocol.Controlled) (string, error) { return c.Pause() }); err != nil {
			e.r.Fatal(err)
		}
	case "blocked":
		e.decide(assessed("completed", 100, 95))
		e.decide(assessed("blocked", 10, 90, "**阻塞问题**: 缺少密钥"))
	case "stalled":
		for range 6 {
			e.decide(assessed("in_progress", 40, 80))
		}
	}
}

// lose removes the backup, as if the session had just begun.
func (e *editor) lose() {
	if e.exists(backupFile) && rapid.Bool().Draw(e.r, "no backup") {
		if err := os.Remove(filepath.Join(e.root, backupFile)); err != nil {
			e.r.Fatal(err)
		}
	}
}

// word is a text that occurs nowhere else.
func (e *editor) word() string {
	e.count++
	word := fmt.Sprintf("字%dword%d", e.count, e.count)
	e.words = append(e.words, word)
	return word
}

var heading = regexp.MustCompile(`^#+\s*(任务|Task)?\s*\d*`)

// sections are the places of the headings, and the end.
func (e *editor) sections() (at []int) {
	for i, line := range e.lines {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			at = append(at, i)
		}
	}
	return append(at, len(e.lines))
}

func (e *editor) section() (from, to int, ok bool) {
	at := e.sections()
	if len(at) < 2 {
		return 0, 0, false
	}
	n := rapid.IntRange(0, len(at)-2).Draw(e.r, "section")
	return at[n], at[n+1], true
}

func (e *editor) insert(at int, lines ...string) { e.lines = slices.Insert(e.lines, at, lines...) }

// pick finds a line that begins with one of the texts.
func (e *editor) pick(begins ...string) int {
	var found []int
	for i, line := range e.lines {
		if slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(line, b) }) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return -1
	}
	return rapid.SampledFrom(found).Draw(e.r, "line")
}

// forget drops the words of a removed line.
func (e *editor) forget(lines ...string) {
	text := strings.Join(lines, "\n")
	e.words = slices.DeleteFunc(e.words, func(w string) bool { return strings.Contains(text, w) })
	e.harmed = slices.DeleteFunc(e.harmed, func(h string) bool { return slices.Contains(lines, h) })
}

// edit changes the text once.
func (e *editor) edit() {
	sample := func(texts ...string) string { return rapid.SampledFrom(texts).Draw(e.r, "text") }
	switch sample("add", "remove", "reorder", "rename", "status", "odd status", "number", "odd number", "drop key", "flag", "odd flag", "remark", "box", "dashes", "indent", "swap keys") {
	case "add":
		at := rapid.SampledFrom(e.sections()).Draw(e.r, "place")
		if at > 0 && (at < len(e.lines) || e.lines[at-1] == "") || at == len(e.lines) {
			head := sample("## 任务 7: ", "## Task 1: ", "### Task 12：", "## 任务: ", "## 任务 3 ") + e.word()
			e.insert(at, "", head, e.word(), sample("- [ ] ", "* [x] ", "- [√] ")+e.word(), "")
		}
	case "remove":
		if from, to, ok := e.section(); ok {
			e.forget(e.lines[from:to]...)
			e.lines = slices.Delete(e.lines, from, to)
		}
	case "reorder":
		if from, to, ok := e.section(); ok {
			moved := slices.Clone(e.lines[from:to])
			e.lines = slices.Delete(e.lines, from, to)
			at := rapid.SampledFrom(e.sections()).Draw(e.r, "to")
			e.insert(at, append(append([]string{""}, moved...), "")...)
		}
	case "rename":
		if from, _, ok := e.section(); ok {
			e.forget(e.lines[from])
			e.lines[from] = heading.FindString(e.lines[from]) + ": " + e.word()
		}
	case "status":
		if i := e.pick("**状态**"); i >= 0 {
			e.forget(e.lines[i])
			e.lines[i] = "**状态**: " + sample("已完成", "进行中", "已跳过", "阻塞", "失败", "待处理", "done", "In Progress", "skipped", "todo") + sample("", " | **完成度**: 50%", " | **完成度**：50％ | **迭代**: 2")
		}
	case "odd status":
		if i := e.pick("**状态**"); i >= 0 {
			e.forget(e.lines[i])
			e.lines[i] = "**状态**: " + e.word() + " | **完成度**: 50%"
			e.harmed = append(e.harmed, e.lines[i])
		}
	case "number":
		if i := e.pick("total_tasks:", "current_task_index:", "iteration:", "stall_count:"); i >= 0 {
			key, _, _ := strings.Cut(e.lines[i], ":")
			e.forget(e.lines[i])
			e.lines[i] = key + ": " + sample("0", "1", "7", "２", `"3"`)
		}
	case "odd number":
		if i := e.pick("max_iterations:", "completion_threshold:", "stall_detection:", "iteration:", "last_completion:"); i >= 0 {
			key, _, _ := strings.Cut(e.lines[i], ":")
			e.forget(e.lines[i])
			e.lines[i] = key + ": " + e.word()
			e.harmed = append(e.harmed, e.lines[i])
		}
	case "drop key":
		if i := e.pick("total_tasks", "current_task_index", "iteration", "active", "phase", "stall_count", "end_reason", "max_iterations", "session_id", "started_at"); i >= 0 {
			e.forget(e.lines[i])
			e.lines = slices.Delete(e.lines, i, i+1)
		}
	case "flag":
		if i := e.pick("active"); i >= 0 {
			value := sample("false", "no", "否", "true")
			e.activates = value == "true"
			e.forget(e.lines[i])
			e.lines[i] = "active: " + value
		}
	case "odd flag":
		if i := e.pick("active", "auto_approve", "strict_mode"); i >= 0 {
			key, _, _ := strings.Cut(e.lines[i], ":")
			e.forget(e.lines[i])
			e.lines[i] = key + ": " + e.word()
			e.harmed = append(e.harmed, e.lines[i])
		}
	case "remark":
		e.insert(rapid.IntRange(1, len(e.lines)).Draw(e.r, "at"), e.word())
	case "box":
		if i := e.pick("- ["); i >= 0 {
			e.lines[i] = strings.NewReplacer("[ ]", "[X]", "[x]", "[ ]").Replace(e.lines[i])
		}
	case "dashes":
		if i := e.pick("---"); i >= 0 {
			e.forget(e.lines[i])
			e.lines[i] = sample("--", "----", "", "—-")
			if e.lines[i] == "" {
				e.lines = slices.Delete(e.lines, i, i+1)
			}
		}
	case "indent":
		if from, _, ok := e.section(); ok && !slices.Contains(e.harmed, e.lines[from]) {
			e.lines[from] = sample("\t", "  ") + e.lines[from]
		}
	case "swap keys":
		if i, j := e.pick("asks", "briefed"), e.pick("iteration", "active"); i >= 0 && j >= 0 {
			e.lines[i], e.lines[j] = e.lines[j], e.lines[i]
		}
	}
}

// round edits the file, stops the session, perhaps gives a command, and checks the
// result. It returns false if the file cannot be used and nobody has repaired it yet.
func (e *editor) round() bool {
	before, err := state.Parse([]byte(e.read(stateFile)))
	if err != nil {
		e.r.Fatalf("the state was not valid: %v", err)
	}
	e.words, e.harmed, e.activates = nil, nil, false
	text := strings.TrimPrefix(strings.ReplaceAll(e.read(stateFile), "\r\n", "\n"), "\ufeff")
	e.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for range rapid.IntRange(1, 5).Draw(e.r, "edits") {
		e.edit()
	}
	text = strings.Join(e.lines, "\n") + rapid.SampledFrom([]string{"\n", "", "\n\n"}).Draw(e.r, "end")
	if rapid.Bool().Draw(e.r, "windows") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	text = rapid.SampledFrom([]string{"", "\ufeff", "\n"}).Draw(e.r, "start") + text
	e.write(stateFile, text)
	e.reported(text)
	e.now = e.now.Add(time.Second)

	asleep := !before.Active && !e.activates
	told := e.stopNow(asleep, text)
	if e.exists(stateFile) && rapid.Bool().Draw(e.r, "order") {
		told += e.orderNow(text)
	}
	e.nothingLost(told, text)
	if e.exists(stateFile) {
		if _, err := state.Parse([]byte(e.read(stateFile))); err != nil {
			// The file is still as the person left it, so there is nothing more to test.
			if e.read(stateFile) != text {
				e.r.Fatalf("bridge wrote a state that cannot be read: %v\n%s", err, e.read(stateFile))
			}
			return false
		}
	}
	return true
}

// stopNow lets the session stop and returns what it was told.
func (e *editor) stopNow(asleep bool, text string) string {
	active := e.find().Active
	if active == nil {
		if e.read(stateFile) != text {
			e.r.Fatalf("a stop that found nothing changed the file:\n%s", text)
		}
		return ""
	}
	d := e.decide(rapid.SampledFrom([]protocol.Turn{say("……"), assessed("in_progress", 50, 80), assessed("completed", 100, 95)}).Draw(e.r, "turn"))
	if asleep && d.Kind == protocol.Continue {
		e.r.Fatalf("a session that was not active is blocked: %s\n%s", d.Message, text)
	}
	if asleep && e.exists(stateFile) {
		if s, err := state.Parse([]byte(e.read(stateFile))); err == nil && s.Active {
			e.r.Fatalf("a session that was not active became so: %s\n%s", d.Message, text)
		}
	}
	return d.Message + "\n"
}

// orderNow gives a command and returns what it printed.
func (e *editor) orderNow(text string) string {
	all, err := smart.List(e.stop())
	if err != nil || len(all) != 1 {
		e.r.Fatalf("%d sessions, %v\n%s", len(all), err, text)
	}
	opts := protocol.ResumeOptions{SessionID: e.session, Now: e.now, MaxIterations: 90, Force: true}
	give := map[string]func() (string, error){"pause": all[0].Pause, "cancel": all[0].Cancel, "resume": nil}
	if all[0].Resume != nil {
		give["resume"] = func() (string, error) { return all[0].Resume(opts) }
	}
	do := give[rapid.SampledFrom([]string{"pause", "resume", "cancel"}).Draw(e.r, "which")]
	if do == nil {
		return ""
	}
	out, err := do()
	if err != nil && !errors.Is(err, smart.ErrNothingOpen) && !errors.Is(err, protocol.ErrNeedsHigherLimit) {
		e.r.Fatalf("%v\n%s", err, text)
	}
	return out + "\n"
}

// reported checks that each line that bridge cannot understand is reported with
// its number.
func (e *editor) reported(text string) {
	s, err := state.Parse([]byte(text))
	problem, graved := errors.AsType[state.Problem](err)
	if err != nil {
		if !graved || problem.Line < 1 || problem.Line > strings.Count(text, "\n")+1 {
			e.r.Fatalf("the damage has no line: %v\n%s", err, text)
		}
		return
	}
	lines := strings.Split(text, "\n")
	for _, harmed := range e.harmed {
		line := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSuffix(strings.TrimPrefix(l, "\ufeff"), "\r") == harmed }) + 1
		if !slices.ContainsFunc(s.Problems(), func(p state.Problem) bool { return p.Line == line }) {
			e.r.Fatalf("line %d is not reported: %q\n%v\n%s", line, harmed, s.Problems(), text)
		}
	}
	for _, p := range s.Problems() {
		if p.Line < 1 || p.Line > len(lines) {
			e.r.Fatalf("a problem in line %d of %d: %v", p.Line, len(lines), p)
		}
	}
}

var namedFile = regexp.MustCompile(`\.claude/ralph-smart/history/[0-9-]+\.(?:corrupt|edited|md)|--restore [0-9-]+`)

// nothingLost looks for every word that the person wrote: in the state, its backup, or a
// file that was named.
func (e *editor) nothingLost(told, text string) {
	var all strings.Builder
	if e.exists(stateFile) {
		all.WriteString(e.read(stateFile))
	}
	for _, name := range namedFile.FindAllString(told, -1) {
		if id, ok := strings.CutPrefix(name, "--restore "); ok {
			name = historyDir + "/" + id + ".md"
		}
		all.WriteString(e.read(name))
	}
	for _, word := range e.words {
		if !strings.Contains(all.String(), word) {
			e.r.Fatalf("%s is lost\nwritten\n%s\ntold\n%s\nnow\n%s\nhistory %v", word, text, told, all.String(), e.history())
		}
	}
}
