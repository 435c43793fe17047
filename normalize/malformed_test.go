package normalize_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/normalize/malformed"
	"github.com/hookbridge/bridge/protocol"
)

// hookOf returns the hook of a type by its own name.
func hookOf(t rapid.TB, typ protocol.Type) protocol.Hook {
	t.Helper()
	hook, ok := protocol.ParseHook(string(typ))
	if !ok {
		t.Fatalf("no hook %q", typ)
	}
	return hook
}

func ruleOf(t rapid.TB, err error) normalize.Rule {
	t.Helper()
	if err == nil {
		return ""
	}
	var m *normalize.Malformed
	if !errors.As(err, &m) {
		t.Fatalf("%v is not a *Malformed", err)
	}
	return m.Rule
}

// parse reads one value from r and decodes it, with the limits of the hook.
func parse(hook protocol.Hook, r io.Reader) (normalize.Result, error) {
	return parseWithin(hook, r, normalize.LimitsOf(hook))
}

func parseWithin(hook protocol.Hook, r io.Reader, limits normalize.Limits) (normalize.Result, error) {
	text, err := normalize.Read(r, limits)
	if err != nil {
		return normalize.Result{}, err
	}
	return normalize.Decode(hook, text)
}

func TestEveryShapeEndsInItsRule(t *testing.T) {
	t.Parallel()
	shapes := malformed.Shapes()
	for _, row := range protocol.AllRows() {
		t.Run(string(row.Type), func(t *testing.T) {
			t.Parallel()
			hook := hookOf(t, row.Type)
			for _, shape := range shapes {
				// One type is enough for shapes that differ only in size.
				if len(shape.Text) > 1<<20 && row.Type != protocol.PermissionRequest {
					continue
				}
				_, err := parse(hook, bytes.NewReader(shape.Text))
				if got, want := ruleOf(t, err), shape.Rule(row.Type); got != want {
					t.Errorf("%s: rule %q, want %q", shape.Name, got, want)
				}
			}
		})
	}
}

// A rule must not depend on how the text is split into reads.
func TestShapesInSingleBytes(t *testing.T) {
	t.Parallel()
	for _, typ := range []protocol.Type{protocol.PermissionRequest, protocol.Ralph} {
		hook := hookOf(t, typ)
		limits := normalize.LimitsOf(hook)
		if limits.Tail > 0 {
			// This uses the real clock: the reader must see the tail even on a busy
			// machine.
			limits.Tail = time.Minute
		}
		for _, shape := range malformed.Shapes() {
			if len(shape.Text) > 1<<20 {
				continue
			}
			_, err := parseWithin(hook, iotest.OneByteReader(bytes.NewReader(shape.Text)), limits)
			if got, want := ruleOf(t, err), shape.Rule(typ); got != want {
				t.Errorf("%s, %s: rule %q, want %q", typ, shape.Name, got, want)
			}
		}
	}
}

func TestShapesAreATable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, shape := range malformed.Shapes() {
		if seen[shape.Name] {
			t.Errorf("two shapes are called %q", shape.Name)
		}
		seen[shape.Name] = true
		matters := false
		for _, row := range protocol.AllRows() {
			matters = matters || shape.MalformedFor(row.Type)
		}
		if !matters {
			t.Errorf("%s: malformed for no type", shape.Name)
		}
	}
	t.Logf("%d shapes", len(seen))
	if len(seen) < 36 {
		t.Errorf("%d shapes, want at least 36", len(seen))
	}
	for _, row := range protocol.AllRows() {
		if _, err := parse(hookOf(t, row.Type), bytes.NewReader(malformed.WellFormed())); err != nil {
			t.Errorf("%s refuses the well-formed input: %v", row.Type, err)
		}
	}
}
