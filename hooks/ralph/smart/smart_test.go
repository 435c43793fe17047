package smart_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// world is a project with a home directory and a session in it.
type world struct {
	t       testing.TB
	root    string
	home    string
	session string
	mode    string
	// oldClient sends no last message.
	oldClient bool
	dry       bool
	config    protocol.Config
	env       map[string]string
	now       time.Time
}

func newWorld(t testing.TB) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: filepath.Join(base, "project"), home: filepath.Join(base, "home"), session: "s1", mode: "default", env: map[string]string{}, now: time.Now()}
	for _, dir := range []string{filepath.Join(w.root, ".git"), w.home} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) getenv(name string) string {
	switch name {
	case "XDG_STATE_HOME", "XDG_CONFIG_HOME":
		return w.home
	case "HOME", "USERPROFILE":
		return w.home
	}
	return w.env[name]
}

func (w *world) scene(sessionID string) smart.Scene {
	return smart.Scene{Root: w.root, Env: project.Env(w.getenv, w.now), Lang: message.Chinese, SessionID: sessionID}
}

func (w *world) stop() *protocol.Stop {
	in := protocol.Input{Base: protocol.Base{SessionID: w.session, CWD: w.root, PermissionMode: w.mode}}
	if !w.oldClient {
		in.Stop.LastAssistantMessage = new(string)
	}
	env := project.Env(w.getenv, w.now)
	env.DryRun, env.Config = w.dry, w.config
	return project.Request(in, env).Stop()
}

// start begins a session with the text as its task file.
func (w *world) start(text string, values func(*config.Values)) state.State {
	w.t.Helper()
	w.write("tasks.md", text)
	opts := smart.StartOptions{TaskFile: "tasks.md", Path: filepath.Join(w.root, "tasks.md"), Text: text, Values: config.Defaults()}
	if values != nil {
		values(&opts.Values)
	}
	s, _, err := smart.Start(w.scene(w.session), opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// say is the turn of a model that only writes text.
func say(text string) protocol.Turn {
	return protocol.Turn{Final: text, HasFinal: true, Err: protocol.TranscriptMissing}
}

// find asks the dialect what is active.
func (w *world) find() protocol.Found {
	w.t.Helper()
	found, err := smart.Find(w.stop())
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

// observe calls the session's observer and runs the programs that it asks for.
func observe(ctx context.Context, active protocol.Active, turn protocol.Turn) {
	active.(protocol.Observer).Observe(ctx, turn)
	if run := active.(protocol.Runner).Programs(ctx, turn); run != nil {
		run()
	}
}

// decide handles a stop as the chain does, including its writes.
func (w *world) decide(turn protocol.Turn) protocol.Decision {
	w.t.Helper()
	active := w.find().Active
	if active == nil {
		w.t.Fatal("nothing is active")
	}
	observe(context.Background(), active, turn)
	d := active.Decide(turn, w.now)
	for _, write := range d.Writes {
		if err := write.Do(); err != nil {
			w.t.Fatalf("%s: %v", write.What, err)
		}
	}
	return d
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.root, filepath.FromSlash(name)))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func (w *world) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(w.root, filepath.FromSlash(name)))
	return err == nil
}

const (
	stateFile  = ".claude/ralph-smart/state.md"
	backupFile = stateFile + ".backup"
	historyDir = ".claude/ralph-smart/history"
)

