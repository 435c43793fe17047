package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow is the part of a file in .github/workflows that the tests check.
type workflow struct {
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		Permissions map[string]string `yaml:"permissions"`
		Steps       []struct {
			Uses string `yaml:"uses"`
			Run  string `yaml:"run"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

// TestWorkflows: CI and the release run the same programs as a person, with actions of
// GitHub pinned by major version. Only the job that publishes may write, and it runs
// nothing from the repository.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	action := regexp.MustCompile(`^actions/[a-z-]+@v[0-9]+$`)
	for name, wanted := range map[string][]string{"ci.yml": {".ci/run"}, "release.yml": {".ci/run", "go run ./release -out dist"}} {
		text, err := os.ReadFile(filepath.Join("..", ".github", "workflows", name))
		if err != nil {
			t.Fatal(err)
		}
		var w workflow
		if err := yaml.Unmarshal(text, &w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
			t.Errorf("%s: permissions %v", name, w.Permissions)
		}
		commands := map[string]bool{}
		for id, job := range w.Jobs {
			for _, step := range job.Steps {
				commands[step.Run] = true
				if step.Uses != "" && !action.MatchString(step.Uses) {
					t.Errorf("%s, %s: the action %q", name, id, step.Uses)
				}
				if job.Permissions != nil && (strings.HasPrefix(step.Uses, "actions/checkout@") || strings.Contains(step.Run, "go run")) {
					t.Errorf("%s, %s: a job that may write has the repository", name, id)
				}
			}
		}
		for _, command := range wanted {
			if !commands[command] {
				t.Errorf("%s does not run %q", name, command)
			}
		}
	}
}
