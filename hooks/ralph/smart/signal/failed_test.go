package signal_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/protocol"
)

// TestUnmet: a criterion that names a command is not met if the last run of the command
// failed.
func TestUnmet(t *testing.T) {
	t.Parallel()
	type run struct {
		command string
		failed  bool
	}
	for name, c := range map[string]struct {
		runs      []run
		criterion string
		want      bool
	}{
		"a program":                 {[]run{{"npx tsc --noEmit", true}}, "tsc passes with no errors", true},
		"with a subcommand":         {[]run{{"docker build -t app .", true}}, "docker build 成功", true},
		"a script":                  {[]run{{"cd web && npm run lint", true}}, "`npm run lint` exits 0", true},
		"the word for it":           {[]run{{"go build ./...", true}}, "项目构建成功", true},
		"the linter":                {[]run{{"ruff check .", true}}, "Fix all lint errors", true},
		"it passed at last":         {[]run{{"go build ./...", true}, {"go build ./...", false}}, "The build passes", false},
		"it failed at last":         {[]run{{"make", false}, {"make", true}}, "make succeeds", true},
		"another command failed":    {[]run{{"docker push app", true}}, "docker build works", false},
		"part of a word":            {[]run{{"go build ./...", true}}, "The builder pattern is used", false},
		"a search found nothing":    {[]run{{"grep -rn TODO src", true}}, "grep finds no TODO", false},
		"no criterion names it":     {[]run{{"terraform plan", true}}, "The module is documented", false},
		"nothing ran":               {nil, "tsc passes", false},
		"one after an empty part":   {[]run{{"A=1 ; npx tsc", true}}, "it passes tsc", true},
		"one after a bare program":  {[]run{{"npm --version && npx tsc", true}}, "tsc passes", true},
		"one after a search":        {[]run{{"cd web; npx tsc", true}}, "tsc passes", true},
		"run without a script":      {[]run{{"npm run", true}}, "`npm run` lists the scripts", true},
		"another script":            {[]run{{"npm run dev", true}}, "npm run start works", false},
		"the script of another one": {[]run{{"npm run dev", true}}, "yarn run dev starts", false},
		"a part of compose":         {[]run{{"docker compose push", true}}, "docker compose push is documented", true},
		"another part of compose":   {[]run{{"docker compose push", true}}, "docker compose up starts the app", false},
		"the first word alone":      {[]run{{"go vet ./...", true}}, "the vet visits the dog", false},
		"make alone":                {[]run{{"make", true}}, "make succeeds", true},
		"another program":           {[]run{{"docker", true}}, "docker works", false},
		"behind a letter":           {[]run{{"tsc", true}}, "atsc passes", false},
		"in front of a letter":      {[]run{{"tsc", true}}, "run tscz", false},
		"behind a digit":            {[]run{{"tsc", true}}, "0tsc passes", false},
		"in front of a digit":       {[]run{{"tsc", true}}, "run tsc9", false},
		"behind a mark":             {[]run{{"tsc", true}}, "_tsc passes", false},
		"inside of a word":          {[]run{{"go build ./...", true}}, "the rebuild is quick", false},
		"in a word, and alone":      {[]run{{"tsc", true}}, "the tscs and tsc agree", true},
		"a command without meaning": {[]run{{"; | &&", true}}, "; | &&", false},
	} {
		var turn protocol.Turn
		for i, r := range c.runs {
			id := string(rune('a' + i))
			input, err := json.Marshal(map[string]string{"command": r.command})
			if err != nil {
				t.Fatal(err)
			}
			turn.Entries = append(turn.Entries,
				protocol.Entry{Kind: protocol.EntryToolUse, ToolUseID: id, ToolName: "Bash", ToolInput: input},
				protocol.Entry{Kind: protocol.EntryToolResult, ToolUseID: id, IsError: r.failed})
		}
		if got := signal.OfTurn(turn).Unmet([]string{c.criterion}); (got != "") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
