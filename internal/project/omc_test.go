package project

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tree creates files (directories end with a slash) below a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir == path {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFindOmc(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the paths of this table are written with slashes")
	}
	tests := map[string]struct {
		files  map[string]string
		cwd    string
		env    map[string]string // $ROOT is the tree
		home   string
		search []string
	}{
		"Yeachan-Heo/oh-my-claudecode#576 state belongs to the work tree, not to a sub-directory": {
			files: map[string]string{"p/.git/": "", "p/a/b/": ""}, cwd: "p/a/b",
			home: "p/.omc", search: []string{"p/a/b/.omc", "p/a/.omc", "p/.omc"},
		},
		"no repository": {files: map[string]string{"p/": ""}, cwd: "p", home: "p/.omc", search: []string{"p/.omc"}},
		"Yeachan-Heo/oh-my-claudecode#3349 a submodule uses the superproject's": {
			files: map[string]string{"p/.git/modules/lib/": "", "p/lib/.git": "gitdir: ../.git/modules/lib\n"}, cwd: "p/lib",
			home: "p/.omc", search: []string{"p/lib/.omc", "p/.omc"},
		},
		"a .git file that names a foreign place is not followed": {
			files: map[string]string{"q/.git/modules/lib/": "", "p/.git": "gitdir: ../q/.git/modules/lib\n"}, cwd: "p",
			home: "p/.omc", search: []string{"p/.omc"},
		},
		"a linked work tree is a project of its own": {
			files: map[string]string{"m/.git/worktrees/w/": "", "w/.git": "gitdir: ../m/.git/worktrees/w\n"}, cwd: "w",
			home: "w/.omc", search: []string{"w/.omc"},
		},
		"a workspace marker joins repositories": {
			files: map[string]string{"ws/.omc-workspace": "", "ws/p/.git/": ""}, cwd: "ws/p",
			home: "ws/.omc", search: []string{"ws/p/.omc", "ws/.omc"},
		},
		"a workspace marker can be switched off": {
			files: map[string]string{"ws/.omc-workspace": "", "ws/p/.git/": ""}, cwd: "ws/p",
			env:  map[string]string{"OMC_DISABLE_MULTIREPO": "1"},
			home: "ws/p/.omc", search: []string{"ws/p/.omc"},
		},
		"a marker at home does not join everything": {
			files: map[string]string{".omc-workspace": "", "p/.git/": ""}, cwd: "p",
			home: "p/.omc", search: []string{"p/.omc"},
		},
		"OMC_STATE_DIR with a remote": {
			files: map[string]string{"p.x/.git/config": "[remote \"origin\"]\n\turl = https://example.com/a.git\n"}, cwd: "p.x",
			env: map[string]string{"OMC_STATE_DIR": "$ROOT/state"},
			// The first 16 digits of the SHA-256 of the URL.
			home: "state/p_x-eaead1850c5866e9", search: []string{"state/p_x-eaead1850c5866e9"},
		},
		"OMC_STATE_DIR with a workspace's id": {
			files: map[string]string{"ws/.omc-workspace": `{"id":"../our ws"}`, "ws/p/.git/": ""}, cwd: "ws/p",
			env:  map[string]string{"OMC_STATE_DIR": "$ROOT/state"},
			home: "state/our_ws", search: []string{"state/our_ws"},
		},
		"a relative OMC_STATE_DIR does not count": {
			files: map[string]string{"p/.git/": ""}, cwd: "p", env: map[string]string{"OMC_STATE_DIR": "state"},
			home: "p/.omc", search: []string{"p/.omc"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := tree(t, test.files)
			getenv := func(name string) string {
				if name == "HOME" {
					return root
				}
				return strings.ReplaceAll(test.env[name], "$ROOT", root)
			}
			got := FindOmc(Find(filepath.Join(root, test.cwd), getenv), getenv)
			if rel := strings.TrimPrefix(got.Home, root+"/"); rel != test.home {
				t.Errorf("home %s, want %s", rel, test.home)
			}
			var search []string
			for _, dir := range got.Search {
				search = append(search, strings.TrimPrefix(dir, root+"/"))
			}
			if !slices.Equal(search, test.search) {
				t.Errorf("search %q, want %q", search, test.search)
			}
		})
	}
}
