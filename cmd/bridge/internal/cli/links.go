package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/cmd/bridge/internal/install"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
)

func (app *App) links(program string) install.Links {
	return install.Links{Program: program, StateHome: app.env().StateHome, Getenv: app.Getenv}
}

// commandFor is the command for a message that is read after an installation: this
// program may have been unpacked only for it.
func (app *App) commandFor(program string) string {
	if name := app.name(); !filepath.IsAbs(program) || !strings.ContainsAny(name, `/\`) {
		return name
	}
	return self.NameOf(program, app.Getenv)
}

// link links the installed program. The error is about a directory that the user named;
// otherwise a link that cannot be made is only mentioned.
func (c installCmd) link(app *App, program string) error {
	if c.Scope == string(settingsfile.Project) {
		return nil
	}
	links := app.links(program)
	dir, asked := links.DefaultDir(), c.LinkDir != ""
	if asked {
		if dir = c.LinkDir; !filepath.IsAbs(dir) {
			dir = filepath.Join(app.Dir, dir)
		}
		dir = filepath.Clean(dir)
	}
	plan := links.Plan(dir, asked)
	var failed error
	if !c.DryRun {
		failed = links.Make(plan)
	}
	var made, nowhere []string
	for _, link := range plan {
		switch {
		case link.Fate == install.ToMake && failed == nil && link.Err == nil:
			made = append(made, link.Path)
		case link.Fate == install.ToMake:
			failed = errors.Join(failed, link.Err)
		case link.Fate == install.Occupied && running(link.By):
			// That is the name by which it was just called, such as that of a package.
		case link.Fate == install.Occupied:
			app.printf("There is no link %s: %s has that name already.\n", link.Name, link.By)
		case link.Fate == install.Nowhere:
			nowhere = append(nowhere, link.Name)
		}
	}
	switch {
	case len(made) > 0 && c.DryRun:
		app.linked("It would be linked as", made)
	case len(made) > 0:
		app.linked("It is linked as", made)
	}
	if len(nowhere) > 0 {
		app.printf("There is no link %s: neither ~/.local/bin nor ~/bin is on the PATH.\n  "+display.Bridge+" install --link-dir DIR makes one in DIR.\n", strings.Join(nowhere, " or "))
	}
	if asked && len(made) > 0 && !links.Searched(dir) {
		app.printf("%s is not on the PATH: add it, so that a shell finds the link.\n", dir)
	}
	if failed != nil && asked {
		return hinted(failed, "The hooks work without a link. Choose a directory that you can write to.")
	}
	if failed != nil {
		app.printf("There is no link: %v\n", failed)
	}
	return nil
}

// linked prints the paths of links, each on a line of its own.
func (app *App) linked(text string, paths []string) {
	last := len(paths) - 1
	for _, path := range paths[:last] {
		app.printf("%s %s\n", text, path)
		text = "  and"
	}
	app.printf("%s %s.\n", text, paths[last])
}

// running reports whether a file is this program.
func running(path string) bool {
	program, err := os.Executable()
	if err != nil {
		return false
	}
	a, errA := os.Stat(program)
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// unlink removes the links that install made.
func unlink(app *App, program string, dry bool) error {
	removed, err := app.links(program).Remove(dry)
	for _, path := range removed {
		if dry {
			app.printf("The link %s would be removed.\n", path)
		} else {
			app.printf("Removed the link %s.\n", path)
		}
	}
	return err
}
