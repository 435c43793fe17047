package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const smartState = ".claude/ralph-smart/state.md"

// command runs bridge as a slash command of the session would, and returns the text for the model.
func (s *stage) command(session string, args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), bridge(s.t), args...)
	cmd.Dir = s.Project
	cmd.Env = []string{"HOME=" + s.Home, "PATH=" + os.Getenv("PATH"), "LANG=zh_CN.UTF-8", "CLAUDE_CODE_SESSION_ID=" + session}
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("bridge %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// assessment is a turn of the model that ends with an assessment.
func assessment(status string, completion, confidence int, done string) Turn {
	return Say(fmt.Sprintf("本轮结束。\n\n<completion-assessment>\n**完成状态**: %s\n**完成度**: %d%%\n**置信度**: %d%%\n**已完成项**:\n- %s\n**未完成项**: 无\n**阻塞问题**: 无\n</completion-assessment>",
		status, completion, confidence, done))
}

const analysis = "<task-analysis>\n## 任务 1: 修复登录\n用户无法登录\n\n**完成标准**:\n- [ ] 修复代码\n- [ ] 测试通过\n\n## 任务 2: 添加错误处理\n\n## 任务 3: 写 README\n</task-analysis>"

// smartSettings let the model run make.
func smartSettings(t *testing.T) Settings {
	s := wired(t)
	s.Permissions = &Permissions{Allow: []string{"Bash(make *)"}}
	return s
}

// A task file from its analysis to its summary in three sessions: an overclaim that the failing tests veto, a stall that stops
// the work and asks, a session that is killed, and a resume after each.
func TestSmartRalphWorksThroughATaskFile(t *testing.T) {
	one, two, three := sessionID(), sessionID(), sessionID()
	killed := make(chan struct{})
	s := newStage(t, PerSession(map[string]Script{
		one: Slowly(think, Turns(
			Say(analysis),
			CallBash("make test"), // fails
			assessment("completed", 100, 95, "测试通过"),
			CallBash("make fix"),
			CallBash("make test"), // passes
			assessment("completed", 100, 95, "测试通过"),
			assessment("in_progress", 40, 90, "看了代码"),
			assessment("in_progress", 40, 90, "又看了代码"),
			assessment("in_progress", 40, 90, "再看了代码"),
		)),
		two: func(r Request) Turn {
			if r.N == 1 {
				turn := assessment("completed", 100, 90, "添加错误处理")
				turn.Delay = think
				return turn
			}
			if r.N == 2 {
				close(killed)
			}
			turn := Say("never seen")
			turn.Delay = time.Minute
			return turn
		},
		three: Slowly(think, Turns(Say("README 写好了。"), assessment("completed", 100, 90, "写 README"))),
	}))
	for name, text := range map[string]string{
		"tasks.txt": "帮我做这几件事:\n1. 修复登录\n2. 添加错误处理\n3. 写 README\n",
		"Makefile":  "test:\n\t@test -f fixed || { echo '1 failed'; exit 1; }\nfix:\n\t@touch fixed\n",
	} {
		if err := s.Write(name, text); err != nil {
			t.Fatal(err)
		}
	}
	settings := smartSettings(t)

	// The first session: analysis, overclaim, task 1, stall.
	prompt := s.command(one, "ralph", "smart", "tasks.txt", "--stall-detection", "2")
	if !strings.Contains(prompt, "🚀 Smart Ralph 启动") || !strings.Contains(prompt, "<task-analysis>") {
		t.Fatalf("the command said %q", prompt)
	}
	first := s.run(Client{Prompt: prompt, SessionID: one, Settings: settings})
	requests := s.model.Requests(one, Main)
	if len(requests) != 9 {
		t.Fatalf("the model was asked %d times, want 9: %q", len(requests), first.Transcript.Says())
	}
	for i, want := range map[int]string{1: "任务 1/3: 修复登录", 3: "测试失败, 而完成标准要求测试", 6: "任务 2/3: 添加错误处理", 7: "继续任务 2/3"} {
		if got := requests[i].Prompt(); !strings.Contains(got, want) {
			t.Errorf("request %d lacks %q:\n%s", i+1, want, got)
		}
	}
	messages := first.Transcript.SystemMessages("Stop")
	for _, want := range []string{
		"📋 任务分析完成: 3 个任务", "🔄 Smart Ralph - 迭代 1\n━", "✅ 任务 1 完成! (修复登录)",
		"此会话无法回答问题", "检测到停滞 (连续 2 次迭代没有进展)",
	} {
		if len(containing(messages, want)) != 1 {
			t.Errorf("the user did not see %q once but %q", want, messages)
		}
	}
	if s.frontMatter(smartState, "active") != "false" || s.frontMatter(smartState, "current_task_index") != "1" || s.frontMatter(smartState, "iteration") != "5" {
		text, _ := s.Read(smartState)
		t.Errorf("after the stall:\n%s", text)
	}

	// The second session resumes, does task 2, and is killed in task 3.
	prompt = s.command(two, "ralph", "resume")
	if !strings.Contains(prompt, "这是恢复的会话") || !strings.Contains(prompt, "1. [completed] 修复登录") {
		t.Fatalf("resume said %q", prompt)
	}
	ctx, kill := context.WithCancel(t.Context())
	go func() {
		select {
		case <-killed:
		case <-t.Context().Done():
		}
		kill()
	}()
	if _, err := (Client{Path: s.client, Workspace: s.Workspace, Model: s.model, Prompt: prompt, SessionID: two, Settings: settings}).Run(ctx); err == nil {
		t.Fatal("the client was not killed")
	}
	if s.frontMatter(smartState, "active") != "true" || s.frontMatter(smartState, "current_task_index") != "2" {
		text, _ := s.Read(smartState)
		t.Errorf("after the kill:\n%s", text)
	}

	// The third session takes over. Its first answer lacks the assessment, so bridge asks for it; that turn is not an
	// iteration.
	prompt = s.command(three, "ralph", "resume", "--force")
	last := s.run(Client{Prompt: prompt, SessionID: three, Settings: settings})
	if requests := s.model.Requests(three, Main); len(requests) != 2 || !strings.Contains(requests[1].Prompt(), "只评估当前任务") {
		t.Fatalf("the third session: %q", last.Transcript.Says())
	}
	want := "🎉 所有任务已完成!\n━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n📊 总体统计:\n  • 总任务数: 3\n  • 总迭代次数: 7\n"
	if messages := last.Transcript.SystemMessages("Stop"); len(containing(messages, want)) != 1 {
		t.Errorf("no summary: %q", messages)
	}
	if _, err := os.Lstat(filepath.Join(s.Project, smartState)); !os.IsNotExist(err) {
		t.Errorf("the state is still there (%v)", err)
	}
	if out := s.command(three, "ralph", "resume", "--history"); !strings.Contains(out, "3/3") || !strings.Contains(out, "已完成") {
		t.Errorf("history: %s", out)
	}
}

// A person uses an interactive client: with auto_approve false the model is told to ask that person before the next
// task. The session keeps the language of the terminal in which it was started.
func TestSmartRalphAsksInATerminal(t *testing.T) {
	s := newStage(t, Slowly(think, Turns(
		Say("<task-analysis>\n## Task 1: one\n## Task 2: two\n</task-analysis>"),
		assessment("completed", 100, 95, "one"),
		assessment("completed", 100, 95, "two"),
	)))
	id := sessionID()
	if err := s.Write("tasks.md", "1. one\n2. two\n"); err != nil {
		t.Fatal(err)
	}
	s.command(id, "ralph", "smart", "tasks.md")
	c := Client{
		Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: wired(t),
		SessionID: id, PermissionMode: "default", Prompt: task, Env: map[string]string{"BRIDGE_LANG": "en"},
	}
	ctx := t.Context()
	term := openTerminal(t, c)
	defer closeTerminal(t, term)
	if _, err := term.WaitFor(ctx, "所有任务已完成!"); err != nil {
		t.Fatal(err)
	}
	if requests := s.model.Requests(id, Main); len(requests) != 3 || !strings.Contains(requests[2].Prompt(), "AskUserQuestion") {
		t.Errorf("%d requests; the model was not told to ask", len(requests))
	}
}

// A task file that fits into a prompt reaches the model to its last line, although the client caps other strings of a hook.
func TestSmartRalphHandsOverALargeTaskFile(t *testing.T) {
	s := newStage(t, Slowly(think, Turns(Say("hello"), Say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"), assessment("completed", 100, 95, "一"))))
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "%d. a task with a title of some length\n", i)
	}
	if err := s.Write("tasks.md", b.String()); err != nil {
		t.Fatal(err)
	}
	s.command("", "ralph", "smart", "tasks.md")
	id := sessionID()
	s.run(Client{Prompt: "hello", SessionID: id, Settings: wired(t)})
	requests := s.model.Requests(id, Main)
	if len(requests) != 3 {
		t.Fatalf("%d requests", len(requests))
	}
	if got := requests[1].Prompt(); !strings.Contains(got, "\n1499. a task") || !strings.Contains(got, "</task-analysis>") {
		t.Errorf("the model got %d bytes:\n%.500s", len(got), got)
	}
}
