package display_test

import (
	"testing"

	"github.com/hookbridge/bridge/internal/display"
)

func TestMeant(t *testing.T) {
	t.Parallel()
	modes := []string{"autopilot", "ralph", "ultrawork", "ultraqa", "stop", "deny"}
	for word, want := range map[string]string{
		"ralf": "ralph", "ultrawrk": "ultrawork", "ultraq": "ultraqa", "ultraw": "ultrawork", "auto": "autopilot", "stpo": "stop", "STOPP": "stop",
		"x": "", "": "", "cooking": "", "to": "",
	} {
		if want != "" {
			want = ` (did you mean "` + want + `"?)`
		}
		if got := display.Meant(word, modes); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if display.Closest(string(make([]byte, 1<<20)), modes) != "" {
		t.Error("a long text has a closest name")
	}
}
