package schemas

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/protocol"
)

// Inputs lists the types that have an input schema, by name.
func Inputs() []protocol.Type { return list[protocol.Type]("input") }

// Outputs lists the events that have an output schema, by name.
func Outputs() []protocol.Event { return list[protocol.Event]("output") }

func list[Name ~string](dir string) []Name {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		panic(err) // the directory is embedded
	}
	names := make([]Name, len(entries))
	for i, entry := range entries {
		names[i] = Name(strings.TrimSuffix(entry.Name(), suffix))
	}
	// In a file name, more text may follow the name.
	slices.Sort(names)
	return names
}
