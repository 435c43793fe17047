package omc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// TestParseStories: a story passes only if it says so and no reviewer says otherwise.
func TestParseStories(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Stories{
		`{"userStories":[{"id":"a","passes":true}]}`:                                {1, 1, ""},
		`{"userStories":[{"passes":true,"architectVerified":true}]}`:                {1, 1, ""},
		`{"userStories":[{"passes":true,"architectVerified":null}]}`:                {1, 1, ""},
		`{"userStories":[{"id":"a","passes":true,"architectVerified":false}]}`:      {1, 0, ""},
		`{"userStories":[{"id":"a","passes":true,"architectVerified":"yes"}]}`:      {1, 0, ""},
		`{"userStories":[{"id":"a","passes":false,"architectVerified":true}]}`:      {1, 0, "a"},
		`{"userStories":[{"id":"a","title":"A"},{"id":"b"},{"id":"c","passes":1}]}`: {3, 0, "a A"},
		`{"userStories":[{"id":"a","passes":true},{"id":7,"title":"B"}]}`:           {2, 1, "7 B"},
		`{"userStories":[{"passes":true},"a story"]}`:                               {2, 1, ""},
		`{"userStories":{}}`: {}, `{"userStories":[]}`: {}, `[]`: {}, ``: {},
	} {
		if got, _ := parseStories([]byte(text)); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestWord: a text in a tag can end neither the tag nor the line.
func TestWord(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 128)
	for text, want := range map[string]string{
		"r1": "r1", "": "", "!~": "!~", "a b": "a", `a"b`: "a", "a<b": "a", "a>b": "a", "a\x7fb": "a", "a\x1fb": "a", "aéb": "a", " a": "", long: long, long + "a": long,
	} {
		if got := word(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestWhatALoopReads: each file beside the state of a loop counts only if it is about
// this loop and can be used.
func TestWhatALoopReads(t *testing.T) {
	t.Parallel()
	const passing, open = `{"userStories":[{"passes":true}]}`, `{"userStories":[{"passes":true},{"id":"next"}]}`
	now := time.Now()
	stamp := func(ago time.Duration) string { return now.Add(-ago).UTC().Format(time.RFC3339Nano) }
	toolError := func(tool string, ago time.Duration, retries string) string {
		return fmt.Sprintf(`{"tool_name":%q,"error":"no","timestamp":%q,"retry_count":%s}`, tool, stamp(ago), retries)
	}
	const session, verification, failed = ".omc/state/sessions/s1/", ".omc/state/sessions/s1/ralph-verification-state.json", ".omc/state/sessions/s1/last-tool-error-state.json"
	type want struct {
		stories      Stories
		verification *Verification
		failed       *ToolError
	}
	for name, test := range map[string]struct {
		more  string // members of the state
		files map[string]string
		old   bool // the files are older than the loop
		want  want
	}{
		"nothing beside it":                  {},
		"stories of the session come first":  {files: map[string]string{session + "prd.json": open, "prd.json": passing, ".omc/prd.json": passing}, want: want{stories: Stories{2, 1, "next"}}},
		"then the project's":                 {files: map[string]string{"prd.json": open, ".omc/prd.json": passing}, want: want{stories: Stories{2, 1, "next"}}},
		"then those in .omc":                 {files: map[string]string{".omc/prd.json": open}, want: want{stories: Stories{2, 1, "next"}}},
		"a prd.json that cannot be read":     {files: map[string]string{"prd.json/": "", ".omc/prd.json": passing}},
		"a loop that is not about stories":   {more: `,"prd_mode":false`, files: map[string]string{"prd.json": passing}},
		"old stories that pass":              {files: map[string]string{"prd.json": passing}, old: true},
		"old stories of which one is open":   {files: map[string]string{"prd.json": open}, old: true, want: want{stories: Stories{2, 1, "next"}}},
		"old stories that await a review":    {files: map[string]string{"prd.json": `{"userStories":[{"id":"a","passes":true,"architectVerified":false}]}`}, old: true},
		"old stories that the loop is about": {more: `,"prd_mode":true`, files: map[string]string{"prd.json": passing}, old: true, want: want{stories: Stories{1, 1, ""}}},

		"a verification": {files: map[string]string{verification: `{"pending":true,"request_id":"r 1","story_id":7,"completion_claim":"done","verification_attempts":2,"max_verification_attempts":5}`},
			want: want{verification: &Verification{Claim: "done", RequestID: "r", StoryID: "7", Attempts: 2, MaxAttempts: 5}}},
		"a verification without numbers":         {files: map[string]string{verification: `{"pending":true}`}, want: want{verification: &Verification{MaxAttempts: 3}}},
		"a verification with a broken count":     {files: map[string]string{verification: `{"pending":true,"verification_attempts":"x","max_verification_attempts":5}`}, want: want{verification: &Verification{MaxAttempts: 3}}},
		"a verification with a broken limit":     {files: map[string]string{verification: `{"pending":true,"verification_attempts":2,"max_verification_attempts":"x"}`}, want: want{verification: &Verification{MaxAttempts: 3}}},
		"a verification that may never fail":     {files: map[string]string{verification: `{"pending":true,"verification_attempts":2,"max_verification_attempts":0}`}, want: want{verification: &Verification{MaxAttempts: 3}}},
		"a verification that is over":            {files: map[string]string{verification: `{"pending":false}`}},
		"a verification of an earlier loop":      {files: map[string]string{verification: fmt.Sprintf(`{"pending":true,"requested_at":%q}`, stamp(2*time.Minute))}},
		"a verification since the loop began":    {files: map[string]string{verification: fmt.Sprintf(`{"pending":true,"requested_at":%q}`, stamp(30*time.Second))}, want: want{verification: &Verification{MaxAttempts: 3}}},
		"a verification of another session":      {files: map[string]string{".omc/state/ralph-verification.json": `{"pending":true,"session_id":"s2"}`}},
		"a tool that just failed":                {files: map[string]string{failed: toolError("Bash", 0, "2")}, want: want{failed: &ToolError{"Bash", "no", 2}}},
		"a tool that failed almost a minute ago": {files: map[string]string{failed: toolError("Bash", 59*time.Second, "1")}, want: want{failed: &ToolError{"Bash", "no", 1}}},
		"a tool that failed a minute ago":        {files: map[string]string{failed: toolError("Bash", time.Minute, "1")}},
		"a tool that fails tomorrow":             {files: map[string]string{failed: toolError("Bash", -time.Second, "1")}},
		"no tool":                                {files: map[string]string{failed: toolError("", 0, "1")}},
		"a broken count of calls":                {files: map[string]string{failed: toolError("Bash", 0, `"x"`)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{session + "ralph-state.json": fmt.Sprintf(`{"active":true,"session_id":"s1","started_at":%q,"iteration":1%s}`, stamp(time.Minute), test.more)}
			for path, text := range test.files {
				files[path] = text
			}
			for path, text := range files {
				full := filepath.Join(root, filepath.FromSlash(path))
				if strings.HasSuffix(path, "/") {
					err = os.MkdirAll(full, 0o700)
				} else if err = os.MkdirAll(filepath.Dir(full), 0o700); err == nil {
					err = os.WriteFile(full, []byte(text), 0o600)
				}
				if at := now.Add(-time.Hour); err == nil && test.old {
					err = os.Chtimes(full, at, at)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			home := filepath.Join(root, "home")
			found, err := Find(&protocol.Stop{
				Input: protocol.Input{Base: protocol.Base{SessionID: "s1", CWD: root}}, Places: []string{filepath.Join(root, "absent"), root}, Root: root,
				Env: project.Env(func(name string) string {
					if name == "HOME" || name == "USERPROFILE" || name == "LOCALAPPDATA" {
						return home
					}
					return ""
				}, now),
			})
			l, ok := found.Active.(*loop)
			if err != nil || !ok {
				t.Fatalf("%+v, %v", found, err)
			}
			if l.facts.Stories != test.want.stories {
				t.Errorf("stories %+v", l.facts.Stories)
			}
			if got, want := fmt.Sprintf("%+v", l.facts.Verification), fmt.Sprintf("%+v", test.want.verification); got != want || l.ReadsToolResults() != (test.want.verification != nil) {
				t.Errorf("verification %s, want %s", got, want)
			}
			if got, want := fmt.Sprintf("%+v", l.facts.ToolError), fmt.Sprintf("%+v", test.want.failed); got != want {
				t.Errorf("tool error %s, want %s", got, want)
			}
		})
	}
}

// TestTheEndSaysHowToGoOn: a loop that reached its limit continues only with a higher limit; any other loop keeps its
// limit.
func TestTheEndSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	object, err := statefile.ParseObject([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, facts := range []Facts{{Iteration: 60, Max: 60, Extensions: 5}, {Iteration: 60, Max: 60, Cancel: moderegistry.SignalHere}} {
		l := &loop{registry: &moderegistry.Registry{}, state: moderegistry.State{Mode: moderegistry.Ralph, SessionID: "s1", Dir: t.TempDir(), Name: "x.json", Object: object}, facts: facts}
		d := l.Decide(protocol.Turn{}, time.Now())
		if d.Kind != protocol.Finish || strings.HasSuffix(d.Message, " --max-iterations 70") == (facts.Cancel == moderegistry.SignalHere) || !strings.HasPrefix(d.Message, "[RALPH LOOP ") || !strings.Contains(d.Message, "Its state is kept in ") {
			t.Errorf("%+v", d)
		}
	}
}
