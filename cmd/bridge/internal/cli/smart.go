package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/hooks/ralph/smart/taskfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// smartCmd starts smart ralph (docs/reference/smart-ralph.md#r3-37).
type smartCmd struct {
	TaskFile            string `arg:"" optional:"" help:"The file with the tasks, in any format."`
	MaxIterations       string `help:"Stop after N assessed turns (default 50). 0 means no limit and needs --force." placeholder:"N"`
	CompletionThreshold string `help:"How complete a task must be to count as done, in percent (default 90)." placeholder:"N"`
	AutoApprove         *bool  `help:"Start the next task without asking. --auto-approve=false overrides config.json."`
	StrictMode          *bool  `help:"A task is done only at 100 %, with every criterion ticked and no error."`
	StallDetection      string `help:"Stop and ask after N iterations without progress (default 5). 0 switches this off." placeholder:"N"`
	Verbose             *bool  `help:"Show the rule signals, the assessment and the decision at each stop."`
	Prompt              string `help:"Give the tasks here instead of in a file. - reads them from stdin." placeholder:"TEXT"`
	NoAI                bool   `name:"no-ai" help:"Read the tasks from the file by rules, without asking the model."`
	TestCommand         string `help:"Run this command when the model says that a task is done. Its exit code says whether tests pass." placeholder:"CMD"`
	GitStatus           *bool  `help:"Let the Stop hook run git status to count changed files."`
	Continue            bool   `help:"Continue the unfinished session instead of starting a new one." xor:"choice"`
	New                 bool   `help:"Start a new session; the unfinished one moves to the history." xor:"choice"`
	Force               bool   `help:"Allow --max-iterations 0. With --new or --continue, take over a session that may still be running."`
}

// example is a call of the command.
func example(lang protocol.Lang) string {
	return lang.In("示例: ", "Example: ") + display.Bridge + " ralph smart tasks.md --max-iterations 100 --completion-threshold 95"
}

func (c smartCmd) Run(app *App) error {
	scene, user, err := smartScene(app)
	if err != nil {
		return err
	}
	if c.Continue {
		scene.Lang = app.smartLang(app.stop())
	}
	return inLang(protocol.Lang(scene.Lang), c.run(app, scene, user))
}

func (c smartCmd) run(app *App, scene smart.Scene, user protocol.Config) error {
	lang := protocol.Lang(scene.Lang)
	given, err := c.values(lang)
	if err != nil {
		return err
	}
	if c.Continue {
		if err := c.onlyNew(lang); err != nil {
			return err
		}
		path := ""
		if c.TaskFile != "" {
			path = absolute(app, c.TaskFile)
		}
		return c.carryOn(app, scene, c.TaskFile, path, given, c.effective(app, scene, given, user))
	}
	name, path, text, err := c.tasks(app, scene)
	if err != nil {
		return err
	}
	if err := taskfile.CheckSpace(taskfile.Free(scene.Root)); err != nil {
		return hinted(err, "%s", taskfile.Hint(lang, err))
	}
	effective := c.effective(app, scene, given, user)
	opts := smart.StartOptions{
		TaskFile: name, Path: path, Text: text, Values: effective.Values, New: c.New, Force: c.Force,
		GitStatus: user.Smart.GitStatus, TestCommand: cmp.Or(c.TestCommand, user.Smart.TestCommand),
	}
	if c.GitStatus != nil {
		opts.GitStatus = *c.GitStatus
	}
	if c.NoAI {
		var ok bool
		if opts.Tasks, ok = plan.Parse(text); !ok {
			opts.Tasks = plan.Whole(text, filepath.Base(name))
		}
	}
	s, warning, err := smart.Start(scene, opts)
	if conflict, ok := errors.AsType[smart.Conflict](err); ok {
		// What is said about the old session is in its language.
		old := scene
		if conflict.State.Lang != "" {
			old.Lang = message.Lang(conflict.State.Lang)
		}
		answer, err := c.decide(app, old, conflict)
		switch answer {
		case message.None:
			return err
		case message.ContinueOld:
			return c.carryOn(app, scene, "", "", given, effective)
		case message.ChangeNothing:
			fmt.Fprintln(app.Stderr, old.Lang.NothingChanged())
			return exitError(1)
		case message.StartNew:
		}
		opts.New = true
		// In the meantime, a session may have claimed the old one.
		if s, warning, err = smart.Start(scene, opts); err != nil {
			return refused(err)
		}
	} else if err != nil {
		return err
	}
	if warning != "" {
		app.complain("bridge: %s\n", warning)
	}
	noteStart(app, "smart", lang)
	fmt.Fprint(app.Stdout, startText(scene, s, text))
	return nil
}

