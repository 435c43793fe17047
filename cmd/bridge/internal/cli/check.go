package cli

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

type checkCmd struct {
	Command string `arg:"" help:"The command line, quoted."`
	JSON    bool   `help:"Print JSON."`
}

// jsonVerdict is a verdict for programs.
type jsonVerdict struct {
	Verdict permission.Kind `json:"verdict"`
	Rule    string          `json:"rule"`
	Token   string          `json:"token"`
	Why     string          `json:"why"`
}

func (c checkCmd) Run(app *App) error {
	input, err := json.Marshal(map[string]string{"command": c.Command})
	if err != nil {
		return hinted(fmt.Errorf("read the command: %w", err), "Example: "+display.Bridge+" check 'git log --oneline | head'")
	}
	in := protocol.Input{Base: protocol.Base{CWD: app.Dir, HookEventName: protocol.EventPermissionRequest}}
	in.Tool.ToolName, in.Tool.ToolInput = claude.ToolBash, input
	// As in the client's ordinary dialog, which offers rules to remember.
	in.Permission.Suggestions = permission.OfferAll(c.Command)
	env := app.env()
	v := permission.Verdict{Rule: "configuration"}
	if env.Config, err = settings.Load(env.ConfigHome); err == nil {
		v, err = permission.Judge(project.Request(in, env))
	}
	if err != nil {
		v.Kind, v.Why = permission.Deny, "it cannot be judged safely: "+err.Error()
	}
	if c.JSON {
		if err := printJSON(app, jsonVerdict{v.Kind, v.Rule, v.Token, v.Why}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(app.Stdout, "%s\n  rule   %s\n", v.Kind, v.Rule)
		if v.Token != "" {
			app.printf("  token  %s\n", v.Token)
		}
		app.printf("  why    %s\n", v.Why)
	}
	switch v.Kind {
	case permission.Allow:
		return nil
	case permission.Deny:
		return exitError(1)
	case permission.Ask:
	}
	return exitError(2)
}
