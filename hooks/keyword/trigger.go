package keyword

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/moderegistry"
)

// cancel names the row with the words that end every mode of the session.
const cancel moderegistry.Mode = "cancel"

// use says how much context a trigger needs and in which script it is written. Latin triggers count in sentences of
// every language.
type use uint8

const (
	// name is a word with hardly any other meaning: it may be the head of an order, the
	// object of one, or the way to carry one out.
	name use = iota
	// short is an abbreviation, which needs less context than a name.
	short
	// order is a phrase that is an order in itself, such as "chain agents".
	order
	// head is a phrase of everyday work, such as "parallel build". It counts only at the
	// head of an order.
	head
	// zh, ja and ko are names in Chinese, Japanese and Korean.
	zh
	ja
	ko
	uses
)

// row is a mode and its triggers, in lower case. In Latin triggers, one space separates
// words, and N between two words stands for a number.
type row struct {
	mode     moderegistry.Mode
	triggers [uses][]string
	// people are surnames: after them the trigger is a person's name (Ralph Lauren).
	people parts
	// creates says that an order counts only if it names something whole to create, as in
	// "build me an app".
	creates bool
	// coined says that the name has no other meaning, so it cannot occur in a statement about people or machines.
	coined bool
	// products are words that turn the name into that of another product: GKE Autopilot.
	products parts
	// strict says that a colon after the trigger is not enough: "ralph: notes".
	strict bool
	// means is the text that tells the model what to do in the mode once it has started.
	means string
}

// cancelNames are the words that end every mode of the session.
var cancelNames = []string{"cancelomc", "stopomc"}

// modes is the table, in the order of priority. A new mode is one row.
var modes = []row{
	{mode: cancel, triggers: [uses][]string{name: cancelNames}},
	{
		mode: moderegistry.Ralph, triggers: [uses][]string{name: {"ralph"}, zh: {"拉尔夫", "拉爾夫"}, ja: {"ラルフ"}, ko: {"랄프"}},
		people: parts{"lauren", "劳伦", "勞倫", "羅倫", "ローレン", "로렌", "wiggum", "waldo"}, strict: true,
		means: "ralph is on: each time you stop, you are sent back to the task, until it is done and a reviewer has confirmed it. Work on the task fully.",
	},
	{
		mode: moderegistry.Autopilot, triggers: [uses][]string{
			name: {"autopilot", "auto-pilot", "auto pilot", "fullsend", "full auto"}, order: {"build me", "create me", "make me", "i want a", "i want an"},
			zh: {"自动驾驶模式", "自動駕駛模式", "全自动模式", "全自動模式"}, ja: {"オートパイロット"}, ko: {"오토파일럿"},
		}, creates: true,
		products: parts{"gke", "kubernetes", "cluster", "gcloud", "windows", "intune", "copilot", "tesla", "fsd", "vehicle", "the car", "my car", "model 3", "model s", "model y", "drone", "px4", "aircraft", "테슬라", "자동차", "주행", "클러스터", "特斯拉", "汽车", "车辆", "集群", "テスラ", "走行", "運転", "クラスタ"},
		means:    "autopilot is on, in its first phase: write a specification of the idea to .omc/autopilot/spec.md. When that is done, end your message with EXPANSION_COMPLETE alone on its line; you are then told the next phase.",
	},
	{mode: moderegistry.Ultrapilot, triggers: [uses][]string{
		name: {"ultrapilot", "ultra-pilot"}, head: {"parallel build", "swarm build"}, zh: {"超级领航", "超級領航"}, ja: {"ウルトラパイロット"}, ko: {"울트라파일럿"},
	}, coined: true},
	{mode: moderegistry.Team, triggers: [uses][]string{name: {"team mode", "coordinated team"}, zh: {"团队模式", "團隊模式"}, ja: {"チームモード"}, ko: {"팀 모드"}}},
	{
		mode: moderegistry.Ultrawork, triggers: [uses][]string{name: {"ultrawork"}, short: {"ulw"}, zh: {"超级工作", "超級工作"}, ja: {"ウルトラワーク"}, ko: {"울트라워크"}},
		coined: true,
		means:  "ultrawork is on: write the work down as a task list, hand independent parts to subagents that work in parallel, and mark each task as completed when it is checked. You are sent back to work as long as a task is open.",
	},
	{mode: moderegistry.Swarm, triggers: [uses][]string{
		name: {"swarm of N agents", "swarm of agents", "swarm mode", "coordinated agents"}, order: {"swarm N agents", "swarm N agent"},
		zh: {"蜂群模式"}, ja: {"スウォームモード"}, ko: {"스웜 모드"},
	}},
	{mode: moderegistry.Pipeline, triggers: [uses][]string{
		name: {"agent pipeline", "pipeline mode"}, order: {"chain agents"}, zh: {"流水线模式", "流水線模式", "智能体流水线"}, ja: {"パイプラインモード"}, ko: {"파이프라인 모드"},
	}},
	{mode: moderegistry.Ultraqa, triggers: [uses][]string{name: {"ultraqa", "ultra-qa"}, zh: {"超级质检", "超級質檢"}, ja: {"ウルトラqa"}, ko: {"울트라qa"}}, coined: true},
}

