package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/agents"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// statusCmd shows loops and modes; ralphStatusCmd shows only loops.
type (
	statusCmd      struct{ statusFlags }
	ralphStatusCmd struct{ statusFlags }
)

func (c statusCmd) Run(app *App) error      { return c.watch(app, router.List) }
func (c ralphStatusCmd) Run(app *App) error { return c.watch(app, list) }

// clearScreen empties a terminal once; later, only what changes is written.
const clearScreen = "\x1b[2J"

type statusFlags struct {
	ID    string        `arg:"" optional:"" help:"Show everything about the loops of this session, or of this kind. The beginning of the session's id is enough."`
	All   bool          `help:"Show the loops of all projects."`
	JSON  bool          `help:"Print JSON."`
	Watch bool          `help:"Refresh every two seconds until interrupted."`
	Every time.Duration `help:"How often --watch looks." default:"2s" hidden:""`
}

// located is a loop with the root of its project.
type located struct {
	protocol.Controlled
	project string
	// stop is the command that ends it, with the beginning of the session's id where that
	// is enough.
	stop string
	// elsewhere says that the project is not that of the working directory.
	elsewhere bool
}

func (c statusFlags) watch(app *App, from protocol.Lister) error {
	if c.JSON && !c.Watch {
		list, _, err := c.collect(app, from)
		if err != nil {
			return err
		}
		return printJSON(app, jsonOf(list))
	}
	for first := true; ; first = false {
		s := app.screen()
		if c.Watch && s.live {
			s.line("Every %s: "+display.Bridge+" status, %s. To end: Ctrl-C.", span(c.Every), app.Now().Local().Format("15:04:05"))
			s.line("")
			if first {
				s.text.WriteString(clearScreen)
			}
		}
		if err := c.draw(app, from, s); err != nil {
			return err
		}
		if !c.Watch {
			return s.show()
		}
		if err := s.redraw(); err != nil {
			return err
		}
		time.Sleep(c.Every)
	}
}

// draw fills the screen.
func (c statusFlags) draw(app *App, from protocol.Lister, s *screen) error {
	list, stop, err := c.collect(app, from)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(app, jsonOf(list))
	}
	s.lang = app.statusLang(stop, list)
	ended := endingsOf(stop.Env, stop.Root)
	if len(list) == 0 {
		switch {
		case c.All:
			s.line(s.lang.In("任何项目里都没有活跃的循环。", "Nothing is active in any project."))
		case stop.Root != "":
			s.line(s.lang.In("%s 里没有活跃的循环。", "Nothing is active in %s."), home.Short(stop.Root, app.Getenv))
		default:
			s.line(s.lang.In("没有活跃的循环。", "Nothing is active."))
		}
		if last := ended.text(s.lang, app.Now()); last != "" {
			s.wrapped("", "", last)
		}
		if !c.All {
			s.line(display.Bridge + s.lang.In(" status --all 会显示其他项目。", " status --all shows other projects."))
		}
		return nil
	}
	s.loopTable(list)
	if c.ID != "" || len(list) == 1 {
		for _, l := range list {
			s.details(l, ended.because(s.lang, l.Status))
		}
		return nil
	}
	s.problems(list)
	s.line("")
	active := slices.ContainsFunc(list, func(l located) bool { return !l.elsewhere && l.Status.State == protocol.LoopActive })
	if last := ended.text(s.lang, app.Now()); last != "" && !active {
		s.wrapped("", "", last)
	}
	s.wrapped("", "", display.Bridge+s.lang.In(" status 编号 会显示其中一个: 什么时候结束, 怎样停止, 文件在哪里。", " status ID shows one: what ends it, how to stop it, where its file is."))
	return nil
}

// statusLang is the language of the screen: that of the loops that have not ended.
func (app *App) statusLang(stop *protocol.Stop, list []located) protocol.Lang {
	var open []protocol.Controlled
	for _, l := range list {
		if l.Status.State != protocol.LoopEnded {
			open = append(open, l.Controlled)
		}
	}
	return app.languageOf(stop, open)
}

// collect finds the loops.
func (c statusFlags) collect(app *App, from protocol.Lister) ([]located, *protocol.Stop, error) {
	stop := app.stop()
	list, err := locate(stop, from)
	if err != nil {
		return nil, stop, err
	}
	if c.All {
		list = append(list, elsewhere(app, stop, from)...)
	}
	if c.ID == "" {
		return list, stop, nil
	}
	wanted := slices.DeleteFunc(slices.Clone(list), func(l located) bool {
		st := l.Status
		return st.Kind != c.ID && (st.SessionID != "" || c.ID != fromNobody) && (st.SessionID == "" || !strings.HasPrefix(st.SessionID, c.ID))
	})
	if len(wanted) == 0 {
		return nil, stop, hinted(fmt.Errorf(app.speaks(stop).In("本项目里没有循环 %q", "there is no loop %q in this project"), c.ID), "%s", display.Bridge+app.speaks(stop).In(" status 会列出循环, 加上 --all 也列出其他项目的。", " status lists the loops, with --all those of other projects."))
	}
	return wanted, stop, nil
}