func (w *world) state() state.State {
	w.t.Helper()
	s, err := state.Parse([]byte(w.read(stateFile)))
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// history names the files of the history.
func (w *world) history() []string {
	entries, _ := os.ReadDir(filepath.Join(w.root, historyDir))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// orders runs a command on the project's only session.
func (w *world) order(give func(protocol.Controlled) (string, error)) (string, error) {
	w.t.Helper()
	all, err := smart.List(w.stop())
	if err != nil || len(all) != 1 {
		w.t.Fatalf("%d sessions, %v", len(all), err)
	}
	return give(all[0])
}

func (w *world) resume(opts protocol.ResumeOptions) (string, error) {
	opts.SessionID, opts.Now = w.session, w.now
	return w.order(func(c protocol.Controlled) (string, error) { return c.Resume(opts) })
}

const threeTasks = "<task-analysis>\n## 任务 1: 一\n## 任务 2: 二\n## 任务 3: 三\n</task-analysis>"

// assessed is a final message with an assessment.
func assessed(status string, completion, confidence int, more ...string) protocol.Turn {
	return say(fmt.Sprintf("做了一些工作。\n<completion-assessment>\n**完成状态**: %s\n**完成度**: %d%%\n**置信度**: %d%%\n%s\n</completion-assessment>",
		status, completion, confidence, strings.Join(more, "\n")))
}

const rule = "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━"

// TestTheWorkedTrace plays the sixteen stops of
// docs/reference/smart-ralph.md#worked-trace on files, and holds the texts of
// docs/reference/smart-ralph.md#texts. Holds R3-1, R3-19 and R3-33.
func TestTheWorkedTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二\n3. 三\n", nil)
	check := func(stop int, d protocol.Decision, kind protocol.DecisionKind, iteration, index, last, stall int) {
		t.Helper()
		s := w.state()
		if d.Kind != kind || s.Iteration != iteration || s.CurrentIndex != index || s.LastCompletion != last || s.StallCount != stall {
			t.Fatalf("stop %d: kind %v, iteration %d, index %d, last %d, stall %d\n%s", stop, d.Kind, s.Iteration, s.CurrentIndex, s.LastCompletion, s.StallCount, d.Message)
		}
		if (kind == protocol.Continue) != (d.Reason != "") || d.Message == "" {
			t.Fatalf("stop %d: reason %q, message %q", stop, d.Reason, d.Message)
		}
	}
	check(1, w.decide(say(threeTasks)), protocol.Continue, 0, 0, 0, 0)
	d := w.decide(assessed("in_progress", 60, 85))
	check(2, d, protocol.Continue, 1, 0, 60, 0)
	if want := "🔄 Smart Ralph - 迭代 1\n" + rule + "\n📋 任务: 1/3 (一)\n📊 完成度: 60%\n🔁 当前任务迭代: 1\n" + rule; d.Message != want {
		t.Errorf("9.2:\n%s\nwant\n%s", d.Message, want)
	}
	check(3, w.decide(say("又做了一些。")), protocol.Continue, 1, 0, 60, 0)
	if asks := w.state().Asks; asks != 1 {
		t.Errorf("asks %d", asks)
	}
	d = w.decide(assessed("completed", 95, 80))
	check(4, d, protocol.Continue, 2, 1, 0, 0)
	if want := "✅ 任务 1 完成! (一)\n" + rule + "\n📊 统计:\n  • 迭代次数: 2\n  • 完成度: 95%\n\n🎯 切换到下一个任务...\n\n开始执行任务 2/3: 二"; d.Message != want {
		t.Errorf("9.3:\n%s\nwant\n%s", d.Message, want)
	}
	check(5, w.decide(assessed("completed", 95, 79)), protocol.Continue, 3, 1, 95, 0)
	check(6, w.decide(assessed("completed", 89, 99)), protocol.Continue, 4, 1, 95, 1)
	d = w.decide(assessed("blocked", 89, 90, "**阻塞问题**: 缺少密钥"))
	check(7, d, protocol.Finish, 5, 1, 95, 2)
	if s := w.state(); s.Active || s.Tasks[1].Status != state.Blocked || !strings.Contains(d.Message, "缺少密钥") || !strings.Contains(d.Message, "bridge ralph resume") {
		t.Errorf("%+v\n%s", s, d.Message)
	}
	if found := w.find(); found.Active != nil {
		t.Error("a blocked session still owns stops")
	}
	text, err := w.resume(protocol.ResumeOptions{})
	if s := w.state(); err != nil || s.Tasks[1].Status != state.InProgress || s.StallCount != 0 || !s.Active || !strings.Contains(text, "这是恢复的会话") || !strings.Contains(text, "2. [in_progress] 二 (89%") {
		t.Errorf("stop 8: %v, %+v\n%s", err, s, text)
	}
	check(9, w.decide(assessed("completed", 100, 95)), protocol.Continue, 6, 2, 0, 0)
	for i := range 5 {
		check(10+i, w.decide(assessed("in_progress", 40, 90)), protocol.Continue, 7+i, 2, 40, i)
	}
	d = w.decide(assessed("in_progress", 40, 90))
	check(15, d, protocol.Finish, 12, 2, 40, 5)
	if w.state().Active || !strings.Contains(d.Message, "检测到停滞") {
		t.Errorf("stop 15: %s", d.Message)
	}
	if _, err := w.resume(protocol.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	d = w.decide(assessed("completed", 100, 90))
	want := "🎉 所有任务已完成!\n" + rule + "\n📊 总体统计:\n  • 总任务数: 3\n  • 总迭代次数: 13\n  • 平均每任务: 4.3 次迭代\n\n✅ 已完成任务:\n  1. 一 (2 次迭代)\n  2. 二 (4 次迭代)\n  3. 三 (7 次迭代)\n\n" + rule
	if d.Kind != protocol.Finish || !strings.HasPrefix(d.Message, want+"\n") {
		t.Errorf("9.4:\n%s\nwant\n%s", d.Message, want)
	}
	if names := w.history(); w.exists(stateFile) || w.exists(backupFile) || len(names) != 1 {
		t.Errorf("history %v", names)
	}
	entries, err := smart.History(filepath.Join(w.root, ".claude"))
	if err != nil || len(entries) != 1 || entries[0].EndReason != "done" || entries[0].Completed != 3 || entries[0].Iterations != 13 {
		t.Errorf("%+v, %v", entries, err)
	}
}

// TestAnOldAssessmentNeverCounts holds R3-21.
func TestAnOldAssessmentNeverCounts(t *testing.T) {
	t.Parallel()
	const good = "<completion-assessment%s>\n**完成状态**: completed\n**完成度**: 100%%\n**置信度**: 99%%\n</completion-assessment>"
	text := func(s string) protocol.Entry { return protocol.Entry{Kind: protocol.EntryText, Text: s} }
	call := protocol.Entry{Kind: protocol.EntryToolUse, ToolUseID: "t1", ToolName: "Read"}
	for name, c := range map[string]struct {
		turn protocol.Turn
		want bool
	}{
		"in the last message":                     {protocol.Turn{Final: fmt.Sprintf(good, ""), HasFinal: true}, true},
		"of this task and iteration":              {protocol.Turn{Final: fmt.Sprintf(good, ` task="1" iteration="1"`), HasFinal: true}, true},
		"of another task":                         {protocol.Turn{Final: fmt.Sprintf(good, ` task="2" iteration="1"`), HasFinal: true}, true},
		"with a number that says nothing":         {protocol.Turn{Final: fmt.Sprintf(good, ` task="1" iteration="0"`), HasFinal: true}, true},
		"of a later iteration":                    {protocol.Turn{Final: fmt.Sprintf(good, ` task="1" iteration="7"`), HasFinal: true}, true},
		"earlier in this turn":                    {protocol.Turn{Final: "完成了。", HasFinal: true, Entries: []protocol.Entry{text(fmt.Sprintf(good, "")), text("完成了。")}}, true},
		"before more work":                        {protocol.Turn{Final: "完成了。", HasFinal: true, Entries: []protocol.Entry{text(fmt.Sprintf(good, "")), call, text("完成了。")}}, false},
		"as the form that is aimed at":            {protocol.Turn{Final: "Done.", HasFinal: true, Entries: []protocol.Entry{text("First I show the target format:\n\n" + fmt.Sprintf(good, "")), text("Done.")}}, false},
		"before a text that says otherwise":       {protocol.Turn{Final: "登录仍然失败。", HasFinal: true, Entries: []protocol.Entry{text(fmt.Sprintf(good, "")), text("登录仍然失败。")}}, false},
		"in a transcript that lags":               {protocol.Turn{Final: "还在做。", HasFinal: true, Entries: []protocol.Entry{text(fmt.Sprintf(good, ""))}}, false},
		"in a transcript that lags, but named so": {protocol.Turn{Final: "还在做。", HasFinal: true, Entries: []protocol.Entry{text(fmt.Sprintf(good, ` task="1" iteration="1"`))}}, true},
		"quoted in the middle of a line":          {protocol.Turn{Final: "完成了。", HasFinal: true, Entries: []protocol.Entry{text("格式是 " + fmt.Sprintf(good, "")), text("完成了。")}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start("1. 一\n2. 二\n", nil)
			w.decide(say("<task-analysis>\n## 任务 1: 一\n## 任务 2: 二\n</task-analysis>"))
			w.decide(c.turn)
			if got := w.state().CurrentIndex == 1; got != c.want {
				t.Errorf("counted: %v", got)
			}
		})
	}
}

// TestTheSameMessageOnceMore: a message that repeats the last one word for word does not
// assess another task.
func TestTheSameMessageOnceMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二\n3. 三\n", nil)
	w.decide(say("<task-analysis>\n## 任务 1: 一\n## 任务 2: 二\n## 任务 3: 三\n</task-analysis>"))
	done := say("<completion-assessment task=\"1\" iteration=\"1\">\n**完成状态**: completed\n**完成度**: 100%\n**置信度**: 99%\n</completion-assessment>")
	w.decide(done)
	w.decide(done)
	if s := w.state(); s.CurrentIndex != 1 || s.Iteration != 1 {
		t.Errorf("task %d, iteration %d", s.CurrentIndex+1, s.Iteration)
	}
}

// TestRulesVeto holds R3-29 and R3-31 on a transcript: a failing test run prevents a
// claimed completion, and the same calls are not counted twice.
func TestRulesVeto(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("## 登录\n- [ ] 测试通过\n", func(v *config.Values) { v.Verbose = true })
	w.decide(say("<task-analysis>\n## 任务 1: 登录\n**完成标准**:\n- [ ] 测试通过\n</task-analysis>"))
	claim := assessed("completed", 100, 95, "**已完成项**:\n- 测试通过")
	claim.Err = protocol.TurnOK
	claim.Entries = []protocol.Entry{
		{Kind: protocol.EntryToolUse, ToolUseID: "t1", ToolName: "Bash", ToolInput: []byte(`{"command":"go test ./..."}`)},
		{Kind: protocol.EntryToolResult, ToolUseID: "t1", Text: "--- FAIL: TestLogin", IsError: true},
	}
	d := w.decide(claim)
	for _, want := range []string{"测试失败, 而完成标准要求测试", "测试: 失败", "错误: 1", "任务文件清单: 0/1"} {
		if !strings.Contains(d.Reason, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, d.Reason)
		}
	}
	// verbose: the signals, the assessment and the decision with its reason.
	for _, want := range []string{"规则信号: 文件变化: 0, 测试: 失败", "AI 评估: completed, 完成度 100%, 置信度 95%", "决策: CONTINUE (测试失败, 而完成标准要求测试)"} {
		if !strings.Contains(d.Message, want) {
			t.Errorf("the notice lacks %q:\n%s", want, d.Message)
		}
	}
	if s := w.state(); s.Iteration != 1 || s.Tasks[0].Status != state.InProgress {
		t.Errorf("%+v", s)
	}
	// The transcript lags: the calls of the last turn do not belong to this one.
	if d := w.decide(claim); d.Kind != protocol.Finish {
		t.Errorf("an old test run counts again: %s", d.Message)
	}
}

