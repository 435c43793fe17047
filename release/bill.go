package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hookbridge/bridge/internal/self"
)

// billName is the name of the bill of materials in an archive or package.
const billName = "bridge.cdx.json"

// bill lists the modules of a program in the form of CycloneDX. What says only when and
// with which build of the tool it was made is left out: the same program has the same
// bill.
func (b *builder) bill(program string) ([]byte, error) {
	text, err := b.tool("cyclonedx-gomod", "bin", "-json", "-noserial", "-std", "-version", "v"+self.Version, program)
	if err != nil {
		return nil, err
	}
	return settled(text)
}

// settled removes what differs from build to build.
func settled(text []byte) ([]byte, error) {
	var bill map[string]any
	if err := json.Unmarshal(text, &bill); err != nil {
		return nil, fmt.Errorf("read it: %w", err)
	}
	meta, _ := bill["metadata"].(map[string]any)
	components, _ := bill["components"].([]any)
	if meta == nil || len(components) == 0 {
		return nil, errors.New("it lists no components")
	}
	delete(meta, "timestamp")
	tools, _ := meta["tools"].([]any)
	for _, tool := range tools {
		if tool, ok := tool.(map[string]any); ok {
			delete(tool, "hashes")
		}
	}
	text, err := json.MarshalIndent(bill, "", "  ")
	return append(text, '\n'), err
}
