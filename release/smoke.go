package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/self"
)

// scene is a directory in which a smoke test installs, with the files of a release.
type scene struct {
	dir, dist string
	host      target
}

// smoke installs what is for this system in a directory of its own, and runs it.
func smoke(out string, chosen []target) error {
	host := target{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(chosen, host) {
		return fmt.Errorf("%s, the target of this system, was not built", host)
	}
	dist, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	type check struct {
		name string
		do   func(scene) error
	}
	checks := []check{{"archive", scene.archive}, {"npm", scene.npm}, {"npm without scripts", scene.npmBare}, {"npm, only the program", scene.npmProgram}}
	if host.os == "linux" {
		checks = append(checks, check{"deb", scene.deb}, check{"rpm", scene.rpm})
	}
	var errs []error
	for _, c := range checks {
		dir, err := os.MkdirTemp("", "bridge-smoke-")
		if err != nil {
			return fmt.Errorf("make a directory: %w", err)
		}
		if err := c.do(scene{dir, dist, host}); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.name, err))
		} else {
			fmt.Println("installed and run:", c.name)
		}
		if err := os.RemoveAll(dir); err != nil {
			_, err = execute(dir, asRoot("rm", "-rf", dir)...)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// execute runs a program and returns what it printed.
func execute(dir string, args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// asRoot is a command that only the administrator may run.
func asRoot(args ...string) []string {
	if os.Getuid() != 0 {
		return append([]string{"sudo"}, args...)
	}
	return args
}

func (s scene) run(args ...string) (string, error) { return execute(s.dir, args...) }

// works reports a program that does not run as this version.
func (s scene) works(program string) error {
	out, err := s.run(program, "version")
	if err == nil && strings.TrimSpace(out) != "bridge "+self.Version {
		err = fmt.Errorf("%s version prints %q", program, out)
	}
	return err
}

// has reports missing files.
func has(dir string, names ...string) error {
	var errs []error
	for _, name := range names {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (s scene) archive() error {
	base := fmt.Sprintf("bridge-%s-%s-%s", self.Version, s.host.os, s.host.arch)
	ending := ".tar.gz"
	if s.host.os == "windows" {
		ending = ".zip"
	}
	// tar of Windows unpacks zip archives as well.
	if _, err := s.run("tar", "-xf", filepath.Join(s.dist, base+ending)); err != nil {
		return err
	}
	top := filepath.Join(s.dir, base)
	err := has(top, "README.md", "LICENSE", "CHANGELOG.md", "docs/install.md", billName, ".claude-plugin/marketplace.json", "plugin/.claude-plugin/plugin.json", "plugin/hooks/hooks.json",
		"man/man1/bridge.1", "man/man1/bridge-ralph-loop.1", "completions/bridge.bash", "completions/_bridge", "completions/bridge.fish", "completions/bridge.ps1")
	err = errors.Join(err, s.works(filepath.Join(top, "bridge"+s.host.exe())), s.works(filepath.Join(top, "plugin", "bin", "bridge"+s.host.exe())))
	if groff, lookErr := exec.LookPath("groff"); lookErr == nil {
		pages, globErr := filepath.Glob(filepath.Join(top, "man", "man1", "*.1"))
		warnings, runErr := s.run(append([]string{groff, "-man", "-Tutf8", "-ww", "-z"}, pages...)...)
		if warnings != "" {
			runErr = fmt.Errorf("groff: %s", warnings)
		}
		err = errors.Join(err, globErr, runErr)
	}
	for shell, script := range map[string]string{"bash": "bridge.bash", "zsh": "_bridge", "fish": "bridge.fish"} {
		if path, lookErr := exec.LookPath(shell); lookErr == nil {
			_, runErr := s.run(path, "-n", filepath.Join(top, "completions", script))
			err = errors.Join(err, runErr)
		}
	}
	// The program installs itself and is removed again.
	_, installed := s.run(filepath.Join(top, "bridge"+s.host.exe()), "install")
	_, removed := s.run(filepath.Join(top, "bridge"+s.host.exe()), "uninstall")
	return errors.Join(err, installed, removed)
}

func (s scene) npm() error {
	return s.native(s.npmInstall([]string{npmName, s.npmFile()}))
}

// npmProgram installs the package of this system alone.
func (s scene) npmProgram() error {
	return s.native(s.npmInstall([]string{s.npmFile()}, "--ignore-scripts"))
}

func (s scene) npmBare() error {
	_, err := s.npmInstall([]string{npmName, s.npmFile()}, "--ignore-scripts")
	return err
}

// npmFile is the name of the package of this system, as npm pack writes it.
func (s scene) npmFile() string {
	system, cpu := s.host.platform()
	return npmName + "-" + system + "-" + cpu
}

// native reports a command that starts Node.js.
func (s scene) native(program string, err error) error {
	if err != nil {
		return err
	}
	text, err := os.ReadFile(program)
	if err == nil && bytes.HasPrefix(text, []byte("#!")) {
		err = errors.New("the command is the launcher")
	}
	return err
}

// npmInstall installs packages from their files, without a registry, and returns the path
// of the command.
func (s scene) npmInstall(names []string, options ...string) (program string, err error) {
	var files []string
	for _, name := range names {
		file := filepath.Join(s.dist, name+"-"+self.Version+".tgz")
		// npm pack reads a package as a registry would.
		if out, err := s.run("npm", "pack", "--dry-run", "--offline", file); err != nil {
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		files = append(files, file)
	}
	prefix := filepath.Join(s.dir, "prefix")
	args := append([]string{"npm", "install", "--global", "--offline", "--no-audit", "--no-fund", "--prefix", prefix}, options...)
	if _, err := s.run(append(args, files...)...); err != nil {
		return "", err
	}
	program = filepath.Join(prefix, "bin", npmName)
	if s.host.os == "windows" {
		// npm writes a script there, so what native sees is not the program.
		program = filepath.Join(prefix, npmName+".cmd")
	}
	return program, s.works(program)
}

func (s scene) deb() error {
	root := filepath.Join(s.dir, "root")
	state := filepath.Join(root, "var", "lib", "dpkg")
	for _, dir := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(state, dir), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(state, "status"), nil, 0o644); err != nil {
		return err
	}
	dpkg := func(args ...string) error {
		_, err := s.run(asRoot(append([]string{"dpkg", "--root=" + root, "--log=" + filepath.Join(s.dir, "log")}, args...)...)...)
		return err
	}
	if err := dpkg("-i", filepath.Join(s.dist, fmt.Sprintf("hookbridge_%s_%s.deb", self.Version, s.host.arch))); err != nil {
		return err
	}
	program := filepath.Join(root, "usr", "bin", "hookbridge")
	err := has(root, "usr/share/man/man1/hookbridge.1.gz", "usr/share/bash-completion/completions/hookbridge", "usr/share/zsh/vendor-completions/_hookbridge",
		"usr/share/fish/vendor_completions.d/hookbridge.fish", "usr/share/doc/hookbridge/copyright", "usr/share/doc/hookbridge/"+billName)
	err = errors.Join(err, s.works(program), dpkg("-r", "hookbridge"))
	if _, statErr := os.Stat(program); statErr == nil {
		err = errors.Join(err, errors.New("the program stays when the package is removed"))
	}
	return err
}

func (s scene) rpm() error {
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[s.host.arch]
	path := filepath.Join(s.dist, fmt.Sprintf("hookbridge-%s-1.%s.rpm", self.Version, machine))
	if _, err := s.run("rpm", "-K", "--nosignature", path); err != nil {
		return err
	}
	head, err := s.run("rpm", "-qp", "--nosignature", "--qf", "%{NAME} %{VERSION} %{ARCH} %{LICENSE} %{BUILDHOST}", path)
	if want := "hookbridge " + self.Version + " " + machine + " MIT localhost"; err != nil || head != want {
		return errors.Join(err, fmt.Errorf("the header is %q, not %q", head, want))
	}
	list, err := s.run("rpm", "-qp", "--nosignature", "--qf", "[%{FILENAMES} %{FILEDIGESTS}\n]", path)
	if err != nil {
		return err
	}
	for _, name := range []string{"/usr/share/man/man1/hookbridge.1.gz", "/usr/share/zsh/site-functions/_hookbridge", "/usr/share/doc/hookbridge/copyright"} {
		if !strings.Contains(list, name+" ") {
			err = errors.Join(err, fmt.Errorf("it lacks %s", name))
		}
	}
	// The program is that of the archive.
	base := fmt.Sprintf("bridge-%s-linux-%s", self.Version, s.host.arch)
	if _, err := s.run("tar", "-xf", filepath.Join(s.dist, base+".tar.gz"), base+"/bridge"); err != nil {
		return err
	}
	program, readErr := os.ReadFile(filepath.Join(s.dir, base, "bridge"))
	if line := fmt.Sprintf("/usr/bin/hookbridge %x\n", sha256.Sum256(program)); !strings.Contains(list, line) {
		err = errors.Join(err, readErr, fmt.Errorf("it lacks %s", line))
	}
	return err
}
