package moderegistry

import (
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
)

// Ending says which commands can end a mode here (docs/reference/modes.md#commands). The zero Ending knows only bridge's
// own.
type Ending struct {
	// Skills are the commands of the peers' plugins that are enabled, such as
	// "/ultrapower:cancel or ".
	Skills string
	// Plugin says that the client runs bridge as a plugin.
	Plugin bool
}

// Ending returns the commands that exist here.
func (r *Registry) Ending() Ending {
	e := Ending{Plugin: r.env.Getenv(claude.EnvPluginRoot) != ""}
	var files []settingsfile.Source
	for _, scope := range []settingsfile.Scope{settingsfile.User, settingsfile.Project, settingsfile.Local} {
		files = append(files, settingsfile.Source{Path: settingsfile.Path(scope, r.root, r.env.Getenv), Scope: scope})
	}
	enabled := settingsfile.EnabledPlugins(files)
	for _, peer := range []string{"oh-my-claudecode", "ultrapower"} {
		for name, on := range enabled {
			if plugin, _, _ := strings.Cut(name, "@"); on && plugin == peer {
				e.Skills += "/" + peer + ":cancel or "
				break
			}
		}
	}
	return e
}

// ForModel is what the model can run to end the mode.
func (e Ending) ForModel(mode Mode) string {
	return e.Skills + "`" + display.Bridge + " mode stop " + string(mode) + "`"
}

// ForUser is what the user can type to end the mode.
func (e Ending) ForUser(mode Mode) string {
	if e.Plugin {
		return "/bridge:cancel-mode"
	}
	return display.Bridge + " mode stop " + string(mode)
}
