package settingsfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSources: every scope that is there, and the plugins that are enabled; a
// later scope has the last word about a plugin.
func TestSources(t *testing.T) {
	t.Parallel()
	home, root := t.TempDir(), t.TempDir()
	getenv := func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] }
	for _, name := range []string{"a", "b", "c"} {
		write(t, filepath.Join(home, "plugins", name, "hooks", "hooks.json"), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}`)
	}
	write(t, filepath.Join(home, ".claude", "plugins", "installed_plugins.json"), `{"version":2,"plugins":{`+
		`"a@m":[{"installPath":"`+filepath.ToSlash(home)+`/plugins/a"}],"b@m":[{"installPath":"`+filepath.ToSlash(home)+`/plugins/b"}],"c@m":[{"installPath":"`+filepath.ToSlash(home)+`/plugins/c"}]}}`)
	write(t, filepath.Join(home, ".claude", "settings.json"), "// mine\n"+`{"enabledPlugins":{"a@m":true,"b@m":true,},}`)
	write(t, filepath.Join(root, ".claude", "settings.json"), `{"enabledPlugins":{"b@m":false}}`)
	write(t, filepath.Join(root, ".claude", "settings.local.json"), `{`)
	var got []string
	for _, s := range Sources(root, getenv) {
		got = append(got, string(s.Scope)+" "+s.Plugin+" "+filepath.Base(s.Path))
	}
	if text := strings.Join(got, "|"); text != "user  settings.json|project  settings.json|local  settings.local.json|plugin a@m hooks.json" {
		t.Error(text)
	}
}

// TestFiles: the files of every scope, in the order in which later ones override earlier
// ones; a file in a home directory is listed for the home and for the project.
func TestFiles(t *testing.T) {
	t.Parallel()
	home, work := t.TempDir(), t.TempDir()
	getenv := func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] }
	names := func(dirs []string, getenv func(string) string) (all []string) {
		for _, s := range Files(dirs, getenv) {
			path := strings.NewReplacer(home, "~", work, "work").Replace(s.Path)
			if s.Scope == Managed && !strings.HasPrefix(path, "~") {
				path = filepath.Base(path)
			}
			all = append(all, string(s.Scope)+" "+filepath.ToSlash(path))
		}
		return all
	}
	users := []string{"managed ~/.claude/remote-settings.json", "user ~/.claude/settings.json", "user ~/.claude/settings.local.json"}
	for _, test := range []struct {
		got, want []string
	}{
		{
			names([]string{work, home}, getenv),
			append(slices.Clone(users), "project work/.claude/settings.json", "local work/.claude/settings.local.json", "project ~/.claude/settings.json", "local ~/.claude/settings.local.json"),
		},
		{names(nil, getenv), users},
		{names(nil, func(string) string { return "relative" }), nil},
	} {
		if test.got[0] != "managed managed-settings.json" || !slices.Equal(test.got[len(test.got)-len(test.want):], test.want) {
			t.Errorf("%q, want at the end %q", test.got, test.want)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, `{
		// a comment
		"disableAllHooks": true, "env": {"A": "1", "N": 8},
		"hooks": {
			"Stop": [{"matcher": "", "hooks": [
				{"type": "command", "command": "/opt/bridge", "args": ["--hook=stop"], "timeout": 15},
				{"type": "command", "command": "\"/opt/my tools/HookBridge.exe\" --hook stop # x", "timeout": "long", "async": true},
				"rubbish", {"type": 5}]}, 7],
			"PreToolUse": [{"hooks": [{"type": "http", "url": "x"}]}], "Odd": {},
		},
	}`)
	s, err := Read(Source{Path: path, Scope: User})
	if err != nil {
		t.Fatal(err)
	}
	if !s.DisableAllHooks || s.Env["A"] != "1" || s.Env["N"] != "8" || len(s.Lines) != 3 {
		t.Fatalf("%+v", s)
	}
	first, second := s.Lines[1], s.Lines[2]
	if first.Pointer != "/hooks/Stop/0/hooks/0" || !first.HasMatcher || *first.Timeout != 15 || !first.Bridge() {
		t.Errorf("%+v", first)
	}
	if hook, ok := second.Hook(); hook != "stop" || !ok || !second.Bridge() || second.program() != "/opt/my tools/HookBridge.exe" || *second.Timeout != -1 || !second.Async {
		t.Errorf("%+v", second)
	}
	if s.Lines[0].Bridge() {
		t.Errorf("%+v", s.Lines[0])
	}
	if _, err := Read(Source{Path: filepath.Dir(path)}); err == nil {
		t.Error("a directory was read")
	}
}

// TestApply: everything that the operation does not change stays the same to the byte.
func TestApply(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ old, want string }{
		"comments":        {"{\n  // why\n  \"a\": 1, // here\n}\n", "{\n  // why\n  \"a\": 2, // here\n}\n"},
		"CRLF and tabs":   {"{\r\n\t\"a\": 1,\r\n\t\"b\": [1,2]\r\n}\r\n", "{\r\n\t\"a\": 2,\r\n\t\"b\": [1,2]\r\n}\r\n"},
		"byte order mark": {"\ufeff{\"a\":1}", "\ufeff{\"a\":2}"},
		"order":           {`{"z":0,"a":1,"b":{ }}`, `{"z":0,"a":2,"b":{ }}`},
	} {
		got, err := Apply([]byte(test.old), []Operation{{Op: "replace", Path: "/a", Value: 2}})
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := Apply([]byte("{"), nil); err == nil {
		t.Error("broken JSON was edited")
	}
}

// TestEdit: a copy is kept, a link stays one, a broken file is left alone.
func TestEdit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "dotfiles", "settings.json"), filepath.Join(dir, "settings.json")
	write(t, target, `{"a":1}`)
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := Edit(link, []Operation{{Op: "replace", Path: "/a", Value: 2}}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is gone: %v", err)
	}
	for path, want := range map[string]string{target: `{"a":2}`, link + BackupSuffix: `{"a":1}`} {
		if text, err := os.ReadFile(path); string(text) != want {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	broken := filepath.Join(dir, "broken.json")
	write(t, broken, `{"a":`)
	if err := Edit(broken, []Operation{{Op: "add", Path: "/b", Value: 1}}); err == nil || !strings.Contains(err.Error(), "left as it is") {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(broken); string(text) != `{"a":` {
		t.Errorf("%q", text)
	}
}
