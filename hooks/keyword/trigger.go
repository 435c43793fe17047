package keyword

import (
	"strings"

	"github.com/hookbridge/bridge/moderegistry"
)

// cancel stands in the table for the end of every mode of the session.
const cancel moderegistry.Mode = "cancel"

// use says how much a trigger needs beside it.
type use int

const (
	// name is a word that means little else: it may head an order, be started by
	// one, or say how to carry one out.
	name use = iota
	// order is a phrase that is an order by itself, such as "chain agents".
	order
	// head is a phrase of everyday's work, such as "parallel build": it counts
	// only where it heads an order.
	head
)

// Trigger is a word or phrase that stands for a mode. Text is in lower case;
// words are separated by one space, and N stands for a number.
type Trigger struct {
	Text string
	Mode moderegistry.Mode
	// Lang is en for Latin letters, which count in sentences of every language,
	// else zh, ja or ko.
	Lang string
	use  use
}

// Triggers returns the table, in the order of priority of the modes
// (spec/omc-modes.md, section 7.2).
func Triggers() []Trigger {
	return []Trigger{
		{"cancelomc", cancel, "en", name},
		{"stopomc", cancel, "en", name},
		{"ralph", moderegistry.Ralph, "en", name},
		{"拉尔夫", moderegistry.Ralph, "zh", name},
		{"拉爾夫", moderegistry.Ralph, "zh", name},
		{"ラルフ", moderegistry.Ralph, "ja", name},
		{"랄프", moderegistry.Ralph, "ko", name},
		{"autopilot", moderegistry.Autopilot, "en", name},
		{"auto-pilot", moderegistry.Autopilot, "en", name},
		{"auto pilot", moderegistry.Autopilot, "en", name},
		{"fullsend", moderegistry.Autopilot, "en", name},
		{"full auto", moderegistry.Autopilot, "en", name},
		{"build me", moderegistry.Autopilot, "en", order},
		{"create me", moderegistry.Autopilot, "en", order},
		{"make me", moderegistry.Autopilot, "en", order},
		{"i want a", moderegistry.Autopilot, "en", order},
		{"i want an", moderegistry.Autopilot, "en", order},
		{"自动驾驶模式", moderegistry.Autopilot, "zh", name},
		{"自動駕駛模式", moderegistry.Autopilot, "zh", name},
		{"全自动模式", moderegistry.Autopilot, "zh", name},
		{"全自動模式", moderegistry.Autopilot, "zh", name},
		{"オートパイロット", moderegistry.Autopilot, "ja", name},
		{"오토파일럿", moderegistry.Autopilot, "ko", name},
		{"ultrapilot", moderegistry.Ultrapilot, "en", name},
		{"ultra-pilot", moderegistry.Ultrapilot, "en", name},
		{"parallel build", moderegistry.Ultrapilot, "en", head},
		{"swarm build", moderegistry.Ultrapilot, "en", head},
		{"超级领航", moderegistry.Ultrapilot, "zh", name},
		{"超級領航", moderegistry.Ultrapilot, "zh", name},
		{"ウルトラパイロット", moderegistry.Ultrapilot, "ja", name},
		{"울트라파일럿", moderegistry.Ultrapilot, "ko", name},
		{"team mode", moderegistry.Team, "en", name},
		{"coordinated team", moderegistry.Team, "en", name},
		{"团队模式", moderegistry.Team, "zh", name},
		{"團隊模式", moderegistry.Team, "zh", name},
		{"チームモード", moderegistry.Team, "ja", name},
		{"팀 모드", moderegistry.Team, "ko", name},
		{"ultrawork", moderegistry.Ultrawork, "en", name},
		{"ulw", moderegistry.Ultrawork, "en", name},
		{"超级工作", moderegistry.Ultrawork, "zh", name},
		{"超級工作", moderegistry.Ultrawork, "zh", name},
		{"ウルトラワーク", moderegistry.Ultrawork, "ja", name},
		{"울트라워크", moderegistry.Ultrawork, "ko", name},
		{"swarm N agents", moderegistry.Swarm, "en", order},
		{"swarm N agent", moderegistry.Swarm, "en", order},
		{"swarm of N agents", moderegistry.Swarm, "en", name},
		{"swarm of agents", moderegistry.Swarm, "en", name},
		{"swarm mode", moderegistry.Swarm, "en", name},
		{"coordinated agents", moderegistry.Swarm, "en", name},
		{"蜂群模式", moderegistry.Swarm, "zh", name},
		{"スウォームモード", moderegistry.Swarm, "ja", name},
		{"스웜 모드", moderegistry.Swarm, "ko", name},
		{"agent pipeline", moderegistry.Pipeline, "en", name},
		{"pipeline mode", moderegistry.Pipeline, "en", name},
		{"chain agents", moderegistry.Pipeline, "en", order},
		{"流水线模式", moderegistry.Pipeline, "zh", name},
		{"流水線模式", moderegistry.Pipeline, "zh", name},
		{"智能体流水线", moderegistry.Pipeline, "zh", name},
		{"パイプラインモード", moderegistry.Pipeline, "ja", name},
		{"파이프라인 모드", moderegistry.Pipeline, "ko", name},
		{"ultraqa", moderegistry.Ultraqa, "en", name},
		{"ultra-qa", moderegistry.Ultraqa, "en", name},
		{"超级质检", moderegistry.Ultraqa, "zh", name},
		{"超級質檢", moderegistry.Ultraqa, "zh", name},
		{"ウルトラqa", moderegistry.Ultraqa, "ja", name},
		{"울트라qa", moderegistry.Ultraqa, "ko", name},
	}
}

// isName reports what goes on after the trigger as somebody's name: Ralph Lauren
// is no loop.
func isName(mode moderegistry.Mode, after string) bool {
	if mode != moderegistry.Ralph {
		return false
	}
	after = strings.TrimLeft(after, " ·・.")
	for _, rest := range []string{"lauren", "劳伦", "勞倫", "羅倫", "ローレン", "로렌", "wiggum", "waldo"} {
		if strings.HasPrefix(after, rest) {
			return true
		}
	}
	return false
}

// priority orders the modes where one prompt asks for several.
func priority() []moderegistry.Mode {
	return []moderegistry.Mode{
		moderegistry.Ralph, moderegistry.Autopilot, moderegistry.Ultrapilot, moderegistry.Team,
		moderegistry.Ultrawork, moderegistry.Swarm, moderegistry.Pipeline, moderegistry.Ultraqa,
	}
}

// Resolve drops the modes that exclude each other: ultrapilot and team beat
// autopilot (spec/omc-modes.md, sections 7.1 and 7.2, BUG-005), and of exclusive
// modes the one with the highest priority stays (seed 004, section 2.2).
func Resolve(asked []moderegistry.Mode) []moderegistry.Mode {
	has := func(mode moderegistry.Mode) bool {
		for _, m := range asked {
			if m == mode {
				return true
			}
		}
		return false
	}
	var modes []moderegistry.Mode
	exclusive := false
	for _, mode := range priority() {
		if !has(mode) || mode == moderegistry.Autopilot && (has(moderegistry.Ultrapilot) || has(moderegistry.Team)) {
			continue
		}
		if row, _ := moderegistry.RowOf(mode); row.Exclusive {
			if exclusive {
				continue
			}
			exclusive = true
		}
		modes = append(modes, mode)
	}
	return modes
}
