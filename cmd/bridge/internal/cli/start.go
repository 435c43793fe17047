package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

// userConfig is the configuration for a command that starts something. A broken one is
// refused: the hooks deny every permission request until it is fixed.
func (app *App) userConfig(stop *protocol.Stop) (protocol.Config, error) {
	user, err := settings.Load(stop.Env)
	if err != nil {
		err = hinted(err, "%s", app.speaks(stop).In("请先修正配置: 它可能限制循环能做什么, 在此之前所有权限请求都会被拒绝。", "Fix the configuration first: it may limit what a loop does, and until then every permission request is denied."))
	}
	return user, err
}

// noteStart adds a loop or mode that has just started to the index of projects, which the
// first decision about it would do as well, and warns if no hook continues it.
func noteStart(app *App, kind string, lang protocol.Lang) {
	stop := app.stop()
	if err := project.Note(stop.Env.StateHome, protocol.Places{Root: stop.Root, Search: stop.Places}, kind, stop.Env.Now); err != nil {
		app.complain("bridge: %v. It was started anyway; check the disk and the permissions of that path.\n", err)
	}
	if !continued(stop.Root, app.Getenv) {
		fmt.Fprintln(app.Stderr, lang.In("bridge: 警告: 没有 hook 行在 Stop 时调用 bridge, 所以什么都不会继续它。请运行: ", "bridge: warning: no hook line calls bridge at Stop, so nothing continues it.\nRun: ")+display.Bridge+" install")
	}
}

// continued reports whether a hook line calls bridge at Stop. A program in the directory of
// a plugin counts as called: claude --plugin-dir leaves no trace in the settings.
func continued(root string, getenv func(string) string) bool {
	for _, source := range settingsfile.Sources(root, getenv) {
		if source.Gone != "" {
			continue
		}
		// The client ignores a file that it cannot read.
		s, _ := settingsfile.Read(source)
		for _, l := range s.Lines {
			if l.Event == string(protocol.EventStop) && l.Bridge() && !l.NeverRuns() {
				return true
			}
		}
	}
	program, err := os.Executable()
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(filepath.Dir(filepath.Dir(program)), ".claude-plugin", "plugin.json"))
	return err == nil
}
