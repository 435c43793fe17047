package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
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
// program runs. The bill of materials and the packages for Linux need programs from the
// network; the smoke test of CI compares those.
func TestArchiveIsReproducible(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: builds programs")
	}
	if runtime.GOOS == "windows" {
		t.Skip("reads a tar archive")
	}
	host := target{runtime.GOOS, runtime.GOARCH}
	var built [2][]file
	for i := range built {
		b, err := newBuilder("..")
		if err != nil {
			t.Fatal(err)
		}
		defer b.close()
		binary, err := os.ReadFile(b.program)
		if err != nil {
			t.Fatal(err)
		}
		archive, err := b.archive(host, binary, nil)
		if err != nil {
			t.Fatal(err)
		}
		npm, err := b.npm(host, binary, nil)
		if err != nil {
			t.Fatal(err)
		}
		meta, err := b.npmMain()
		if err != nil {
			t.Fatal(err)
		}
		built[i] = []file{archive, npm, meta}
	}
	if checksums(built[0]) != checksums(built[1]) {
		t.Errorf("two builds differ:\n%s\n%s", checksums(built[0]), checksums(built[1]))
	}
	archive, npm, meta := built[0][0], unpack(t, built[0][1].data), unpack(t, built[0][2].data)
	top := filepath.Join(unpack(t, archive.data), strings.TrimSuffix(archive.name, ".tar.gz"))
	for _, binary := range []string{filepath.Join(top, "bridge"), filepath.Join(top, "plugin", "bin", "bridge"), filepath.Join(npm, "package", "bin", "hookbridge")} {
		out, err := exec.CommandContext(t.Context(), binary, "version").Output()
		if err != nil || strings.TrimSpace(string(out)) != "bridge "+self.Version {
			t.Errorf("%s: %q, %v", binary, out, err)
		}
	}
	if err := has(top, "README.md", "docs/install.md", "plugin/hooks/hooks.json", "plugin/.claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "man/man1/bridge-log.1", "completions/_bridge"); err != nil {
		t.Error(err)
	}
	if err := has(filepath.Join(meta, "package"), "place.js", "program.js", "bin/hookbridge.exe", "man/hookbridge.1", "LICENSE"); err != nil {
		t.Error(err)
	}
	var m manifest
	text, err := os.ReadFile(filepath.Join(meta, "package", "package.json"))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil || m.Version != self.Version || len(m.Optional) != len(targets()) || m.Optional["@hookbridge/win32-x64"] != self.Version {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestBill: the bill says nothing about the time and the machine of its making.
func TestBill(t *testing.T) {
	t.Parallel()
	got, err := settled([]byte(`{"metadata": {"timestamp": "now", "tools": [{"name": "x", "hashes": [1]}]}, "components": [{"name": "kong"}]}`))
	if want := "{\n  \"components\": [\n    {\n      \"name\": \"kong\"\n    }\n  ],\n  \"metadata\": {\n    \"tools\": [\n      {\n        \"name\": \"x\"\n      }\n    ]\n  }\n}\n"; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := settled([]byte(`{"metadata": {}}`)); err == nil {
		t.Error("a bill without components passed")
	}
}

// TestVersionComesFromOnePlace: what names the version was written by -stamp, and the
// documents name the module of go.mod.
func TestVersionComesFromOnePlace(t *testing.T) {
	t.Parallel()
	old, texts, err := stamped("..")
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range texts {
		if !bytes.Equal(old[path], text) {
			t.Errorf("%s names another version; run go run ./release -stamp", path)
		}
		if strings.HasPrefix(path, "README") {
			continue
		}
		if !bytes.Contains(text, []byte(self.Version)) {
			t.Errorf("%s does not name the version", path)
		}
	}
	module, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(module), "\n")
	if install := "go install " + strings.TrimPrefix(first, "module ") + "/cmd/bridge@latest"; !strings.Contains(string(texts["docs/install.md"]), install) {
		t.Errorf("docs/install.md does not say %q", install)
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
	if err := run("..", t.TempDir(), "plan9/mips", false); err == nil {
		t.Error("an unknown target was built")
	}
}