// TestTheSameErrorEndsTheWork holds R3-30.
func TestTheSameErrorEndsTheWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
	var d protocol.Decision
	for i := range 4 {
		turn := assessed("in_progress", 50, 80)
		turn.Err = protocol.TurnOK
		turn.Entries = []protocol.Entry{
			{Kind: protocol.EntryToolUse, ToolUseID: fmt.Sprint("e", i), ToolName: "Edit", ToolInput: []byte(`{"file_path":"/x"}`)},
			{Kind: protocol.EntryToolUse, ToolUseID: fmt.Sprint("t", i), ToolName: "Bash", ToolInput: []byte(`{"command":"make"}`)},
			{Kind: protocol.EntryToolResult, ToolUseID: fmt.Sprint("t", i), Text: fmt.Sprintf("make: *** [/tmp/x%d] Error %d", i, i), IsError: true},
		}
		if d = w.decide(turn); d.Kind == protocol.Finish {
			if i != 2 {
				t.Errorf("ended after %d", i+1)
			}
			break
		}
	}
	if s := w.state(); d.Kind != protocol.Finish || s.EndReason != "repeated_error" || !strings.Contains(d.Message, "同一个错误已连续出现 3 次") {
		t.Errorf("%+v\n%s", s, d.Message)
	}
	// After a resume, counting starts from zero.
	if _, err := w.resume(protocol.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	if d := w.decide(assessed("in_progress", 50, 80)); d.Kind != protocol.Continue {
		t.Errorf("%s", d.Message)
	}
}

// TestOtherErrorsBeginAnew: only the same error several times in a row counts. A turn
// without a tool call says nothing about it, and a turn without an error ends the row.
func TestOtherErrorsBeginAnew(t *testing.T) {
	t.Parallel()
	for errs, ends := range map[string]bool{"A A A": true, "A B A": false, "A B B B": true, "A A - A": true, "A A + A": false} {
		w := newWorld(t)
		w.start("1. 一\n2. 二", nil)
		w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
		ended := false
		for i, name := range strings.Fields(errs) {
			turn := assessed("in_progress", 50, 80)
			turn.Err = protocol.TurnOK
			id := fmt.Sprint("t", i)
			use := protocol.Entry{Kind: protocol.EntryToolUse, ToolUseID: id, ToolName: "Bash", ToolInput: []byte(`{"command":"make"}`)}
			switch name {
			case "-":
			case "+":
				turn.Entries = []protocol.Entry{use, {Kind: protocol.EntryToolResult, ToolUseID: id, Text: "ok"}}
			default:
				turn.Entries = []protocol.Entry{use, {Kind: protocol.EntryToolResult, ToolUseID: id, Text: "make: *** [" + name + "] Error", IsError: true}}
			}
			ended = w.decide(turn).Kind == protocol.Finish
		}
		if ended != ends {
			t.Errorf("%s: ended %v", errs, ended)
		}
	}
}

// TestABrokenStateFallsBack holds R3-18: the backup is used, the user is told, and the
// damaged file is kept.
func TestABrokenStateFallsBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	w.decide(say(threeTasks))
	w.decide(assessed("in_progress", 30, 80))
	w.decide(assessed("in_progress", 60, 80))
	if w.state().Iteration != 2 || !strings.Contains(w.read(backupFile), "\niteration: 1\n") {
		t.Fatalf("state %d, backup\n%s", w.state().Iteration, w.read(backupFile))
	}
	broken := w.read(stateFile)[:300]
	w.write(stateFile, broken)
	d := w.decide(assessed("in_progress", 70, 80))
	if s := w.state(); s.Iteration != 2 || d.Kind != protocol.Continue || !strings.Contains(d.Message, "已从备份恢复") || !strings.Contains(d.Message, "🔄 Smart Ralph - 迭代 2") {
		t.Errorf("%+v\n%s", s, d.Message)
	}
	names := w.history()
	if len(names) != 1 || !strings.HasSuffix(names[0], ".corrupt") || w.read(historyDir+"/"+names[0]) != broken {
		t.Errorf("history %v", names)
	}
	if d := w.decide(assessed("in_progress", 80, 80)); strings.Contains(d.Message, "备份") || w.state().Iteration != 3 {
		t.Errorf("still damaged: %s", d.Message)
	}
}

