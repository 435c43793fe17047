//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// object is a JSON object.
type object = map[string]any

// patient is an installation for doctor to examine.
type patient struct {
	*scene
	settings, program string
}

// healthy is an installation without a fault: the settings that install writes, its
// program, and a link to the program on the PATH.
func healthy(t *testing.T) *patient {
	t.Helper()
	p := &patient{scene: newScene(t)}
	p.settings, p.program = filepath.Join(p.home, ".claude", "settings.json"), filepath.Join(p.home, ".local", "share", "bridge", "bin", "bridge")
	p.env = []string{"HOME=" + p.home, "PATH=" + filepath.Join(p.home, ".local", "bin") + ":/usr/bin:/bin"}
	p.write(".gitignore", ".claude/ralph-loop.*\n.claude/ralph-smart/\n.omc/\n")
	p.link(p.program)
	bin := filepath.Join(p.home, ".local", "bin", "bridge")
	p.must(os.MkdirAll(filepath.Dir(bin), 0o700))
	p.must(os.Symlink(p.program, bin))
	if a := p.cli("", "install"); a.code != 0 {
		t.Fatalf("install: %+v", a)
	}
	return p
}

func (p *patient) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// link puts the tested program at a path, without a copy.
func (p *patient) link(path string) {
	p.t.Helper()
	p.must(os.MkdirAll(filepath.Dir(path), 0o700))
	if err := os.Link(binary, path); err != nil {
		p.other(path, func(program []byte) []byte { return program })
	}
}

// other puts a changed copy of the tested program at a path.
func (p *patient) other(path string, change func(program []byte) []byte) {
	p.t.Helper()
	program, err := os.ReadFile(binary)
	p.must(err)
	p.must(os.MkdirAll(filepath.Dir(path), 0o700))
	p.must(os.RemoveAll(path))
	writeProgram(p.t, path, change(program))
}

// replaced replaces a text in a program by one of the same length.
func replaced(old, with string) func([]byte) []byte {
	return func(program []byte) []byte { return bytes.ReplaceAll(program, []byte(old), []byte(with)) }
}

// network is the head of a program that is not bridge.
func network([]byte) []byte { return []byte("\x7fELF\x02\x01\x01\x00 bridge utility, %s\n") }

// edit changes the user's settings.
func (p *patient) edit(change func(settings object)) {
	p.t.Helper()
	var settings object
	p.must(json.Unmarshal([]byte(read(p.t, p.settings)), &settings))
	change(settings)
	text, err := json.Marshal(settings)
	p.must(err)
	p.put(p.settings, string(text))
}

// group changes the group of an event.
func (p *patient) group(event string, change func(group object)) {
	p.t.Helper()
	p.edit(func(settings object) { change(settings["hooks"].(object)[event].([]any)[0].(object)) })
}

// line changes the line of an event.
func (p *patient) line(event string, change func(line object)) {
	p.t.Helper()
	p.group(event, func(group object) { change(group["hooks"].([]any)[0].(object)) })
}

// inLine sets a member of the line for Stop.
func inLine(name string, value any) func(*patient) {
	return func(p *patient) { p.line("Stop", func(line object) { line[name] = value }) }
}

// inSettings sets a member of the user's settings.
func inSettings(name string, value any) func(*patient) {
	return func(p *patient) { p.edit(func(settings object) { settings[name] = value }) }
}

// inFile writes a file below the home directory, or below the project.
func inFile(name, text string) func(*patient) {
	return func(p *patient) {
		if below, ok := strings.CutPrefix(name, "~/"); ok {
			p.put(filepath.Join(p.home, below), text)
			return
		}
		p.write(name, text)
	}
}

// withVariable sets an environment variable.
func withVariable(name, value string) func(*patient) {
	return func(p *patient) {
		p.env = append(slices.DeleteFunc(p.env, func(e string) bool { return strings.HasPrefix(e, name+"=") }), name+"="+value)
	}
}

