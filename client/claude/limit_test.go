package claude_test

import (
	"testing"

	"github.com/hookbridge/bridge/client/claude"
)

// TestReset: the ways in which clients name the end of a limit, and texts without one.
func TestReset(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"You've hit your limit · resets 3pm (Europe/Berlin)":                           "resets 3pm (Europe/Berlin)",
		"You've hit your weekly limit · resets Nov 25, 10am (UTC) · /upgrade for more": "resets Nov 25, 10am (UTC)",
		"Session limit reached ∙ resets 11pm":                                          "resets 11pm",
		"Spend limit reached. Resets at 15:00. Contact your admin":                     "resets at 15:00",
		"Claude AI usage limit reached|1795392000":                                     "resets 2026-11-23 00:00 UTC",
		"limit reached|1795392000 more":                                                "resets 2026-11-23 00:00 UTC",
		"usage limit reached|soon":                                                     "",
		"API Error: 529 overloaded":                                                    "",
		"your limit resets tomorrow":                                                   "",
		"the model resets 2 of the files in the directory and then goes on to explain at length why that was needed": "",
		"resets ": "",
		"":        "",
	} {
		if got := claude.Reset(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
