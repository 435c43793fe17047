package cli

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/cmd/bridge/internal/doctor"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

type doctorCmd struct {
	Fix    bool `help:"Fix what can be fixed. A copy of each changed file is kept beside it as .bridge.bak."`
	Follow bool `help:"With --fix, also write settings files that are links out of the project or out of your home directory."`
	Quick  bool `help:"Do not run the hook lines."`
	JSON   bool `help:"Print JSON."`
}

func (c doctorCmd) Run(app *App) error {
	options, err := c.options(app)
	if err != nil {
		return err
	}
	var fixed []doctor.Finding
	var report doctor.Report
	if c.Fix {
		fixed, report, err = doctor.Fix(options)
	} else {
		report = doctor.Run(options)
	}
	if c.JSON {
		if printErr := printJSON(app, struct {
			Fixed []doctor.Finding `json:"fixed"`
			doctor.Report
		}{fixed, report}); printErr != nil {
			return printErr
		}
	} else {
		show(app, fixed, report)
	}
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		if f.Severity == doctor.Error {
			return exitError(1)
		}
	}
	return nil
}

func (c doctorCmd) options(app *App) (doctor.Options, error) {
	binary, err := os.Executable()
	if err != nil {
		return doctor.Options{}, fmt.Errorf("find this binary: %w", err)
	}
	stop := app.stop()
	loops, err := router.List(stop)
	if err != nil {
		return doctor.Options{}, err
	}
	var all []protocol.Status
	for _, l := range loops {
		all = append(all, l.Status)
	}
	return doctor.Options{
		Dir: app.Dir, Places: protocol.Places{Root: stop.Root, Search: stop.Places}, Env: stop.Env, Binary: binary, Version: self.Version, Loops: all, Follow: c.Follow, NoProbe: c.Quick,
		Removals: append(moderegistry.Open(stop).Prune(), session.NewStore(stop.Env.StateHome).Prune(stop.Env.Now)...),
	}, nil
}

// reportWidth is how wide the texts of a report are beside what is put before them.
const reportWidth = 71

// folded breaks texts into lines for a terminal, which has room for what the report puts
// before them. Elsewhere each text is one line.
func folded(app *App, texts ...string) (lines []string) {
	if app.terminal() == nil {
		return texts
	}
	for _, text := range texts {
		line := ""
		for word := range strings.FieldsSeq(app.named(text)) {
			switch {
			case line == "":
				line = word
			case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > reportWidth:
				lines, line = append(lines, line), "  "+word
			default:
				line += " " + word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// steps are the sentences of what to do, if they do not fit in one line of a terminal.
// They are not folded: each may contain a command to copy.
func steps(app *App, text string) (all []string) {
	const label = "To do: "
	text = label + app.named(text)
	if app.terminal() == nil || utf8.RuneCountInString(text) <= reportWidth {
		return []string{text}
	}
	for i := 1; i+2 < len(text); i++ {
		if text[i] == '.' && text[i-1] != ' ' && text[i+1] == ' ' && text[i+2] >= 'A' && text[i+2] <= 'Z' {
			all, text, i = append(all, text[:i+1]), "  "+text[i+2:], 1
		}
	}
	return append(all, text)
}

// show prints a report for people.
func show(app *App, fixed []doctor.Finding, report doctor.Report) {
	for _, f := range fixed {
		app.printf("fixed    %s\n         %s\n         %s: %s\n\n", f.ID, f.Where, f.What, f.Do)
	}
	counts := map[doctor.Severity]int{}
	fixable := 0
	for _, f := range report.Findings {
		counts[f.Severity]++
		app.printf("%-8s %s\n         %s\n", f.Severity, f.ID, f.Where)
		for _, line := range folded(app, "What: "+strings.TrimSuffix(f.What, ".")+".", "Why it matters: "+f.Means) {
			app.printf("         %s\n", line)
		}
		todo := steps(app, f.Do)
		for _, line := range todo[:len(todo)-1] {
			app.printf("         %s\n", line)
		}
		app.printf("         %s", todo[len(todo)-1])
		if f.Fixable {
			fixable++
			fmt.Fprint(app.Stdout, " ("+display.Bridge+" doctor --fix does it)")
		}
		fmt.Fprint(app.Stdout, "\n\n")
	}
	if len(report.Probed) > 0 {
		var slowest doctor.Probe
		for _, p := range report.Probed {
			if p.P50 > slowest.P50 {
				slowest = p
			}
		}
		app.printf("%s ran and answered (slowest: %s, %.1f ms).\n", display.Count(len(report.Probed), "hook line"), slowest.Event, float64(slowest.P50)/1000)
	}
	if n := len(report.Removals); n > 0 {
		app.printf("Old records of ended sessions: %d. To remove them: claude -p --maintenance \"say OK\" (without -p, the client does not call the hook).\n", n)
		for _, r := range report.Removals {
			app.printf("  %s: %s\n", r.Path, r.Why)
		}
	}
	if len(report.Findings) == 0 {
		fmt.Fprintln(app.Stdout, "No problems found.")
		return
	}
	var parts []string
	for _, severity := range []doctor.Severity{doctor.Error, doctor.Warning, doctor.Note} {
		if n := counts[severity]; n > 0 {
			parts = append(parts, display.Count(n, string(severity)))
		}
	}
	fmt.Fprint(app.Stdout, strings.Join(parts, ", "))
	if fixable > 0 {
		app.printf("; "+display.Bridge+" doctor --fix fixes %d of them", fixable)
	}
	fmt.Fprintln(app.Stdout, ".")
}
