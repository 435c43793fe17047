package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
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
	besides(app, stop, kind, lang)
}

// besides names the loops that a session may own together with the one of the kind that
// has just started, and says which one answers its stops (docs/design.md#dialect-order).
func besides(app *App, stop *protocol.Stop, kind string, lang protocol.Lang) {
	id := stop.Input.SessionID
	if !session.ValidID(id) {
		id = ""
	}
	all, _ := list(stop)
	own := slices.IndexFunc(all, func(l protocol.Controlled) bool {
		return l.Status.Kind == kind && l.Status.SessionID == id && l.Status.State == protocol.LoopActive
	})
	if own < 0 {
		return
	}
	for _, l := range all {
		st := l.Status
		at, there := slices.Index(dialects, kind), slices.Index(dialects, st.Kind)
		if st.State != protocol.LoopActive || at < 0 || there < 0 || at == there || id != "" && st.SessionID != "" && st.SessionID != id {
			continue
		}
		first, second := all[own].Status.Label, st.Label
		if there < at {
			first, second = second, first
		}
		app.complain(lang.In("bridge: 本项目中还有一个活跃的循环 (%[3]s)。同时拥有两者的会话先执行 %[1]s; %[2]s 等到它结束。\n", "bridge: a %[3]s is active here as well. In a session that owns both,\n%[1]s goes first, and the %[2]s waits until it ends.\n"), first, second, st.Label)
	}
}

// blockCap is the client's cap on blocks that will hold in a session: the last settings
// file that sets it counts, then the environment; "" is the client's own.
func blockCap(root string, getenv func(string) string) string {
	value := getenv(claude.EnvBlockCap)
	for _, source := range settingsfile.Sources(root, getenv) {
		s, _ := settingsfile.Read(source)
		if set := s.Env[claude.EnvBlockCap]; set != "" {
			value = set
		}
	}
	return value
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
