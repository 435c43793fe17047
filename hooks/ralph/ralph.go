// Package ralph is the first step of the Stop chain: loops, in several dialects, that
// send the model back to work.
package ralph

import (
	"github.com/hookbridge/bridge/hooks/ralph/loop"
	"github.com/hookbridge/bridge/hooks/ralph/omc"
	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/specum"
	"github.com/hookbridge/bridge/protocol"
)

// Dialect is one kind of loop.
type Dialect struct {
	Name string
	Find protocol.Finder
	List protocol.Lister
}

// Dialects returns the dialects in order: if a session owns several loops, the first
// dialect wins (docs/design.md#dialect-order). A new dialect is one folder and one line
// here.
func Dialects() []Dialect {
	return []Dialect{
		{"smart", smart.Find, smart.List},
		{"loop", loop.Find, loop.List},
		{"specum", specum.Find, specum.List},
		{"omc", omc.Find, omc.List},
	}
}
