package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/specum"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/term"
)

// specCmd groups the commands about specs, for people and scripts.
type specCmd struct {
	Resolve specResolveCmd `cmd:"" help:"Print the path of the current spec, or of the spec with the given name or path."`
	List    specListCmd    `cmd:"" help:"List the specs of the project."`
	Status  specStatusCmd  `cmd:"" help:"Show the progress of the current spec: phase, task, attempt, next step."`
}

// specViews reads the specs of the project and prints problems with the configured
// directories on stderr.
func specViews(app *App) []specum.View {
	views, warnings := specum.Views(app.stop())
	for _, w := range warnings {
		app.complain("[ralph-warn] %s\n", w)
	}
	return views
}

// currentSpec returns the first current spec that has a state, or else the first one.
func currentSpec(views []specum.View) (best specum.View, ok bool) {
	for _, v := range views {
		if v.Current && (!ok || best.Content == specum.Gone && v.Content != specum.Gone) {
			best, ok = v, true
		}
	}
	return best, ok
}

// errNoSpec is the error of resolve and status if no spec is the current one.
func errNoSpec(app *App, views []specum.View) error {
	err := errors.New("this project has no current spec")
	if missing := specum.Missing(app.stop()); len(missing) > 0 {
		err = fmt.Errorf("%w: %s", err, strings.Join(missing, "; "))
	}
	if len(views) == 0 {
		return hinted(err, "Specs are in ./specs, or in the directories that specs_dirs in .claude/ralph-specum.local.md lists.")
	}
	return hinted(err, display.Bridge+" spec list shows the specs; specs/.current-spec names the current one.")
}

type specResolveCmd struct {
	Name string `arg:"" optional:"" help:"The name or the path of a spec."`
	JSON bool   `help:"Print JSON."`
}

func (c specResolveCmd) Run(app *App) error {
	views := specViews(app)
	if c.Name == "" {
		v, ok := currentSpec(views)
		if !ok {
			return errNoSpec(app, views)
		}
		return c.print(app, v)
	}
	found := specum.Named(app.stop(), views, c.Name)
	switch len(found) {
	case 0:
		app.complain("ERROR: Spec '%s' not found in any configured directory\n", c.Name)
		return exitError(1)
	case 1:
		return c.print(app, found[0])
	}
	app.complain("ERROR: Several specs are named '%s':\n", c.Name)
	for i, v := range found {
		app.complain("  %d. %s\n", i+1, v.Spec.Shown)
	}
	fmt.Fprintln(app.Stderr, "Specify full path: /ralph-specum:switch <path>")
	return exitError(2)
}

func (c specResolveCmd) print(app *App, v specum.View) error {
	if c.JSON {
		return printJSON(app, jsonSpecOf(v))
	}
	app.printf("%s\n", v.Spec.Shown)
	return nil
}

// jsonSpec is a spec in JSON. Task counts from 0, as taskIndex in the state does; attempt
// counts from 1.
type jsonSpec struct {
	Kind             string `json:"kind"`
	Name             string `json:"name"`
	Path             string `json:"path"`
	Directory        string `json:"directory"`
	Current          bool   `json:"current"`
	Phase            string `json:"phase"`
	TaskIndex        int    `json:"task_index"`
	TotalTasks       int    `json:"total_tasks"`
	Attempt          int    `json:"attempt"`
	MaxAttempts      int    `json:"max_attempts"`
	Iteration        int    `json:"iteration"`
	MaxIterations    int    `json:"max_iterations"`
	Unchecked        int    `json:"unchecked"`
	AwaitingApproval bool   `json:"awaiting_approval"`
	QuickMode        bool   `json:"quick_mode"`
	Next             string `json:"next"`
	SessionID        string `json:"session_id"`
	Problem          string `json:"problem,omitempty"`
}

func jsonSpecOf(v specum.View) jsonSpec {
	s := v.State
	return jsonSpec{v.Variant(), v.Spec.Name, v.Spec.Shown, v.Spec.Dir, v.Current, phaseOf(v), s.TaskIndex, s.TotalTasks,
		s.TaskIteration, s.MaxTask, s.GlobalIteration, s.MaxGlobal, v.Tasks.Unchecked, s.Awaiting, s.QuickMode, v.Next(), v.Record.SessionID, v.Problem}
}

// phaseOf names the phase, even if there is no state.
func phaseOf(v specum.View) string {
	switch {
	case v.Content == specum.Object:
		return display.Text(v.State.Phase)
	case v.Content == specum.Corrupt:
		return "corrupt"
	case len(v.Tasks.List) > 0 && v.Tasks.Unchecked == 0:
		return "completed"
	}
	return "-"
}

type specListCmd struct {
	JSON bool `help:"Print JSON."`
}

func (c specListCmd) Run(app *App) error {
	views := specViews(app)
	if c.JSON {
		list := make([]jsonSpec, 0, len(views))
		for _, v := range views {
			list = append(list, jsonSpecOf(v))
		}
		return printJSON(app, list)
	}
	if len(views) == 0 {
		fmt.Fprintln(app.Stdout, "There are no specs in this project.")
		return nil
	}
	table := term.Table{Head: []string{"SPEC", "PHASE", "TASK", "OPEN", "CURRENT", "PATH"}}
	for _, v := range views {
		task := ""
		if v.Content == specum.Object && v.State.TotalTasks > 0 {
			task = v.State.Position()
		}
		open := ""
		if v.Tasks.Known {
			open = strconv.Itoa(v.Tasks.Unchecked)
		}
		table.Add(v.Spec.Name, phaseOf(v), task, open, yes(v.Current), v.Spec.Shown)
	}
	table.Write(app.Stdout)
	return nil
}

type specStatusCmd struct {
	JSON bool `help:"Print JSON."`
}

func (c specStatusCmd) Run(app *App) error {
	views := specViews(app)
	v, ok := currentSpec(views)
	if !ok {
		return errNoSpec(app, views)
	}
	if c.JSON {
		return printJSON(app, jsonSpecOf(v))
	}
	writeSpec(app, v)
	return nil
}

func writeSpec(app *App, v specum.View) {
	line := func(name, value string) {
		if value != "" {
			app.printf("%-10s %s\n", name, value)
		}
	}
	line("Spec", v.Spec.Name+" ("+v.Variant()+")")
	line("Path", v.Spec.Shown)
	line("Phase", phaseOf(v))
	s := v.State
	if v.Content == specum.Object && s.TotalTasks > 0 {
		line("Task", s.Position())
		line("Attempt", outOf(s.TaskIteration, s.MaxTask))
	}
	if v.Content == specum.Object {
		limit := "(no limit)"
		if s.MaxGlobal > 0 {
			limit = fmt.Sprintf("of %d", s.MaxGlobal)
		}
		line("Iteration", fmt.Sprintf("%d %s", s.GlobalIteration, limit))
	}
	line("Next", v.Next())
	if v.Tasks.Known {
		line("Open boxes", fmt.Sprintf("%d in tasks.md", v.Tasks.Unchecked))
	}
	if s.Awaiting {
		line("Waiting", "for your approval")
	}
	line("Session", short(v.Record.SessionID))
	line("Problem", v.Problem)
}
