package transcript_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/client/claude/transcript"
)

// TestOffers reads what 2.1.330 writes about the tools of the model.
func TestOffers(t *testing.T) {
	t.Parallel()
	shape := func(tools ...string) string {
		return `{"type":"api-request-shape","shape":{"system":[],"tools":[{"name":"` + strings.Join(tools, `","description":"x \"name\":\"TaskCreate\""},{"name":"`) + `"}]}}`
	}
	deferred := func(tools ...string) string {
		return `{"type":"attachment","attachment":{"type":"deferred_tools_delta","addedNames":["` + strings.Join(tools, `","`) + `"]}}`
	}
	for name, test := range map[string]struct {
		content string
		want    transcript.Offer
	}{
		"an older client":         {lines(prompt, text("TaskCreate"), tool("t1")), transcript.OfferUnknown},
		"offered":                 {lines(prompt, shape("Bash", "TaskCreate"), text("x")), transcript.Offered},
		"not offered":             {lines(prompt, shape("Bash", "Read"), text("TaskCreate")), transcript.NotOffered},
		"may be loaded":           {lines(deferred("Cron", "TodoWrite"), shape("Bash")), transcript.Offered},
		"may not be loaded":       {lines(deferred("Cron"), shape("Bash")), transcript.NotOffered},
		"only deferred so far":    {lines(deferred("Cron")), transcript.OfferUnknown},
		"a request without tools": {lines(prompt, `{"type":"api-request-shape","shape":{"tools":[]}}`), transcript.OfferUnknown},
		"half a line":             {shape("Bash", "TaskCreate")[:60], transcript.OfferUnknown},
		"quoted":                  {lines(text(`{\"type\":\"api-request-shape\",\"shape\":{\"tools\":[{\"name\":\"Bash\"}]}}`)), transcript.OfferUnknown},
	} {
		if got := transcript.Offers(file(t, test.content), "TaskCreate", "TodoWrite"); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if got := transcript.Offers(filepath.Join(t.TempDir(), "absent"), "TaskCreate"); got != transcript.OfferUnknown {
		t.Errorf("an absent transcript: %v", got)
	}
}
