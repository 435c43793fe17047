package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestNotIgnored: what git itself says is the judge.
func TestNotIgnored(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	root := t.TempDir()
	run := func(args ...string) error {
		cmd := exec.Command(git, args...)
		cmd.Dir, cmd.Env = root, []string{"HOME=" + root, "PATH=" + os.Getenv("PATH")}
		return cmd.Run()
	}
	if err := run("init", "--quiet"); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{".omc/state/x.json", ".claude/ralph-loop.local.md", ".claude/ralph-loop.1a2b.local.md.bak", ".claude/ralph-smart/state.md"}
	both := map[bool]int{}
	for _, list := range []string{
		"", "x\n", "# .omc/\n", ".omc\n", ".omc/\n", "/.omc/\n", ".omc/*\n", ".omc/**\n", "**/.omc/\n", ".omc/state\n", "state/\n", "/state\n", "*.json\n",
		".claude/\n", ".claude/*\n!.claude/ralph-smart/\n", ".claude/\n!.claude/ralph-smart/\n", "*.local.md\n", ".claude/*.local.*\r\n", ".claude/ralph-*\n",
		".claude/ralph-loop.*\n.claude/ralph-smart/\n", "*\n!.omc/\n", ".claude/**/state.md\n", ".claude/ralph-smart/state.md/\n", "[\n", "ralph-loop.local.md  \n",
	} {
		for _, file := range []string{".gitignore", ".git/info/exclude", ".claude/.gitignore"} {
			for _, other := range []string{".gitignore", ".git/info/exclude", ".claude/.gitignore"} {
				write(other, "")
			}
			write(file, list)
			for _, name := range names {
				want := run("check-ignore", "--quiet", name) != nil
				both[want]++
				if got := len(NotIgnored(root, "", name)) == 1; got != want {
					t.Errorf("%s is %q: %s: %v, git says %v", file, list, name, got, want)
				}
			}
		}
	}
	if both[true] < 20 || both[false] < 20 {
		t.Errorf("%v", both)
	}
	write(".claude/.gitignore", "")
	if left := NotIgnored(root, ".omc/\n.claude/ralph-*\n", names...); len(left) > 0 {
		t.Errorf("the user's own list counts: %v", left)
	}
	if left := NotIgnored(t.TempDir(), "", names...); len(left) > 0 {
		t.Errorf("not a repository: %v", left)
	}
}
