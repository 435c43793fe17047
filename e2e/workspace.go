package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Workspace holds the directories of one or several clients: a home and a project, both below Root.
type Workspace struct {
	Root    string // resolved
	Home    string
	Project string
	Temp    string
}

// NewWorkspace creates the directories under root and makes the project a git repository, as most are.
func NewWorkspace(root string) (*Workspace, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	w := &Workspace{
		Root:    root,
		Home:    filepath.Join(root, "home"),
		Project: filepath.Join(root, "proj"),
		Temp:    filepath.Join(root, "tmp"),
	}
	for _, dir := range []string{w.ConfigDir(), w.Project, w.Temp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	git := exec.Command("git", "init", "--quiet", w.Project)
	git.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.Home, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := git.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git init: %w: %s", err, out)
	}
	return w, nil
}

// ConfigDir is the client's CLAUDE_CONFIG_DIR.
func (w *Workspace) ConfigDir() string { return filepath.Join(w.Home, ".claude") }

// StateDir is where bridge keeps its own records when no XDG variable is set.
func (w *Workspace) StateDir() string { return filepath.Join(w.Home, ".local", "state", "bridge") }

// Write creates a file of the project, with its directories.
func (w *Workspace) Write(name, content string) error {
	path := filepath.Join(w.Project, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o600)
}

// Read returns a file of the project.
func (w *Workspace) Read(name string) (string, error) {
	b, err := os.ReadFile(filepath.Join(w.Project, filepath.FromSlash(name)))
	return string(b), err
}

// SkipDialogs marks onboarding, the dummy key and the project's trust as answered: an interactive client asks for each,
// print mode for none.
func (w *Workspace) SkipDialogs() error {
	b, err := json.Marshal(object{
		"hasCompletedOnboarding": true,
		"theme":                  "dark",
		"customApiKeyResponses":  object{"approved": []string{dummyKey}, "rejected": []string{}},
		"projects": object{w.Project: object{
			"hasTrustDialogAccepted":        true,
			"hasCompletedProjectOnboarding": true,
		}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.ConfigDir(), ".claude.json"), b, 0o600)
}
