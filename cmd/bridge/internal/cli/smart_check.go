package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// ralphCheckCmd says what is wrong in a state file of smart ralph
// (docs/reference/smart-ralph.md#hand-edits).
type ralphCheckCmd struct {
	File string `arg:"" optional:"" help:"The state file; without it, that of the project."`
	JSON bool   `help:"Print JSON."`
}

// jsonReport is a report in JSON.
type jsonReport struct {
	Path     string        `json:"path"`
	Usable   bool          `json:"usable"`
	Active   bool          `json:"active"`
	Tasks    []jsonTask    `json:"tasks"`
	Problems []jsonProblem `json:"problems"`
}

type jsonTask struct {
	Title      string `json:"title"`
	Status     string `json:"status"`
	Completion int    `json:"completion"`
	Iterations int    `json:"iterations"`
	Current    bool   `json:"current"`
}

type jsonProblem struct {
	// Line counts from 1; 0 is the whole file.
	Line   int    `json:"line"`
	Weight string `json:"weight"`
	Text   string `json:"text"`
}

func (c ralphCheckCmd) Run(app *App) error {
	scene, _, err := smartScene(app)
	if err != nil {
		return err
	}
	lang := protocol.Lang(scene.Lang)
	path := ""
	if c.File != "" {
		path = absolute(app, c.File)
	}
	r, err := smart.Check(scene, path)
	if err != nil && c.JSON {
		// A caller that reads JSON gets JSON, also about a file that cannot be read.
		text := display.Text(err.Error())
		if errors.Is(err, fs.ErrNotExist) {
			text = "there is no file " + display.Text(r.Path)
		}
		r.Broken = true
		report := jsonReportOf(r)
		report.Problems = append(report.Problems, jsonProblem{Weight: weightName(state.Grave), Text: text})
		if err := printJSON(app, report); err != nil {
			return err
		}
		return exitError(1)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if path == "" {
			return hinted(errors.New(lang.In("本项目没有 Smart Ralph 会话", "this project has no session of smart ralph")), "%s", lang.In("检查别的状态文件: "+display.Bridge+" ralph check 文件", "To check another state file: "+display.Bridge+" ralph check FILE"))
		}
		return fmt.Errorf(lang.In("没有文件 %s", "there is no file %s"), display.Text(path))
	}
	if errors.Is(err, statefile.ErrNotRegular) {
		return fmt.Errorf(lang.In("%s 不是普通文件", "%s is not a regular file"), display.Text(cmp.Or(path, r.Path)))
	}
	if err != nil {
		return err
	}
	if c.JSON {
		if err := printJSON(app, jsonReportOf(r)); err != nil {
			return err
		}
	} else {
		c.show(app, scene, r)
	}
	if r.Broken || len(r.State.Unclear()) > 0 {
		return exitError(1)
	}
	return nil
}

// show prints each problem as compilers do, so that editors find the line.
func (c ralphCheckCmd) show(app *App, scene smart.Scene, r smart.Report) {
	name := c.File
	if name == "" {
		name = shortPath(scene.Root, r.Path)
	}
	for _, p := range r.State.Problems() {
		app.printf("%s:%d: %s: %s\n", name, p.Line, r.Lang.Weight(p.Weight), r.Lang.ProblemText(p))
	}
	fmt.Fprintln(app.Stdout, r.Lang.Checked(r.State, r.Broken, r.Backup))
}

func jsonReportOf(r smart.Report) jsonReport {
	out := jsonReport{Path: r.Path, Usable: !r.Broken, Active: r.State.Active && !r.Broken, Tasks: []jsonTask{}, Problems: []jsonProblem{}}
	for i, t := range r.State.Tasks {
		out.Tasks = append(out.Tasks, jsonTask{t.Title, string(t.Status), t.Completion, t.Iterations, i == r.State.CurrentIndex})
	}
	for _, p := range r.State.Problems() {
		out.Problems = append(out.Problems, jsonProblem{p.Line, weightName(p.Weight), p.Text(false)})
	}
	return out
}

func weightName(w state.Weight) string {
	switch w {
	case state.Note:
		return "note"
	case state.Unclear:
		return "unclear"
	case state.Grave:
	}
	return "error"
}
