package install

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/wiring"
)

// samples are the settings files that package wiring is tested with.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "wiring", "testdata", "settings", "*.json"))
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = text
	}
	return all
}

func options(t *testing.T) Options {
	t.Helper()
	return Options{Entries: Entries(wiring.User, settings.Config{}), Command: "/home/me/.local/share/bridge/bin/bridge"}
}

// TestEntries: each event once, with a timeout in seconds that leaves the hook its
// deadline; only one's own permission hook blocks when it is missing.
func TestEntries(t *testing.T) {
	t.Parallel()
	for _, scope := range []wiring.Scope{wiring.User, wiring.Local, wiring.Project} {
		all := Entries(scope, settings.Config{Deadlines: map[hooks.Type]int{hooks.PreCompact: 60_000}})
		if len(all) != 12 {
			t.Errorf("%d entries", len(all))
		}
		for _, e := range all {
			hook, ok := hooks.ParseHook(e.Hook)
			if !ok {
				t.Errorf("%+v", e)
				continue
			}
			least := (hook.Row().Deadline + grace).Seconds()
			switch e.Event {
			case hooks.EventSessionEnd:
				least = 0
			case hooks.EventPreCompact:
				least = 65
			}
			if float64(e.Timeout) != least || e.Block != (e.Event == hooks.EventPermissionRequest && scope != wiring.Project) {
				t.Errorf("%s: %+v", scope, e)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	all := Entries(wiring.User, settings.Config{})
	for names, want := range map[string]string{
		"": "", "stop": "Stop", "ralph": "Stop", "Stop,permission-request": "Stop PermissionRequest", "setup": "Setup", "post-tool-use": "PostToolUse PostToolUseFailure",
	} {
		var list []string
		if names != "" {
			list = strings.Split(names, ",")
		}
		chosen, err := Select(all, list)
		var events []string
		for _, e := range chosen {
			events = append(events, string(e.Event))
		}
		if err != nil || names != "" && strings.Join(events, " ") != want || names == "" && len(chosen) != len(all) {
			t.Errorf("%q: %v, %v", names, events, err)
		}
	}
	if _, err := Select(all, []string{"stpo"}); err == nil {
		t.Error("an unknown hook was selected")
	}
}

// TestEverySettingsFile: after an installation our lines are there and everything
// else is as it was; a second one changes nothing; uninstall gives the file back
// to the byte, or takes it away where there was none.
func TestEverySettingsFile(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			site := Site{Path: filepath.Join(top, ".claude", "settings.json"), StateHome: filepath.Join(top, "state")}
			write(t, site.Path, text)
			o := options(t)
			c, err := site.Install(o, false)
			if err != nil {
				t.Fatal(err)
			}
			now, err := os.ReadFile(site.Path)
			if err != nil || !bytes.Equal(now, c.After) {
				t.Fatalf("%v", err)
			}
			source := wiring.Source{Path: site.Path, Scope: wiring.User}
			s, err := wiring.Read(source)
			if err != nil {
				t.Fatal(err)
			}
			ours := slices.DeleteFunc(slices.Clone(s.Lines), func(l wiring.Line) bool { return !l.Bridge() })
			if len(ours) != len(o.Entries) {
				t.Errorf("%d lines of bridge", len(ours))
			}
			if backup, err := os.ReadFile(site.Path + wiring.BackupSuffix); err != nil || !bytes.Equal(backup, text) {
				t.Errorf("the copy is not the old file: %v", err)
			}
			again, err := site.Install(o, false)
			if err != nil || !bytes.Equal(again.After, now) || len(again.Kept) != len(o.Entries) {
				t.Errorf("a second installation changed something: %v", err)
			}
			// Somebody edits the file meanwhile: only our lines go.
			edited, err := wiring.SetMember(now, "", "added", []byte("true"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, site.Path, edited)
			_, removed, err := site.Uninstall(true)
			if err != nil || len(removed) != len(o.Entries) {
				t.Errorf("%v, %v", removed, err)
			}
			without, _, err := Uninstall(edited, c.Had, nil)
			if err != nil {
				t.Fatal(err)
			}
			if lines, err := wiring.Lines(without); err != nil || len(lines) != len(s.Lines)-len(ours) {
				t.Errorf("%d lines of others, want %d, %v", len(lines), len(s.Lines)-len(ours), err)
			}
			write(t, site.Path, now)
			if _, _, err := site.Uninstall(false); err != nil {
				t.Fatal(err)
			}
			if back, err := os.ReadFile(site.Path); err != nil || !bytes.Equal(back, text) {
				t.Errorf("%v\n%q\nwant\n%q", err, back, text)
			}
		})
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestNoFile: an installation makes the file, uninstall takes it away.
func TestNoFile(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	site := Site{Path: filepath.Join(top, ".claude", "settings.json"), StateHome: filepath.Join(top, "state")}
	if _, err := site.Install(options(t), true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(site.Path)); err == nil {
		t.Error("a dry run made something")
	}
	if _, err := site.Install(options(t), false); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(site.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, removed, err := site.Uninstall(false); err != nil || len(removed) != 12 {
		t.Errorf("%v, %v", removed, err)
	}
	if _, err := os.Stat(site.Path); err == nil {
		t.Error("the file is still there")
	}
	if _, removed, err := site.Uninstall(false); err != nil || len(removed) != 0 {
		t.Errorf("%v, %v", removed, err)
	}
}

// TestOldLinesAreReplaced: lines of an older bridge, split or in shell form, make
// room for one.
func TestOldLinesAreReplaced(t *testing.T) {
	t.Parallel()
	plan, err := Install([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/bridge --hook=ralph"},{"type":"command","command":"ding"},{"type":"command","command":"/old/bridge","args":["--hook=persistent-mode"]}]}]}}`), options(t))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := wiring.Lines(plan.Text)
	if err != nil {
		t.Fatal(err)
	}
	var stops []string
	for _, l := range lines {
		if l.Event == "Stop" {
			stops = append(stops, l.Text())
		}
	}
	if len(stops) != 2 || stops[0] != "ding" || !strings.HasSuffix(stops[1], "bridge --hook=stop") || !slices.Contains(plan.Changed, "Stop") {
		t.Errorf("%q, changed %v", stops, plan.Changed)
	}
}

// TestReplacePeers: what handles the same state goes, and comes back with the file
// as it was.
func TestReplacePeers(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
	text := []byte("{\n  // mine\n  \"enabledPlugins\": { \"ralph-loop@official\": true },\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"node ~/.claude/hooks/persistent-mode.mjs\" }] }\n    ]\n  }\n}\n")
	write(t, site.Path, text)
	o := options(t)
	o.Replace, o.Plugins = true, []string{"ralph-loop@official"}
	c, err := site.Install(o, false)
	if err != nil || len(c.Removed) != 2 {
		t.Fatalf("%v, %v", c.Removed, err)
	}
	if strings.Contains(string(c.After), "persistent-mode.mjs") || !strings.Contains(string(c.After), `"ralph-loop@official": false`) || !strings.Contains(string(c.After), "// mine") {
		t.Errorf("%s", c.After)
	}
	if _, _, err := site.Uninstall(false); err != nil {
		t.Fatal(err)
	}
	if back, _ := os.ReadFile(site.Path); !bytes.Equal(back, text) {
		t.Errorf("%s", back)
	}
}

// TestBlockCap is written only when it is asked for, and goes again.
func TestBlockCap(t *testing.T) {
	t.Parallel()
	if plan, err := Install([]byte("{}"), options(t)); err != nil || strings.Contains(string(plan.Text), capVariable) {
		t.Errorf("%v\n%s", err, plan.Text)
	}
	o, zero := options(t), 0
	o.BlockCap = &zero
	plan, err := Install([]byte(`{"env":{"A":"1"}}`), o)
	if err != nil || !strings.Contains(string(plan.Text), `"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"`) {
		t.Fatalf("%v\n%s", err, plan.Text)
	}
	without, _, err := Uninstall(plan.Text, plan.Had, &zero)
	if err != nil || string(without) != `{"env":{"A":"1"}}` {
		t.Errorf("%v\n%s", err, without)
	}
}

// TestBrokenFilesAreLeftAlone: what is no settings file stays as it is, and the
// error names it.
func TestBrokenFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{", "[]", `{"hooks":[]}`, `{"hooks":{"Stop":{}}}`, `{"a":1}{}`, "\x00"} {
		top := t.TempDir()
		site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
		write(t, site.Path, []byte(text))
		if _, err := site.Install(options(t), false); err == nil || !strings.Contains(err.Error(), "stays as it is") {
			t.Errorf("%q: %v", text, err)
		}
		if now, _ := os.ReadFile(site.Path); string(now) != text {
			t.Errorf("%q became %q", text, now)
		}
		if entries, _ := os.ReadDir(top); len(entries) > 2 {
			t.Errorf("%q: %d files", text, len(entries))
		}
	}
}

// TestManyAtOnce: installations at the same time come one after the other.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
	text := []byte("{\n  \"model\": \"opus\" // mine\n}\n")
	write(t, site.Path, text)
	var wait sync.WaitGroup
	for range 12 {
		wait.Go(func() {
			if _, err := site.Install(options(t), false); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	lines, err := wiring.Read(wiring.Source{Path: site.Path})
	if err != nil || len(lines.Lines) != 12 {
		t.Errorf("%d lines, %v", len(lines.Lines), err)
	}
	if _, _, err := site.Uninstall(false); err != nil {
		t.Fatal(err)
	}
	if back, _ := os.ReadFile(site.Path); !bytes.Equal(back, text) {
		t.Errorf("%s", back)
	}
}

// TestMoveAside is what Windows needs, on every system: a program that runs gives way
// to its successor, and comes back when there is none.
func TestMoveAside(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	from, to := filepath.Join(top, "new"), filepath.Join(top, "bridge")
	write(t, to, []byte("old"))
	write(t, to+".old", []byte("older"))
	write(t, from, []byte("new"))
	if err := moveAside(from, to); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{to: "new", to + ".old": "old"} {
		if text, _ := os.ReadFile(path); string(text) != want {
			t.Errorf("%s: %q, want %q", path, text, want)
		}
	}
	if err := moveAside(from, to); err == nil {
		t.Error("a program that is not there took its place")
	}
	if text, _ := os.ReadFile(to); string(text) != "new" {
		t.Errorf("after the failure: %q", text)
	}
}

// TestCopyBinary: the program can be run, and is itself its own copy.
func TestCopyBinary(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	from, to := filepath.Join(top, "bridge"), filepath.Join(top, "data", "bin", "bridge")
	write(t, from, []byte("program"))
	for range 2 {
		if err := CopyBinary(from, to); err != nil {
			t.Fatal(err)
		}
	}
	if err := CopyBinary(to, to); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(to)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(to)); len(entries) != 1 {
		t.Errorf("%d files", len(entries))
	}
}
