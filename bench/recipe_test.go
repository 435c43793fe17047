package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recipe holds the instructions in a section of CONTRIBUTING.md.
type recipe struct {
	// created maps paths to new files; each hunk replaces a passage of a file.
	created map[string]string
	hunks   []hunk
	// shell are the commands, each with its output.
	shell [][2]string
}

type hunk struct{ path, old, new string }

// readRecipe reads the code blocks of a section: a go block is a file, and names it in its first line; a diff block
// changes one, with @@ before each hunk; a shell session is commands with their output.
func readRecipe(markdown, title string) (r recipe, err error) {
	_, section, found := strings.Cut(markdown, "\n## "+title+"\n")
	if !found {
		return r, fmt.Errorf("there is no section %q", title)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	r.created = map[string]string{}
	for i, block := range strings.Split("\n"+section, "\n```") {
		if i%2 == 0 {
			continue
		}
		language, text, _ := strings.Cut(block, "\n")
		first, rest, _ := strings.Cut(text, "\n")
		switch language {
		case "go":
			r.created[strings.TrimPrefix(first, "// ")] = strings.TrimLeft(rest, "\n") + "\n"
		case "diff":
			for _, lines := range strings.Split(rest, "@@\n")[1:] {
				h := hunk{path: strings.TrimPrefix(first, "--- ")}
				for line := range strings.Lines(strings.TrimSuffix(lines, "\n") + "\n") {
					added, ok := strings.CutPrefix(line, "+")
					if !ok {
						added = strings.TrimPrefix(line, " ")
						h.old += added
					}
					h.new += added
				}
				r.hunks = append(r.hunks, h)
			}
		case "shell-session":
			for _, command := range strings.Split("\n"+text, "\n$ ")[1:] {
				command, prints, _ := strings.Cut(command, "\n")
				r.shell = append(r.shell, [2]string{command, strings.TrimSpace(prints)})
			}
		}
	}
	return r, nil
}

// follow carries out a recipe in a directory.
func (r recipe) follow(dir string, env []string) error {
	for path, text := range r.created {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, h := range r.hunks {
		path := filepath.Join(dir, h.path)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), h.old); n != 1 {
			return fmt.Errorf("%s has %d places that read\n%s", h.path, n, h.old)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), h.old, h.new, 1)), 0o644); err != nil {
			return err
		}
	}
	for _, command := range r.shell {
		cmd := exec.Command("sh", "-c", command[0])
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != command[1] {
			return fmt.Errorf("%s: error %v, prints\n%s\nand not\n%s", command[0], err, got, command[1])
		}
	}
	return nil
}

// tree returns the texts of the files below a directory, except for hidden ones.
func tree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != dir && entry.Name()[0] == '.':
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	return files, err
}

// TestRecipeForAHookType follows CONTRIBUTING.md literally in a copy of the repository: the program with the new type
// builds, the type answers, and only few files outside its folder change.
func TestRecipeForAHookType(t *testing.T) { followRecipe(t, "Add a hook type") }

// TestRecipeForAnEvent is the same for an event of the client. Two of the files are its
// generated schemas.
func TestRecipeForAnEvent(t *testing.T) { followRecipe(t, "Add an event of the client") }

func followRecipe(t *testing.T, title string) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short: builds the program anew")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the recipe is for a POSIX shell")
	}
	t.Parallel()
	before, err := tree("..")
	if err != nil {
		t.Fatal(err)
	}
	r, err := readRecipe(before["CONTRIBUTING.md"], title)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.hunks) == 0 || len(r.shell) == 0 {
		t.Fatalf("the recipe lacks a change or a command: %+v", r)
	}
	for path := range r.created {
		if _, done := before[path]; done {
			t.Skip("somebody has followed the recipe here")
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	copied := recipe{created: before}
	if err := copied.follow(dir, nil); err != nil {
		t.Fatal(err)
	}
	// If the compiled files contain no paths, the next run can use the build cache.
	env := append(os.Environ(), "GOFLAGS=-mod=readonly -trimpath", "XDG_STATE_HOME="+filepath.Join(dir, ".state"), "XDG_CONFIG_HOME="+filepath.Join(dir, ".config"), "DISABLE_OMC=", "OMC_SKIP_HOOKS=")
	if err := r.follow(dir, env); err != nil {
		t.Fatal(err)
	}
	after, err := tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	for path, text := range after {
		if _, own := r.created[path]; !own && before[path] != text {
			changed = append(changed, path)
		}
	}
	if len(changed) > 4 {
		t.Errorf("%s: more than four files change: %q", title, changed)
	}
}