// onlyNew refuses options that a session has no use for once it has begun.
func (c smartCmd) onlyNew(lang protocol.Lang) error {
	option := ""
	switch {
	case c.NoAI:
		option = "--no-ai"
	case c.Prompt != "":
		option = "--prompt"
	default:
		return nil
	}
	return hinted(fmt.Errorf(lang.In("%s 只用于新会话, 不能与 --continue 一起使用", "%s is for a new session, so it does not go with --continue"), option),
		lang.In("继续: 去掉 %s。新建: 用 --new 代替 --continue。", "To continue, leave %s out. To start a new session, give --new instead of --continue."), option)
}

// effective are the values of the command line, of config.json and of the user's limits.
func (c smartCmd) effective(app *App, scene smart.Scene, given map[config.Key]any, user protocol.Config) config.Effective {
	data, err := smart.ReadConfig(scene)
	if err != nil {
		app.complain(protocol.Lang(scene.Lang).In("bridge: 警告: %s; 使用内置的默认值。\n", "bridge: warning: %s; the built-in values are used.\n"), err)
	}
	effective := config.Resolve(data, given, user.Smart.Clamp)
	warnConfig(app, protocol.Lang(scene.Lang), effective)
	return effective
}

// startText is what the person and the model read: the notices of
// docs/reference/smart-ralph.md#texts and, in a session, the model's next task.
func startText(scene smart.Scene, s state.State, text string) string {
	lang := scene.Lang
	analysing := s.Phase == state.Analyzing
	out := lang.Start(s, analysing) + "\n"
	switch {
	case !analysing:
		out += lang.Planned(s, false, 0) + "\n"
		if scene.SessionID != "" {
			return out + "\n" + lang.Task(s, false)
		}
	case scene.SessionID != "":
		return out + lang.Parse(s.TaskFile, text) + "\n"
	}
	out += lang.WaitsForSession() + "\n"
	if analysing {
		out += protocol.Lang(lang).In("Claude 在那次停止时分析任务。查看: "+display.Bridge+" status。结束: "+display.Bridge+" ralph cancel。\n", "Claude analyses the tasks at that stop.\nTo see it: "+display.Bridge+" status. To end it: "+display.Bridge+" ralph cancel.\n")
	}
	return out
}

// values are the values given on the command line.
func (c smartCmd) values(lang protocol.Lang) (map[config.Key]any, error) {
	given, _, err := parseValues(map[config.Key]string{
		"max_iterations": c.MaxIterations, "completion_threshold": c.CompletionThreshold, "stall_detection": c.StallDetection,
	}, c.Force)
	if err != nil {
		return nil, hinted(err, "%s", example(lang))
	}
	for key, on := range map[config.Key]*bool{"auto_approve": c.AutoApprove, "strict_mode": c.StrictMode, "verbose": c.Verbose} {
		if on != nil {
			given[key] = *on
		}
	}
	return given, nil
}

// tasks reads the tasks. name and path are empty for a prompt.
func (c smartCmd) tasks(app *App, scene smart.Scene) (name, path, text string, err error) {
	lang := protocol.Lang(scene.Lang)
	if (c.TaskFile == "") == (c.Prompt == "") {
		return "", "", "", hinted(errors.New(lang.In("请只用一种方式给出任务: 任务文件, 或者 --prompt 文本", "give the tasks in one way: a task file, or --prompt TEXT")), "%s", example(lang))
	}
	switch c.Prompt {
	case "-":
		data, err := io.ReadAll(io.LimitReader(app.Stdin, taskfile.WarnSize+1))
		if err != nil {
			return "", "", "", &protocol.Said{Chinese: "从标准输入读取任务", English: "read the tasks from stdin", Err: err}
		}
		if len(data) > taskfile.WarnSize {
			return "", "", "", hinted(errors.New(lang.In("标准输入的文本超过 1 MiB", "the text on stdin is larger than 1 MiB")), "%s", lang.In("请写入文件, 并给出文件名。", "Put it into a file and pass the name of the file."))
		}
		text = string(data)
	case "":
		path = absolute(app, c.TaskFile)
		file, err := taskfile.Read(path)
		if err != nil {
			return "", "", "", hinted(errors.New(display.Text(protocol.ErrorIn(lang, err))), "%s", taskfile.Hint(lang, err))
		}
		if file.Large {
			fmt.Fprintf(app.Stderr, lang.In("bridge: 警告: 任务文件有 %.1f MiB。模型会自己读取它; 较短的文件效果更好。\n", "bridge: warning: the task file has %.1f MiB. The model reads it itself; a shorter file gives better results.\n"), float64(file.Size)/(1<<20))
		}
		return c.TaskFile, path, file.Content, nil
	default:
		text = c.Prompt
	}
	if strings.TrimSpace(text) == "" {
		return "", "", "", hinted(errors.New(lang.In("任务文本", "the task text ")+protocol.ErrorIn(lang, taskfile.ErrEmpty)), "%s", example(lang))
	}
	return "", "", strings.ToValidUTF8(text, "\ufffd"), nil
}

