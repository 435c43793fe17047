package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/cmd/bridge/internal/install"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// scopeFlag says which settings file is meant.
type scopeFlag struct {
	Scope  string `help:"Which settings file: user, project or local." enum:"user,project,local" default:"user"`
	DryRun bool   `help:"Only show what would change."`
	Follow bool   `help:"Also write settings files that are links out of the project or out of your home directory."`
}

func (f scopeFlag) site(app *App) (install.Site, protocol.Places, error) {
	places := project.Find(app.Dir, app.Getenv)
	path := settingsfile.Path(settingsfile.Scope(f.Scope), places.Root, app.Getenv)
	if path == "" || places.Root == "" && f.Scope != "user" {
		return install.Site{}, places, hinted(errors.New("no directory for the settings is known"), "Set HOME (or CLAUDE_CONFIG_DIR) to an absolute path, and run the command in a directory that exists.")
	}
	site := install.Site{Path: path, StateHome: app.env().StateHome}
	if !f.Follow {
		site.Scope = settingsfile.ScopeDirs(settingsfile.Scope(f.Scope), places.Root, app.Getenv)
	}
	return site, places, nil
}

type installCmd struct {
	scopeFlag
	Hooks    []string `help:"Only these hooks, such as stop,permission-request." sep:","`
	BlockCap *int     `help:"Write CLAUDE_CODE_STOP_HOOK_BLOCK_CAP into the settings; 0 lifts the cap." placeholder:"N"`
	Replace  bool     `help:"Remove the hooks of other programs that handle the same state; uninstall restores them."`
	LinkDir  string   `help:"Link the program into this directory, as bridge and hookbridge. The default is ~/.local/bin or ~/bin if it is on the PATH." placeholder:"DIR"`
}

func (c installCmd) Run(app *App) error {
	if c.BlockCap != nil && *c.BlockCap < 0 {
		return hinted(fmt.Errorf("--block-cap must be a non-negative integer, got: %d", *c.BlockCap), "0 lifts the cap; Claude Code's default is 8.")
	}
	if c.LinkDir != "" && c.Scope == string(settingsfile.Project) {
		return hinted(errors.New("--link-dir does not go with --scope project"), "The lines of a project call bridge by name, so nothing is copied. Run "+display.Bridge+" install --link-dir DIR for yourself.")
	}
	site, places, err := c.site(app)
	if err != nil {
		return err
	}
	if err := site.Inside(); err != nil {
		return hinted(err, "%s, then run "+display.Bridge+" install again.", remedy(err))
	}
	options, err := c.options(app, places)
	if err != nil {
		return err
	}
	if err := c.copyBinary(app, options.Command); err != nil {
		return err
	}
	change, err := site.Install(options, c.DryRun)
	if err != nil {
		return hinted(err, "%s, then run "+display.Bridge+" install again.", remedy(err))
	}
	linked := c.link(app, options.Command)
	return errors.Join(linked, c.report(app, site, change, options.Command))
}

func (c installCmd) options(app *App, places protocol.Places) (install.Options, error) {
	config, err := settings.Load(app.env())
	if err != nil {
		return install.Options{}, err
	}
	scope := settingsfile.Scope(c.Scope)
	entries, err := install.Select(install.Entries(scope, config), c.Hooks)
	if err != nil {
		return install.Options{}, hinted(err, display.Bridge+" hooks lists the hooks.")
	}
	o := install.Options{Entries: entries, Command: "bridge", BlockCap: c.BlockCap, Replace: c.Replace}
	if scope != settingsfile.Project {
		if o.Command = project.BinaryPath(app.Getenv); o.Command == "" {
			return install.Options{}, hinted(errors.New("no directory for the program is known"), "Set HOME to an absolute path.")
		}
	}
	if c.Replace && scope == settingsfile.User {
		for _, source := range settingsfile.Sources(places.Root, app.Getenv) {
			if _, other := settingsfile.CompetitorOf(settingsfile.HookLine{Source: source}); other && source.Plugin != "" && !slices.Contains(o.Plugins, source.Plugin) {
				o.Plugins = append(o.Plugins, source.Plugin)
			}
		}
	}
	return o, nil
}

func (c installCmd) copyBinary(app *App, to string) error {
	if c.Scope == string(settingsfile.Project) {
		return nil
	}
	if c.DryRun {
		app.printf("The program would be copied to %s.\n", to)
		return nil
	}
	from, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	if err := self.Copy(from, to); err != nil {
		return err
	}
	app.printf("The program is at %s.\n", to)
	return nil
}

