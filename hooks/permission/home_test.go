package permission_test

import (
	"testing"

	"github.com/hookbridge/bridge/hooks/permission"
)

// TestWithoutAHomeNothingIsApproved: the user's own rules may forbid what is asked, and
// nobody knows where they are.
func TestWithoutAHomeNothingIsApproved(t *testing.T) {
	t.Parallel()
	for home, want := range map[string]permission.Kind{"": permission.Ask, "relative": permission.Ask} {
		w := newWorld(t)
		w.want(w.bash("ls"), permission.Allow, "ls")
		w.home = home
		w.want(w.bash("ls"), want, "no-home")
	}
}
