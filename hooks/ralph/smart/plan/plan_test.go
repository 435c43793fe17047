package plan_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
)

// task writes a task in one line: its title, its description, its criteria. A
// ticked criterion begins with x.
func task(title, description string, criteria ...string) plan.Task {
	t := plan.Task{Title: title, Description: description}
	for _, text := range criteria {
		rest, done := strings.CutPrefix(text, "x ")
		t.Criteria = append(t.Criteria, plan.Criterion{Text: rest, Done: done})
	}
	return t
}

func wantTasks(t *testing.T, got, want []plan.Task) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d tasks, want %d: %+v", len(got), len(want), got)
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("task %d:\n got %+v\nwant %+v", i+1, got[i], want[i])
		}
	}
}

// TestTheSamplesOfTheDesign holds the three task files of
// docs/reference/smart-ralph.md#samples: 3, 2 and 2 tasks, with their criteria (R3-6,
// R3-9).
func TestTheSamplesOfTheDesign(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]plan.Task{
		"sample1.txt": {
			task("修复那个登录的bug", "", "修复那个登录的bug"),
			task("加上错误处理", "", "加上错误处理"),
			task("写个README", "", "写个README"),
		},
		"sample2.md": {
			task("修复登录bug", "用户无法登录,检查认证逻辑", "重现问题", "修复代码", "测试"),
			task("添加错误处理", "在关键函数加 try-catch", "添加错误处理"),
		},
		"sample3.md": {
			task("实现用户认证", "创建完整的登录注册系统", "创建 User 模型", "实现注册 API", "实现登录 API", "添加 JWT 验证", "测试通过"),
			task("实现个人资料", "用户可以查看和编辑个人信息", "创建个人资料 API", "实现前端页面", "测试通过"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			for _, variant := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n"), "\ufeff" + string(text)} {
				got, ok := plan.Parse(variant)
				if !ok {
					t.Fatal("nothing was found")
				}
				wantTasks(t, got, want)
			}
		})
	}
}

// TestParseForms holds R3-9.
func TestParseForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []plan.Task
	}{
		"task headings in English": {"# Plan\n\n### Task 7: Login\nfix it\n\n**Acceptance criteria**:\n- works\n- [x] tested\n\n### Task 9 - Docs\n",
			[]plan.Task{task("Login", "fix it", "works", "x tested"), task("Docs", "", "Docs")}},
		"a full-width colon":        {"## 任务 1：登录\n## 任务 2：文档\n", []plan.Task{task("登录", "", "登录"), task("文档", "", "文档")}},
		"Chinese enumeration":       {"1、登录\n2、文档\n", []plan.Task{task("登录", "", "登录"), task("文档", "", "文档")}},
		"Chinese numbers":           {"一、登录\n二、文档\n", []plan.Task{task("登录", "", "登录"), task("文档", "", "文档")}},
		"numbers with sub-bullets":  {"1. Login\n   - reproduce\n   - [x] fix\n2. Docs\n", []plan.Task{task("Login", "- reproduce", "x fix"), task("Docs", "", "Docs")}},
		"bullets":                   {"- Login\n  - reproduce\n- Docs\n", []plan.Task{task("Login", "", "reproduce"), task("Docs", "", "Docs")}},
		"top-level check boxes":     {"- [ ] Login\n- [x] Docs\n", []plan.Task{task("Login", "", "Login"), task("Docs", "", "Docs")}},
		"YAML":                      {"tasks:\n  - title: Login\n    criteria:\n      - works\n  - Docs\n", []plan.Task{task("Login", "", "works"), task("Docs", "", "Docs")}},
		"JSON":                      {`{"tasks":[{"title":"Login","description":"fix it","criteria":["works",{"text":"tested","done":true}]},"Docs"]}`, []plan.Task{task("Login", "fix it", "works", "x tested"), task("Docs", "", "Docs")}},
		"a heading in a code block": {"## A\n```\n## not a task\n- [ ] no box\n```\n## B\n", []plan.Task{task("A", "```\n## not a task\n- [ ] no box\n```", "A"), task("B", "", "B")}},
		"numbers in prose":          {"- 3.5 times faster\n- Docs\n", []plan.Task{task("3.5 times faster", "", "3.5 times faster"), task("Docs", "", "Docs")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := plan.Parse(c.text)
			if !ok {
				t.Fatal("nothing was found")
			}
			wantTasks(t, got, c.want)
		})
	}
}

