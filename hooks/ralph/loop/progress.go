package loop

import (
	"fmt"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/display"
)

// progress says how far the loop is, such as " (3 of 5, 12 min)". Unknown parts are left
// out.
func progress(s State, now time.Time) string {
	var parts []string
	if s.MaxIterations > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d", s.Iteration+1, s.MaxIterations))
	}
	if elapsed := now.Sub(s.StartedAt); !s.StartedAt.IsZero() && elapsed >= 0 {
		parts = append(parts, display.Elapsed(elapsed))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