// TestBothBroken holds the other half of R3-18: both files are kept, and the stop
// is allowed.
func TestBothBroken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	w.decide(say(threeTasks))
	w.write(stateFile, "rubbish one")
	w.write(backupFile, "---\niteration: x\nsession_id: \"s1\"\n---\nrubbish two")
	d := w.decide(say("hello"))
	if d.Kind != protocol.Finish || d.Rule != "state-corrupted" || !strings.Contains(d.Message, "bridge ralph check") {
		t.Errorf("%+v", d)
	}
	var kept []string
	for _, name := range w.history() {
		kept = append(kept, w.read(historyDir+"/"+name))
	}
	slices.Sort(kept)
	if w.exists(stateFile) || w.exists(backupFile) || len(kept) != 2 || !strings.Contains(kept[0], "rubbish two") || kept[1] != "rubbish one" {
		t.Errorf("kept %q", kept)
	}
	if w.find().Active != nil {
		t.Error("it is still active")
	}
}

// TestOwnership holds R3-22 and docs/design.md#ownership.
func TestOwnership(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	before := w.read(stateFile)
	w.session = "other"
	if found := w.find(); found.Active != nil || len(found.Notices) != 0 {
		t.Errorf("another session sees %+v", found)
	}
	if w.read(stateFile) != before {
		t.Error("another session changed the state")
	}

	// An old file without an id belongs to nobody.
	w = newWorld(t)
	w.start("1. 一\n2. 二", nil)
	w.write(stateFile, strings.Replace(w.read(stateFile), `session_id: "s1"`, `session_id: ""`, 1))
	w.now = w.now.Add(25 * time.Hour)
	found := w.find()
	if found.Active != nil || len(found.Notices) != 1 || !strings.Contains(found.Notices[0].Text, "bridge ralph resume") {
		t.Errorf("%+v", found)
	}
}

// TestATerminalStartWaitsForASession starts without a session: the first session that
// stops gets the task file. Holds R3-12.
func TestATerminalStartWaitsForASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.session = ""
	w.start("1. 一\n2. 二", nil)
	w.session = "s9"
	d := w.decide(say("你好"))
	if !strings.Contains(d.Reason, "1. 一\n2. 二") || strings.Contains(d.Reason, "还没有可用") || w.state().SessionID != "s9" || w.state().Asks != 0 {
		t.Errorf("%+v\n%s", w.state(), d.Reason)
	}
	d = w.decide(say("好的"))
	if !strings.Contains(d.Reason, "没有找到 <task-analysis> 块") || w.state().Asks != 1 {
		t.Errorf("%s", d.Reason)
	}
	w.session = "s10"
	if w.find().Active != nil {
		t.Error("a second session took it")
	}
}

// TestTheFallbackParser holds R3-9 and R3-12 end to end.
func TestTheFallbackParser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 修复\n2. 文档\n", nil)
	for i := range 3 {
		if d := w.decide(say("我不明白。")); d.Kind != protocol.Continue || w.state().Asks != i+1 {
			t.Fatalf("%d: %+v", i, d)
		}
	}
	d := w.decide(say("我还是不明白。"))
	if s := w.state(); len(s.Tasks) != 2 || s.Tasks[1].Title != "文档" || !strings.Contains(d.Message, "已直接从任务文件解析出 2 个任务") {
		t.Errorf("%+v\n%s", s, d.Message)
	}

	// Without a file there is nothing left to try.
	w = newWorld(t)
	w.start("1. 修复\n2. 文档\n", nil)
	if err := os.Remove(filepath.Join(w.root, "tasks.md")); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.decide(say("?"))
	}
	if d := w.decide(say("?")); d.Kind != protocol.Finish || w.state().Active || !strings.Contains(d.Message, "tasks.md") {
		t.Errorf("%+v", d)
	}
}

// TestAStateFileNamesNoOtherFile: a state file from elsewhere must not make the hook read
// a file outside of the project.
func TestAStateFileNamesNoOtherFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := filepath.Join(w.home, "secret.txt")
	if err := os.WriteFile(secret, []byte("1. password"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(w.root, "link.txt")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{secret, "../home/secret.txt", "link.txt", "/dev/zero"} {
		w.write(stateFile, fmt.Sprintf("---\nactive: true\ntask_file: %q\ncurrent_task_index: 0\ntotal_tasks: 0\niteration: 0\nmax_iterations: 50\ncompletion_threshold: 90\nstall_detection: 5\nstall_count: 0\nlast_completion: 0\nsession_id: s1\nphase: analyzing\n---\n", name))
		if d := w.decide(say("hi")); strings.Contains(d.Reason, "password") {
			t.Errorf("%s was read", name)
		}
	}
}

// TestTheQuestion tests auto_approve (R3-34): the model asks the user before the next
// task, if somebody can answer.
func TestTheQuestion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		auto  bool
		mode  string
		entry string
		ask   bool
		says  bool
	}{
		"default":     {false, "default", "cli", true, false},
		"old client":  {false, "", "", true, false},
		"auto":        {true, "default", "cli", false, false},
		"print mode":  {false, "default", "sdk-cli", false, true},
		"dontAsk":     {false, "dontAsk", "cli", false, true},
		"bypass":      {false, "bypassPermissions", "cli", false, true},
		"acceptEdits": {false, "acceptEdits", "cli", true, false},
	} {
		w := newWorld(t)
		w.mode, w.env["CLAUDE_CODE_ENTRYPOINT"] = c.mode, c.entry
		w.start("1. 一\n2. 二", func(v *config.Values) { v.AutoApprove = c.auto })
		if d := w.decide(say(threeTasks)); strings.Contains(d.Reason, "AskUserQuestion") {
			t.Errorf("%s: the first task is asked about", name)
		}
		d := w.decide(assessed("completed", 100, 95))
		if ask := strings.Contains(d.Reason, "AskUserQuestion"); ask != c.ask {
			t.Errorf("%s: asks %v", name, ask)
		}
		if says := strings.Contains(d.Message, "无法回答问题"); says != c.says {
			t.Errorf("%s: %s", name, d.Message)
		}
	}
}

