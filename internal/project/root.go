// Package project finds places: the root of a project, the directories in which state is searched, our own directories,
// and the lock that processes of one project share. It also reads the environment of a call (Env) and keeps the index of
// projects.
package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/protocol"
)

// Find locates the project of a hook call. cwd comes from the input; if it is empty or
// does not exist, CLAUDE_PROJECT_DIR and then the process's own directory are used.
func Find(cwd string, getenv func(string) string) protocol.Places {
	start := resolve(cwd)
	projectDir := start
	// In most sessions the client sets both to the same path.
	if dir := getenv(claude.EnvProjectDir); dir != cwd {
		projectDir = resolve(dir)
	}
	if start == "" {
		start = projectDir
	}
	if start == "" {
		if wd, err := os.Getwd(); err == nil {
			start = resolve(wd)
		}
	}
	if start == "" {
		return protocol.Places{}
	}
	home := resolve(home.Dir(getenv))
	// The root is the nearest ancestor that contains .git, or else CLAUDE_PROJECT_DIR if
	// it contains start, or else start.
	var places protocol.Places
	for dir := start; places.Root == ""; dir = filepath.Dir(dir) {
		if usable(dir, start, home) {
			places.Search = append(places.Search, dir)
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
				places.Root = dir
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	useProjectDir := projectDir != "" && usable(projectDir, start, home)
	if places.Root == "" {
		if places.Root = start; useProjectDir && within(projectDir, start) {
			places.Root = projectDir
		}
		places.Search = slices.DeleteFunc(places.Search, func(dir string) bool { return !within(places.Root, dir) })
	}
	if useProjectDir && !slices.Contains(places.Search, projectDir) {
		places.Search = append(places.Search, projectDir)
	}
	return places
}

// usable rejects the root of the file system, the home directory unless it is the working
// directory, and directories of other users: state there was not meant for this project.
func usable(dir, start, home string) bool {
	if dir == filepath.Dir(dir) {
		return false
	}
	if dir == home && dir != start {
		return false
	}
	return ownDirectory(dir)
}

// within reports whether dir is parent or is inside it.
func within(parent, dir string) bool {
	return dir == parent || strings.HasPrefix(dir, strings.TrimSuffix(parent, string(filepath.Separator))+string(filepath.Separator))
}

// SettingsDirs lists the directories from whose .claude the client may read project
// settings, whoever owns them: those of Search, the working directory and
// CLAUDE_PROJECT_DIR, the roots of their repositories and, for a linked work tree, the
// main one (2.1.329 reads its settings.local.json).
func SettingsDirs(p protocol.Places, cwd string, getenv func(string) string) []string {
	dirs := append([]string{}, p.Search...)
	add := func(dir string) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	starts := []string{cwd, getenv(claude.EnvProjectDir)}
	if starts[0] == starts[1] {
		starts = starts[:1]
	}
	for _, start := range starts {
		if !slices.Contains(dirs, start) {
			start = resolve(start)
		}
		add(start)
		for dir := start; dir != ""; dir = filepath.Dir(dir) {
			if gitDir := git.Dir(dir); gitDir != "" {
				add(dir)
				add(mainTree(dir, gitDir))
				break
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return dirs
}

// mainTree is the main work tree of a linked work tree, or "".
func mainTree(dir, gitDir string) string {
	common := git.Common(gitDir)
	if common == gitDir || gitDir == filepath.Join(dir, ".git") {
		return ""
	}
	return resolve(filepath.Dir(common))
}

// IsHome reports whether dir is the user's home directory. The settings there are the
// user's own, even in a session that was started there.
func IsHome(dir string, getenv func(string) string) bool {
	home := resolve(home.Dir(getenv))
	return home != "" && resolve(dir) == home
}

// resolve returns the path without links, or "" if it is not an existing absolute path.
func resolve(path string) string {
	if path == "" || !filepath.IsAbs(path) {
		return ""
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return resolved
}
