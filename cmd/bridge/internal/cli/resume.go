package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

type resumeCmd struct {
	selection
	From          string `help:"Take the loop of this session; the beginning of its id is enough. none means a loop without a session." placeholder:"ID"`
	MaxIterations *int   `help:"The new limit. A loop that reached its limit needs a higher one." placeholder:"N"`
	Force         bool   `help:"Take over a loop even if another session may still be running it, or resume one that kept its promise."`
	Skip          bool   `help:"Smart ralph: skip the task that it stopped at."`
	History       bool   `help:"Smart ralph: list the sessions that have ended."`
	Restore       string `help:"Smart ralph: restore a session from the history." placeholder:"ID"`
}

// fromNobody is the --from of loops without a session.
const fromNobody = "none"

func (c resumeCmd) Run(app *App) error { return c.orJSON(app, "resume", c.run(app)) }

func (c resumeCmd) run(app *App) error {
	stop := app.stop()
	user := app.speaks(stop)
	if err := c.known(user); err != nil {
		return err
	}
	opts := protocol.ResumeOptions{SessionID: c.id(app), Skip: c.Skip, Force: c.Force, Now: app.Now()}
	if n := c.MaxIterations; n != nil {
		if *n < 1 {
			return hinted(fmt.Errorf(user.In("--max-iterations 必须是从 1 开始的整数, 给出的是 %d", "--max-iterations must be a whole number from 1 on, got: %d"), *n),
				"%s", user.In("不写 --max-iterations, 上限不变。示例: ", "Without --max-iterations, the loop keeps its limit. Example: ")+display.Bridge+" ralph resume --max-iterations 20")
		}
		opts.MaxIterations = *n
	}
	switch {
	case c.History:
		return smartHistory(app, c.JSON)
	case c.Restore != "":
		return c.restore(app, stop, opts)
	}
	all, err := list(stop)
	if err != nil {
		return err
	}
	lang := app.languageOf(stop, all)
	if c.Skip {
		if err := c.onlySmart(lang, all); err != nil {
			return err
		}
		c.Dialect = "smart"
	}
	c.Session, c.From = wholeID(c.Session, all), wholeID(c.From, all)
	opts.SessionID = c.id(app)
	store := session.NewStore(stop.Env.StateHome)
	held := func(st protocol.Status) bool {
		return st.SessionID != "" && st.SessionID != opts.SessionID && store.Held(st.SessionID, st.UpdatedAt, opts.Now) != nil
	}
	found := c.pick(all, opts.SessionID, held)
	switch len(found) {
	case 0:
		return c.nothing(app, stop, lang, all)
	case 1:
		if found[0].Status.Kind == "smart" {
			if opts.MaxIterations, err = allowed(app, stop, lang, opts.MaxIterations); err != nil {
				return err
			}
		}
		if !c.Force && keptPromise(stop.Env, stop.Root, found[0].Status) {
			return hinted(errors.New(lang.In("没有继续任何循环, 因为最近的循环说出了约定的承诺", "no loop was resumed, because the last one kept its promise")),
				"%s", lang.In("让它再次运行: ", "To run it again: ")+display.Bridge+" ralph resume --force")
		}
		text, err := found[0].Resume(opts)
		if err != nil {
			return err
		}
		noteCommand(app, "resume", found[0].Status)
		return c.answer(app, "resume", found[0], text)
	}
	if c.JSON {
		if err := printJSON(app, jsonStatuses(found)); err != nil {
			return err
		}
	}
	var rows []resumable
	for _, l := range found {
		rows = append(rows, resumable{l.Status, stop.Root, held(l.Status)})
	}
	fmt.Fprintln(app.Stderr, lang.In("bridge: 有多个循环可以继续; 请用其中一个的命令选择:", "bridge: there are several loops to resume; choose one with its command:"))
	writeResumable(app, lang, stop.Root, rows)
	return exitError(1)
}

// allowed is a limit for smart ralph that was given on the command line, within what the
// person's own configuration allows.
func allowed(app *App, stop *protocol.Stop, lang protocol.Lang, limit int) (int, error) {
	if limit == 0 {
		return 0, nil
	}
	user, err := settings.Load(stop.Env)
	if err != nil {
		return 0, hinted(err, "%s", lang.In("请先修正配置: 它可能限制 Smart Ralph 能做什么。", "Fix the configuration first: it may limit what smart ralph does."))
	}
	most := user.Smart.Clamp.MaxIterations
	if most <= 0 || limit <= most {
		return limit, nil
	}
	app.complain(lang.In("bridge: 警告: max_iterations 为 %d, 因为你自己的配置限制了它 (smart.clamp)。\n", "bridge: warning: max_iterations is %d, because your own configuration limits it (smart.clamp).\n"), most)
	return most, nil
}

// restore restores a session of smart ralph from the history.
func (c resumeCmd) restore(app *App, stop *protocol.Stop, opts protocol.ResumeOptions) error {
	scene, _, err := smartScene(app)
	if err != nil {
		return err
	}
	if opts.MaxIterations, err = allowed(app, stop, protocol.Lang(scene.Lang), opts.MaxIterations); err != nil {
		return err
	}
	scene.SessionID = opts.SessionID
	// The file in the history is as good as its id.
	text, err := smart.Restore(scene, strings.TrimSuffix(filepath.Base(c.Restore), ".md"), opts)
	if err != nil {
		return err
	}
	was := protocol.Controlled{Status: protocol.Status{Kind: "smart", Path: filepath.Join(scene.Root, smart.DirName) + "/" + smart.StateName, SessionID: opts.SessionID}}
	noteCommand(app, "resume", was.Status)
	return c.answer(app, "resume", was, text)
}

