package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/protocol"
)

// talk drives the program through a conversation, and checks each line that it says.
type talk struct {
	t    *testing.T
	dir  string
	env  map[string]string
	lang protocol.Lang
	now  time.Time
	said int
}

// run is a command that a person or a slash command gives.
func (k *talk) run(args ...string) string { return k.with("", args...) }

func (k *talk) with(stdin string, args ...string) string {
	k.t.Helper()
	var out bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &out, Getenv: k.getenv, Now: func() time.Time { return k.now }, Dir: k.dir}
	cli.Main(app, args)
	k.now = k.now.Add(time.Second)
	k.check("bridge "+strings.Join(args, " "), out.String())
	return out.String()
}

func (k *talk) getenv(name string) string { return k.env[name] }

// hook is a call of the client.
func (k *talk) hook(hook string, fields map[string]any) string {
	k.t.Helper()
	fields["cwd"] = k.dir
	if fields["session_id"] == nil {
		fields["session_id"] = "s1"
	}
	payload, err := json.Marshal(fields)
	if err != nil {
		k.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	router.Run(router.Process{Args: []string{"bridge", "--hook=" + hook}, Stdin: bytes.NewReader(payload), Stdout: &out, Stderr: &errs, Getenv: k.getenv, Now: func() time.Time { return k.now }, Version: self.Version}, hook, nil)
	k.now = k.now.Add(time.Second)
	var answer any
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil && out.Len() > 0 {
		k.t.Fatalf("%s: %s", hook, out.String())
	}
	var all []string
	texts(answer, &all)
	text := strings.Join(all, "\n")
	k.check("--hook="+hook, text)
	return text
}

// stop is a stop with a last message.
func (k *talk) stop(message string) string {
	k.t.Helper()
	return k.hook("stop", map[string]any{"hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": message})
}

func (k *talk) start(id, source string) string {
	k.t.Helper()
	return k.hook("session-start", map[string]any{"hook_event_name": "SessionStart", "session_id": id, "source": source})
}

// texts collects the strings of an answer.
func texts(value any, all *[]string) {
	switch value := value.(type) {
	case string:
		if value != "block" && value != "Stop" && value != "SessionStart" && value != "UserPromptSubmit" {
			*all = append(*all, value)
		}
	case map[string]any:
		for _, v := range value {
			texts(v, all)
		}
	case []any:
		for _, v := range value {
			texts(v, all)
		}
	}
}

func (k *talk) write(name, text string) {
	k.t.Helper()
	path := filepath.Join(k.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

// edit replaces a text in state.md.
func (k *talk) edit(from, to string) {
	k.t.Helper()
	const name = ".claude/ralph-smart/state.md"
	text, err := os.ReadFile(filepath.Join(k.dir, name))
	if err != nil || !strings.Contains(string(text), from) {
		k.t.Fatalf("state.md has no %q: %v\n%s", from, err, text)
	}
	k.write(name, strings.Replace(string(text), from, to, 1))
}

var (
	// notProse is what has the same form in each language: commands, options, files, names
	// in code, and what stands between quotes.
	notProse = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|'[^']*'|<[^>]*>|--?[a-z][\\w=-]*|(bridge|iconv) [a-zA-Z][\\w .>/-]*|\\S*[/._=]\\S*|\\[\\w+\\]|Smart Ralph|smart ralph|Claude Code|git status|UTC|true|false|smart, loop, [a-z, ]+|## Task \\d: \\w+|GBK|GB18030")
	// prose is three English words in a row.
	prose = regexp.MustCompile(`[A-Za-z]{2,},? [a-z]{2,},? [a-z]{2,}`)
	word  = regexp.MustCompile(`[A-Za-z]{3,}`)
)

// wrong reports whether a line is in the wrong language.
func wrong(lang protocol.Lang, line string) bool {
	chinese := strings.ContainsFunc(line, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	if lang != protocol.Chinese {
		return chinese
	}
	rest := notProse.ReplaceAllString(line, " · ")
	return prose.MatchString(rest) || !chinese && len(word.FindAllString(rest, -1)) > 1
}

func (k *talk) check(what, said string) {
	k.t.Helper()
	for line := range strings.Lines(said) {
		k.said++
		if wrong(k.lang, strings.TrimSpace(line)) || strings.Contains(line, "%!") {
			k.t.Errorf("%s (%s): %s", what, k.lang, line)
		}
	}
}

// tasks has the same titles in each language.
const tasks = "## Task 1: Alpha\n- [ ] a1\n## Task 2: Beta\n- [ ] b1\n"

func assessment(status string, completion int, rest string) string {
	return fmt.Sprintf("<completion-assessment>\nStatus: %s\nCompletion: %d%%\nConfidence: 95%%\n%s</completion-assessment>", status, completion, rest)
}

// TestOneLanguage drives smart ralph through its commands and hooks, once in each
// language, and finds a line in the other one. The second half runs with the environment
// of the other language: a session keeps its own.
func TestOneLanguage(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.Chinese, protocol.English} {
		t.Run(string(lang), func(t *testing.T) {
			t.Parallel()
			app := newApp(t)
			env := map[string]string{"LANG": "C.UTF-8", "BRIDGE_LANG": string(lang)}
			for _, name := range []string{"HOME", "USERPROFILE", "LOCALAPPDATA"} {
				env[name] = app.Getenv(name)
			}
			k := &talk{t: t, dir: app.Dir, env: env, lang: lang, now: time.Now().Add(-time.Hour)}
			k.mistakes()
			env["CLAUDE_CODE_SESSION_ID"] = "s1"
			k.run("ralph", "smart", "tasks.md", "--max-iterations", "40", "--verbose")
			// A session keeps its language.
			delete(env, "BRIDGE_LANG")
			if lang == protocol.English {
				env["LANG"] = "zh_CN.UTF-8"
			}
			k.conversation()
			if k.said < 400 {
				t.Errorf("only %d lines were said", k.said)
			}
		})
	}
}

// mistakes are the commands of somebody who has no session yet.
func (k *talk) mistakes() {
	k.write("tasks.md", tasks)
	k.write("other.md", tasks)
	k.write("empty.md", " \n")
	k.write("binary.md", "a\x00\x01b\x00")
	k.write("gbk.md", "\xc4\xe3\xba\xc3\xca\xc0\xbd\xe7\n")
	for _, args := range []string{
		"status", "ralph status", "status --all", "status s1", "ralph pause", "ralph resume", "ralph cancel", "ralph pause --json", "ralph resume --skip", "ralph pause --dialect foo",
		"ralph resume --history", "ralph resume --restore 20260101-000000", "ralph resume --restore nope", "ralph resume --max-iterations 0", "ralph clean", "ralph check", "ralph check missing.md",
		"ralph smart", "ralph smart missing.md", "ralph smart empty.md", "ralph smart binary.md", "ralph smart gbk.md", "ralph smart .claude/..", "ralph smart tasks.md --prompt x",
		"ralph smart tasks.md --max-iterations abc", "ralph smart tasks.md --max-iterations 0", "ralph smart tasks.md --completion-threshold 101", "ralph smart --continue", "ralph smart --continue --no-ai",
		"ralph config", "ralph config --auto-approve maybe", "ralph config --max-iterations 0", "ralph config --max-iterations 45", "ralph config --reset",
	} {
		k.run(strings.Fields(args)...)
	}
	k.with(" ", "ralph", "smart", "--prompt", "-")
	k.write(".claude/ralph-smart/config.json", `{"max_iterations": "x", "verbose": 1, "stall_detection": 5000, "lang": "en"}`)
	k.run("ralph", "config")
	k.write(".claude/ralph-smart/config.json", `{`)
	k.run("ralph", "config")
	k.run("ralph", "config", "--max-iterations", "9")
	if err := os.Remove(filepath.Join(k.dir, ".claude/ralph-smart/config.json")); err != nil {
		k.t.Fatal(err)
	}
}

// conversation plays a session from its start to its end.
func (k *talk) conversation() {
	again := func(args ...string) { k.run(append([]string{"ralph", "smart"}, args...)...) }
	again("tasks.md")
	again("other.md", "--continue")
	again("--continue", "--no-ai")
	k.stop("I read the file.")
	k.start("s1", "resume")
	k.run("status")
	k.stop("<task-analysis>\n## Task 1: Alpha\n- [ ] a1\n## Task 2: Beta\n- [ ] b1\n## Task 3: Gamma\n- [ ] c1\n</task-analysis>")
	k.stop(assessment("in_progress", 40, "Remaining items:\n- a1\n"))
	k.stop("a1 is half done.")
	k.stop("<completion-assessment>\n???\n</completion-assessment>")
	k.stop(assessment("completed", 100, "Remaining items:\n- a1\n"))
	k.stop(assessment("completed", 60, ""))
	k.stop(assessment("completed", 100, "Completed items:\n- a1\n"))
	k.start("s1", "compact")
	k.start("s9", "startup")
	k.start("s9", "fork")
	k.run("status", "s1")
	k.run("ralph", "status", "--all")
	k.hook("pre-compact", map[string]any{"hook_event_name": "PreCompact", "trigger": "manual"})
	k.stop(assessment("blocked", 50, "Blockers: b1\n"))
	k.run("ralph", "resume")
	for _, args := range []string{"ralph pause", "ralph pause", "ralph pause --json", "ralph check", "ralph clean", "ralph config", "ralph resume --restore nope", "ralph resume --history"} {
		k.run(strings.Fields(args)...)
	}
	k.env["CLAUDE_CODE_SESSION_ID"] = "s2"
	k.run("ralph", "resume")
	k.run("ralph", "pause")
	k.env["CLAUDE_CODE_SESSION_ID"] = ""
	k.run("ralph", "resume")
	k.env["CLAUDE_CODE_SESSION_ID"] = "s1"
	k.run("ralph", "resume", "--max-iterations", "60")
	again("--continue", "--auto-approve", "--strict-mode", "--completion-threshold", "80", "--stall-detection", "3", "--verbose=false", "--git-status", "--test-command", "true")
	k.run("ralph", "resume")
	k.stop(assessment("in_progress", 30, "Remaining items:\n- b1\n"))
	for range 4 {
		k.stop(assessment("in_progress", 30, "Remaining items:\n- b1\n"))
		k.now = k.now.Add(time.Minute)
	}
	k.start("s1", "resume")
	k.run("ralph", "resume", "--max-iterations", "1")
	k.run("ralph", "resume")
	k.run("status")
	k.edit("phase: running", "phase: walking")
	k.edit("[ ] b1", "[?] b1")
	k.run("ralph", "check")
	k.run("ralph", "pause")
	k.run("ralph", "resume")
	k.edit("max_iterations:", "max_iterations: -3 #")
	k.run("ralph", "check")
	k.run("status")
	k.stop(assessment("in_progress", 20, "Remaining items:\n- c1\n"))
	k.edit("active: true", "active: perhaps")
	k.stop("x")
	k.run("ralph", "resume", "--max-iterations", "90")
	k.write(".claude/ralph-smart/state.md", "---\nactive: [\n")
	k.run("ralph", "check")
	k.run("status")
	k.stop(assessment("in_progress", 20, "Remaining items:\n- c1\n"))
	k.env["BRIDGE_LANG"] = string(k.lang)
	k.run("ralph", "cancel")
	k.run("ralph", "cancel")
	k.run("ralph", "resume", "--history")
	k.run("ralph", "clean", "--dry-run")
	k.run("ralph", "clean")
	k.run("ralph", "clean", "--yes")
	k.run("ralph", "clean", "--yes")
	again("tasks.md", "--no-ai", "--max-iterations", "1")
	k.stop(assessment("in_progress", 20, "Remaining items:\n- c1\n"))
	k.run("ralph", "resume")
	k.run("ralph", "resume", "--max-iterations", "9")
	k.run("ralph", "resume", "--skip")
	k.stop(assessment("completed", 100, "Completed items:\n- a1\n"))
	k.stop(assessment("completed", 100, "Completed items:\n- b1\n"))
	k.run("ralph", "resume", "--history")
	// The person interrupts again and again.
	again("tasks.md", "--no-ai")
	for range 12 {
		k.stop("x")
	}
	again("--continue")
	k.hook("user-prompt-submit", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "cancel ralph"})
	again("tasks.md", "--no-ai")
	k.write(".claude/ralph-smart/state.md", "")
	k.stop("x")
	k.run("ralph", "cancel")
	k.run("status")
}