// smartScene is the project of a smart ralph command, with the user's configuration.
func smartScene(app *App) (smart.Scene, protocol.Config, error) {
	stop := app.stop()
	if stop.Root == "" {
		return smart.Scene{}, protocol.Config{}, errors.New(app.speaks(stop).In("工作目录不存在", "the working directory does not exist"))
	}
	user, err := app.userConfig(stop)
	if err != nil {
		return smart.Scene{}, user, err
	}
	id := stop.Input.SessionID
	if !session.ValidID(id) {
		id = ""
	}
	return smart.Scene{
		Root: stop.Root, Env: stop.Env, SessionID: id, Lang: message.LangOf(user.Lang, app.Getenv),
	}, user, nil
}

func warnConfig(app *App, lang protocol.Lang, e config.Effective) {
	warning := lang.In("bridge: 警告: ", "bridge: warning: ")
	for _, w := range e.Warnings {
		app.complain("%s%s\n", warning, w.In(lang))
	}
	for _, k := range config.Keys() {
		if e.Sources[k] == config.Clamped {
			fmt.Fprintf(app.Stderr, warning+lang.In("%s 为 %v, 因为你自己的配置限制了它。\n", "%s is %v, because your own configuration limits it.\n"), k, e.Values.Get(k))
		}
	}
}

// cleanCmd deletes the data of smart ralph (R3-41).
type cleanCmd struct {
	Yes    bool `help:"Delete without asking."`
	DryRun bool `help:"Only list what would be deleted."`
	All    bool `help:"Delete the project's config.json too."`
}

func (c cleanCmd) Run(app *App) error {
	scene, _, err := smartScene(app)
	if err != nil {
		return err
	}
	scene.Lang = app.smartLang(app.stop())
	return inLang(protocol.Lang(scene.Lang), c.run(app, scene))
}

func (c cleanCmd) run(app *App, scene smart.Scene) error {
	lang := protocol.Lang(scene.Lang)
	remove := c.Yes && !c.DryRun
	names, err := smart.Clean(scene, c.All, remove)
	if running, ok := errors.AsType[smart.RunningError](err); ok {
		return hinted(&protocol.Said{Chinese: "什么都没有删除, 因为" + running.In(protocol.Chinese), English: "nothing was deleted, because " + running.Error()},
			lang.In("请先结束它, 它的状态会保存在历史里: ", "End it first; its state is kept in the history: ")+display.Bridge+" ralph cancel --session %s", display.Text(running.SessionID))
	}
	if err != nil {
		return err
	}
	if len(names) == 0 {
		fmt.Fprintln(app.Stdout, scene.Lang.NothingToClean())
		return nil
	}
	for _, name := range names {
		app.printf("%s\n", filepath.Join(smart.DirName, filepath.FromSlash(name)))
	}
	if remove {
		fmt.Fprintln(app.Stdout, scene.Lang.Cleaned(len(names)))
		return nil
	}
	if c.DryRun {
		return nil
	}
	all := ""
	if c.All {
		all = " --all"
	}
	return hinted(errors.New(lang.In("还没有删除任何文件", "nothing was deleted yet")), "%s", lang.In("历史也会被删除, 无法恢复。删除这些文件: ", "The history is deleted as well and cannot be restored. To delete these files: ")+display.Bridge+" ralph clean"+all+" --yes")
}