// pick returns the loops that the command may mean: those that wait in the session itself,
// its active one, those that it may take over together with its own ended one, those that
// have ended. In a terminal, where no session is known, every loop counts as the
// session's own.
func (c resumeCmd) pick(all []protocol.Controlled, id string, held func(protocol.Status) bool) []protocol.Controlled {
	var waiting, active, ownEnded, others, ended []protocol.Controlled
	for _, l := range all {
		st := l.Status
		own := id == "" || st.SessionID == id
		from := st.SessionID
		if from == "" {
			from = fromNobody
		}
		switch {
		case l.Resume == nil, c.Dialect != "" && st.Kind != c.Dialect, c.From != "" && from != c.From:
		case st.State == protocol.LoopActive && !l.Adoptable:
		case own && st.State == protocol.LoopActive:
			active = append(active, l)
		case own && st.State == protocol.LoopEnded && id != "":
			ownEnded = append(ownEnded, l)
		case st.State == protocol.LoopEnded:
			ended = append(ended, l)
		case own:
			waiting = append(waiting, l)
		default:
			others = append(others, l)
		}
	}
	busy := func(l protocol.Controlled) bool { return held(l.Status) }
	free := slices.DeleteFunc(slices.Clone(others), busy)
	if len(ownEnded) > 0 {
		others = free
	}
	for _, found := range [][]protocol.Controlled{waiting, active, slices.Concat(ownEnded, others), ended} {
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// resumable is a row of the list of loops that can be resumed.
type resumable struct {
	protocol.Status
	// Project is the root of its project.
	Project string
	// Held says that another session may still be running it.
	Held bool
}

// command is the command that resumes exactly this loop, if it is run in its project.
func (r resumable) command() string {
	command := display.Bridge + " ralph resume --dialect " + r.Kind + " --from " + fromNobody
	if r.SessionID != "" {
		command = strings.TrimSuffix(command, fromNobody) + display.Name(r.SessionID)
	}
	if r.Held {
		command += " --force"
	}
	return command
}

// writeResumable writes the list, the newest loop first.
func writeResumable(app *App, lang protocol.Lang, root string, rows []resumable) {
	slices.SortStableFunc(rows, func(a, b resumable) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	choices := make([]choice, len(rows))
	for i, r := range rows {
		choices[i] = choice{Status: r.Status, command: r.command()}
		if r.Project != root {
			choices[i].project = r.Project
		}
	}
	writeChoices(app, lang, root, choices)
}

// nothing says that there is nothing to resume here, and what there is elsewhere.
func (c resumeCmd) nothing(app *App, stop *protocol.Stop, lang protocol.Lang, all []protocol.Controlled) error {
	rows := c.elsewhere(app, stop)
	if len(rows) == 0 || len(all) > 0 {
		return c.none(app, lang, "resume", all, nil)
	}
	if c.JSON {
		loops := make([]protocol.Controlled, len(rows))
		for i, r := range rows {
			loops[i].Status = r.Status
		}
		if err := printJSON(app, jsonStatuses(loops)); err != nil {
			return err
		}
	}
	fmt.Fprintln(app.Stderr, lang.In("bridge: 本项目中没有可以继续的 Ralph 循环。其他项目的循环如下; 请到该项目的目录里运行命令:", "bridge: no Ralph loop to resume in this project. Loops of other projects; run the command in the directory of the project:"))
	writeResumable(app, lang, stop.Root, rows)
	return exitError(1)
}

// maxElsewhere is how many other projects are searched for loops.
const maxElsewhere = 50

// elsewhere lists the loops of other projects that have not ended.
func (c resumeCmd) elsewhere(app *App, stop *protocol.Stop) []resumable {
	known, _ := project.Index(stop.Env.StateHome)
	store := session.NewStore(stop.Env.StateHome)
	seen := map[string]bool{}
	var rows []resumable
	for _, k := range known[:min(len(known), maxElsewhere)] {
		if k.Path == stop.Root {
			continue
		}
		for _, there := range k.Loops {
			if seen[there.Dir] || !filepath.IsAbs(there.Dir) {
				continue
			}
			seen[there.Dir] = true
			other := project.Request(protocol.Input{Base: protocol.Base{CWD: there.Dir}}, stop.Env).Stop()
			// What cannot be read there is no answer to a question about this project.
			all, _ := list(other)
			for _, l := range c.pick(all, "", func(protocol.Status) bool { return false }) {
				st := l.Status
				if st.State == protocol.LoopEnded || seen[st.Path] {
					continue
				}
				seen[st.Path] = true
				rows = append(rows, resumable{st, cmp.Or(other.Root, k.Path), st.SessionID != "" && store.Held(st.SessionID, st.UpdatedAt, app.Now()) != nil})
			}
		}
	}
	return rows
}
