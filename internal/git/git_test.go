package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDirCommonAndSuper(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]string{
		"main/.git/HEAD":                     "ref: refs/heads/main\n",
		"main/.git/worktrees/tree/commondir": "../..\n",
		"tree/.git":                          "gitdir: " + filepath.Join(root, "main/.git/worktrees/tree") + "\n",
		"main/lib/.git":                      "gitdir: ../.git/modules/lib\n",
		"broken/.git":                        "something else\n",
		"none/file":                          "",
	})
	for tree, want := range map[string][3]string{
		"main":     {"main/.git", "main/.git", ""},
		"tree":     {"main/.git/worktrees/tree", "main/.git", ""},
		"main/lib": {"main/.git/modules/lib", "main/.git/modules/lib", "main"},
		"broken":   {"broken/.git", "broken/.git", ""},
		"none":     {"", "", ""},
	} {
		dir := Dir(filepath.Join(root, tree))
		got := [3]string{dir, "", Super(filepath.Join(root, tree))}
		if dir != "" {
			got[1] = Common(dir)
		}
		for i, path := range want {
			if path != "" {
				path = filepath.Join(root, path)
			}
			if got[i] != path {
				t.Errorf("%s: %q, want %q", tree, got[i], path)
			}
		}
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	commit := strings.Repeat("0a", 20)
	for text, want := range map[string][2]string{
		"ref: refs/heads/a/b\n": {"refs/heads/a/b", ""},
		commit + "\n":           {"", commit},
		commit + commit[:24]:    {"", commit + commit[:24]},
		commit[:39]:             {}, commit + "g": {}, "": {}, "ref:refs/heads/a": {},
	} {
		if ref, commit := Head([]byte(text)); ref != want[0] || commit != want[1] {
			t.Errorf("%q: ref %q, commit %q", text, ref, commit)
		}
	}
}

func TestConfigSaysWhichLinesAreOfThePlainForm(t *testing.T) {
	t.Parallel()
	var got []string
	for l := range Config("[Core]\r\n\tBare = false\n# a comment\n; a \\ comment\n\n[remote \"origin\"] \n url=git@example.com:a=b \n [user]\nname = a\n[remote \"a\"] url = b\nurl = c\n\n[x \"a\\\"b\"]\nkey") {
		got = append(got, strings.Join([]string{l.Section, l.Sub, l.Key, l.Value, l.Odd}, "|"))
	}
	const line, section, escape = "an unusual line", "an unusual section", "an escape or a control character"
	want := []string{
		"core||||", "core||bare|false|", "core||||", "core||||" + escape, "core||||",
		`remote|"origin"|||`, `remote|"origin"|url|git@example.com:a=b|`,
		"user||||" + line, "user||name|a|",
		"||||" + section, "||url|c|" + line, "||||",
		"||||" + escape, "||key||" + line,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