func TestATextWithoutAListIsOneTask(t *testing.T) {
	t.Parallel()
	if _, ok := plan.Parse("Please make the login work again.\nIt broke last week.\n"); ok {
		t.Error("a list was found")
	}
	wantTasks(t, plan.Whole("Make the login work.\nIt broke.\n", "tasks.txt"), []plan.Task{task("Make the login work.", "Make the login work.\nIt broke.", "Make the login work.")})
	wantTasks(t, plan.Whole("#\n", "tasks.txt"), []plan.Task{task("tasks.txt", "", "tasks.txt")})
	if got := plan.Whole(strings.Repeat("很", 100<<10), "x"); len(got) != 1 || len(got[0].Title) > 400 {
		t.Errorf("a long text: %d tasks", len(got))
	}
}

// TestParseAnalysis holds R3-11.
func TestParseAnalysis(t *testing.T) {
	t.Parallel()
	const body = "## 任务 3: 登录\n修复登录\n\n**完成标准**:\n- [ ] 能登录\n\n## 任务 7: 文档\n"
	want := []plan.Task{task("登录", "修复登录", "能登录"), task("文档", "", "文档")}
	for name, text := range map[string]string{
		"plain":                 "好的。\n<task-analysis>\n" + body + "</task-analysis>\n",
		"fenced":                "<task-analysis>\n```markdown\n" + body + "```\n</task-analysis>",
		"fence around the tags": "```xml\n<task-analysis>\n" + body + "\n</task-analysis>\n```",
		"an attribute":          "<task-analysis version=\"1\">\n" + body + "</task-analysis>",
		"the last one counts":   "<task-analysis>\n## 任务 1: 旧\n</task-analysis>\n<task-analysis>\n" + body + "</task-analysis>",
		"deeper headings":       "<task-analysis>\n" + strings.ReplaceAll(body, "## ", "### ") + "</task-analysis>",
		"two levels":            "<task-analysis>\n## 任务 1: 登录\n修复登录\n\n**完成标准**:\n- [ ] 能登录\n\n### 任务 2: 文档\n</task-analysis>",
		"CRLF":                  strings.ReplaceAll("<task-analysis>\n"+body+"</task-analysis>\n", "\n", "\r\n"),
		"JSON":                  `<task-analysis>{"tasks":[{"title":"登录","description":"修复登录","criteria":["能登录"]},{"title":"文档"}]}</task-analysis>`,
		"an open one after it":  "<task-analysis>\n" + body + "</task-analysis>\n我写了 <task-analysis> 块。",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := plan.ParseAnalysis(text)
			if err != nil {
				t.Fatal(err)
			}
			wantTasks(t, got, want)
		})
	}
	many := "<task-analysis>" + strings.Repeat("\n## 任务 1: x", plan.MaxTasks+1) + "\n</task-analysis>"
	for text, want := range map[string]error{
		"I will start now.":                                plan.ErrNoAnalysis,
		"<task-analysis>\n## 任务 1: x":                      plan.ErrNoAnalysis,
		"</task-analysis><task-analysis>":                  plan.ErrNoAnalysis,
		"<task-analysis></task-analysis>":                  plan.ErrNoTasks,
		"<task-analysis>\nI do not know\n</task-analysis>": plan.ErrNoTasks,
		many: plan.ErrTooMany,
		"<task-analysis>\n## 任务 1: x\n" + strings.Repeat("很长的描述\n", 100_000) + "</task-analysis>": plan.ErrTooLong,
	} {
		if tasks, err := plan.ParseAnalysis(text); !errors.Is(err, want) {
			t.Errorf("%.60q: %d tasks, error %v, want %v", text, len(tasks), err, want)
		}
	}
}

