package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// dialects are the values of --dialect.
var dialects = []string{"smart", "loop", "specum", "speckit", "codex", "omc"}

// known refuses a dialect that does not exist, and what cannot be the id of a session:
// without an id, a command applies to whatever loop there is.
func (s selection) known(lang protocol.Lang) error {
	if s.Session != "" && !session.ValidID(s.Session) {
		return hinted(fmt.Errorf(lang.In("--session %s 不是会话 id", "--session %s is not the id of a session"), display.Data(s.Session, 60)),
			"%s", display.Bridge+lang.In(" status 会列出循环和它们的会话。", " status lists the loops with their sessions."))
	}
	if s.Dialect == "" || slices.Contains(dialects, s.Dialect) {
		return nil
	}
	return hinted(fmt.Errorf(lang.In("未知的循环类型: %s%s", "unknown dialect: %s%s"), display.Data(s.Dialect, 60), display.Meant(s.Dialect, dialects)),
		lang.In("--dialect 可以是: %s", "The dialects are %s."), strings.Join(dialects, ", "))
}

// jsonError is what a command on a loop prints in JSON if it fails.
type jsonError struct {
	Command string `json:"command"`
	Error   string `json:"error"`
	Hint    string `json:"hint,omitempty"`
}

// orJSON returns the error of a command in the language of the loops, and prints it as
// JSON, if JSON was asked for and nothing else was printed.
func (s selection) orJSON(app *App, verb string, err error) error {
	var printed exitError
	if err == nil || errors.As(err, &printed) {
		return err
	}
	stop := app.stop()
	loops, _ := list(stop)
	if err = inLang(app.languageOf(stop, loops), err); !s.JSON {
		return err
	}
	var hint hintError
	errors.As(err, &hint)
	return errors.Join(printJSON(app, jsonError{verb, display.Error(err), hint.hint}), err)
}

// none says that there is nothing to do, and names the loops of other sessions to which
// the command applies. Cancelling nothing is not an error.
func (s selection) none(app *App, lang protocol.Lang, verb string, all []protocol.Controlled, order func(protocol.Controlled) func() (string, error)) error {
	others := ""
	for _, l := range all {
		st := l.Status
		fits := order != nil && order(l) != nil && (verb != "pause" || st.State == protocol.LoopActive)
		if fits && st.State != protocol.LoopEnded && session.ValidID(st.SessionID) && (s.Dialect == "" || s.Dialect == st.Kind) {
			others += fmt.Sprintf(lang.In("\n会话 %s 有一个 (%s): ", "\nSession %s has one (%s): ")+display.Bridge+" ralph %s --session %[1]s", st.SessionID, st.Label, verb)
		}
	}
	if verb == "cancel" {
		text := lang.In("没有正在运行的 Ralph 循环。", "No active Ralph loop found.") + others
		return app.say(s.JSON, jsonControl{Command: verb, Message: text}, text)
	}
	if verb == "resume" && (s.Dialect == "" || s.Dialect == "smart") {
		if kept, _ := smart.History(filepath.Join(app.stop().Root, smart.DirName)); len(kept) > 0 {
			others = lang.In("\nSmart Ralph 的历史里有会话, 可以恢复: ", "\nThe history of smart ralph has sessions that can be restored: ") + display.Bridge + " ralph resume --history" + others
		}
	}
	if len(all) == 0 && others != "" {
		return hinted(fmt.Errorf(lang.In("本项目中没有可以%[2]s的 Ralph 循环", "no Ralph loop to %[1]s in this project"), verb, inChinese(verb)), "%s", strings.TrimPrefix(others, "\n"))
	}
	if len(all) == 0 {
		return hinted(fmt.Errorf(lang.In("本项目中没有可以%[2]s的 Ralph 循环", "no Ralph loop to %[1]s in this project"), verb, inChinese(verb)), "%s", exampleIn(lang))
	}
	return hinted(fmt.Errorf(lang.In("没有可以%[2]s的 Ralph 循环", "no Ralph loop to %[1]s"), verb, inChinese(verb)), "%s", display.Bridge+lang.In(" status 会列出所有循环。", " status lists the loops.")+others)
}

// alreadyPaused says that a pause changes nothing.
func alreadyPaused(st protocol.Status) string {
	why := ""
	if st.Problem != "" {
		why = " (" + display.Data(st.Problem, 120) + ")"
	}
	return fmt.Sprintf(st.Lang.In("%s 已经暂停%s, 在迭代 %d。继续: ", "The %s is already paused%s, at iteration %d. To continue: ")+display.Bridge+" ralph resume", st.Label, why, st.Iteration)
}

// onlySmart refuses --skip for a loop that has no tasks.
func (c resumeCmd) onlySmart(lang protocol.Lang, all []protocol.Controlled) error {
	tasked := func(l protocol.Controlled) bool { return l.Status.Kind == "smart" }
	other := slices.IndexFunc(all, func(l protocol.Controlled) bool { return !tasked(l) && l.Resume != nil })
	if c.Dialect == "smart" || c.Dialect == "" && (slices.ContainsFunc(all, tasked) || other < 0) {
		return nil
	}
	return hinted(errors.New(lang.In("--skip 跳过的是 Smart Ralph 的任务, 而这里没有 Smart Ralph 会话", "--skip skips a task of smart ralph, and there is no session of smart ralph here")),
		"%s", lang.In("不跳过, 直接继续: ", "To resume without it: ")+display.Bridge+" ralph resume")
}

// inChinese is the Chinese word for a command on a loop.
func inChinese(verb string) string {
	switch verb {
	case "pause":
		return "暂停"
	case "resume":
		return "继续"
	}
	return "取消"
}

func exampleIn(lang protocol.Lang) string {
	return lang.In(`示例: `+display.Bridge+` ralph loop "修复失败的测试" --max-iterations 5 --completion-promise "测试全部通过"`, loopExample)
}
