// Command release builds the archives of a release: one for each target, with the
// binary, the plugin that carries it, and the documents. The same source and
// toolchain give the same bytes.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/self"
)

// target is one system and architecture.
type target struct{ os, arch string }

// targets returns the six targets of a release.
func targets() []target {
	return []target{
		{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
	}
}

func main() {
	out := flag.String("out", "dist", "directory for the archives")
	only := flag.String("only", "", "build only this target, such as linux/amd64")
	flag.Parse()
	if err := run(".", *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run builds the archives of the module at root into out, with their checksums.
func run(root, out, only string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	built := 0
	for _, t := range targets() {
		if only != "" && only != t.os+"/"+t.arch {
			continue
		}
		name, archive, err := t.archive(root)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
		if err := os.WriteFile(filepath.Join(out, name), archive, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive), name)
		fmt.Printf("%s  %.1f MB\n", name, float64(len(archive))/1e6)
		built++
	}
	if built == 0 {
		return fmt.Errorf("there is no target %q", only)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// file is one file of an archive.
type file struct {
	name       string
	data       []byte
	executable bool
}

// archive builds the binary and packs it.
func (t target) archive(root string) (name string, archive []byte, err error) {
	files, err := t.files(root)
	if err != nil {
		return "", nil, err
	}
	base := fmt.Sprintf("bridge-%s-%s-%s", self.Version, t.os, t.arch)
	if t.os == "windows" {
		archive, err = zipped(base, files)
		return base + ".zip", archive, err
	}
	archive, err = tarred(base, files)
	return base + ".tar.gz", archive, err
}

func (t target) files(root string) ([]file, error) {
	binary, err := t.build(root)
	if err != nil {
		return nil, err
	}
	suffix := ""
	if t.os == "windows" {
		suffix = ".exe"
	}
	files := []file{{"bridge" + suffix, binary, true}, {"plugin/bin/bridge" + suffix, binary, true}}
	for _, name := range []string{"README.md", "README.zh-CN.md", "CHANGELOG.md", "LICENSE", ".claude-plugin/marketplace.json"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, data, false})
	}
	err = fs.WalkDir(os.DirFS(filepath.Join(root, "plugin")), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, "bin/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, "plugin", name))
		files = append(files, file{path.Join("plugin", name), data, false})
		return err
	})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, err
}

// build compiles a static binary that contains no paths of this machine.
func (t target) build(root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "bridge-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "bridge")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out, "./cmd/bridge")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, text)
	}
	return os.ReadFile(out)
}

// stamp is the time of every file. It is fixed, because the time of the build says
// nothing about what was built.
func stamp() time.Time { return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) }

func tarred(base string, files []file) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(packed)
	for _, f := range files {
		mode := int64(0o644)
		if f.executable {
			mode = 0o755
		}
		header := &tar.Header{Name: base + "/" + f.name, Mode: mode, Size: int64(len(f.data)), ModTime: stamp(), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(w.Close(), packed.Close())
	return out.Bytes(), err
}

func zipped(base string, files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: base + "/" + f.name, Method: zip.Deflate, Modified: stamp()}
		part, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
