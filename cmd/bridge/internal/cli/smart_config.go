package cli

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
)

// configCmd shows or changes the configuration (docs/reference/smart-ralph.md#r3-5).
type configCmd struct {
	MaxIterations       string `help:"Stop after N assessed turns." placeholder:"N"`
	CompletionThreshold string `help:"How complete a task must be to count as done, in percent." placeholder:"N"`
	AutoApprove         string `help:"Whether to start the next task without asking." placeholder:"true|false"`
	StrictMode          string `help:"Whether a task needs 100 %, every criterion ticked and no error." placeholder:"true|false"`
	StallDetection      string `help:"Stop and ask after N iterations without progress. 0 switches this off." placeholder:"N"`
	Verbose             string `help:"Whether to show signals, assessment and decision." placeholder:"true|false"`
	Reset               bool   `help:"Reset the file to the built-in values."`
	JSON                bool   `help:"Print JSON."`
}

func (c configCmd) Run(app *App) error {
	scene, user, err := smartScene(app)
	if err != nil {
		return err
	}
	scene.Lang = app.smartLang(app.stop())
	return inLang(protocol.Lang(scene.Lang), c.run(app, scene, user))
}

func (c configCmd) run(app *App, scene smart.Scene, user protocol.Config) error {
	lang := protocol.Lang(scene.Lang)
	values, key, err := parseValues(map[config.Key]string{
		"max_iterations": c.MaxIterations, "completion_threshold": c.CompletionThreshold, "auto_approve": c.AutoApprove,
		"strict_mode": c.StrictMode, "stall_detection": c.StallDetection, "verbose": c.Verbose,
	}, false)
	if err != nil {
		return hinted(err, lang.In("示例: ", "Example: ")+display.Bridge+" ralph config %s %v", key.Option(), config.Defaults().Get(key))
	}
	if c.Reset {
		// Values that are given as well hold.
		for _, k := range config.Keys() {
			if _, given := values[k]; !given {
				values[k] = config.Defaults().Get(k)
			}
		}
	}
	if len(values) > 0 {
		if err := smart.ChangeConfig(scene, values, false); err != nil {
			return hinted(err, "%s", lang.In("请修正或删除 .claude/ralph-smart/config.json; bridge 不会覆盖它读不懂的文件。", "Fix or remove .claude/ralph-smart/config.json; bridge never overwrites a file that it cannot read."))
		}
	}
	data, err := smart.ReadConfig(scene)
	if err != nil {
		return err
	}
	effective := config.Resolve(data, nil, user.Smart.Clamp)
	warnConfig(app, lang, effective)
	var list []jsonValue
	table := term.Table{Head: heads(lang, "KEY", "VALUE", "SOURCE")}
	for _, k := range config.Keys() {
		v := jsonValue{k, effective.Values.Get(k), effective.Sources[k]}
		list = append(list, v)
		table.Add(string(k), fmt.Sprint(v.Value), v.Source.In(lang))
	}
	return app.list(c.JSON, list, table)
}

// parseValues reads the values that were given; if one is wrong, key is its name.
func parseValues(texts map[config.Key]string, unlimited bool) (values map[config.Key]any, key config.Key, err error) {
	values = map[config.Key]any{}
	for key, text := range texts {
		if text != "" {
			if values[key], err = key.Parse(text, unlimited); err != nil {
				return nil, key, err
			}
		}
	}
	return values, "", nil
}

// jsonValue is one value of the configuration in JSON.
type jsonValue struct {
	Key    config.Key    `json:"key"`
	Value  any           `json:"value"`
	Source config.Source `json:"source"`
}

// jsonEntry is one session of the history in JSON.
type jsonEntry struct {
	ID         string `json:"id"`
	TaskFile   string `json:"task_file"`
	Completed  int    `json:"completed"`
	Total      int    `json:"total"`
	Iterations int    `json:"iterations"`
	EndReason  string `json:"end_reason"`
	StartedAt  string `json:"started_at"`
	Problem    string `json:"problem,omitempty"`
}

// smartHistory lists the sessions that have ended (R3-42).
func smartHistory(app *App, asJSON bool) error {
	scene, _, err := smartScene(app)
	if err != nil {
		return err
	}
	scene.Lang = app.smartLang(app.stop())
	lang := protocol.Lang(scene.Lang)
	entries, err := smart.History(filepath.Join(scene.Root, smart.DirName))
	if err != nil {
		return err
	}
	if len(entries) == 0 && !asJSON {
		fmt.Fprintln(app.Stdout, scene.Lang.NoHistory())
		return nil
	}
	var list []jsonEntry
	table := term.Table{Head: heads(lang, "ID", "TASK FILE", "DONE", "ITERATIONS", "END", "PROBLEM")}
	for _, e := range entries {
		list = append(list, jsonEntry{e.ID, e.TaskFile, e.Completed, e.Total, e.Iterations, e.EndReason, stamp(e.StartedAt), e.Problem})
		done := ""
		if e.Problem == "" {
			done = outOf(e.Completed, e.Total)
		}
		table.Add(e.ID, e.TaskFile, done, strconv.Itoa(e.Iterations), scene.Lang.Ended(e.EndReason), e.Problem)
	}
	return app.list(asJSON, list, table)
}
