package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/self"
)

// npmFiles are the scripts of the package hookbridge.
//
//go:embed npm
var npmFiles embed.FS

const (
	npmName     = "hookbridge"
	description = "One binary behind every hook of Claude Code: loops that end, permission dialogs that fail closed"
	homepage    = "https://github.com/hookbridge/bridge"
)

// manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage"`
	Repository  map[string]string `json:"repository"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Bin         map[string]string `json:"bin"`
	Man         []string          `json:"man,omitempty"`
	Scripts     map[string]string `json:"scripts,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Unplugged   bool              `json:"preferUnplugged"`
}

func newManifest(name string) manifest {
	return manifest{
		Name: name, Version: self.Version, Description: description, License: "MIT", Homepage: homepage,
		Repository: map[string]string{"type": "git", "url": "git+" + homepage + ".git"}, Unplugged: true,
	}
}

// platform is what Node.js calls a target.
func (t target) platform() (system, cpu string) {
	system, cpu = t.os, t.arch
	if system == "windows" {
		system = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return system, cpu
}

// npmPackage is the package of a target.
func (t target) npmPackage() string {
	system, cpu := t.platform()
	return "@" + npmName + "/" + system + "-" + cpu
}

// npm is the package with the program of one target. Its command is the program itself: a
// link to it, or on Windows a script of npm that calls it, because it does not begin with
// #!. Nothing starts Node.js.
func (b *builder) npm(t target, binary, bill []byte) (file, error) {
	m := newManifest(t.npmPackage())
	system, cpu := t.platform()
	program := "bin/hookbridge" + t.exe()
	m.OS, m.CPU, m.Bin = []string{system}, []string{cpu}, map[string]string{npmName: program}
	files := []file{{program, binary, true}}
	if bill != nil {
		files = append(files, file{billName, bill, false})
	}
	return b.npmPack(m, files)
}

// npmMain is the package that people name. The packages of the targets are its optional
// dependencies, of which npm installs the one that fits. Before npm links the command, a
// script puts that program in the place of the launcher. The place is called .exe on every
// system, because only there does the script of npm on Windows call it directly. Where
// scripts are switched off, the launcher stays and starts the program.
func (b *builder) npmMain() (file, error) {
	m := newManifest(npmName)
	m.Bin = map[string]string{npmName: "bin/hookbridge.exe"}
	m.Scripts = map[string]string{"preinstall": "node place.js"}
	m.Optional = map[string]string{}
	for _, t := range targets() {
		m.Optional[t.npmPackage()] = self.Version
	}
	files, err := b.pages(npmName, "man")
	if err != nil {
		return file{}, err
	}
	for _, page := range files {
		m.Man = append(m.Man, page.name)
	}
	for _, script := range []struct {
		from, to   string
		executable bool
	}{{"launcher.js", "bin/hookbridge.exe", true}, {"place.js", "place.js", false}, {"program.js", "program.js", false}} {
		text, err := npmFiles.ReadFile("npm/" + script.from)
		if err != nil {
			return file{}, fmt.Errorf("read the script: %w", err)
		}
		files = append(files, file{script.to, text, script.executable})
	}
	return b.npmPack(m, files)
}

func (b *builder) npmPack(m manifest, files []file) (file, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return file{}, err
	}
	files = append(files, file{"package.json", append(text, '\n'), false})
	for _, name := range []string{"README.md", "LICENSE"} {
		data, err := os.ReadFile(filepath.Join(b.root, name))
		if err != nil {
			return file{}, fmt.Errorf("read a document: %w", err)
		}
		files = append(files, file{name, data, false})
	}
	slices.SortFunc(files, byName)
	// The name is that of npm pack.
	name := strings.TrimPrefix(strings.ReplaceAll(m.Name, "/", "-"), "@") + "-" + m.Version + ".tgz"
	data, err := tarred("package", files)
	return file{path.Base(name), data, false}, err
}
