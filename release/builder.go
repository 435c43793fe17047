package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/self"
)

// target is one system and architecture.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// exe is the ending of programs.
func (t target) exe() string {
	if t.os == "windows" {
		return ".exe"
	}
	return ""
}

// targets returns the six targets of a release.
func targets() []target {
	return []target{
		{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
	}
}

// builder builds the files of a release of the module at root.
type builder struct {
	root string
	// temp holds the program of this system, which writes its own manual and completion
	// scripts, and the files that tools read.
	temp, program string
}

func newBuilder(root string) (*builder, error) {
	temp, err := os.MkdirTemp("", "bridge-release-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	host := target{runtime.GOOS, runtime.GOARCH}
	b := &builder{root: root, temp: temp, program: filepath.Join(temp, "bridge"+host.exe())}
	if err := b.compile(host, b.program); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *builder) close() { os.RemoveAll(b.temp) }

// products are the files of one target.
func (b *builder) products(t target) ([]file, error) {
	out := filepath.Join(b.temp, t.os+"-"+t.arch+t.exe())
	if err := b.compile(t, out); err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("read the program: %w", err)
	}
	bill, err := b.bill(out)
	if err != nil {
		return nil, fmt.Errorf("the bill of materials: %w", err)
	}
	archive, err := b.archive(t, binary, bill)
	if err != nil {
		return nil, fmt.Errorf("the archive: %w", err)
	}
	npm, err := b.npm(t, binary, bill)
	if err != nil {
		return nil, fmt.Errorf("the package for npm: %w", err)
	}
	products := []file{archive, npm}
	if t.os == "linux" {
		packages, err := b.linux(t, binary, bill)
		if err != nil {
			return nil, err
		}
		products = append(products, packages...)
	}
	return products, nil
}

// compile builds a static program that contains no paths of this machine.
func (b *builder) compile(t target, out string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out, "./cmd/bridge")
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for %s: %w\n%s", t, err, text)
	}
	return nil
}

// archive packs what somebody needs who installs without a package manager.
func (b *builder) archive(t target, binary, bill []byte) (file, error) {
	files := []file{{"bridge" + t.exe(), binary, true}, {"plugin/bin/bridge" + t.exe(), binary, true}}
	if bill != nil {
		files = append(files, file{billName, bill, false})
	}
	for _, add := range []func() ([]file, error){
		b.documents,
		func() ([]file, error) { return b.tree(".claude-plugin") },
		func() ([]file, error) { return b.tree("plugin") },
		func() ([]file, error) { return b.pages("bridge", "man/man1") },
		func() ([]file, error) { return b.completions("bridge", "completions") },
	} {
		more, err := add()
		if err != nil {
			return file{}, err
		}
		files = append(files, more...)
	}
	slices.SortFunc(files, byName)
	base := fmt.Sprintf("bridge-%s-%s-%s", self.Version, t.os, t.arch)
	if t.os == "windows" {
		data, err := zipped(base, files)
		return file{base + ".zip", data, false}, err
	}
	data, err := tarred(base, files)
	return file{base + ".tar.gz", data, false}, err
}

// documents are the texts for users.
func (b *builder) documents() ([]file, error) {
	files, err := b.tree("docs")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"README.md", "README.zh-CN.md", "CHANGELOG.md", "LICENSE"} {
		data, err := os.ReadFile(filepath.Join(b.root, name))
		if err != nil {
			return nil, fmt.Errorf("read a document: %w", err)
		}
		files = append(files, file{name, data, false})
	}
	return files, nil
}

// tree are the files below a folder, without built programs.
func (b *builder) tree(dir string) (files []file, err error) {
	err = fs.WalkDir(os.DirFS(filepath.Join(b.root, dir)), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, "bin/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(b.root, dir, name))
		files = append(files, file{path.Join(dir, name), data, false})
		return err
	})
	if err == nil && len(files) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("read the folder %s: %w", dir, err)
	}
	return files, nil
}

// pages are the manual pages of a command, which is bridge or hookbridge.
func (b *builder) pages(command, dir string) (files []file, err error) {
	list, err := b.say("manual", "--list", "--command", command)
	if err != nil {
		return nil, err
	}
	for _, page := range strings.Fields(string(list)) {
		text, err := b.say("manual", "--command", command, page)
		if err != nil {
			return nil, err
		}
		files = append(files, file{path.Join(dir, page+".1"), text, false})
	}
	return files, nil
}

// completions are the completion scripts of a command, under the names that shells expect.
func (b *builder) completions(command, dir string) (files []file, err error) {
	for _, script := range []struct{ shell, name string }{{"bash", command + ".bash"}, {"zsh", "_" + command}, {"fish", command + ".fish"}, {"powershell", command + ".ps1"}} {
		text, err := b.say("completion", script.shell, "--command", command)
		if err != nil {
			return nil, err
		}
		files = append(files, file{path.Join(dir, script.name), text, false})
	}
	return files, nil
}

// say runs the program of this system, in an environment that has nothing of this machine.
func (b *builder) say(args ...string) ([]byte, error) {
	var errs bytes.Buffer
	cmd := exec.Command(b.program, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = b.temp, []string{"HOME=" + b.temp, "USERPROFILE=" + b.temp}, &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("bridge %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	if bytes.Contains(out, []byte(b.temp)) {
		return nil, fmt.Errorf("bridge %s prints a path of this machine", strings.Join(args, " "))
	}
	return out, nil
}

// tool runs a program of release/tools.mod.
func (b *builder) tool(args ...string) ([]byte, error) {
	var errs bytes.Buffer
	cmd := exec.Command("go", append([]string{"tool", "-modfile=release/tools.mod"}, args...)...)
	cmd.Dir, cmd.Stderr = b.root, &errs
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go tool %s: %w\n%s%s", strings.Join(args, " "), err, errs.String(), out)
	}
	return out, nil
}