// started tells the model what to do in a mode that has just started.
func started(mode moderegistry.Mode, end moderegistry.Ending) string {
	means := string(mode) + " is registered as active for this session; it blocks no stop. If there is a skill of that name, use it."
	if i := slices.IndexFunc(modes, func(r row) bool { return r.mode == mode }); i >= 0 && modes[i].means != "" {
		means = modes[i].means
	}
	return means + " When the user wants to end it: " + end.ForModel(mode) + "."
}

// startedShown tells the user that a mode has started, its limit, and how to end it.
func startedShown(mode moderegistry.Mode, end moderegistry.Ending) string {
	does := "it blocks no stop"
	if row, _ := moderegistry.RowOf(mode); row.Blocks {
		does = fmt.Sprintf("Claude continues at each stop, at most %d times", row.Most())
	}
	return fmt.Sprintf("[bridge] Your prompt started %s for this session: %s. To end it: %s", mode, does, end.ForUser(mode))
}

// trigger is one word or phrase of a row.
type trigger struct {
	*row
	text string
	use  use
}

// triggersOf lists the triggers of a table.
func triggersOf(table []row) []trigger {
	all := make([]trigger, 0, 8*len(table))
	for i := range table {
		for u, texts := range table[i].triggers {
			for _, text := range texts {
				all = append(all, trigger{&table[i], text, use(u)})
			}
		}
	}
	return all
}

func (t *trigger) latin() bool { return t.use < zh }

// isTrigger reports whether text is a single trigger, possibly followed by "mode" or
// "loop", and nothing else.
func isTrigger(text string, all []trigger) bool {
	for _, suffix := range suffixes {
		if rest := strings.TrimSpace(strings.TrimSuffix(text, suffix)); rest != "" && rest != text && isTrigger(rest, all) {
			return true
		}
	}
	return slices.ContainsFunc(all, func(t trigger) bool { return t.text == text && t.use != order && t.use != head && t.mode != cancel })
}

// suffixes may follow a trigger.
var suffixes = parts{"mode", "loop", "模式", "循环", "循環", "モード", "ループ", "모드", "루프"}

// isPerson reports whether the words after a trigger make it a person's name: Ralph
// Lauren is not a loop.
func (r *row) isPerson(after string) bool {
	return len(r.people) > 0 && r.people.begin(strings.TrimLeft(after, " ·・."))
}

// isProduct reports whether the words around a trigger make it the name of another product.
func (r *row) isProduct(before, after string) bool {
	return len(r.products) > 0 && (r.products.in(before) || r.products.in(after))
}

// unique returns each mode once, in the order of priority.
func unique(table []row, asked []moderegistry.Mode) []moderegistry.Mode {
	var once []moderegistry.Mode
	for i := range table {
		if slices.Contains(asked, table[i].mode) {
			once = append(once, table[i].mode)
		}
	}
	return once
}

// resolve drops modes that exclude each other: ultrapilot and team win over autopilot,
// and of the exclusive modes only the one with the highest priority stays.
func resolve(table []row, asked []moderegistry.Mode) []moderegistry.Mode {
	beaten := slices.Contains(asked, moderegistry.Ultrapilot) || slices.Contains(asked, moderegistry.Team)
	exclusive := false
	return slices.DeleteFunc(unique(table, asked), func(mode moderegistry.Mode) bool {
		if mode == moderegistry.Autopilot && beaten {
			return true
		}
		row, _ := moderegistry.RowOf(mode)
		excluded := row.Exclusive && exclusive
		exclusive = exclusive || row.Exclusive
		return excluded
	})
}
