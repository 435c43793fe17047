package display

import (
	"testing"
	"time"
)

func TestElapsed(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Hour:                            "0 s",
		0:                                     "0 s",
		59*time.Second + 999*time.Millisecond: "59 s",
		time.Minute:                           "1 min",
		59*time.Minute + 59*time.Second:       "59 min",
		time.Hour:                             "1 h",
		3*time.Hour + 20*time.Minute:          "3 h 20 min",
		47*time.Hour + 59*time.Minute:         "47 h 59 min",
		48 * time.Hour:                        "2 d",
		52*time.Hour + 30*time.Minute:         "2 d 4 h",
		400 * 24 * time.Hour:                  "400 d",
	} {
		if got := Elapsed(d); got != want {
			t.Errorf("Elapsed(%v) = %q, want %q", d, got, want)
		}
	}
}
