package normalize_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/normalize/malformed"
)

// hookOf returns the hook of a type by its own name.
func hookOf(t rapid.TB, typ hooks.Type) hooks.Hook {
	t.Helper()
	hook, ok := hooks.ParseHook(string(typ))
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
func parse(hook hooks.Hook, r io.Reader) (normalize.Result, error) {
	text, err := normalize.Read(r, normalize.LimitsOf(hook))
	if err != nil {
		return normalize.Result{}, err
	}
	return normalize.Decode(hook, text)
}

func TestEveryShapeEndsInItsRule(t *testing.T) {
	t.Parallel()
	shapes := malformed.Shapes()
	for _, row := range hooks.Rows() {
		t.Run(string(row.Type), func(t *testing.T) {
			t.Parallel()
			hook := hookOf(t, row.Type)
			for _, shape := range shapes {
				// One type is enough for what only differs in size.
				if len(shape.Text) > 1<<20 && row.Type != hooks.PermissionRequest {
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

// A rule must not depend on how the text was cut into reads.
func TestShapesInSingleBytes(t *testing.T) {
	t.Parallel()
	for _, typ := range []hooks.Type{hooks.PermissionRequest, hooks.Ralph} {
		hook := hookOf(t, typ)
		for _, shape := range malformed.Shapes() {
			if len(shape.Text) > 1<<20 {
				continue
			}
			_, err := parse(hook, iotest.OneByteReader(bytes.NewReader(shape.Text)))
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
		for _, row := range hooks.Rows() {
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
	for _, row := range hooks.Rows() {
		if _, err := parse(hookOf(t, row.Type), bytes.NewReader(malformed.WellFormed())); err != nil {
			t.Errorf("%s refuses the well-formed input: %v", row.Type, err)
		}
	}
}
