package cli

import (
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
)

// choice is a loop among which the user has to choose, with the command that chooses it.
type choice struct {
	protocol.Status
	// project is the root of the loop's project if that is another one.
	project string
	command string
}

// writeChoices lists the loops, each with its command in a line of its own.
func writeChoices(app *App, lang protocol.Lang, root string, rows []choice) {
	const columns = 80
	for _, r := range rows {
		about := []string{r.Kind, stateWord(lang, r.State)}
		add := func(format, value string) {
			if value != "" {
				about = append(about, fmt.Sprintf(format, value))
			}
		}
		add(lang.In("迭代 %s", "iteration %s"), iterations(r.Status))
		add("%s", r.Progress)
		add(lang.In("会话 %s", "session %s"), short(r.SessionID))
		add(lang.In("%s前", "%s ago"), age(app.Now(), r.Status))
		if r.project == "" {
			add("%s", shortPath(root, r.Path))
		}
		add("%s", app.named(r.Problem))
		lines := []string{term.Clip(display.Text(strings.Join(about, ", ")), columns)}
		if r.project != "" {
			lines = append(lines, "  "+lang.In("项目 ", "in ")+display.Text(r.project))
		}
		fmt.Fprintln(app.Stderr, strings.Join(append(lines, "  "+display.Text(app.named(r.command))), "\n"))
	}
}
