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

// binaries are the paths of the programs that are measured.
type binaries struct{ bridge, noop, linked string }

// build builds three programs into dir, with the flags of a release and the extra ones: bridge, the program that does
// nothing, and the one that only links our libraries.
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
		// The linker leaves its output in the page cache in single pages, which costs a
		// tenth of a hook at every start. Users run a program that was copied, so this
		// one is copied, too.
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

// renew copies the binaries again. A system under memory pressure may drop the copies and
// read them again in single pages, and writing the transcripts takes long enough for
// that. (After a restart of the machine, users have single pages as well.)
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
