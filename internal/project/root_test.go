//go:build unix

package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hookbridge/bridge/protocol"
)

// TestFind has a row for each rule of docs/design.md#project-root.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files  []string
		cwd    string
		env    map[string]string // $ROOT is the tree; HOME is $ROOT/home
		root   string
		search []string
	}{
		"the work tree": {
			files: []string{"home/p/.git/", "home/p/a/b/"}, cwd: "home/p/a/b",
			root: "home/p", search: []string{"home/p/a/b", "home/p/a", "home/p"},
		},
		"a linked work tree has a .git file": {
			files: []string{"home/p/.git/", "home/p/tree/.git", "home/p/tree/a/"}, cwd: "home/p/tree/a",
			root: "home/p/tree", search: []string{"home/p/tree/a", "home/p/tree"},
		},
		"no work tree": {files: []string{"home/p/a/"}, cwd: "home/p/a", root: "home/p/a", search: []string{"home/p/a"}},
		"CLAUDE_PROJECT_DIR around the directory": {
			files: []string{"home/p/a/"}, cwd: "home/p/a", env: map[string]string{"CLAUDE_PROJECT_DIR": "$ROOT/home/p"},
			root: "home/p", search: []string{"home/p/a", "home/p"},
		},
		"CLAUDE_PROJECT_DIR elsewhere is searched last": {
			files: []string{"home/p/.git/", "home/q/"}, cwd: "home/p", env: map[string]string{"CLAUDE_PROJECT_DIR": "$ROOT/home/q"},
			root: "home/p", search: []string{"home/p", "home/q"},
		},
		"a directory whose name only begins alike does not contain it": {
			files: []string{"home/p/", "home/p2/"}, cwd: "home/p2", env: map[string]string{"CLAUDE_PROJECT_DIR": "$ROOT/home/p"},
			root: "home/p2", search: []string{"home/p2", "home/p"},
		},
		"a relative CLAUDE_PROJECT_DIR counts for nothing": {
			files: []string{"home/p/"}, cwd: "home/p", env: map[string]string{"CLAUDE_PROJECT_DIR": "."}, root: "home/p", search: []string{"home/p"},
		},
		"the home directory is no project of what lies below it": {
			files: []string{"home/.git/", "home/p/"}, cwd: "home/p", root: "home/p", search: []string{"home/p"},
		},
		"the home directory itself": {files: []string{"home/"}, cwd: "home", root: "home", search: []string{"home"}},
		"above the home directory": {
			files: []string{".git/", "home/p/"}, cwd: "home/p", root: "", search: []string{"home/p", ""},
		},
		"CLAUDE_PROJECT_DIR is the home directory": {
			files: []string{"home/p/"}, cwd: "home/p", env: map[string]string{"CLAUDE_PROJECT_DIR": "$ROOT/home"}, root: "home/p", search: []string{"home/p"},
		},
		"the directory is gone": {
			files: []string{"home/p/.git/"}, cwd: "home/p/gone", env: map[string]string{"CLAUDE_PROJECT_DIR": "$ROOT/home/p"}, root: "home/p", search: []string{"home/p"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for _, name := range test.files {
				files[name] = ""
			}
			top := tree(t, files)
			places := Find(filepath.Join(top, test.cwd), func(name string) string {
				if name == "HOME" {
					return filepath.Join(top, "home")
				}
				return os.Expand(test.env[name], func(string) string { return top })
			})
			var search []string
			for _, dir := range test.search {
				search = append(search, filepath.Join(top, dir))
			}
			if places.Root != filepath.Join(top, test.root) || !slices.Equal(places.Search, search) {
				t.Errorf("%+v, want %s and %s", places, filepath.Join(top, test.root), search)
			}
		})
	}
}

// TestFindFollowsLinks: a project that is reached through a link is the same project.
func TestFindFollowsLinks(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{"p/.git/": "", "p/a/": ""})
	if err := os.Symlink(filepath.Join(top, "p", "a"), filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	places := Find(filepath.Join(top, "link"), func(string) string { return "" })
	if places.Root != filepath.Join(top, "p") {
		t.Errorf("%+v", places)
	}
}

