package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// ConfigChange says so when a settings file loses the hook lines that bridge install
// wrote. It never blocks the change: a person may edit their settings.
func ConfigChange(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
	fields, ok := req.Input.Own.(*protocol.ConfigChangeFields)
	if !ok || fields.FilePath == "" || fields.Source == "skills" {
		return nothing("other-settings"), nil
	}
	events, installed := settingsfile.Installed(req.Env.StateHome, fields.FilePath)
	if !installed {
		return nothing("not-installed-there"), nil
	}
	own, name := settingsfile.Installs(req.Env.StateHome), lossName(fields.FilePath)
	text := loss(fields.FilePath, events)
	if text == "" {
		outcome := nothing("hook-lines-there")
		if _, lost := own.Look(name); lost {
			outcome.Writes = []protocol.Write{write("forget that the settings lost hook lines", func() error { return own.Remove(name) })}
		}
		return outcome, nil
	}
	return protocol.Outcome{
		Output: protocol.Notice(text),
		Writes: []protocol.Write{write("remember that the settings lost hook lines", func() error {
			return own.Save(name, []byte(fields.FilePath+"\n"), statefile.Volatile)
		})},
		Trace: protocol.Trace{Rule: "hook-lines-lost", Noted: true},
	}, nil
}

// loss says what a settings file lost, or "".
func loss(path string, events []string) string {
	s, err := settingsfile.Read(settingsfile.Source{Path: path})
	where := " (in " + display.Place(path) + ")"
	const next = " If that was not intended, run " + display.Bridge + " install."
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "bridge: the settings file with the hook lines of bridge was removed, so its hooks no longer run" + where + "." + next
	case err != nil:
		// Claude Code cannot use the file either; doctor says what is wrong with it.
		return "bridge: the settings file with the hook lines of bridge cannot be read, so its hooks may no longer run" + where + ". Run " + display.Bridge + " doctor."
	case s.DisableAllHooks:
		return "bridge: the settings switch all hooks off with disableAllHooks" + where + ". If that was not intended, remove it."
	case !slices.ContainsFunc(s.Lines, settingsfile.HookLine.Bridge):
		return "bridge: the settings no longer contain the hook lines of bridge, so its hooks no longer run" + where + "." + next
	}
	if lost := s.Lost(events); len(lost) > 0 {
		return fmt.Sprintf("bridge: the settings no longer call bridge at %s%s.%s", strings.Join(lost, ", "), where, next)
	}
	return ""
}

// lossName is the record of a loss, which the next session start reads.
func lossName(path string) string { return project.ID(path) + ".lost" }

// losses are the losses that no later change has made good. A loss that was noticed at a
// change of the settings is shown at the next session start, because the client shows
// nothing of that event.
func (s scene) losses() (lines []string) {
	own := settingsfile.Installs(s.req.Env.StateHome)
	for _, scope := range []settingsfile.Scope{settingsfile.User, settingsfile.Project, settingsfile.Local} {
		path := settingsfile.Path(scope, s.stop.Root, s.req.Env.Getenv)
		if path == "" {
			continue
		}
		if _, lost := own.Look(lossName(path)); !lost {
			continue
		}
		// The file may have been changed while no session was running.
		events, installed := settingsfile.Installed(s.req.Env.StateHome, path)
		if text := loss(path, events); installed && text != "" {
			lines = append(lines, strings.TrimPrefix(text, "bridge: "))
		}
	}
	return lines
}
