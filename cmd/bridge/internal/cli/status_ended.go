package cli

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// endings are the last stops of and commands about the loops of a project, by kind and session.
type endings struct {
	of map[[2]string]ledger.Entry
	// last is the newest stop or command that ended a loop that nobody resumed since.
	last  ledger.Entry
	ended bool
}

// maxLookBack is how far back the ledger is searched for the end of a loop.
const maxLookBack = 7 * day

// endingsOf reads the ledger.
func endingsOf(env protocol.Env, root string) endings {
	e := endings{of: map[[2]string]ledger.Entry{}}
	resumed := map[[2]string]bool{}
	if env.StateHome == "" || root == "" {
		return e
	}
	kept := ledger.Ledger{Dir: filepath.Join(env.StateHome, "ledger")}
	for entry := range kept.Entries(ledger.Filter{Project: project.ID(root)}) {
		if env.Now.Sub(entry.Time) > maxLookBack {
			break
		}
		command := entry.Type == ledger.Command
		if entry.Event != protocol.EventStop && !command || entry.Loop == "" {
			continue
		}
		for _, key := range [][2]string{{entry.Loop, entry.Session}, {entry.Loop, ""}} {
			if _, newer := e.of[key]; !newer {
				e.of[key] = entry
			}
		}
		own := [2]string{entry.Loop, entry.Session}
		resumed[own] = resumed[own] || command && entry.Rule == "resume"
		if !e.ended && why(entry) != "" && !resumed[own] {
			e.last, e.ended = entry, true
		}
	}
	return e
}

// because says why a loop that has ended did.
func (e endings) because(lang protocol.Lang, st protocol.Status) string {
	entry, ok := e.of[[2]string{st.Kind, st.SessionID}]
	switch reason := whyIn(lang, entry); {
	case !ok:
		return ""
	case reason == "":
		return lang.In("被取消, 或者它的状态文件被移走了", "it was cancelled, or its state file was moved away")
	default:
		return reason
	}
}

// why says in words why a stop ended a loop, or "" if it did not.
func why(e ledger.Entry) string { return whyIn(protocol.English, e) }

// whyIn is why in a language.
func whyIn(lang protocol.Lang, e ledger.Entry) string {
	if e.Decision == "block" {
		return ""
	}
	rule, cause, _ := strings.Cut(e.Rule, ":")
	switch rule {
	case "promise":
		return lang.In("说出了约定的承诺", "it kept its promise")
	case "max-iterations", "max-iterations-said", "max-reinforcements":
		return lang.In("达到了上限", "it reached its limit")
	case "task-completed", "all-tasks-complete", "all-tasks-checked", "tasks-done", "prd-complete", "team-complete", "complete":
		return lang.In("所有任务都完成了", "all its tasks are done")
	case "approved":
		return lang.In("审查者认可了它的工作", "a reviewer approved its work")
	case "stalled":
		return lang.In("没有进展", "it made no progress")
	case "blocked":
		return lang.In("被阻塞", "it is blocked") + " (" + cause + ")"
	case "cancel", "cancel-signal", "team-cancelled":
		return lang.In("被取消", "it was cancelled")
	case "team-failed":
		return lang.In("团队失败了", "the team failed")
	case "verification-exhausted":
		return lang.In("没有审查认可它的工作", "no review approved its work")
	case "state-corrupted":
		return lang.In("它的状态文件无法读取", "its state file could not be read")
	case "transcript-missing", "transcript-unreadable", "transcript-unparsable", "no-assistant-message":
		return lang.In("无法读取模型的最后一条回复", "the last answer of the model could not be read")
	case "no-tasks", "activity-unknown":
		return lang.In("没有什么说明要做什么", "nothing shows what is to be done")
	}
	return ""
}

// text is the line about the loop that ended last.
func (e endings) text(lang protocol.Lang, now time.Time) string {
	if !e.ended {
		return ""
	}
	text := lang.In("最近结束: ", "Last ended: ") + e.last.Loop
	if e.last.Session != "" {
		text += lang.In(", 会话 ", " of session ") + short(e.last.Session)
	}
	return text + ", " + ago(now.Sub(e.last.Time)) + lang.In("前: ", " ago: ") + whyIn(lang, e.last) + lang.In("。", ".")
}