// TestFindSkipsOtherUsers: files that another user put above the working directory were
// not meant for this project.
func TestFindSkipsOtherUsers(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	top := tree(t, map[string]string{"p/.git/": "", "p/a/b/": "", "q/": ""})
	for _, dir := range []string{"p", "q"} {
		if err := os.Chown(filepath.Join(top, dir), 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	places := Find(filepath.Join(top, "p/a/b"), func(name string) string {
		if name == "CLAUDE_PROJECT_DIR" {
			return filepath.Join(top, "q")
		}
		return ""
	})
	if places.Root != filepath.Join(top, "p/a/b") || !slices.Equal(places.Search, []string{filepath.Join(top, "p/a/b")}) {
		t.Errorf("%+v", places)
	}
	if places := Find("/", func(string) string { return "" }); places.Search != nil {
		t.Errorf("/ is searched: %+v", places)
	}
}

func TestHomes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env           map[string]string
		state, config string
	}{
		"defaults":             {map[string]string{"HOME": "/h"}, "/h/.local/state/bridge", "/h/.config/bridge"},
		"XDG":                  {map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"}, "/s/bridge", "/c/bridge"},
		"XDG must be absolute": {map[string]string{"HOME": "/h", "XDG_STATE_HOME": "s", "XDG_CONFIG_HOME": "./c"}, "/h/.local/state/bridge", "/h/.config/bridge"},
		"no home":              {nil, "", ""},
		"relative home":        {map[string]string{"HOME": "h"}, "", ""},
	} {
		getenv := func(name string) string { return test.env[name] }
		if env := Env(getenv, time.Time{}); env.StateHome != test.state || env.ConfigHome != test.config {
			t.Errorf("%s: %q %q", name, env.StateHome, env.ConfigHome)
		}
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	unlock, err := Lock(t.Context(), protocol.Env{StateHome: home}, "/p", time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(t.Context(), protocol.Env{StateHome: home}, "/p", 20*time.Millisecond); !errors.Is(err, ErrLocked) {
		t.Errorf("locked twice: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Lock(cancelled, protocol.Env{StateHome: home}, "/p", time.Minute); !errors.Is(err, ErrLocked) {
		t.Errorf("cancelled: %v", err)
	}
	other, err := Lock(t.Context(), protocol.Env{StateHome: home}, "/q", time.Millisecond)
	if err != nil {
		t.Errorf("another project: %v", err)
	} else {
		other()
	}
	time.AfterFunc(20*time.Millisecond, unlock)
	again, err := Lock(t.Context(), protocol.Env{StateHome: home}, "/p", 10*time.Second)
	if err != nil {
		t.Fatalf("after the unlock: %v", err)
	}
	again()
	// Without a place for a lock file the root itself is locked; if that is impossible
	// there is no lock, and that is not an error.
	for _, home := range []string{"", "/dev/null/x"} {
		root := t.TempDir()
		unlock, err := Lock(t.Context(), protocol.Env{StateHome: home}, root, time.Millisecond)
		if err != nil {
			t.Fatalf("%q: %v", home, err)
		}
		if _, err := Lock(t.Context(), protocol.Env{StateHome: home}, root, 20*time.Millisecond); !errors.Is(err, ErrLocked) {
			t.Errorf("%q: locked twice: %v", home, err)
		}
		unlock()
		if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
			t.Errorf("%q left %v in the project, %v", home, entries, err)
		}
		if _, err := Lock(t.Context(), protocol.Env{StateHome: home}, filepath.Join(root, "gone"), time.Millisecond); err != nil {
			t.Errorf("%q: a root that is gone: %v", home, err)
		}
	}
}

// TestRemovedLock: removing a lock file while a process waits for it does not create two
// locks: the waiting process takes the file that is there now.
func TestRemovedLock(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	first, err := Lock(t.Context(), protocol.Env{StateHome: home}, "/p", 0)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home, LocksDir, ID("/p"))
	if err := RemoveLock(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Fatalf("a lock that is held was removed: %v", err)
	}
	waited := make(chan func())
	go func() {
		unlock, err := Lock(context.Background(), protocol.Env{StateHome: home}, "/p", time.Minute)
		if err != nil {
			t.Error(err)
		}
		waited <- unlock
	}()
	// Whether or not it is already waiting, it must not get the file that is being
	// removed.
	time.Sleep(20 * time.Millisecond)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := Lock(t.Context(), protocol.Env{StateHome: home}, "/p", 0)
	if err != nil {
		t.Fatal(err)
	}
	first()
	select {
	case <-waited:
		t.Error("two hold the lock")
	case <-time.After(50 * time.Millisecond):
	}
	second()
	(<-waited)()
	if err := RemoveLock(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("a lock that nobody holds stays: %v", err)
	}
	if err := RemoveLock(path); err != nil {
		t.Errorf("gone already: %v", err)
	}
}
