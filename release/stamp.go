package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/hookbridge/bridge/internal/self"
)

// stamped returns the texts of the files that name the version, with the version of
// internal/self, which is the only place where a person writes it.
func stamped(root string) (old, texts map[string][]byte, err error) {
	member := regexp.MustCompile(`("version": ")[^"]*(")`)
	name := regexp.MustCompile(`(\b(?:hook)?bridge(?:-(?:linux|darwin|win32)-(?:x64|arm64))?[-_])\d+\.\d+\.\d+()`)
	old, texts = map[string][]byte{}, map[string][]byte{}
	for path, pattern := range map[string]*regexp.Regexp{
		"plugin/.claude-plugin/plugin.json": member, ".claude-plugin/marketplace.json": member,
		"docs/install.md": name, "README.md": name, "README.zh-CN.md": name,
	} {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, nil, fmt.Errorf("read what names the version: %w", err)
		}
		old[path], texts[path] = text, pattern.ReplaceAll(text, []byte("${1}"+self.Version+"${2}"))
	}
	return old, texts, nil
}

func writeStamps(root string) error {
	old, texts, err := stamped(root)
	if err != nil {
		return err
	}
	for path, text := range texts {
		if bytes.Equal(old[path], text) {
			continue
		}
		if err := os.WriteFile(filepath.Join(root, path), text, 0o644); err != nil {
			return fmt.Errorf("write the version: %w", err)
		}
		fmt.Println(path)
	}
	return nil
}