func (c installCmd) report(app *App, site install.Site, change install.Change, program string) error {
	s := app.screen()
	if string(change.Before) == string(change.After) {
		s.line("%s is up to date: %s.", site.Path, display.Count(len(change.Kept), "hook line"))
		return s.show()
	}
	if c.DryRun {
		showDiff(app, site.Path, change)
		return nil
	}
	s.list("Added: ", change.Added)
	s.list("Changed: ", change.Changed)
	s.list("Kept: ", change.Kept)
	for _, line := range change.Removed {
		s.line("Removed: %s", line)
	}
	if c.BlockCap != nil {
		s.line("Set in its env: %s=%d", claude.EnvBlockCap, *c.BlockCap)
	}
	s.line("%s was written.", site.Path)
	s.line("Running sessions notice it by themselves.")
	if c.Scope == string(settingsfile.Project) {
		s.line("The hook lines call bridge by name: everyone who works here needs it on the PATH,")
		s.line("before any other program of that name.")
	}
	command, scope := app.commandFor(program), ""
	if c.Scope != "user" {
		scope = " --scope " + c.Scope
	}
	s.line("")
	s.line("To check it: %s doctor", command)
	s.line("To remove bridge again: %s uninstall%s", command, scope)
	return s.show()
}

// list adds names, in lines that fit a terminal wherever it is shown.
func (s *screen) list(what string, names []string) {
	const usual = 80
	if len(names) == 0 {
		return
	}
	columns := s.columns
	if columns == 0 {
		s.columns = usual
	}
	s.wrapped(what, "  ", strings.Join(names, ", "))
	s.columns = columns
}

func showDiff(app *App, path string, change install.Change) {
	app.Stdout.Write(diff.Diff(display.Text(path), change.Before, display.Text(path)+" (new)", change.After))
	if change.Deleted {
		app.printf("This file would be deleted, because bridge made it: %s\n", path)
	}
	fmt.Fprintln(app.Stdout, "Nothing was changed.")
}

type uninstallCmd struct{ scopeFlag }

func (c uninstallCmd) Run(app *App) error {
	site, _, err := c.site(app)
	if err != nil {
		return err
	}
	if err := site.Inside(); err != nil {
		return hinted(err, "%s, then run "+display.Bridge+" uninstall again.", remedy(err))
	}
	binary := ""
	if c.Scope == string(settingsfile.User) {
		binary = project.BinaryPath(app.Getenv)
	}
	if binary != "" && !c.DryRun {
		statefile.Sweep(binary)
	}
	change, removed, err := site.Uninstall(c.DryRun)
	if err != nil {
		return hinted(err, "%s, then run "+display.Bridge+" uninstall again.", remedy(err))
	}
	var unlinked error
	if binary != "" {
		unlinked = unlink(app, binary, c.DryRun)
	}
	switch {
	case len(removed) == 0 && string(change.Before) == string(change.After):
		app.printf("%s has no hooks of bridge.\n", site.Path)
	case c.DryRun:
		showDiff(app, site.Path, change)
	default:
		err = reportRemoved(app, site, change, removed, binary)
	}
	return errors.Join(unlinked, err, stillActive(app))
}

// reportRemoved says what an uninstallation did, and what it left.
func reportRemoved(app *App, site install.Site, change install.Change, removed []string, binary string) error {
	s := app.screen()
	if len(removed) > 0 {
		s.line("Removed from %s:", site.Path)
		s.list("  ", removed)
	}
	if change.CapGone {
		s.line("Removed from its env: %s", claude.EnvBlockCap)
	}
	for _, line := range change.PutBack {
		s.line("Restored: %s", line)
	}
	if change.Deleted {
		s.line("Deleted, because bridge made it: %s", site.Path)
	}
	if change.FirstCopy != "" {
		s.line("The settings before bridge are in %s.", change.FirstCopy)
	}
	if change.Backup != "" {
		s.line("An older copy stays at %s.", change.Backup)
	}
	if binary != "" {
		s.line("The program stays at %s.", binary)
		s.line("Remove it by hand if nothing else uses it.")
	}
	return s.show()
}

// stillActive names the loops and modes of the project that have not ended, which
// an uninstallation does not end.
func stillActive(app *App) error {
	// What cannot be listed is not active for any hook.
	loops, _ := router.List(app.stop())
	s := app.screen()
	for _, l := range loops {
		if l.Status.State != protocol.LoopActive && l.Status.State != protocol.LoopPaused {
			continue
		}
		if s.text.Len() == 0 {
			s.line("Loops and modes of this project that have not ended:")
		}
		s.line("  %s, %s. To end it: %s", l.Status.Label, string(l.Status.State), l.Status.Stop)
	}
	return s.show()
}

// remedy says what to do about a settings file that could not be changed.
func remedy(err error) string {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return "Make that path writable for your user"
	}
	if errors.Is(err, settingsfile.ErrOutside) {
		return "Replace the link with a file, or add --follow to write the file that the link leads to"
	}
	if errors.Is(err, install.ErrRemain) {
		return "Close the sessions and editors that have it open"
	}
	return "Fix the file"
}
