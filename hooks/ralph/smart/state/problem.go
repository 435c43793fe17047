package state

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/hookbridge/bridge/internal/display"
)

// ErrBroken means that a state file cannot be used (R3-18).
var ErrBroken = errors.New("the state is damaged")

// Weight says what a problem means for the person who wrote the file.
type Weight int

const (
	// Note is something that bridge works out by itself; nothing that a person wrote is
	// lost.
	Note Weight = iota
	// Unclear is a text that bridge cannot understand. Another value replaces it, so
	// bridge keeps a copy of the file before the next write.
	Unclear
	// Grave means that the file cannot be used.
	Grave
)

// Problem is something in a state file that is not as it should be.
type Problem struct {
	// Line counts from 1.
	Line   int
	Weight Weight

	chinese, english string
}

// Text describes the problem without its line.
func (p Problem) Text(chinese bool) string {
	if chinese {
		return p.chinese
	}
	return p.english
}

// Error is the text of a grave problem.
func (p Problem) Error() string { return fmt.Sprintf("line %d: %s", p.Line, p.english) }

// Unwrap returns ErrBroken for a grave problem.
func (p Problem) Unwrap() error {
	if p.Weight == Grave {
		return ErrBroken
	}
	return nil
}

// maxQuoted is how many characters of a value are quoted.
const maxQuoted = 40

// quoted shortens a value for a message.
func quoted(value string) string {
	return display.Text(display.Clip(value, maxQuoted))
}

// report adds a problem. The arguments belong to both texts.
func (s *State) report(line int, weight Weight, chinese, english string, args ...any) {
	s.problems = append(s.problems, Problem{line, weight, fmt.Sprintf(chinese, args...), fmt.Sprintf(english, args...)})
}

// Problems are what the parser found, by line.
func (s State) Problems() []Problem {
	sorted := slices.Clone(s.problems)
	slices.SortStableFunc(sorted, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return sorted
}

// Unclear are the problems with texts that another value replaces.
func (s State) Unclear() []Problem {
	return slices.DeleteFunc(s.Problems(), func(p Problem) bool { return p.Weight != Unclear })
}