// locate finds the loops of one project.
func locate(stop *protocol.Stop, from protocol.Lister) ([]located, error) {
	loops, err := from(stop)
	if err != nil {
		return nil, err
	}
	countAgents(stop, loops)
	findFailures(stop, loops)
	tellApart(loops)
	list := make([]located, 0, len(loops))
	for _, l := range loops {
		list = append(list, located{Controlled: l, project: stop.Root, stop: shortStop(l.Status, loops)})
	}
	return list, nil
}

// shortStop is the command that ends a loop. ralph cancel takes the beginning of an id if no
// other one begins like that.
func shortStop(st protocol.Status, all []protocol.Controlled) string {
	begin := short(st.SessionID)
	if !strings.HasPrefix(st.Stop, display.Bridge+" ralph cancel") || begin == "" || wholeID(begin, all) != st.SessionID {
		return st.Stop
	}
	return strings.Replace(st.Stop, " --session "+st.SessionID, " --session "+begin, 1)
}

// elsewhere finds the loops of the other projects in the index.
func elsewhere(app *App, stop *protocol.Stop, from protocol.Lister) (list []located) {
	known, err := project.Index(stop.Env.StateHome)
	if err != nil {
		app.complain("bridge: %v\n", err)
	}
	seen := map[string]bool{}
	for _, k := range known {
		for _, there := range k.Loops {
			if seen[there.Dir] || !filepath.IsAbs(there.Dir) {
				continue
			}
			seen[there.Dir] = true
			other := project.Request(protocol.Input{Base: protocol.Base{CWD: there.Dir}}, stop.Env).Stop()
			if other.Root == "" || other.Root == stop.Root {
				continue
			}
			found, err := locate(other, from)
			if err != nil {
				app.complain("bridge: %s: %v\n", other.Root, err)
			}
			for _, l := range found {
				if !seen[l.Status.Path] {
					seen[l.Status.Path], l.elsewhere = true, true
					list = append(list, l)
				}
			}
		}
	}
	return list
}

// countAgents adds the number of subagents that work for each loop's session.
func countAgents(stop *protocol.Stop, loops []protocol.Controlled) {
	records := moderegistry.Open(stop).Records()
	for i := range loops {
		st := &loops[i].Status
		if st.SessionID == "" || st.State != protocol.LoopActive {
			continue
		}
		own := records.Of(st.SessionID)
		if !own.Exists(moderegistry.AgentTracking) {
			continue
		}
		record, ok := own.Read(moderegistry.AgentTracking)
		if !ok {
			continue
		}
		if list, err := agents.Parse(record.Bytes()); err == nil {
			st.Agents = len(list.Running(stop.Env.Now, agents.WorkTime))
		}
	}
}

// findFailures adds the error of the API that ended the last turn of each loop's session.
func findFailures(stop *protocol.Stop, loops []protocol.Controlled) {
	store := session.NewStore(stop.Env.StateHome)
	for i := range loops {
		st := &loops[i].Status
		if st.SessionID == "" || st.State != protocol.LoopActive && st.State != protocol.LoopPaused {
			continue
		}
		if f, ok := store.Failure(session.Key{SessionID: st.SessionID}); ok {
			st.Failure = fmt.Sprintf(st.Lang.In("上一轮因 %s 而结束; 下一条消息之后继续", "the last turn ended with %s; it continues after the next prompt"), f.In(st.Lang, stop.Env.Now))
		}
	}
}

// jsonStatus is one loop or mode in JSON. Times are in RFC 3339 format and empty if
// unknown.
type jsonStatus struct {
	Kind      string             `json:"kind"`
	State     protocol.LoopState `json:"state"`
	Path      string             `json:"path"`
	SessionID string             `json:"session_id"`
	Iteration int                `json:"iteration"`
	Limit     int                `json:"limit"`
	Phase     string             `json:"phase,omitempty"`
	Progress  string             `json:"progress,omitempty"`
	StartedAt string             `json:"started_at"`
	UpdatedAt string             `json:"updated_at"`
	Agents    int                `json:"agents,omitzero"`
	EndsBy    string             `json:"ends_by"`
	Stop      string             `json:"stop"`
	Problem   string             `json:"problem,omitempty"`
	Failure   string             `json:"failure,omitempty"`
	// Prompt is the beginning of what it works on. Project is there in bridge status.
	Prompt  string `json:"prompt,omitempty"`
	Project string `json:"project,omitempty"`
}

func jsonStatuses(loops []protocol.Controlled) []jsonStatus {
	list := make([]jsonStatus, 0, len(loops))
	for _, l := range loops {
		s := l.Status
		list = append(list, jsonStatus{s.Kind, s.State, s.Path, s.SessionID, s.Iteration, s.Limit, s.Phase, s.Progress,
			stamp(s.StartedAt), stamp(s.UpdatedAt), s.Agents, s.EndsBy, s.Stop, s.Problem, s.Failure, display.Clip(s.About, maxAbout), ""})
	}
	return list
}

// jsonOf is jsonStatuses with the projects.
func jsonOf(list []located) []jsonStatus {
	loops := make([]protocol.Controlled, len(list))
	for i, l := range list {
		loops[i] = l.Controlled
	}
	all := jsonStatuses(loops)
	for i, l := range list {
		all[i].Project = l.project
	}
	return all
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
