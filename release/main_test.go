package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/self"
)

// TestArchiveIsReproducible: the same source gives the same bytes, and the unpacked
// program runs.
func TestArchiveIsReproducible(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: builds programs")
	}
	if runtime.GOOS == "windows" {
		t.Skip("reads a tar archive")
	}
	host := target{runtime.GOOS, runtime.GOARCH}
	name, first, err := host.archive("..")
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := host.archive("..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("two builds differ")
	}
	dir := unpack(t, first)
	top := filepath.Join(dir, strings.TrimSuffix(name, ".tar.gz"))
	for _, binary := range []string{"bridge", "plugin/bin/bridge"} {
		out, err := exec.CommandContext(t.Context(), filepath.Join(top, binary), "version").Output()
		if err != nil || strings.TrimSpace(string(out)) != "bridge "+self.Version {
			t.Errorf("%s: %q, %v", binary, out, err)
		}
	}
	for _, file := range []string{"README.md", "plugin/hooks/hooks.json", "plugin/.claude-plugin/plugin.json", ".claude-plugin/marketplace.json"} {
		if _, err := os.Stat(filepath.Join(top, file)); err != nil {
			t.Error(err)
		}
	}
}

func unpack(t *testing.T, archive []byte) string {
	t.Helper()
	dir := t.TempDir()
	packed, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(packed)
	for {
		header, err := r.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(header.Name))
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, data, os.FileMode(header.Mode))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnknownTarget(t *testing.T) {
	t.Parallel()
	if err := run("..", t.TempDir(), "plan9/mips"); err == nil {
		t.Error("an unknown target was built")
	}
}