// TestConflicts holds R3-44.
func TestConflicts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	again := func(sessionID string, fresh bool) error {
		_, _, err := smart.Start(w.scene(sessionID), smart.StartOptions{TaskFile: "tasks.md", Values: config.Defaults(), New: fresh})
		return err
	}
	for _, id := range []string{"s1", "other", ""} {
		for _, fresh := range []bool{false, true} {
			if err := again(id, fresh); !errors.Is(err, smart.ErrConflict) || !strings.Contains(err.Error(), "/cancel-ralph") {
				t.Errorf("session %q, new %v: %v", id, fresh, err)
			}
		}
	}
	if _, err := w.order(func(c protocol.Controlled) (string, error) { return c.Pause() }); err != nil {
		t.Fatal(err)
	}
	err := again("s1", false)
	if !errors.Is(err, smart.ErrConflict) || !strings.Contains(err.Error(), "--new") || !strings.Contains(err.Error(), "/ralph-resume") {
		t.Errorf("unfinished: %v", err)
	}
	if err := again("s1", true); err != nil {
		t.Fatal(err)
	}
	if names := w.history(); len(names) != 1 || !strings.Contains(w.read(historyDir+"/"+names[0]), `end_reason: "paused"`) {
		t.Errorf("history %v", names)
	}
	// An active session that was inactive for a day counts as unfinished.
	w.now = w.now.Add(25 * time.Hour)
	if err := again("other", false); !errors.Is(err, smart.ErrConflict) || !strings.Contains(err.Error(), "--new") {
		t.Errorf("left behind: %v", err)
	}
}

// TestCancelAndRestore holds R3-40 and R3-42: ids are the start time in UTC, with -2 for
// the second session of a second, and counters are kept.
func TestCancelAndRestore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.now = time.Date(2026, 1, 23, 15, 30, 0, 0, time.FixedZone("CET", 3600))
	cancel := func(c protocol.Controlled) (string, error) { return c.Cancel() }
	for range 2 {
		w.start("1. 一\n2. 二", nil)
		w.decide(say(threeTasks))
		w.decide(assessed("completed", 100, 95))
		text, err := w.order(cancel)
		if err != nil || !strings.Contains(text, "任务 2/3, 迭代 1") || w.exists(stateFile) || w.exists(backupFile) {
			t.Fatalf("%q, %v", text, err)
		}
	}
	if names := w.history(); !slices.Equal(names, []string{"20260123-143000-2.md", "20260123-143000.md"}) {
		t.Errorf("history %v", names)
	}
	w.start("1. 别的", nil)
	w.write(backupFile, "of another session")
	text, err := smart.Restore(w.scene("s2"), "20260123-143000", protocol.ResumeOptions{SessionID: "s2", Now: w.now, Force: true})
	if s := w.state(); err != nil || s.Iteration != 1 || s.CurrentIndex != 1 || s.SessionID != "s2" || !s.Active || !strings.Contains(text, "任务 2/3: 二") {
		t.Errorf("%v\n%s", err, text)
	}
	if w.exists(backupFile) {
		t.Error("the backup of another session stays")
	}
	if names := w.history(); !slices.Equal(names, []string{"20260123-143000-2.md", "20260123-143000-3.md"}) {
		t.Errorf("the session that was there is not kept: %v", names)
	}
	for _, id := range []string{"20200101-000000", "../state", "", "x"} {
		if _, err := smart.Restore(w.scene("s2"), id, protocol.ResumeOptions{SessionID: "s2"}); !errors.Is(err, smart.ErrNoHistory) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestResume: which session may take over, and with what limit. Holds R3-39.
func TestResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", func(v *config.Values) { v.MaxIterations = 2 })
	w.decide(say(threeTasks))
	w.session = "s2"
	if _, err := w.resume(protocol.ResumeOptions{}); !errors.Is(err, protocol.ErrMayRun) {
		t.Errorf("a session that was just at work: %v", err)
	}
	begin := w.now
	for _, after := range []time.Duration{3 * time.Minute, session.Silence - time.Second} {
		w.now = begin.Add(after)
		if _, err := w.resume(protocol.ResumeOptions{}); !errors.Is(err, protocol.ErrMayRun) || w.state().SessionID != "s1" {
			t.Errorf("a turn of %v: %v", after, err)
		}
	}
	w.now = begin
	if text, err := w.resume(protocol.ResumeOptions{Force: true}); err != nil || w.state().SessionID != "s2" || !strings.Contains(text, "这是恢复的会话") {
		t.Errorf("%v %s", err, text)
	}
	w.decide(assessed("in_progress", 10, 80))
	d := w.decide(assessed("in_progress", 20, 80))
	if d.Kind != protocol.Finish || !strings.Contains(d.Message, "达到最大迭代次数 (2)") || w.state().Active {
		t.Errorf("%s", d.Message)
	}
	if _, err := w.resume(protocol.ResumeOptions{}); !errors.Is(err, protocol.ErrNeedsHigherLimit) {
		t.Errorf("without a higher limit: %v", err)
	}
	if _, err := w.resume(protocol.ResumeOptions{MaxIterations: 10}); err != nil || w.state().MaxIterations != 10 {
		t.Errorf("%v", err)
	}
	if _, err := w.resume(protocol.ResumeOptions{Skip: true}); err != nil || w.state().Tasks[0].Status != state.Skipped || w.state().CurrentIndex != 1 {
		t.Errorf("skip: %v, %+v", err, w.state())
	}

	// In a terminal nobody tells the model, so the next session's first stop does.
	w.session = ""
	if text, err := w.resume(protocol.ResumeOptions{Force: true}); err != nil || strings.Contains(text, "<completion-assessment") {
		t.Errorf("%v\n%s", err, text)
	}
	w.session = "s3"
	d = w.decide(say("你好"))
	if s := w.state(); !strings.Contains(d.Reason, "这是恢复的会话") || s.SessionID != "s3" || s.Iteration != 2 || s.Asks != 0 {
		t.Errorf("%+v\n%s", s, d.Reason)
	}
}

