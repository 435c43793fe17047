package cli

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/agents"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// statusCmd shows loops and modes; ralphStatusCmd shows only loops.
type (
	statusCmd      struct{ statusFlags }
	ralphStatusCmd struct{ statusFlags }
)

func (c statusCmd) Run(app *App) error      { return c.watch(app, router.List) }
func (c ralphStatusCmd) Run(app *App) error { return c.watch(app, list) }

type statusFlags struct {
	JSON  bool          `help:"Print JSON."`
	Watch bool          `help:"Refresh every two seconds until interrupted."`
	Every time.Duration `help:"How often --watch looks." default:"2s" hidden:""`
}

func (c statusFlags) watch(app *App, from protocol.Lister) error {
	for {
		if err := c.show(app, from); err != nil || !c.Watch {
			return err
		}
		time.Sleep(c.Every)
		fmt.Fprintln(app.Stdout)
	}
}

func (c statusFlags) show(app *App, from protocol.Lister) error {
	stop := app.stop()
	loops, err := from(stop)
	if err != nil {
		return err
	}
	countAgents(stop, loops)
	findFailures(stop, loops)
	tellApart(loops)
	if c.JSON {
		return printJSON(app, jsonStatuses(loops))
	}
	if len(loops) == 0 {
		app.printf("Nothing is active in %s.\n", stop.Root)
		return nil
	}
	list := statuses(loops)
	for i := range list {
		list[i].Path = shortPath(stop.Root, list[i].Path)
	}
	writeStatus(app, app.Stdout, list)
	return nil
}

// countAgents adds the number of subagents that work for each loop's session.
func countAgents(stop *protocol.Stop, loops []protocol.Controlled) {
	records := moderegistry.Open(stop).Records()
	for i := range loops {
		st := &loops[i].Status
		if st.SessionID == "" || st.State != protocol.LoopActive {
			continue
		}
		own := records.Of(st.SessionID)
		if !own.Exists(moderegistry.AgentTracking) {
			continue
		}
		record, ok := own.Read(moderegistry.AgentTracking)
		if !ok {
			continue
		}
		if list, err := agents.Parse(record.Bytes()); err == nil {
			st.Agents = len(list.Running(stop.Env.Now, agents.WorkTime))
		}
	}
}

// findFailures adds the error of the API that ended the last turn of each loop's session.
func findFailures(stop *protocol.Stop, loops []protocol.Controlled) {
	store := session.NewStore(stop.Env.StateHome)
	for i := range loops {
		st := &loops[i].Status
		if st.SessionID == "" || st.State != protocol.LoopActive && st.State != protocol.LoopPaused {
			continue
		}
		if f, ok := store.Failure(session.Key{SessionID: st.SessionID}); ok {
			st.Failure = "the last turn ended with " + f.Text(stop.Env.Now) + "; it continues after the next prompt"
		}
	}
}

// jsonStatus is one loop or mode in JSON. Times are in RFC 3339 format and empty if
// unknown.
type jsonStatus struct {
	Kind      string             `json:"kind"`
	State     protocol.LoopState `json:"state"`
	Path      string             `json:"path"`
	SessionID string             `json:"session_id"`
	Iteration int                `json:"iteration"`
	Limit     int                `json:"limit"`
	Phase     string             `json:"phase,omitempty"`
	Progress  string             `json:"progress,omitempty"`
	StartedAt string             `json:"started_at"`
	UpdatedAt string             `json:"updated_at"`
	Agents    int                `json:"agents,omitzero"`
	EndsBy    string             `json:"ends_by"`
	Stop      string             `json:"stop"`
	Problem   string             `json:"problem,omitempty"`
	Failure   string             `json:"failure,omitempty"`
}

func jsonStatuses(loops []protocol.Controlled) []jsonStatus {
	list := make([]jsonStatus, 0, len(loops))
	for _, l := range loops {
		s := l.Status
		list = append(list, jsonStatus{s.Kind, s.State, s.Path, s.SessionID, s.Iteration, s.Limit, s.Phase, s.Progress,
			stamp(s.StartedAt), stamp(s.UpdatedAt), s.Agents, s.EndsBy, s.Stop, s.Problem, s.Failure})
	}
	return list
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func writeStatus(app *App, w io.Writer, list []protocol.Status) {
	table := term.Table{Head: []string{"LOOP", "STATE", "ITERATION", "PHASE", "PROGRESS", "AGENTS", "SESSION", "AGE", "ENDS BY", "TO STOP", "FILE", "PROBLEM"}}
	for _, s := range list {
		ends := s.EndsBy
		if s.State == protocol.LoopEnded {
			ends = ""
		}
		atWork := ""
		if s.Agents > 0 {
			atWork = strconv.Itoa(s.Agents)
		}
		table.Add(s.Kind, string(s.State), iterations(s), s.Phase, s.Progress, atWork, short(s.SessionID), age(app.Now(), s), app.named(ends), app.named(s.Stop), s.Path, app.named(cmp.Or(s.Problem, s.Failure)))
	}
	table.Write(w)
}

// iterations is a cell such as 3/9, or 3 if there is no limit.
func iterations(s protocol.Status) string {
	switch {
	case s.Limit > 0:
		return outOf(s.Iteration, s.Limit)
	case s.Iteration > 0:
		return strconv.Itoa(s.Iteration)
	}
	return ""
}

// shortID is how many characters of a session id are shown.
const shortID = 8

// short is enough of a session id to tell it from others.
func short(id string) string {
	if len(id) > shortID {
		return id[:shortID]
	}
	return id
}

// age says how long ago the loop changed.
func age(now time.Time, s protocol.Status) string {
	at := s.UpdatedAt
	if at.IsZero() {
		return ""
	}
	d := now.Sub(at)
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return d.Truncate(time.Second).String()
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + "h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + "d"
}
