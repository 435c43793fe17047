package cli

import (
	"errors"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/protocol"
)

// speaks is the language that the person chose.
func (app *App) speaks(stop *protocol.Stop) protocol.Lang {
	return protocol.Lang(message.LangOf(stop.Env.Config.Lang, app.Getenv))
}

// languageOf is the language of a screen that shows loops: that of the loops if one of
// them has a language of its own. The other dialects have English texts. If there is no
// loop, it is that of the person.
func (app *App) languageOf(stop *protocol.Stop, loops []protocol.Controlled) protocol.Lang {
	user := app.speaks(stop)
	if len(loops) == 0 {
		return user
	}
	found := protocol.Lang("")
	for _, l := range loops {
		switch lang := l.Status.Lang; {
		case lang == "":
		case found != "" && lang != found:
			return user
		default:
			found = lang
		}
	}
	if found == "" {
		return protocol.English
	}
	return found
}

// inLang is the error with its text in a language.
func inLang(lang protocol.Lang, err error) error {
	var hint hintError
	switch {
	case err == nil || lang != protocol.Chinese:
		return err
	case errors.As(err, &hint):
		return hintError{inLang(lang, hint.err), hint.hint}
	}
	return toldError{protocol.ErrorIn(lang, err), err}
}

// toldError is an error with its text in a language.
type toldError struct {
	text string
	error
}

func (e toldError) Error() string { return e.text }
func (e toldError) Unwrap() error { return e.error }

// smartLang is the language of commands on smart ralph: that of the project's session if
// it has not ended, or the person's.
func (app *App) smartLang(stop *protocol.Stop) message.Lang {
	loops, _ := smart.List(stop)
	open := loops[:0]
	for _, l := range loops {
		if l.Status.State != protocol.LoopEnded {
			open = append(open, l)
		}
	}
	return message.Lang(app.languageOf(stop, open))
}

// heads are the heads of a table in a language.
func heads(lang protocol.Lang, english ...string) []string {
	if lang != protocol.Chinese {
		return english
	}
	chinese := map[string]string{
		"AGE": "时间", "PROJECT": "项目", "LOOP": "循环", "STATE": "状态", "ITERATION": "迭代", "PHASE": "阶段", "PROGRESS": "进度",
		"AGENTS": "子代理", "N/MAX": "次数/上限", "PROMPT": "提示词", "SESSION": "会话", "ENDS BY": "结束条件", "FILE": "文件", "PROBLEM": "问题",
		"KEY": "配置项", "VALUE": "值", "SOURCE": "来源", "ID": "编号", "TASK FILE": "任务文件", "DONE": "完成", "ITERATIONS": "迭代次数", "END": "结束原因",
	}
	out := make([]string, len(english))
	for i, head := range english {
		if out[i] = chinese[head]; out[i] == "" {
			out[i] = head
		}
	}
	return out
}

// labelIn is a label of the details of a loop.
func labelIn(lang protocol.Lang, english string) string {
	if lang != protocol.Chinese {
		return english
	}
	switch english {
	case "prompt":
		return "提示词"
	case "ended":
		return "结束原因"
	case "ends by":
		return "结束条件"
	case "to stop":
		return "停止命令"
	case "phase":
		return "阶段"
	case "progress":
		return "进度"
	case "agents":
		return "子代理"
	case "session":
		return "会话"
	case "started":
		return "开始于"
	case "project":
		return "项目"
	case "file":
		return "文件"
	case "problem":
		return "问题"
	}
	return english
}

// stateWord is the word for the state of a loop.
func stateWord(lang protocol.Lang, s protocol.LoopState) string {
	switch s {
	case protocol.LoopActive:
		return lang.In("活跃", string(s))
	case protocol.LoopPaused:
		return lang.In("已暂停", string(s))
	case protocol.LoopStale:
		return lang.In("已闲置", string(s))
	case protocol.LoopEnded:
		return lang.In("已结束", string(s))
	case protocol.LoopBroken:
		return lang.In("已损坏", string(s))
	}
	return string(s)
}
