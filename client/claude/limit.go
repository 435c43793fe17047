package claude

import (
	"strconv"
	"strings"
	"time"
)

// maxReset is the maximum length of the text about the end of a limit.
const maxReset = 80

// Reset finds the time at which a limit ends in what the client says about an error of
// the API, such as "You've hit your limit · resets 3pm (Europe/Berlin)". The words are
// kept as they are, because only the client knows which day they mean. It returns "" if
// no time is named.
func Reset(message string) string {
	// An older client appended the time in seconds: "limit reached|1795392000".
	if _, seconds, ok := strings.Cut(message, "|"); ok {
		seconds, _, _ = strings.Cut(strings.TrimSpace(seconds), " ")
		if n, err := strconv.ParseInt(seconds, 10, 64); err == nil && len(seconds) == 10 {
			return "resets " + time.Unix(n, 0).UTC().Format("2006-01-02 15:04 UTC")
		}
	}
	_, text, ok := strings.Cut(message, "esets ")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(text, "\n\r·∙•;"); end >= 0 {
		text = text[:end]
	}
	text, _, _ = strings.Cut(text, ". ")
	text = strings.TrimRight(strings.TrimSpace(text), ".")
	if text == "" || len(text) > maxReset || !strings.ContainsAny(text, "0123456789") {
		return ""
	}
	return "resets " + text
}
