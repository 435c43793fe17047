package install

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestDecide(t *testing.T) {
	t.Parallel()
	const at = "/home/me/.local/bin/bridge"
	other, own := found{"/usr/sbin/bridge", false}, found{"/home/me/tools/bridge", true}
	for name, test := range map[string]struct {
		at     string
		asked  bool
		there  occupant
		onPath []found
		fate   Fate
		by     string
	}{
		"a free name":                       {at, false, nothing, nil, ToMake, ""},
		"our link":                          {at, false, ours, []found{other}, Exists, at},
		"another file in its place":         {at, true, foreign, []found{own}, Occupied, at},
		"another program on the PATH":       {at, false, nothing, []found{other, own}, Occupied, "/usr/sbin/bridge"},
		"the same, with a named directory":  {at, true, nothing, []found{other}, Occupied, "/usr/sbin/bridge"},
		"ours elsewhere on the PATH":        {at, false, nothing, []found{own, other}, Exists, "/home/me/tools/bridge"},
		"the same, with a directory named":  {at, true, nothing, []found{own, other}, ToMake, ""},
		"no directory":                      {"", false, nothing, nil, Nowhere, ""},
		"no directory, but ours on PATH":    {"", false, nothing, []found{own}, Exists, "/home/me/tools/bridge"},
		"no directory, another on the PATH": {"", false, nothing, []found{other}, Occupied, "/usr/sbin/bridge"},
	} {
		got := decide("bridge", test.at, test.asked, test.there, test.onPath)
		if want := (Link{Name: "bridge", Path: test.at, Fate: test.fate, By: test.by}); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// TestLinks: a link leads to the program, and uninstall removes only links that
// install made.
func TestLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a link needs a privilege")
	}
	home := t.TempDir()
	bin := filepath.Join(home, ".local", "bin")
	env := map[string]string{"HOME": home, "PATH": "/nowhere:" + bin + "/"}
	l := Links{Program: filepath.Join(home, "share", "bridge"), StateHome: filepath.Join(home, "state"), Getenv: func(name string) string { return env[name] }}
	if dir := l.DefaultDir(); dir != bin {
		t.Fatalf("the directory is %q", dir)
	}
	if err := l.Make(l.Plan(bin, false)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bridge", "hookbridge"} {
		if target, err := os.Readlink(filepath.Join(bin, name)); err != nil || target != l.Program {
			t.Errorf("%s leads to %q, %v", name, target, err)
		}
	}
	for _, link := range l.Plan(bin, false) {
		if link.Fate != Exists {
			t.Errorf("the second time: %+v", link)
		}
	}
	// The user replaces one of them.
	mine := filepath.Join(bin, "bridge")
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	plan := l.Plan(bin, false)
	if plan[0].Fate != Occupied || plan[0].By != mine {
		t.Errorf("%+v", plan[0])
	}
	// A file that appears after the plan, before the link is made, stays as
	// well.
	plan[0].Fate = ToMake
	if err := l.Make(plan); err != nil || plan[0].Err == nil {
		t.Errorf("%v, %+v", err, plan[0])
	}
	// A link to the program that somebody else made is not install's.
	byHand := filepath.Join(home, "hookbridge")
	if err := os.Symlink(l.Program, byHand); err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		removed, err := l.Remove(dry)
		if want := filepath.Join(bin, "hookbridge"); err != nil || strings.Join(removed, " ") != want {
			t.Errorf("removed %v, %v", removed, err)
		}
	}
	for path, there := range map[string]bool{mine: true, byHand: true, filepath.Join(bin, "hookbridge"): false, filepath.Join(l.StateHome, "installs", linksRecord): false} {
		if _, err := os.Lstat(path); (err == nil) != there {
			t.Errorf("%s: %v", path, err)
		}
	}
	if removed, err := l.Remove(false); len(removed) > 0 || err != nil {
		t.Errorf("the second time: %v, %v", removed, err)
	}
}

// TestLinksWithoutARecord: without a record no link is made, because
// uninstall would not know it.
func TestLinksWithoutARecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, state := range []string{"", filepath.Join(dir, "file", "state")} {
		if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		l := Links{Program: filepath.Join(dir, "program"), StateHome: state, Getenv: func(string) string { return "" }}
		if err := l.Make(l.Plan(dir, true)); err == nil {
			t.Errorf("%q: no error", state)
		}
		if _, err := os.Lstat(filepath.Join(dir, "bridge")); err == nil {
			t.Errorf("%q: a link was made", state)
		}
	}
	if dir := (Links{Getenv: func(string) string { return "" }}).DefaultDir(); dir != "" {
		t.Errorf("the directory is %q", dir)
	}
}
