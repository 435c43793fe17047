package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/self"
)

// linux are the deb and the rpm of a target. They install the program as hookbridge only:
// iproute2 has another one called bridge, on some systems in the same directory.
func (b *builder) linux(t target, binary, bill []byte) ([]file, error) {
	var products []file
	for _, kind := range []struct{ name, zsh, out string }{
		{"deb", "usr/share/zsh/vendor-completions", fmt.Sprintf("hookbridge_%s_%s.deb", self.Version, t.arch)},
		{"rpm", "usr/share/zsh/site-functions", fmt.Sprintf("hookbridge-%s-1.%s.rpm", self.Version, map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.arch])},
	} {
		files, err := b.installed(binary, bill, kind.zsh)
		if err != nil {
			return nil, fmt.Errorf("the %s: %w", kind.name, err)
		}
		data, err := b.nfpm(t, kind.name, files)
		if err != nil {
			return nil, fmt.Errorf("the %s: %w", kind.name, err)
		}
		products = append(products, file{kind.out, data, false})
	}
	return products, nil
}

// installed are the files of a package of Linux, at their paths.
func (b *builder) installed(binary, bill []byte, zsh string) ([]file, error) {
	const share, doc = "usr/share", "usr/share/doc/hookbridge"
	files := []file{{"usr/bin/hookbridge", binary, true}}
	if bill != nil {
		files = append(files, file{path.Join(doc, billName), bill, false})
	}
	pages, err := b.pages(npmName, share+"/man/man1")
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		data, err := gzipped(page.data)
		if err != nil {
			return nil, err
		}
		files = append(files, file{page.name + ".gz", data, false})
	}
	scripts, err := b.completions(npmName, "")
	if err != nil {
		return nil, err
	}
	for _, script := range scripts {
		switch path.Ext(script.name) {
		case ".bash":
			script.name = share + "/bash-completion/completions/" + npmName
		case ".fish":
			script.name = share + "/fish/vendor_completions.d/" + script.name
		case ".ps1":
			script.name = doc + "/completions/" + script.name
		default:
			script.name = zsh + "/" + script.name
		}
		files = append(files, script)
	}
	documents, err := b.documents()
	if err != nil {
		return nil, err
	}
	for _, d := range documents {
		d.name = path.Join(doc, strings.Replace(d.name, "LICENSE", "copyright", 1))
		files = append(files, d)
	}
	return files, nil
}

// nfpm packs files as a package of a kind.
func (b *builder) nfpm(t target, kind string, files []file) ([]byte, error) {
	dir, err := os.MkdirTemp(b.temp, kind)
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	var contents []map[string]any
	for i, f := range files {
		source := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(source, f.data, 0o600); err != nil {
			return nil, fmt.Errorf("write a file of the package: %w", err)
		}
		contents = append(contents, map[string]any{
			"src": source, "dst": "/" + f.name,
			"file_info": map[string]any{"mode": f.mode(), "mtime": stamp(), "owner": "root", "group": "root"},
		})
	}
	config, err := json.MarshalIndent(map[string]any{
		"name": npmName, "version": self.Version, "release": "1", "platform": t.os, "arch": t.arch,
		"maintainer": "The bridge authors <hookbridge@users.noreply.github.com>", "vendor": "The bridge authors",
		"description": description, "homepage": homepage, "license": "MIT", "section": "devel", "priority": "optional",
		"mtime": stamp(), "contents": contents,
		"rpm": map[string]any{"buildhost": "localhost", "summary": description},
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	// nfpm reads YAML, of which JSON is a part.
	path, out := filepath.Join(dir, "nfpm.yaml"), filepath.Join(dir, "package."+kind)
	if err := os.WriteFile(path, config, 0o600); err != nil {
		return nil, fmt.Errorf("write the configuration of nfpm: %w", err)
	}
	if _, err := b.tool("nfpm", "package", "--config", path, "--packager", kind, "--target", out); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}
