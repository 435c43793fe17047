package project

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/statefile"
)

// omcName is the directory of oh-my-claudecode's state.
const omcName = ".omc"

// workspaceMarker makes the directory that holds it the root of several
// repositories.
const workspaceMarker = ".omc-workspace"

// FindOmc follows spec/omc-modes.md, section 3.1: OMC_STATE_DIR, a workspace
// marker, the work tree (of a submodule the superproject's), the working
// directory. State is looked for in all places of the project, because a mode
// may have been started in a sub-directory (#576) or a submodule (#3349).
func FindOmc(places Places, getenv func(string) string) hooks.OmcDirs {
	if places.Root == "" {
		return hooks.OmcDirs{}
	}
	super := superproject(places.Root, getenv)
	workspace := ""
	if getenv("OMC_DISABLE_MULTIREPO") != "1" {
		workspace = findMarker(places.Root, getenv)
	}
	// A relative one would mean another directory in each sub-directory.
	if dir := getenv("OMC_STATE_DIR"); filepath.IsAbs(dir) {
		home := filepath.Join(dir, omcProjectID(places.Root, workspace))
		return hooks.OmcDirs{Home: home, Search: []string{home}, Lock: home}
	}
	root := places.Root
	for _, outer := range []string{super, workspace} {
		if outer != "" {
			root = outer
		}
	}
	dirs := hooks.OmcDirs{Home: filepath.Join(root, omcName), Lock: root}
	for _, place := range append(append([]string(nil), places.Search...), super, workspace) {
		if dir := filepath.Join(place, omcName); place != "" && !contains(dirs.Search, dir) {
			dirs.Search = append(dirs.Search, dir)
		}
	}
	return dirs
}

// findMarker returns the nearest directory at or above dir that holds the
// workspace marker. The search ends below $HOME.
func findMarker(dir string, getenv func(string) string) string {
	start, home := dir, resolve(homeDir(getenv))
	for ; dir != home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, workspaceMarker)); err == nil && usable(dir, start, home) {
			return dir
		}
	}
	return ""
}

// superproject returns the work tree that the submodule root belongs to, or "".
// The submodule's own .git file names its place below the superproject's .git.
func superproject(root string, getenv func(string) string) string {
	// Nearly every project has a directory there, and a look costs less than an
	// open.
	if info, err := os.Lstat(filepath.Join(root, ".git")); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := readSmall(root, ".git")
	if err != nil {
		return ""
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !ok {
		return ""
	}
	target = strings.TrimSpace(target)
	if !filepath.IsAbs(target) {
		target = filepath.Join(root, target)
	}
	super, _, ok := strings.Cut(filepath.ToSlash(filepath.Clean(target)), "/.git/modules/")
	if !ok {
		return ""
	}
	dir := resolve(filepath.FromSlash(super))
	// The file came with a repository: it may name only a place around it.
	if dir == "" || !within(dir, root) || !usable(dir, root, resolve(homeDir(getenv))) {
		return ""
	}
	return dir
}

// omcProjectID names a project below OMC_STATE_DIR: the workspace marker's id,
// else the directory's name and a hash of the remote's URL or of the path.
func omcProjectID(root, workspace string) string {
	if workspace != "" {
		root = workspace
		if id := markerID(workspace); id != "" {
			return id
		}
	}
	source := remoteURL(root)
	if source == "" {
		source = root
	}
	sum := sha256.Sum256([]byte(source))
	return sanitise(filepath.Base(root)) + "-" + hex.EncodeToString(sum[:8])
}

// markerID reads the id in a workspace marker, a JSON object. It becomes a
// directory's name, so only the letters of one are taken.
func markerID(workspace string) string {
	text, err := readSmall(workspace, workspaceMarker)
	if err != nil {
		return ""
	}
	marker, err := statefile.ParseObject(text)
	if err != nil {
		return ""
	}
	return strings.Trim(sanitise(marker.Text("id")), "_")
}

func sanitise(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
}

// remoteURL returns the URL of the remote origin in the repository's own
// configuration, or "".
func remoteURL(root string) string {
	git := GitDir(root)
	if git == "" {
		return ""
	}
	if common, err := readSmall(git, "commondir"); err == nil {
		dir := strings.TrimSpace(string(common))
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(git, dir)
		}
		git = dir
	}
	config, err := readSmall(git, "config")
	if err != nil {
		return ""
	}
	origin := false
	lines := bufio.NewScanner(bytes.NewReader(config))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			origin = line == `[remote "origin"]`
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if origin && ok && strings.EqualFold(strings.TrimSpace(key), "url") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// readSmall reads a regular file of at most statefile.MaxSize.
func readSmall(dir, name string) ([]byte, error) {
	d, err := statefile.OpenDir(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	file, err := d.Read(name)
	return file.Data, err
}