// TestWhoeverIsSeenIsNotTakenOver: while its tool calls are counted, a session counts as
// running, until the client reports its end.
func TestWhoeverIsSeenIsNotTakenOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen, ended bool
		taken       bool
	}{
		"nothing for a while":  {taken: true},
		"a tool call just now": {seen: true},
		"ended":                {seen: true, ended: true, taken: true},
	} {
		w := newWorld(t)
		w.start("1. 一\n2. 二", nil)
		w.decide(say(threeTasks))
		store, key := session.NewStore(w.stop().Env.StateHome), session.Key{SessionID: "s1"}
		old := w.now.Add(-session.Silence)
		if err := os.Chtimes(filepath.Join(w.root, stateFile), old, old); err != nil {
			t.Fatal(err)
		}
		if c.seen {
			if err := store.CountTools(key, 1); err != nil {
				t.Fatal(err)
			}
		}
		if c.ended {
			if err := store.MarkEnded(key, w.now); err != nil {
				t.Fatal(err)
			}
		}
		w.session = "s2"
		if _, err := w.resume(protocol.ResumeOptions{}); (err == nil) != c.taken || err != nil && !errors.Is(err, protocol.ErrMayRun) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestACancelledSessionNeverComesBack removes the state between reading and writing, as
// rm or another process would.
func TestACancelledSessionNeverComesBack(t *testing.T) {
	t.Parallel()
	for _, turn := range []protocol.Turn{assessed("in_progress", 10, 80), assessed("completed", 100, 99)} {
		w := newWorld(t)
		w.start("1. 一", nil)
		w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
		active := w.find().Active
		active.(protocol.Observer).Observe(context.Background(), turn)
		d := active.Decide(turn, w.now)
		if err := os.Remove(filepath.Join(w.root, stateFile)); err != nil {
			t.Fatal(err)
		}
		if err := d.Writes[0].Do(); !errors.Is(err, statefile.ErrGone) {
			t.Errorf("write: %v", err)
		}
		if w.exists(stateFile) || len(w.history()) != 0 {
			t.Error("it came back")
		}
	}
}

// TestTheUsersProgramsAreRun tests git_status and test_command: they come only from
// outside the repository, and have limits. Holds R3-28.
func TestTheUsersProgramsAreRun(t *testing.T) {
	t.Parallel()
	start := func(command string) *world {
		w := newWorld(t)
		w.write("tasks.md", "1. 一")
		_, _, err := smart.Start(w.scene("s1"), smart.StartOptions{TaskFile: "tasks.md", Path: filepath.Join(w.root, "tasks.md"), Values: config.Defaults(), TestCommand: command})
		if err != nil {
			t.Fatal(err)
		}
		w.decide(say("<task-analysis>\n## 任务 1: 一\n- [ ] 测试通过\n</task-analysis>"))
		return w
	}
	w := start("echo two of them failed; exit 3")
	d := w.decide(assessed("completed", 100, 99))
	if d.Kind != protocol.Continue || !strings.Contains(d.Reason, "two of them failed") || !strings.Contains(d.Reason, "测试: 失败") {
		t.Errorf("%s", d.Reason)
	}
	w = start("touch ran; true")
	w.decide(assessed("in_progress", 10, 99))
	if w.exists("ran") {
		t.Error("the tests ran although nothing was claimed")
	}
	if d := w.decide(assessed("completed", 100, 99)); d.Kind != protocol.Finish || !w.exists("ran") {
		t.Errorf("%s", d.Message)
	}

	// A dry run runs nothing.
	w = start("touch ran")
	w.dry = true
	observe(context.Background(), w.find().Active, assessed("completed", 100, 99))
	if w.exists("ran") {
		t.Error("the tests ran although nobody wanted an answer")
	}

	// A command that hangs is ended at the deadline, with everything that it started.
	w = start("sleep 30 & sleep 30")
	active := w.find().Active
	ctx, cancel := context.WithTimeout(context.Background(), 900*time.Millisecond)
	defer cancel()
	begin := time.Now()
	turn := assessed("completed", 100, 99)
	observe(ctx, active, turn)
	d = active.Decide(turn, w.now)
	if took := time.Since(begin); took > 5*time.Second || d.Kind != protocol.Finish || !strings.Contains(d.Message, "test_command: it gave no result in time") || !strings.Contains(d.Message, "deadlines_ms.ralph") {
		t.Errorf("%v: %s", took, d.Message)
	}

	// A repository cannot name a command.
	w = start("")
	w.write(".claude/ralph-smart/config.json", `{"test_command": "touch ran", "git_status": true}`)
	w.write(stateFile, strings.Replace(w.read(stateFile), "active: true", "test_command: \"touch ran\"\nactive: true", 1))
	w.decide(assessed("completed", 100, 99))
	if w.exists("ran") {
		t.Error("a command of the repository ran")
	}
}

// TestCleanFollowsNoLink tries to lead the removal to other files of the project.
func TestCleanFollowsNoLink(t *testing.T) {
	t.Parallel()
	for _, link := range []string{".claude/ralph-smart", ".claude/ralph-smart/history"} {
		w := newWorld(t)
		w.write(".claude/commands/mine.md", "x")
		w.write(".claude/commands/history/mine.md", "x")
		path := filepath.Join(w.root, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(w.root, ".claude", "commands"), path); err != nil {
			t.Skip(err)
		}
		if names, err := smart.Clean(w.scene("s1"), true, true); !errors.Is(err, statefile.ErrNotRegular) || len(names) != 0 {
			t.Errorf("%s: %v, %v", link, names, err)
		}
		if !w.exists(".claude/commands/mine.md") || !w.exists(".claude/commands/history/mine.md") {
			t.Errorf("%s: files are gone", link)
		}
		// A start does not write through the link either.
		if _, _, err := smart.Start(w.scene("s1"), smart.StartOptions{TaskFile: "t.md", Values: config.Defaults()}); link == ".claude/ralph-smart" && err == nil {
			t.Errorf("%s: a session was started through a link", link)
		}
	}
}

// TestTheStatusOfASession tests the line in bridge status.
func TestTheStatusOfASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	w.decide(say(threeTasks))
	w.decide(assessed("in_progress", 75, 80))
	all, err := smart.List(w.stop())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	st := all[0].Status
	if st.State != protocol.LoopActive || st.Iteration != 1 || st.Limit != 50 || st.Phase != "running" || st.Progress != "任务 1/3 (75%)" || st.SessionID != "s1" {
		t.Errorf("%+v", st)
	}
	if st.EndsBy != "所有任务完成、50 次迭代, 或连续 5 次没有进展" || st.Problem != "" || all[0].Pause == nil {
		t.Errorf("%+v", st)
	}
	endless := newWorld(t)
	endless.start("1. 一", func(v *config.Values) { v.MaxIterations, v.StallDetection = 0, 0 })
	if all, _ := smart.List(endless.stop()); all[0].Status.EndsBy != "所有任务完成" {
		t.Errorf("%+v", all[0].Status)
	}
	// The backup replaces a damaged state, and pausing keeps the old state as its backup.
	good := w.read(stateFile)
	w.write(backupFile, good)
	for damaged, want := range map[string]protocol.LoopState{"---\nactive: true\n": protocol.LoopActive, "---\nactive: false\n": protocol.LoopPaused, "x": protocol.LoopPaused} {
		w.write(stateFile, damaged)
		if all, _ := smart.List(w.stop()); all[0].Status.State != want || !strings.Contains(all[0].Status.Problem, "使用它的备份 (第 ") || (all[0].Pause != nil) != (want == protocol.LoopActive) {
			t.Errorf("%q: %+v", damaged, all[0].Status)
		}
	}
	w.write(stateFile, good)
	w.decide(assessed("in_progress", 80, 80))
	before := w.read(stateFile)
	if _, err := all[0].Pause(); err != nil || w.state().Iteration != 2 || w.read(backupFile) != before {
		t.Errorf("%v, %+v", err, w.state())
	}
	if all, _ := smart.List(w.stop()); all[0].Status.State != protocol.LoopPaused || all[0].Pause != nil {
		t.Errorf("%+v", all[0].Status)
	}
	w.write(stateFile, "x")
	w.write(backupFile, "y")
	if all, _ = smart.List(w.stop()); all[0].Pause != nil || all[0].Status.State != protocol.LoopBroken || all[0].Resume != nil || all[0].Status.Problem == "" {
		t.Errorf("%+v", all[0].Status)
	}
	if text, err := w.order(func(c protocol.Controlled) (string, error) { return c.Cancel() }); err != nil || len(w.history()) != 2 || w.exists(stateFile) {
		t.Errorf("%s %v %v", text, err, w.history())
	}
}

