package project

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// omcName is the name of the directory with oh-my-claudecode's state.
const omcName = ".omc"

// workspaceMarker is a file that makes its directory the root of several repositories.
const workspaceMarker = ".omc-workspace"

// FindOmc follows docs/reference/modes.md#places: OMC_STATE_DIR, a workspace marker, the work tree (for a submodule,
// that of the superproject), the working directory. bridge searches all places of the project for state, because a mode
// may have been started in a subdirectory (Yeachan-Heo/oh-my-claudecode#576) or a submodule
// (Yeachan-Heo/oh-my-claudecode#3349).
func FindOmc(places protocol.Places, getenv func(string) string) protocol.OmcDirs {
	if places.Root == "" {
		return protocol.OmcDirs{}
	}
	super := superproject(places.Root, getenv)
	workspace := ""
	if getenv("OMC_DISABLE_MULTIREPO") != "1" {
		workspace = findMarker(places.Root, getenv)
	}
	// A relative path would mean a different directory in each subdirectory.
	if dir := getenv("OMC_STATE_DIR"); filepath.IsAbs(dir) {
		home := filepath.Join(dir, omcProjectID(places.Root, workspace))
		return protocol.OmcDirs{Home: home, Search: []string{home}, Roots: []string{resolve(dir), places.Root}, Lock: home}
	}
	root := places.Root
	for _, outer := range []string{super, workspace} {
		if outer != "" {
			root = outer
		}
	}
	dirs := protocol.OmcDirs{Home: filepath.Join(root, omcName), Roots: []string{places.Root}, Lock: root}
	for _, place := range append(append([]string(nil), places.Search...), super, workspace) {
		if place != "" {
			dirs.Roots = append(dirs.Roots, place)
		}
		if dir := filepath.Join(place, omcName); place != "" && !slices.Contains(dirs.Search, dir) {
			dirs.Search = append(dirs.Search, dir)
		}
	}
	return dirs
}

// findMarker returns the nearest directory, from dir upwards, that contains the workspace
// marker. The search ends below $HOME.
func findMarker(dir string, getenv func(string) string) string {
	start, home := dir, resolve(home.Dir(getenv))
	for ; dir != home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, workspaceMarker)); err == nil && usable(dir, start, home) {
			return dir
		}
	}
	return ""
}

// superproject returns the work tree that the submodule root belongs to, or "".
func superproject(root string, getenv func(string) string) string {
	dir := resolve(git.Super(root))
	// The file may come from a repository, so it may only name a directory around that
	// repository.
	if dir == "" || !within(dir, root) || !usable(dir, root, resolve(home.Dir(getenv))) {
		return ""
	}
	return dir
}

// omcProjectID names a project below OMC_STATE_DIR: the id in the workspace marker, or
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

// markerID reads the id from a workspace marker, which is a JSON object. The id becomes
// the name of a directory, so only allowed characters are kept.
func markerID(workspace string) string {
	file, err := statefile.ReadIn(workspace, workspaceMarker)
	if err != nil {
		return ""
	}
	marker, err := statefile.ParseObject(file.Data)
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

// remoteURL returns the URL of the remote origin from the repository's own configuration,
// or "".
func remoteURL(root string) string {
	dir := git.Dir(root)
	if dir == "" {
		return ""
	}
	file, err := statefile.ReadIn(git.Common(dir), "config")
	if err != nil {
		return ""
	}
	for line := range git.Config(string(file.Data)) {
		if line.Section == "remote" && line.Sub == `"origin"` && line.Key == "url" {
			return line.Value
		}
	}
	return ""
}
