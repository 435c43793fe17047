// Command release builds what a release consists of: for each target an archive and a
// package for npm, for Linux a deb and an rpm, and the checksums of all. The same source
// and toolchain give the same bytes.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	out := flag.String("out", "dist", "directory for the files")
	only := flag.String("only", "", "build only this target, such as linux/amd64")
	check := flag.Bool("smoke", false, "build everything twice and compare; install each package of this system into a directory of its own and run it")
	stamp := flag.Bool("stamp", false, "write the version into the manifests and documents, and build nothing")
	flag.Parse()
	err := func() error {
		if *stamp {
			return writeStamps(".")
		}
		return run(".", *out, *only, *check)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run builds the module at root into out.
func run(root, out, only string, check bool) error {
	chosen := targets()
	if only != "" {
		chosen = slices.DeleteFunc(chosen, func(t target) bool { return t.String() != only })
	}
	if len(chosen) == 0 {
		return fmt.Errorf("there is no target %q", only)
	}
	products, err := build(root, chosen)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("make the directory: %w", err)
	}
	for _, p := range products {
		if err := os.WriteFile(filepath.Join(out, p.name), p.data, 0o644); err != nil {
			return fmt.Errorf("write the file: %w", err)
		}
		fmt.Printf("%-44s %5.1f MB\n", p.name, float64(len(p.data))/1e6)
	}
	sums := checksums(products)
	if err := os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums), 0o644); err != nil {
		return fmt.Errorf("write the checksums: %w", err)
	}
	if !check {
		return nil
	}
	again, err := build(root, chosen)
	if err != nil {
		return err
	}
	if other := checksums(again); other != sums {
		return fmt.Errorf("a second build differs:\n%s\nthe first one:\n%s", other, sums)
	}
	fmt.Println("a second build has the same bytes")
	return smoke(out, chosen)
}

// build returns the files of a release for some targets, sorted by name.
func build(root string, chosen []target) ([]file, error) {
	b, err := newBuilder(root)
	if err != nil {
		return nil, err
	}
	defer b.close()
	meta, err := b.npmMain()
	if err != nil {
		return nil, fmt.Errorf("the package for npm: %w", err)
	}
	products := []file{meta}
	for _, t := range chosen {
		made, err := b.products(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t, err)
		}
		products = append(products, made...)
	}
	slices.SortFunc(products, byName)
	return products, nil
}

func checksums(products []file) string {
	var sums strings.Builder
	for _, p := range products {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(p.data), p.name)
	}
	return sums.String()
}
