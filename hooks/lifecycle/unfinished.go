package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// maxShown is the maximum length of what the user is shown about the session's loops.
const maxShown = 120

// unfinished are the lines about loops and modes: active in this session, waiting in the
// project, and abandoned by other sessions.
type unfinished struct {
	// lang is the language of the lines.
	lang protocol.Lang
	// names are the loops and modes that are active in this session.
	names                  []string
	mine, waiting, orphans []string
}

func (u unfinished) lines() []string { return slices.Concat(u.mine, u.waiting, u.orphans) }

// shown is the line for the user, who does not see what the model is told.
func (u unfinished) shown() string {
	rest := len(u.waiting) + len(u.orphans)
	var parts []string
	if len(u.names) > 0 {
		parts = append(parts, u.lang.In("本会话中活跃: ", "Active in this session: ")+display.Text(display.Clip(strings.Join(u.names, ", "), maxShown))+u.lang.In("。", "."))
	}
	if rest > 0 {
		parts = append(parts, u.lang.In(fmt.Sprintf("本项目中有 %d 个未完成的循环。", rest), "Unfinished in this project: "+display.Count(rest, "loop")+"."))
	}
	if len(parts) == 0 {
		return ""
	}
	return "[bridge] " + strings.Join(parts, u.lang.In("", " ")) + u.lang.In("详情: ", " Details: ") + display.Bridge + " status"
}

// unfinished describes what is active in the session, what waits, and what other sessions
// abandoned.
func (s scene) unfinished(loops []protocol.Controlled) (u unfinished) {
	now, own := s.req.Env.Now, s.req.Input.SessionID
	u.lang = s.lang
	in := s.lang.In
	for _, l := range loops {
		st := l.Status
		what := st.Label + standing(s.lang, st.Iteration, st.Limit, st.Phase, st.Progress)
		switch {
		case st.State == protocol.LoopEnded:
		case st.State == protocol.LoopBroken:
			u.waiting = append(u.waiting, fmt.Sprintf(in("%s 的状态无法使用, 所以不会阻止停止: %s (%s)。", "The state of %s cannot be used, so it blocks no stop: %s (%s)."), st.Label, display.Data(st.Problem, maxProblem), display.Place(st.Path)))
		case st.SessionID == own && st.State == protocol.LoopPaused:
			u.waiting = append(u.waiting, fmt.Sprintf(in("本会话中已暂停: %s。继续: %s。结束: %s。", "Paused in this session: %s. To continue: %s. To end it: %s."), what, resumeOf(st), st.Stop))
		case st.SessionID == own:
			u.mine = append(u.mine, fmt.Sprintf(in("本会话中活跃: %s。它会在下一次停止时继续%s。结束: %s。%s", "Active in this session: %s. It continues at the next stop%s. To end it: %s.%s"), what, s.endsBy(st), st.Stop, s.failed(st.SessionID)))
			u.names = append(u.names, what)
		case st.SessionID == "":
			u.waiting = append(u.waiting, fmt.Sprintf(in("不属于任何会话: %s%s。接手: %s。结束: %s。%s", "Without a session: %s%s. To take it over: %s. To end it: %s.%s"), what, s.seen(now, st), resumeOf(st), st.Stop, s.listed(st)))
		default:
			if line := s.orphan(st, what); line != "" {
				u.orphans = append(u.orphans, line)
			}
		}
	}
	return u
}

// languageOf is the language of what a session is told: Chinese if smart ralph works in
// Chinese here, because one conversation has one language.
func languageOf(loops []protocol.Controlled) protocol.Lang {
	found := protocol.English
	for _, l := range loops {
		if l.Status.State == protocol.LoopEnded {
			continue
		}
		switch l.Status.Lang {
		case protocol.Chinese:
			found = protocol.Chinese
		case protocol.English:
			return protocol.English
		}
	}
	return found
}
