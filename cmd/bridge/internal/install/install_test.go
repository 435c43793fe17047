package install

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/protocol"
)

// samples are the settings files with which package settingsfile is tested.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "client", "claude", "settingsfile", "testdata", "settings", "*.json"))
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
	return Options{Entries: Entries(settingsfile.User, protocol.Config{}), Command: "/home/me/.local/share/bridge/bin/bridge"}
}

// TestEntries: each event has one line, whose timeout in seconds is longer than the
// hook's deadline. Only a permission hook in the user's own settings blocks if bridge
// is missing. An event at which bridge is silent has no line: the client takes what a
// WorktreeCreate hook prints for a path, and runs MessageDisplay hooks while the model
// writes.
func TestEntries(t *testing.T) {
	t.Parallel()
	for _, scope := range []settingsfile.Scope{settingsfile.User, settingsfile.Local, settingsfile.Project} {
		all := Entries(scope, protocol.Config{Deadlines: map[protocol.Type]int{protocol.PreCompact: 60_000}})
		if len(all) != 18 {
			t.Errorf("%d entries", len(all))
		}
		for _, e := range all {
			hook, ok := protocol.ParseHook(e.Hook)
			if !ok || e.Event == "WorktreeCreate" || e.Event == "MessageDisplay" || hook.Row().Duty == protocol.DutySilent {
				t.Errorf("%+v", e)
				continue
			}
			least := (hook.Row().Deadline + grace).Seconds()
			switch e.Event {
			case protocol.EventSessionEnd:
				least = 0
			case protocol.EventPreCompact:
				least = 65
			}
			if float64(e.Timeout) != least || e.Block != (e.Event == protocol.EventPermissionRequest && scope != settingsfile.Project) {
				t.Errorf("%s: %+v", scope, e)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	all := Entries(settingsfile.User, protocol.Config{})
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

// TestEverySettingsFile: an installation adds our lines and changes nothing else;
// a second one changes nothing; uninstall restores the file byte for byte, or
// removes it if there was none before.
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
			source := settingsfile.Source{Path: site.Path, Scope: settingsfile.User}
			s, err := settingsfile.Read(source)
			if err != nil {
				t.Fatal(err)
			}
			ours := slices.DeleteFunc(slices.Clone(s.Lines), func(l settingsfile.HookLine) bool { return !l.Bridge() })
			if len(ours) != len(o.Entries) {
				t.Errorf("%d lines of bridge", len(ours))
			}
			if backup, err := os.ReadFile(site.Path + settingsfile.BackupSuffix); err != nil || !bytes.Equal(backup, text) {
				t.Errorf("the copy is not the old file: %v", err)
			}
			again, err := site.Install(o, false)
			if err != nil || !bytes.Equal(again.After, now) || len(again.Kept) != len(o.Entries) {
				t.Errorf("a second installation changed something: %v", err)
			}
			// Somebody has edited the file: only our lines are removed.
			edited, err := settingsfile.SetMember(now, "", "added", []byte("true"))
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
			if lines, err := settingsfile.HookLines(without); err != nil || len(lines) != len(s.Lines)-len(ours) {
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

// TestNoFile: an installation creates the file, and uninstall removes it.
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
	if _, removed, err := site.Uninstall(false); err != nil || len(removed) != 18 {
		t.Errorf("%v, %v", removed, err)
	}
	if _, err := os.Stat(site.Path); err == nil {
		t.Error("the file is still there")
	}
	if _, removed, err := site.Uninstall(false); err != nil || len(removed) != 0 {
		t.Errorf("%v, %v", removed, err)
	}
}

// TestOldLinesAreReplaced: one line replaces the lines of an older bridge, even
// if they are split or in shell form.
func TestOldLinesAreReplaced(t *testing.T) {
	t.Parallel()
	plan, err := Install([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/bridge --hook=ralph"},{"type":"command","command":"ding"},{"type":"command","command":"/old/bridge","args":["--hook=persistent-mode"]}]}]}}`), options(t))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := settingsfile.HookLines(plan.Text)
	if err != nil {
		t.Fatal(err)
	}
	var stops []string
	for _, l := range lines {
		if l.Event == "Stop" {
			stops = append(stops, l.Text())
		}
	}
	if len(stops) != 2 || stops[0] != "ding" || !strings.HasSuffix(stops[1], "bridge --hook=stop") ||
		!slices.Equal(plan.Changed, []string{"Stop"}) || slices.Contains(plan.Added, "Stop") || !slices.Contains(plan.Added, "PreToolUse") {
		t.Errorf("%q, changed %v, added %v", stops, plan.Changed, plan.Added)
	}
}

// TestReplacePeers: --replace removes the hooks of programs that handle the same state,
// and uninstall restores the file.
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
	// Uninstall restores them in an edited file, too.
	if _, err := site.Install(o, false); err != nil {
		t.Fatal(err)
	}
	write(t, site.Path, append(c.After, '\n'))
	if c, _, err = site.Uninstall(false); err != nil || len(c.PutBack) != 2 {
		t.Errorf("put back %q, %v", c.PutBack, err)
	}
	back, _ := os.ReadFile(site.Path)
	for _, want := range []string{`"ralph-loop@official": true`, "persistent-mode.mjs", "// mine"} {
		if !strings.Contains(string(back), want) {
			t.Errorf("%s is gone: %s", want, back)
		}
	}
}

// TestSecondInstallation: while the settings contain what the first installation
// wrote, uninstall restores what that installation found. What the user wrote in
// between stays.
func TestSecondInstallation(t *testing.T) {
	t.Parallel()
	const (
		peer    = "{\n  // mine\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"node ~/.claude/hooks/persistent-mode.mjs\" }] }\n    ]\n  }\n}\n"
		another = "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"node ~/.claude/hooks/stop-continuation.mjs\" }] }\n    ]\n  }\n}\n"
		mine    = "{\n  \"model\": \"opus\" // mine\n}\n"
	)
	type step func(t *testing.T, site Site)
	install := func(replace bool, blockCap int) step {
		return func(t *testing.T, site Site) {
			o := options(t)
			if o.Replace = replace; blockCap >= 0 {
				o.BlockCap = &blockCap
			}
			if _, err := site.Install(o, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	put := func(text string) step {
		return func(t *testing.T, site Site) { write(t, site.Path, []byte(text)) }
	}
	set := func(parent, name, value string) step {
		return func(t *testing.T, site Site) {
			text, err := os.ReadFile(site.Path)
			if err == nil {
				text, err = settingsfile.SetMember(text, parent, name, []byte(value))
			}
			if err != nil {
				t.Fatal(err)
			}
			write(t, site.Path, text)
		}
	}
	edit := set("", "added", "true")
	// A peer that is installed after the first time, with a line of its own.
	addPeer := set("/hooks", "Notification", `[{"hooks":[{"type":"command","command":"node ~/.claude/hooks/persistent-mode.mjs"}]}]`)
	dropHooks := func(t *testing.T, site Site) {
		text, err := os.ReadFile(site.Path)
		if err == nil {
			text, _, err = Uninstall(text, nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, site.Path, text)
	}
	for name, test := range map[string]struct {
		before string // none: there was no file
		steps  []step
		// exact is the file at the end, if every byte of it is known; gone says that there is no
		// file.
		exact string
		gone  bool
		has   []string
		lacks []string
	}{
		"there was no file":                  {"", []step{install(false, -1), install(false, 0)}, "", true, nil, nil},
		"nobody edited it":                   {mine, []step{install(false, -1), install(false, 0)}, mine, false, nil, nil},
		"replaced at first, not again":       {peer, []step{install(true, -1), install(false, 0)}, peer, false, nil, nil},
		"edited in between":                  {mine, []step{install(false, -1), edit, install(false, 0)}, "", false, []string{"added", "// mine"}, []string{"hooks", claude.EnvBlockCap}},
		"edited afterwards":                  {mine, []step{install(false, -1), install(false, 0), edit}, "", false, []string{"added", "// mine"}, []string{"hooks", claude.EnvBlockCap}},
		"a cap of the user":                  {"{\"env\": {\"" + claude.EnvBlockCap + "\": \"3\"}}\n", []step{install(false, 0), edit}, "", false, []string{`"` + claude.EnvBlockCap + `": "3"`}, nil},
		"a cap that the user changed":        {"{\"env\": {\"" + claude.EnvBlockCap + "\": \"3\"}}\n", []step{install(false, 0), set("/env", claude.EnvBlockCap, `"7"`)}, "", false, []string{`"` + claude.EnvBlockCap + `": "7"`}, nil},
		"an empty list of the user":          {"{\"hooks\": {\"Stop\": []}}\n", []step{install(false, -1), install(false, 0), edit}, "", false, []string{"Stop", "added"}, []string{claude.EnvBlockCap}},
		"a cap of the first time":            {mine, []step{install(false, 0), edit, install(true, -1), set("", "more", "1"), install(false, -1), edit}, "", false, nil, []string{claude.EnvBlockCap}},
		"a cap that changed":                 {mine, []step{install(false, 0), install(false, 5), edit}, "", false, nil, []string{claude.EnvBlockCap}},
		"replaced twice":                     {peer, []step{install(true, -1), addPeer, install(true, -1), edit}, "", false, []string{"Stop", "Notification", "added"}, nil},
		"put back by hand":                   {mine, []step{install(false, -1), put(another), install(false, -1)}, another, false, nil, nil},
		"replaced, and put back by hand":     {peer, []step{install(true, -1), put(peer), install(true, -1), edit}, "", false, []string{"persistent-mode.mjs"}, nil},
		"replaced, and bridge taken by hand": {peer, []step{install(true, -1), dropHooks, install(false, -1), edit}, "", false, []string{"persistent-mode.mjs"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
			if test.before != "" {
				write(t, site.Path, []byte(test.before))
			}
			for _, do := range test.steps {
				do(t, site)
			}
			c, _, err := site.Uninstall(false)
			if err != nil {
				t.Fatal(err)
			}
			// Uninstall names what it restores in an edited file.
			if want := map[string]int{"replaced twice": 2, "replaced, and put back by hand": 1, "replaced, and bridge taken by hand": 1}[name]; len(c.PutBack) != want || (c.FirstCopy != "") != (want > 0) {
				t.Errorf("put back %q, copy in %q", c.PutBack, c.FirstCopy)
			}
			text, err := os.ReadFile(site.Path)
			switch {
			case test.gone != errors.Is(err, fs.ErrNotExist):
				t.Fatalf("%v: %s", err, text)
			case test.exact != "" && string(text) != test.exact:
				t.Errorf("%s", text)
			case strings.Contains(string(text), "bin/bridge"):
				t.Errorf("bridge is still there: %s", text)
			}
			for _, part := range test.has {
				if strings.Count(string(text), part) != 1 {
					t.Errorf("%q is there %d times: %s", part, strings.Count(string(text), part), text)
				}
			}
			for _, part := range test.lacks {
				if strings.Contains(string(text), part) {
					t.Errorf("%q is left: %s", part, text)
				}
			}
		})
	}
}

// TestBlockCap: the cap is written only on request, and uninstall removes
// it.
func TestBlockCap(t *testing.T) {
	t.Parallel()
	if plan, err := Install([]byte("{}"), options(t)); err != nil || strings.Contains(string(plan.Text), claude.EnvBlockCap) {
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

// TestBrokenFilesAreLeftAlone: a file that is not a settings file stays
// unchanged, and the error names it.
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

// TestManyAtOnce: installations that start at the same time run one after
// the other.
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
	lines, err := settingsfile.Read(settingsfile.Source{Path: site.Path})
	if err != nil || len(lines.Lines) != 18 {
		t.Errorf("%d lines, %v", len(lines.Lines), err)
	}
	if _, _, err := site.Uninstall(false); err != nil {
		t.Fatal(err)
	}
	if back, _ := os.ReadFile(site.Path); !bytes.Equal(back, text) {
		t.Errorf("%s", back)
	}
}

// TestUninstallLooksAgain: if another program writes bridge's lines back at that moment,
// uninstall does not claim that they are gone.
func TestUninstallLooksAgain(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
	c, err := site.Install(options(t), false)
	if err != nil {
		t.Fatal(err)
	}
	write(t, site.Path, append(c.After, '\n'))
	site.replace = func(path string, _ []byte) error { return os.WriteFile(path, c.After, 0o600) }
	if _, _, err := site.Uninstall(false); !errors.Is(err, ErrRemain) || !strings.Contains(err.Error(), " still has 18 of bridge's hook lines: ") {
		t.Errorf("%v", err)
	}
	site.replace = nil
	if _, removed, err := site.Uninstall(false); err != nil || len(removed) != 18 {
		t.Errorf("the second time: %v, %v", removed, err)
	}
}
