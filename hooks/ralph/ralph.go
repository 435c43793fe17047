// Package ralph is the first step of the Stop chain: the loops that feed work
// back to the model, in several dialects.
package ralph

import (
	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/hooks/ralph/loop"
	"github.com/hookbridge/bridge/hooks/ralph/omc"
	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/specum"
)

// Dialect is one kind of loop.
type Dialect struct {
	Name string
	Find hooks.Finder
	List hooks.Lister
}

// Dialects returns the dialects in the order in which one that this session owns
// wins (design decision 8). A new dialect is one folder and one line here.
func Dialects() []Dialect {
	return []Dialect{
		{"smart", smart.Find, smart.List},
		{"loop", loop.Find, loop.List},
		{"specum", specum.Find, specum.List},
		{"omc", omc.Find, omc.List},
	}
}

// Finders returns the finders of the dialects, for the Stop chain.
func Finders() []hooks.Finder {
	var finders []hooks.Finder
	for _, d := range Dialects() {
		finders = append(finders, d.Find)
	}
	return finders
}
