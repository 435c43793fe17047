package cli

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/cmd/bridge/internal/recording"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

type explainCmd struct {
	Hook string `required:"" placeholder:"TYPE" help:"The hook type or event, as in a hook line."`
	Last bool   `help:"Read the newest recorded payload of the hook instead of stdin."`
	JSON bool   `help:"Print JSON."`
}

// maxExplained is how many characters of a value are shown; --json shows all.
const maxExplained = 200

func (c explainCmd) Run(app *App) error {
	if _, ok := protocol.ParseHook(c.Hook); !ok {
		return noHook(c.Hook)
	}
	payload, err := c.payload(app)
	if err != nil {
		return err
	}
	e, _ := router.Explain(app.process(c.Hook, payload, io.Discard), c.Hook)
	if c.JSON {
		return printJSON(app, e)
	}
	print := func(name, format string, args ...any) {
		app.printf("%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	hook := e.Hook
	if string(e.Type) != hook {
		hook += " (" + string(e.Type) + ")"
	}
	print("hook", "%s", hook)
	switches := "none"
	if len(e.Switches) > 0 {
		var set []string
		for _, name := range slices.Sorted(maps.Keys(e.Switches)) {
			set = append(set, name+"="+e.Switches[name])
		}
		switches = strings.Join(set, " ") + ", which leaves this hook on"
		if e.Off {
			switches = strings.Join(set, " ") + ", which switches this hook off"
		}
	}
	print("kill switches", "%s", switches)
	for _, line := range membersOf(e.Input) {
		print("input", "%s", display.Clip(line, maxExplained))
	}
	if len(e.Dropped) > 0 {
		print("dropped", "%s", strings.Join(e.Dropped, ", "))
	}
	if e.Step != "" {
		print("owner", "%s", e.Step)
	}
	print("rule", "%s", e.Rule)
	for _, d := range e.Detail {
		print("", "%s: %s", d.Name, display.Clip(d.Value, maxExplained))
	}
	if e.Failure != "" {
		print("failure", "%s", e.Failure)
	}
	for _, write := range e.Writes {
		print("would", "%s", write)
	}
	for _, note := range e.Notes {
		print("stderr", "%s", note)
	}
	print("decision", "%s", e.Decision)
	answer := string(e.Answer)
	if answer == "" {
		answer = "nothing: the client continues as if there were no hook"
	}
	print("answer", "%s", answer)
	return nil
}

// payload is the text on stdin, or the newest recorded payload.
func (c explainCmd) payload(app *App) ([]byte, error) {
	if !c.Last {
		payload, err := io.ReadAll(app.Stdin)
		if err != nil {
			return nil, hinted(fmt.Errorf("read the payload: %w", err), "Example: "+display.Bridge+" explain --hook=%s < payload.json", c.Hook)
		}
		return payload, nil
	}
	hook, _ := protocol.ParseHook(c.Hook)
	r, err := recording.Newest(app.env().StateHome, hook.Name)
	if err != nil {
		return nil, hinted(fmt.Errorf("find the last payload of %s: %w", hook.Name, err), "To record calls, set \"record\": true in the configuration.")
	}
	if !r.Kept() {
		return nil, hinted(fmt.Errorf("the last payload of %s was not recorded: %s", hook.Name, r.Input), "Pass it on stdin: "+display.Bridge+" explain --hook=%s < payload.json", c.Hook)
	}
	fmt.Fprintf(app.Stderr, "bridge: explaining the payload that was recorded at %s.\n", r.Time.Local().Format("2006-01-02 15:04:05"))
	return r.Input, nil
}

// membersOf splits an object into lines, each with a name and its value.
func membersOf(object jsontext.Value) (lines []string) {
	dec := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return lines
		}
		text := name.String() + " = "
		value, err := dec.ReadValue()
		if err != nil {
			return lines
		}
		lines = append(lines, text+string(value))
	}
	return lines
}
