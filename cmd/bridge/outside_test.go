//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettingsOutsideOfTheirScope: a settings file that is a link out of the project, or
// out of the home directory, is not written unless the person says so.
func TestSettingsOutsideOfTheirScope(t *testing.T) {
	longer(t)
	t.Parallel()
	hooked := `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/bridge", "args": ["--hook=stop"], "async": true}]}]}, "disableAllHooks": true}`
	for name, test := range map[string]struct {
		// link is made below the project or the home directory, and leads to what.
		link, to, scope string
		outside         bool
	}{
		"the project's settings":       {"project/.claude/settings.json", "outside/settings.json", "project", true},
		"the project's directory":      {"project/.claude", "outside", "project", true},
		"the local settings":           {"project/.claude/settings.local.json", "outside/settings.json", "local", true},
		"a link to nothing":            {"project/.claude/settings.json", "outside/new.json", "project", true},
		"a link by way of the project": {"project/.claude/settings.json", "project/chain", "project", true},
		"a link inside of the project": {"project/.claude/settings.json", "project/tools/settings.json", "project", false},
		"the user's settings":          {"home/.claude/settings.json", "outside/settings.json", "user", true},
		"the user's dotfiles":          {"home/.claude/settings.json", "home/dotfiles/settings.json", "user", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			top := filepath.Dir(s.project)
			link, to := filepath.Join(top, test.link), filepath.Join(top, test.to)
			for _, file := range []string{"outside/settings.json", "outside/settings.local.json", "project/tools/settings.json", "home/dotfiles/settings.json"} {
				s.put(filepath.Join(top, file), hooked)
			}
			if err := os.Symlink(filepath.Join(top, "outside", "settings.json"), filepath.Join(s.project, "chain")); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(link); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
			outside := func() string {
				var all []string
				entries, err := os.ReadDir(filepath.Join(top, "outside"))
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					all = append(all, e.Name()+" "+read(t, filepath.Join(top, "outside", e.Name())))
				}
				return strings.Join(all, "\n")
			}
			before := outside()
			for _, args := range [][]string{{"install", "--scope", test.scope}, {"install", "--scope", test.scope, "--dry-run"}, {"uninstall", "--scope", test.scope}} {
				a := s.cli("", args...)
				if test.outside && (a.code == 0 || !strings.Contains(a.stderr, "a link that leads out of its scope") || !strings.Contains(a.stderr, "--follow")) {
					t.Errorf("%v: exit code %d, %q %q", args, a.code, a.stdout, a.stderr)
				}
				if !test.outside && a.code != 0 {
					t.Errorf("%v: exit code %d, %q", args, a.code, a.stderr)
				}
			}
			a := s.cli("", "doctor", "--fix")
			if test.outside && name != "a link to nothing" && !strings.Contains(a.stdout, "settings-outside") {
				t.Errorf("doctor: %s", a.stdout)
			}
			if after := outside(); after != before {
				t.Errorf("written outside:\n%s\n%s", before, after)
			}
			if !test.outside || name == "a link to nothing" {
				return
			}
			if a := s.cli("", "install", "--scope", test.scope, "--follow"); a.code != 0 || outside() == before {
				t.Errorf("--follow: exit code %d, %q", a.code, a.stderr)
			}
			if _, err := os.Readlink(link); err != nil {
				t.Errorf("the link is gone: %v", err)
			}
		})
	}
}

// TestDoctorFollowsOnOrder: with --follow a fix writes the file to which the settings
// are a link.
func TestDoctorFollowsOnOrder(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	outside := filepath.Join(filepath.Dir(s.project), "outside.json")
	s.put(outside, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/bridge", "args": ["--hook=stop"], "async": true, "timeout": 20}]}]}}`)
	if err := os.Symlink(outside, filepath.Join(s.project, ".claude", "settings.local.json")); err != nil {
		t.Fatal(err)
	}
	s.cli("", "doctor", "--fix")
	if text := read(t, outside); !strings.Contains(text, "async") {
		t.Errorf("%s", text)
	}
	s.cli("", "doctor", "--fix", "--follow")
	if text := read(t, outside); strings.Contains(text, "async") {
		t.Errorf("%s", text)
	}
}

// TestCopiesOfSettingsFollowNoLink: if a repository put a link in the place of a copy
// beside the settings, the copy replaces the link, and the target of the link stays
// unchanged.
func TestCopiesOfSettingsFollowNoLink(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"install", "--scope", "project"}, {"doctor", "--fix"}} {
		s := newScene(t)
		precious := filepath.Join(s.home, ".bashrc")
		s.put(precious, "precious")
		s.commit(".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bridge", "args": ["--hook=stop"], "async": true}]}]}}`)
		link := filepath.Join(s.project, ".claude", "settings.json.bridge.bak")
		if err := os.Symlink(precious, link); err != nil {
			t.Fatal(err)
		}
		s.cli("", args...)
		if text := read(t, precious); text != "precious" {
			t.Errorf("%v: %s", args, text)
		}
		if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%v: no copy was kept: %v", args, err)
		}
	}
}