// withoutVariable removes an environment variable.
func withoutVariable(name string) func(*patient) {
	return func(p *patient) {
		p.env = slices.DeleteFunc(p.env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
	}
}

// bridgeDo runs bridge as a remedy says.
func bridgeDo(args ...string) func(*patient) {
	return func(p *patient) {
		if a := p.cli("", args...); a.code != 0 {
			p.t.Errorf("%v: %+v", args, a)
		}
	}
}

// removed removes a file below the home directory.
func removed(name string) func(*patient) {
	return func(p *patient) { p.must(os.RemoveAll(filepath.Join(p.home, name))) }
}

// moded changes the mode of a file below the home directory or, after /, the project.
func moded(name string, to fs.FileMode) func(*patient) {
	return func(p *patient) {
		at := filepath.Join(p.home, name)
		if strings.HasPrefix(name, "/") {
			at = filepath.Join(p.project, name)
		}
		p.must(os.Chmod(at, to))
	}
}

// inOrder does one after the other.
func inOrder(steps ...func(*patient)) func(*patient) {
	return func(p *patient) {
		for _, step := range steps {
			step(p)
		}
	}
}

// byGit runs git in the project.
func byGit(args ...string) func(*patient) {
	return func(p *patient) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = p.project, []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
		if out, err := cmd.CombinedOutput(); err != nil {
			p.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// withPlugin installs the plugin of bridge from an unpacked release below the home directory.
func withPlugin(p *patient) {
	release := filepath.Join(p.home, "release")
	root := filepath.Join(release, "plugin")
	p.must(os.CopyFS(root, os.DirFS(filepath.Join("..", "..", "plugin"))))
	p.link(filepath.Join(root, "bin", "bridge"))
	p.put(filepath.Join(release, ".claude-plugin", "marketplace.json"), `{"name": "bridge", "plugins": [{"name": "bridge", "source": "./plugin"}]}`)
	cache := filepath.Join(p.home, ".claude", "plugins", "cache", "bridge")
	p.must(os.CopyFS(cache, os.DirFS(root)))
	p.put(filepath.Join(p.home, ".claude", "plugins", "installed_plugins.json"), `{"plugins": {"bridge@bridge": [{"installPath": "`+cache+`"}]}}`)
	p.put(filepath.Join(p.home, ".claude", "plugins", "known_marketplaces.json"), `{"bridge": {"source": {"source": "directory", "path": "`+release+`"}, "installLocation": "`+release+`"}}`)
	inSettings("enabledPlugins", object{"bridge@bridge": true})(p)
}

// pluginOnly leaves the settings without hook lines.
func pluginOnly(p *patient) {
	bridgeDo("uninstall")(p)
	p.put(p.settings, "{}")
	withPlugin(p)
}

// uninstallPlugin does what the client does.
func uninstallPlugin(p *patient) {
	removed(".claude/plugins")(p)
	p.edit(func(settings object) { delete(settings, "enabledPlugins") })
}

// asUser makes permissions count, also if the tests run as root.
func (p *patient) asUser() { p.asNobody() }

// finding is one of doctor.
type finding struct {
	ID, Severity, Where, What, Means, Do string
	Fixable                              bool
}

// diagnosis is what doctor --json prints.
type diagnosis struct {
	Fixed, Findings []finding
	Probed          []object
}

// doctor runs doctor --json, and checks its exit code.
func (p *patient) doctor(args ...string) (d diagnosis) {
	p.t.Helper()
	cmd := exec.Command(binary, append([]string{"doctor", "--json"}, args...)...)
	cmd.Dir, cmd.Env = p.project, p.env
	if p.uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: p.uid, Gid: p.uid}}
	}
	a, err := execute(cmd)
	p.must(err)
	if err := json.Unmarshal([]byte(a.stdout), &d); err != nil {
		p.t.Fatalf("%v: %+v", err, a)
	}
	want := 0
	for _, f := range d.Findings {
		if f.Severity == "error" {
			want = 1
		}
	}
	if a.code != want {
		p.t.Errorf("exit code %d, want %d: %s", a.code, want, a.stderr)
	}
	return d
}
