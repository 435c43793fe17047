package display

import (
	"errors"
	"fmt"
	"testing"
)

func TestError(t *testing.T) {
	t.Parallel()
	one, two, quoted := errors.New("one"), errors.New("two"), errors.New("open a\nb")
	for _, c := range []struct {
		err  error
		want string
	}{
		{one, "one"},
		{errors.Join(one, two), "one; two"},
		{errors.Join(one), "one"},
		{fmt.Errorf("close: %w", errors.Join(one, nil, two)), "close: one; two"},
		{fmt.Errorf("%w, then %w", errors.Join(one, two), fmt.Errorf("x: %w", errors.Join(two, one))), "one; two, then x: two; one"},
		{errors.Join(quoted, errors.Join(one, two)), "open a\nb; one; two"},
		{fmt.Errorf("no inner text: %w", quoted), "no inner text: open a\nb"},
		{silent{errors.Join(one, two)}, "silent"},
	} {
		if got := Error(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// silent is an error that does not quote the one below it.
type silent struct{ error }

func (silent) Error() string   { return "silent" }
func (s silent) Unwrap() error { return s.error }
