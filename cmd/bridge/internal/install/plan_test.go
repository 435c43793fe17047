package install

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/protocol"
)

// TestWhatIsKept: a line stays as it is only if install would write the same line.
func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	o := options(t)
	entry := o.Entries[slices.IndexFunc(o.Entries, func(e Entry) bool { return e.Event == protocol.EventStop })]
	o.Entries = []Entry{entry}
	const group = `{"hooks":[HANDLER]}`
	handler := fmt.Sprintf(`{"type":"command","command":%q,"args":["--hook=stop"],"timeout":%d}`, o.Command, entry.Timeout)
	for name, test := range map[string]struct {
		old, with string
		kept      bool
	}{
		"as it is":           {"", "", true},
		"an empty matcher":   {`{"hooks"`, `{"matcher":"","hooks"`, true},
		"any tool":           {`{"hooks"`, `{"matcher":"*","hooks"`, true},
		"one tool":           {`{"hooks"`, `{"matcher":"Bash","hooks"`, false},
		"another program":    {"/home/me/", "/home/you/", false},
		"another hook":       {"--hook=stop", "--hook=ralph", false},
		"more arguments":     {`"--hook=stop"`, `"--hook=stop","-v"`, false},
		"another time":       {`"timeout":`, `"timeout":1`, false},
		"no time":            {fmt.Sprintf(`,"timeout":%d`, entry.Timeout), "", false},
		"a refusal":          {`"type"`, `"onFailure":"block","type"`, false},
		"in the background":  {`"type"`, `"async":true,"type"`, false},
		"under a condition":  {`"type"`, `"if":"Bash(ls)","type"`, false},
		"not a command":      {`"type":"command"`, `"type":"prompt"`, false},
		"not even a command": {`"type":"command",`, ``, false},
	} {
		text := strings.Replace(`{"hooks":{"Stop":[`+strings.Replace(group, "HANDLER", handler, 1)+`]}}`, test.old, test.with, 1)
		if test.old == `{"hooks"` {
			text = `{"hooks":{"Stop":[` + strings.Replace(strings.Replace(group, "HANDLER", handler, 1), test.old, test.with, 1) + `]}}`
		}
		plan, err := Install([]byte(text), o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if kept := slices.Equal(plan.Kept, []string{"Stop"}); kept != test.kept || kept != (string(plan.Text) == text) {
			t.Errorf("%s: kept %v: %s", name, plan.Kept, plan.Text)
		}
	}
}

// TestPutBack: a removed line comes back only once, and a plugin is switched on again only
// if it is still off.
func TestPutBack(t *testing.T) {
	t.Parallel()
	const group, other = `{"hooks":[{"type":"command","command":"theirs"}]}`, `{"hooks":[{"type":"command","command":"another"}]}`
	line, plugin := Taken{Event: "Stop", Group: []byte(group)}, Taken{Plugin: "p@m"}
	for name, test := range map[string]struct {
		text  string
		taken Taken
		same  bool
	}{
		"there again":           {`{"hooks":{"Stop":[` + group + `]}}`, line, true},
		"there behind another":  {`{"hooks":{"PreToolUse":[` + other + `],"Stop":[` + other + `,` + group + `]}}`, line, true},
		"another at the event":  {`{"hooks":{"Stop":[` + other + `]}}`, line, false},
		"there at another":      {`{"hooks":{"PreToolUse":[` + group + `]}}`, line, false},
		"nothing there":         {`{}`, line, false},
		"a plugin that is off":  {`{"enabledPlugins":{"p@m":false}}`, plugin, false},
		"a plugin that is on":   {`{"enabledPlugins":{"p@m":true}}`, plugin, true},
		"a plugin that is gone": {`{"enabledPlugins":{"q@m":false}}`, plugin, true},
	} {
		after, err := putBack([]byte(test.text), []Taken{test.taken})
		if err != nil || (string(after) == test.text) != test.same {
			t.Errorf("%s: %v, %s", name, err, after)
		}
		if test.taken.Plugin != "" {
			continue
		}
		if lines, err := settingsfile.HookLines(after); err != nil || strings.Count(string(after), "theirs") != 1 && name != "there at another" || len(lines) == 0 {
			t.Errorf("%s: %v, %s", name, err, after)
		}
	}
}

// TestWhatWasThere: objects that the file had before stay after bridge's lines in
// them are removed.
func TestWhatWasThere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`: "", `{"env":{}}`: "/env", `{"enabledPlugins":{}}`: "/enabledPlugins", `{"hooks":{"Stop":[]}}`: "/hooks /hooks/Stop",
		`{"hooks":{},"env":{"A":"b"},"enabledPlugins":{}}`: "/enabledPlugins /env /hooks",
	} {
		plan, err := Install([]byte(text), options(t))
		slices.Sort(plan.Had)
		if got := strings.Join(plan.Had, " "); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}
