package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// span is a duration as people write it: 7d, 12h, 90m.
type span time.Duration

var errSpan = errors.New("a duration is a number with a unit, such as 7d, 12h or 90m")

// UnmarshalText reads what kong passes.
func (s *span) UnmarshalText(text []byte) error {
	word := string(text)
	for unit, size := range map[string]time.Duration{"d": day, "w": 7 * day} {
		if number, ok := strings.CutSuffix(word, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil || n < 0 || n > 36500 {
				return fmt.Errorf("%w, got: %q", errSpan, word)
			}
			*s = span(n * float64(size))
			return nil
		}
	}
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 {
		return fmt.Errorf("%w, got: %q", errSpan, word)
	}
	*s = span(d)
	return nil
}

// String is the largest unit that loses nothing.
func (s span) String() string {
	d := time.Duration(s)
	switch {
	case d >= day && d%day == 0:
		return strconv.Itoa(int(d/day)) + "d"
	case d >= time.Hour && d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	case d >= time.Minute && d%time.Minute == 0:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	return d.String()
}

// ago is how long ago something was, in its largest unit.
func ago(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case d < 2*day:
		return strconv.Itoa(int(d.Hours())) + "h"
	}
	return strconv.Itoa(int(d/day)) + "d"
}