// TestWhoTakesUpWhatIsPaused: a session that asks takes over the work at once. After a
// resume from a terminal, the next session that stops takes it over. The printed text
// suits its reader.
func TestWhoTakesUpWhatIsPaused(t *testing.T) {
	t.Parallel()
	for _, planned := range []bool{true, false} {
		for _, id := range []string{"s2", ""} {
			w := newWorld(t)
			w.start("1. 一\n2. 二", nil)
			if planned {
				w.decide(say(threeTasks))
			}
			if _, err := w.order(func(c protocol.Controlled) (string, error) { return c.Pause() }); err != nil {
				t.Fatal(err)
			}
			// Until then, the work belongs to the session that did it.
			w.now = w.now.Add(session.Silence + time.Minute)
			w.session = id
			text, err := w.resume(protocol.ResumeOptions{})
			if s := w.state(); err != nil || !s.Active || s.SessionID != id {
				t.Errorf("%q, planned %v: %v, %+v", id, planned, err, s)
			}
			pending := session.NewStore(project.Env(w.getenv, w.now).StateHome).Pending(w.now)
			if pending(filepath.Join(w.root, filepath.FromSlash(stateFile))) != (id == "") {
				t.Errorf("%q, planned %v: it waits, or does not", id, planned)
			}
			if file := strings.Contains(text, "1. 一\n2. 二"); file != (id != "" && !planned) {
				t.Errorf("%q, planned %v: the task file: %s", id, planned, text)
			}
			if waits := strings.Contains(text, "下一个停止的会话会接手"); waits != (id == "") || !strings.Contains(text, "之前已暂停") || !strings.Contains(text, "从会话 s1 接手") {
				t.Errorf("%q, planned %v: %s", id, planned, text)
			}
		}
	}
}

// TestConfidence: the user decides how confident the model has to be, as a percentage.
func TestConfidence(t *testing.T) {
	t.Parallel()
	for threshold, least := range map[int]int{0: 80, 60: 60, 100: 100, 101: 80} {
		for _, confidence := range []int{least - 1, least} {
			w := newWorld(t)
			w.start("1. 一\n2. 二", nil)
			w.decide(say(threeTasks))
			w.config.Smart.ConfidenceThreshold = threshold
			w.decide(assessed("completed", 100, confidence))
			if done := w.state().CurrentIndex == 1; done != (confidence == least) {
				t.Errorf("%d of %d: done %v", confidence, threshold, done)
			}
		}
	}
}

// TestClean holds R3-1 and R3-41.
func TestClean(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if names, err := smart.Clean(w.scene("s1"), true, true); err != nil || len(names) != 0 {
		t.Errorf("nothing there: %v, %v", names, err)
	}
	w.start("1. 一", nil)
	w.decide(say(threeTasks))
	w.write(".claude/ralph-smart/config.json", "{}")
	w.write(".claude/ralph-smart/history/20260123-143000.md", "x")
	w.write(".claude/ralph-loop.local.md", "another loop")
	want := []string{"ralph-smart/state.md", "ralph-smart/state.md.backup", "ralph-smart/history/20260123-143000.md"}
	if names, err := smart.Clean(w.scene("s1"), false, false); err != nil || !slices.Equal(names, want) || !w.exists(stateFile) {
		t.Errorf("dry run: %v, %v", names, err)
	}
	if names, err := smart.Clean(w.scene("s1"), false, true); err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v", names, err)
	}
	if w.exists(stateFile) || w.exists(backupFile) || w.exists(historyDir) || !w.exists(".claude/ralph-smart/config.json") || !w.exists(".claude/ralph-loop.local.md") {
		t.Error("the wrong files are gone")
	}
	if _, err := smart.Clean(w.scene("s1"), true, true); err != nil || w.exists(".claude/ralph-smart") {
		t.Errorf("with --all: %v", err)
	}
}

