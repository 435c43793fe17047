package display_test

import (
	"testing"

	"github.com/hookbridge/bridge/internal/display"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 errors", 1: "1 error", 2: "2 errors"} {
		if got := display.Count(n, "error"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