// TestTooManyNamesTheLimit: the text contains the number itself, because formatting it at
// every start would cost each hook.
func TestTooManyNamesTheLimit(t *testing.T) {
	t.Parallel()
	if want := fmt.Sprintf(" %d tasks", plan.MaxTasks); !strings.HasSuffix(plan.ErrTooMany.Error(), want) {
		t.Errorf("%v, want %q", plan.ErrTooMany, want)
	}
}

// TestATitleIsOneLine keeps a hostile analysis from writing lines of the state file, such
// as a status.
func TestATitleIsOneLine(t *testing.T) {
	t.Parallel()
	got, err := plan.ParseAnalysis("<task-analysis>{\"tasks\":[{\"title\":\"a\\n---\\nactive: false\",\"criteria\":[\"b\\n**状态**: completed\"]}]}</task-analysis>")
	if err != nil {
		t.Fatal(err)
	}
	wantTasks(t, got, []plan.Task{task("a --- active: false", "", "b **状态**: completed")})
}

// longList is a task file with n tasks of five criteria each.
func longList(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## 任务 %d: 第 %d 个任务\n描述一下要做什么, and why it is needed.\n\n**完成标准**:\n- [ ] 一\n- [ ] 二\n- [ ] 三\n- [ ] 四\n- [ ] 五\n\n", i+1, i+1)
	}
	return b.String()
}

// TestParsingIsFast allows 100 ms for 200 tasks, and time in proportion to the size for
// files that are made to be slow. Holds R3-46.
func TestParsingIsFast(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"200 tasks":       longList(200),
		"a long line":     strings.Repeat("#", 1<<20),
		"open fences":     strings.Repeat("```\n", 400_000),
		"open tags":       strings.Repeat("<task-analysis>", 200_000) + "</task-analysis>",
		"nested brackets": strings.Repeat("[", 1<<20),
		"bullets":         strings.Repeat("- x\n", 400_000),
	} {
		limit := 5 * time.Second
		if name == "200 tasks" {
			limit = 100 * time.Millisecond
		}
		// A busy machine may interrupt all runs but one.
		fastest := time.Duration(math.MaxInt64)
		for try := 0; try < 10 && fastest > limit; try++ {
			begin := time.Now()
			plan.Parse(text)
			plan.ParseAnalysis("<task-analysis>\n" + text + "\n</task-analysis>")
			fastest = min(fastest, time.Since(begin))
		}
		if fastest > limit {
			t.Errorf("%s took %v, want at most %v", name, fastest, limit)
		}
	}
}

func BenchmarkTaskParse200(b *testing.B) {
	text := longList(200)
	for b.Loop() {
		if tasks, ok := plan.Parse(text); !ok || len(tasks) != 200 {
			b.Fatal(len(tasks))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{longList(2), "1. a\n2. b", "tasks:\n- a", `{"tasks":["a"]}`, "<task-analysis>\n## 任务 1: x\n</task-analysis>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check := func(tasks []plan.Task) {
			for _, task := range tasks {
				if task.Title == "" || strings.ContainsAny(task.Title, "\r\n") || len(task.Criteria) == 0 {
					t.Fatalf("%q: %+v", text, task)
				}
				for _, c := range task.Criteria {
					if c.Text == "" || strings.ContainsAny(c.Text, "\r\n") {
						t.Fatalf("%q: %+v", text, task)
					}
				}
			}
		}
		if tasks, ok := plan.Parse(text); ok {
			check(tasks)
		}
		if tasks, err := plan.ParseAnalysis(text); err == nil {
			check(tasks)
		}
		check(plan.Whole(text, "name"))
	})
}