// TestGitStatus holds R3-27: files that were dirty before the start are not progress, and
// the model is told what git lists.
func TestGitStatus(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil || filepath.Dir(git) != "/usr/bin" {
		t.Skip("no git in its usual place")
	}
	w := newWorld(t)
	cmd := exec.Command(git, "init", "-q", w.root)
	cmd.Env = append(os.Environ(), "HOME="+w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w.write("tasks.md", "1. 一")
	w.write("dirty.txt", "x")
	_, _, err = smart.Start(w.scene("s1"), smart.StartOptions{TaskFile: "tasks.md", Path: filepath.Join(w.root, "tasks.md"), Values: config.Defaults(), GitStatus: true})
	if err != nil {
		t.Fatal(err)
	}
	w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
	w.decide(assessed("in_progress", 10, 80))
	d := w.decide(assessed("in_progress", 10, 80))
	if !strings.Contains(d.Reason, "文件变化: 0") || w.state().StallCount != 1 {
		t.Errorf("stall %d\n%s", w.state().StallCount, d.Reason)
	}
	w.write("new.txt", "x")
	if d = w.decide(assessed("in_progress", 10, 80)); !strings.Contains(d.Reason, "文件变化: 1") || w.state().StallCount != 0 {
		t.Errorf("stall %d\n%s", w.state().StallCount, d.Reason)
	}
	// The file stays listed and does not count as progress a second time.
	if d = w.decide(assessed("in_progress", 10, 80)); !strings.Contains(d.Reason, "文件变化: 1") || w.state().StallCount != 1 {
		t.Errorf("stall %d\n%s", w.state().StallCount, d.Reason)
	}
	// A session that continues without git status counts no files.
	off := false
	if _, err := smart.Continue(w.scene("s1"), "", "", smart.Change{GitStatus: &off}, protocol.ResumeOptions{SessionID: "s1", Now: w.now}); err != nil {
		t.Fatal(err)
	}
	w.write("later.txt", "x")
	if d = w.decide(assessed("in_progress", 10, 80)); !strings.Contains(d.Reason, "文件变化: 0") {
		t.Errorf("git status still runs\n%s", d.Reason)
	}
}

// TestTheIdleGuardPauses tests what the chain does with a session that repeats the same
// message: the session is paused and can be resumed.
func TestTheIdleGuardPauses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一", nil)
	w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
	writes, resume := w.find().Active.End(w.now)
	for _, write := range writes {
		if err := write.Do(); err != nil {
			t.Fatal(err)
		}
	}
	if s := w.state(); s.Active || s.EndReason != "idle" || !strings.Contains(resume, "bridge ralph resume") {
		t.Errorf("%+v, %q", s, resume)
	}
	if _, err := w.resume(protocol.ResumeOptions{}); err != nil || !w.state().Active {
		t.Errorf("%v", err)
	}
}

// TestAKillBetweenTwoWrites ends the process after each write of a stop: the state can
// always be read, and the next stop continues. Holds R3-18.
func TestAKillBetweenTwoWrites(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		w := newWorld(t)
		w.start("1. 一", nil)
		w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
		active := w.find().Active
		turn := assessed("in_progress", 10, 80)
		active.(protocol.Observer).Observe(context.Background(), turn)
		for i, write := range active.Decide(turn, w.now).Writes {
			if i == n {
				break
			}
			if err := write.Do(); err != nil {
				t.Fatal(err)
			}
		}
		want := min(n, 1)
		if got := w.state().Iteration; got != want {
			t.Errorf("after %d writes: iteration %d, want %d", n, got, want)
		}
		w.decide(assessed("in_progress", 20, 80))
		if got := w.state().Iteration; got != want+1 {
			t.Errorf("after %d writes and a stop: iteration %d, want %d", n, got, want+1)
		}
	}
}

// TestAStateOfTheRepositoryIsLeftAlone checks out a state file without an owner. It must
// not make a session work. Holds R3-22.
func TestAStateOfTheRepositoryIsLeftAlone(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	w := newWorld(t)
	w.start("1. 一", nil)
	w.write(stateFile, strings.NewReplacer(`session_id: "s1"`, `session_id: ""`, "started_at", "began", "updated_at", "changed").Replace(w.read(stateFile)))
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", stateFile}} {
		cmd := exec.Command(git, append([]string{"-C", w.root}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	found := w.find()
	if found.Active != nil || len(found.Notices) != 1 {
		t.Errorf("%+v", found)
	}
}

// TestAnOldClientsTranscriptLags: a message that is known only from the transcript is
// judged once.
func TestAnOldClientsTranscriptLags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.oldClient = true
	w.start("1. 一\n2. 二", nil)
	w.decide(say(threeTasks))
	w.decide(assessed("completed", 100, 95))
	if d := w.decide(assessed("completed", 100, 95)); w.state().CurrentIndex != 1 || !strings.Contains(d.Reason, "只评估当前任务") {
		t.Errorf("task %d\n%s", w.state().CurrentIndex, d.Reason)
	}
	if w.decide(assessed("completed", 100, 96)); w.state().CurrentIndex != 2 {
		t.Errorf("task %d", w.state().CurrentIndex)
	}
}

// TestTwoStartsAtOnce lets eight commands start at the same moment: one wins.
func TestTwoStartsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	results := make(chan error)
	for i := range 8 {
		go func() {
			_, _, err := smart.Start(w.scene(fmt.Sprint("s", i)), smart.StartOptions{TaskFile: fmt.Sprint("tasks", i, ".md"), Values: config.Defaults(), New: true})
			results <- err
		}()
	}
	won := 0
	for range 8 {
		switch err := <-results; {
		case err == nil:
			won++
		case !errors.Is(err, smart.ErrConflict):
			t.Error(err)
		}
	}
	if won != 1 || len(w.history()) != 0 {
		t.Errorf("%d started, history %v", won, w.history())
	}
}

// TestSignalsWaitForTheAssessment: a failing test run vetoes the assessment that had to
// be requested.
func TestSignalsWaitForTheAssessment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("## 登录\n- [ ] 测试通过\n", nil)
	w.decide(say("<task-analysis>\n## 任务 1: 登录\n**完成标准**:\n- [ ] 测试通过\n</task-analysis>"))
	work := say("改好了。")
	work.Entries = []protocol.Entry{
		{Kind: protocol.EntryToolUse, ToolUseID: "t0", ToolName: "Edit", ToolInput: []byte(`{"file_path":"/x"}`)},
		{Kind: protocol.EntryToolUse, ToolUseID: "t1", ToolName: "Bash", ToolInput: []byte(`{"command":"npm test"}`)},
		{Kind: protocol.EntryToolResult, ToolUseID: "t1", Text: "1 failed", IsError: true},
	}
	if d := w.decide(work); !strings.Contains(d.Reason, "文件变化: 1\n测试: 失败") {
		t.Errorf("%s", d.Reason)
	}
	d := w.decide(assessed("completed", 100, 95))
	if d.Kind != protocol.Continue || !strings.Contains(d.Reason, "测试失败") || w.state().StallCount != 0 {
		t.Errorf("stall %d\n%s", w.state().StallCount, d.Reason)
	}
	if d := w.decide(assessed("completed", 100, 95)); d.Kind != protocol.Finish {
		t.Errorf("they count twice: %s", d.Reason)
	}
}

// TestTheCountIsCrossChecked tests the last part of R3-9: the user is told if the file
// seems to contain another number of tasks.
func TestTheCountIsCrossChecked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"1. 一\n2. 二\n3. 三\n": false, "1. 一\n2. 二\n": true, "随便做点什么": false} {
		w := newWorld(t)
		w.start(text, nil)
		if d := w.decide(say(threeTasks)); strings.Contains(d.Message, "任务文件看起来有 2 个任务") != want {
			t.Errorf("%q: %s", text, d.Message)
		}
	}
}
