package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/protocol"
)

// TestLoad: without a configuration the result is the zero Config; the error about a wrong one names the file.
func TestLoad(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(t *testing.T, dir string) (home string)
		problem string
		want    func(protocol.Config) bool
	}{
		"no home": {func(*testing.T, string) string { return "" }, "", zero},
		"absent":  {func(_ *testing.T, dir string) string { return filepath.Join(dir, "absent") }, "", zero},
		"below a file": {func(t *testing.T, dir string) string {
			put(t, filepath.Join(dir, "file"), "x")
			return filepath.Join(dir, "file", "bridge")
		}, "", zero},
		"a link that leads nowhere": {func(t *testing.T, dir string) string {
			link(t, filepath.Join(dir, "gone"), filepath.Join(dir, "bridge"))
			return filepath.Join(dir, "bridge")
		}, "~/bridge is a link that leads nowhere", nil},
		"below a link that leads nowhere": {func(t *testing.T, dir string) string {
			link(t, filepath.Join(dir, "gone"), filepath.Join(dir, ".config"))
			return filepath.Join(dir, ".config", "bridge")
		}, "~/.config is a link that leads nowhere", nil},
		"absent below a link": {func(t *testing.T, dir string) string {
			mkdir(t, filepath.Join(dir, "there"))
			link(t, filepath.Join(dir, "there"), filepath.Join(dir, ".config"))
			return filepath.Join(dir, ".config", "bridge")
		}, "", zero},
		"a file in its place": {func(t *testing.T, dir string) string {
			put(t, filepath.Join(dir, "bridge"), "x")
			return filepath.Join(dir, "bridge")
		}, "open the configuration directory", nil},
		"no file": {func(_ *testing.T, dir string) string { return dir }, "", zero},
		"comments, a byte order mark, a trailing comma": {text("\ufeff// mine\n{\"log\": \"x\", /* y */ \"deadlines_ms\": {\"stop-continuation\": 7,},}\n// end"), "", func(c protocol.Config) bool {
			return c.Log == "x" && c.Deadline(protocol.Row{Type: protocol.StopContinuation, Deadline: time.Second}) == 7*time.Millisecond &&
				c.Deadline(protocol.Row{Type: protocol.Ralph, Deadline: time.Second}) == time.Second
		}},
		"a misspelt name":            {text("{\n// x\n \"permisions\": {}}"), `unknown key "permisions" (did you mean "permissions"?) in ~/config.json, line 3`, nil},
		"a name of another object":   {text(`{"deny": []}`), `unknown key "deny" (did you mean "permissions.deny"?) in ~/config.json, line 1`, nil},
		"a deep name":                {text("{\"smart\": {\"clamp\":\n{\"max_iteration\": 1}}}"), `unknown key "smart.clamp.max_iteration" (did you mean "smart.clamp.max_iterations"?) in ~/config.json, line 2`, nil},
		"a name like no other":       {text(`{"permissions": {"foo": 1}}`), `unknown key "permissions.foo" in ~/config.json, line 1; the keys are deny, ask, allow, `, nil},
		"a deadline of no hook type": {text(`{"deadlines_ms": {"ralph": 5, "permision-request": 5}}`), `unknown key "deadlines_ms.permision-request" (did you mean "deadlines_ms.permission-request"?) in ~/config.json, line 1`, nil},
		"a deadline of an event":     {text(`{"deadlines_ms": {"Stop": 5}}`), `unknown key "deadlines_ms.Stop" (did you mean "deadlines_ms.stop-continuation"?)`, nil},
		"a wrong type":               {text(`{"permissions": {"deny": "all"}}`), "permissions.deny must be a list, in ~/config.json, line 1", nil},
		"a variant":                  {text(`{"specum": {"variant": "codex"}}`), "", func(c protocol.Config) bool { return c.Specum.Variant == "codex" }},
		"an unknown variant":         {text(`{"specum": {"variant": "codx"}}`), `specum.variant must be "specum" or "codex", not "codx" in ~/config.json, line 1`, nil},
		"a name twice":               {text("{\"log\": \"a\",\n \"log\": \"b\"}"), `the key "log" occurs twice in ~/config.json, line 2`, nil},
		"null":                       {text("{\"permissions\":\nnull}"), "permissions must not be null in ~/config.json, line 2; remove it", nil},
		"bad JSON with comments":     {text("// x\n{\"log\": \"x\",\n bad}"), "it is not valid JSON: invalid literal: bad in ~/config.json, line 3", nil},
		"two values":                 {text(`{} {}`), "it is not valid JSON: ", nil},
		"empty":                      {text(` `), "~/config.json is empty", nil},
		"a negative deadline":        {text(`{"deadlines_ms": {"ralph": -1}}`), "", func(c protocol.Config) bool { return c.Deadline(protocol.Row{Type: protocol.Ralph, Deadline: 5}) == 5 }},
		"a directory":                {func(t *testing.T, dir string) string { mkdir(t, filepath.Join(dir, FileName)); return dir }, "not a regular file", nil},
		"larger than one MiB":        {text(`{"log": "` + strings.Repeat("x", 1<<20) + `"}`), "larger than 1 MiB", nil},
		"writable by everybody":      {func(t *testing.T, dir string) string { chmod(t, dir, 0o777); return dir }, "world-writable", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			config, err := Load(protocol.Env{ConfigHome: test.prepare(t, dir), Getenv: func(string) string { return dir }})
			if test.problem == "" {
				if err != nil || !test.want(config) {
					t.Errorf("%+v, %v", config, err)
				}
				return
			}
			if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), test.problem) {
				t.Errorf("error %v, want one with %q", err, test.problem)
			}
		})
	}
}

func zero(c protocol.Config) bool {
	return c.Log == "" && c.Deadlines == nil && c.Permissions.Deny == nil
}

// text creates a home with a configuration.
func text(config string) func(*testing.T, string) string {
	return func(t *testing.T, dir string) string {
		put(t, filepath.Join(dir, FileName), config)
		return dir
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip(err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
