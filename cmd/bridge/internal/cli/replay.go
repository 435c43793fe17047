package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/hookbridge/bridge/cmd/bridge/internal/recording"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/term"
)

type replayCmd struct {
	Paths []string `arg:"" optional:"" help:"Recordings, payloads, or directories of them. The default is all recordings."`
	JSON  bool     `help:"Print JSON."`
}

// replayed is one recording in JSON.
type replayed struct {
	Path     string         `json:"path"`
	Hook     string         `json:"hook"`
	Rule     string         `json:"rule"`
	Recorded jsontext.Value `json:"recorded,omitempty"`
	Answer   jsontext.Value `json:"answer,omitempty"`
	// NotKept says why the payload was not recorded, in which case nothing is replayed.
	NotKept string `json:"not_kept,omitempty"`
	// Compared is false for a bare payload, which has no recorded answer. Same says that
	// the answers are equal.
	Compared bool `json:"compared"`
	Same     bool `json:"same"`
}

func (c replayCmd) Run(app *App) error {
	all, err := c.load(app)
	if err != nil {
		return hinted(err, "To record calls, set \"record\": true in the configuration; a file with a payload works as well.")
	}
	var results []replayed
	different := false
	for _, r := range all {
		result := replay(app, r)
		different = different || result.Compared && !result.Same
		results = append(results, result)
	}
	if c.JSON {
		if err := printJSON(app, results); err != nil {
			return err
		}
	} else {
		showReplay(app, results)
	}
	if different {
		return exitError(1)
	}
	return nil
}

func (c replayCmd) load(app *App) ([]recording.Recording, error) {
	paths := c.Paths
	if len(paths) == 0 {
		home := app.env().StateHome
		if home == "" {
			return nil, errors.New("no directory for recordings is known: set HOME or XDG_STATE_HOME to an absolute path")
		}
		paths = []string{recording.Dir(home)}
	}
	var all []recording.Recording
	for _, path := range paths {
		some, err := recording.Load(absolute(app, path))
		if len(c.Paths) == 0 && errors.Is(err, fs.ErrNotExist) {
			return nil, recording.ErrNone
		}
		if err != nil {
			return nil, fmt.Errorf("read the recordings: %w", err)
		}
		all = append(all, some...)
	}
	if len(all) == 0 {
		return nil, recording.ErrNone
	}
	return all, nil
}

// replay calls a hook again without changing anything.
func replay(app *App, r recording.Recording) replayed {
	if !r.Kept() {
		return replayed{Path: r.Path, Hook: r.Hook, Rule: r.Rule, Recorded: r.Output, NotKept: strings.Trim(string(r.Input), `"[]`)}
	}
	e, ok := router.Explain(app.process(r.Hook, r.Input, io.Discard), r.Hook)
	result := replayed{Path: r.Path, Hook: r.Hook, Rule: e.Rule, Recorded: r.Output, Answer: e.Answer, Compared: r.Version != ""}
	if !ok {
		result.Rule = "unknown-hook"
	}
	result.Same = bytes.Equal(canonical(r.Output), canonical(e.Answer))
	return result
}

// canonical is a value without insignificant white space.
func canonical(value jsontext.Value) []byte {
	if len(value) == 0 {
		return nil
	}
	out := value.Clone()
	if err := out.Canonicalize(); err != nil {
		return value
	}
	return out
}

func showReplay(app *App, results []replayed) {
	table := term.Table{Head: []string{"HOOK", "RULE", "ANSWER", "FILE"}}
	same, compared, asked := 0, 0, len(results)
	for _, r := range results {
		answer := "-"
		if r.NotKept != "" {
			answer = "not replayed"
			asked--
		}
		if r.Compared {
			compared++
			if answer = "differs"; r.Same {
				answer = "same"
				same++
			}
		}
		table.Add(r.Hook, r.Rule, answer, r.Path)
	}
	table.Write(app.Stdout)
	for _, r := range results {
		switch {
		case r.NotKept != "":
			fmt.Fprintf(app.Stdout, "%s: not replayed, because its payload was not recorded (%s)\n", r.Path, r.NotKept)
		case r.Compared && !r.Same:
			app.Stdout.Write(diff.Diff(display.Text(r.Path), lines(r.Recorded), "now", lines(r.Answer)))
		case !r.Compared && len(r.Answer) > 0:
			app.printf("%s: %s\n", r.Path, r.Answer)
		}
	}
	fmt.Fprintf(app.Stdout, "%s replayed. Same answer as recorded: %d of %d.\n", display.Count(asked, "call"), same, compared)
}

// lines formats a value on several lines, for a diff.
func lines(value jsontext.Value) []byte {
	if len(value) == 0 {
		return nil
	}
	out := value.Clone()
	if err := out.Indent(); err != nil {
		return append(value.Clone(), '\n')
	}
	return append(out, '\n')
}

// absolute resolves a path that a person typed relative to the working directory.
func absolute(app *App, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(app.Dir, path)
}
