package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/hookbridge/bridge/internal/self"
)

const module = "github.com/hookbridge/bridge"

// binaries are the paths of what is measured.
type binaries struct{ bridge, noop, linked string }

// build builds bridge, the program that does nothing and the one that only holds
// our libraries into dir, with the flags of a release and the extra ones.
func build(dir string, extra ...string) (binaries, error) {
	make1 := func(name, pkg string) (string, error) {
		path := filepath.Join(dir, name)
		if runtime.GOOS == "windows" {
			path += ".exe"
		}
		linked := path + ".linked"
		args := append([]string{"build", "-ldflags=-s -w", "-o", linked}, extra...)
		cmd := exec.Command("go", append(args, module+pkg)...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("building %s: %w\n%s", pkg, err, out)
		}
		// The linker leaves its output in the page cache in single pages, which costs
		// a tenth of a hook at every start. What people run was copied there.
		if err := self.Copy(linked, path); err != nil {
			return "", err
		}
		return path, os.Remove(linked)
	}
	bridge, err := make1("bridge", "/cmd/bridge")
	if err != nil {
		return binaries{}, err
	}
	noop, err := make1("noop", "/bench/noop")
	if err != nil {
		return binaries{}, err
	}
	linked, err := make1("linked", "/bench/linked")
	return binaries{bridge, noop, linked}, err
}

// renew copies the binaries once more. A system that takes back pages soon reads
// what was copied a minute ago again in single pages, and writing the transcripts
// takes that minute; after a restart of the machine it is the same for everybody.
func (b binaries) renew() error {
	for _, path := range []string{b.bridge, b.noop, b.linked} {
		if err := renew(path); err != nil {
			return err
		}
	}
	return nil
}

func renew(path string) error {
	if err := os.Rename(path, path+".old"); err != nil {
		return err
	}
	return self.Copy(path+".old", path)
}
