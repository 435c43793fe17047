package specum

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/internal/subprocess"
	"github.com/hookbridge/bridge/protocol"
)

// stateDir is the directory of a state, held open.
type stateDir = *statefile.Dir

// open runs f on the directory of the spec.
func (s Spec) open(f func(stateDir) error) error { return statefile.In(s.Dir, f) }

// complete updates the epic and the index. If the spec's state no longer exists, complete removes its record; otherwise
// the spec stays released. after is the user's own program for the index, and nothing waits for it.
func (r *run) complete(record Record, now time.Time) (writes, after []protocol.Write) {
	remember := r.save(record)
	if r.content == Gone {
		remember = protocol.Write{
			What: "forget " + r.spec.v.noun + " " + r.spec.Name,
			Do:   func() error { return r.records.drop(r.spec.statePath()) },
		}
	}
	remember.Optional = true
	writes = append([]protocol.Write{remember}, r.sweep()...)
	if !r.spec.v.records {
		return writes, nil
	}
	p := r.spec.v.lookup(r.spec.place, r.stop.Root)
	writes = append(writes, protocol.Write{
		What: "mark " + r.spec.Name + " as completed in its epic", Optional: true,
		Do: func() error { return completeEpic(p, record.Epic, r.spec.Name) },
	})
	if command := r.stop.Env.Config.Specum.IndexCommand; command != "" {
		return writes, []protocol.Write{{What: "bring the index up to date", Do: func() error {
			// A failure is ignored, as in the plugin: the loop does not need the
			// index.
			_, _, _ = subprocess.Shell(r.spec.place, command+" --quiet", indexTime)
			return nil
		}}}
	}
	return append(writes, protocol.Write{What: "bring the index up to date", Optional: true, Do: func() error { return writeIndex(p, now) }}), nil
}

// indexTime is how long the user's index command may run. It is shorter than
// protocol.AfterTime, so the hook can end the command itself.
const indexTime = 2 * time.Second

// These names are the plugin's.
const (
	epicsDir    = "_epics"
	epicState   = ".epic-state.json"
	currentEpic = ".current-epic"
)

// completeEpic sets the status of the spec in its epic: the epic that the state named, or
// else the current one.
func completeEpic(p place, epic, spec string) error {
	for _, r := range p.roots {
		name := epic
		if name == "" {
			name, _ = currentName(r.dir, currentEpic)
		}
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
			continue
		}
		err := statefile.In(filepath.Join(r.dir, epicsDir, name), func(dir stateDir) error {
			if !p.holds(dir.Path()) && !p.allowedOutside(dir.Path()) {
				return fs.ErrNotExist
			}
			file, err := dir.Read(epicState)
			if err != nil {
				return err
			}
			data, err := markCompleted(file.Data, spec)
			if err != nil || data == nil {
				return err
			}
			return dir.Replace(epicState, file, data, statefile.Durable)
		})
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// markCompleted sets "status" to "completed" in the entry of specs with this name and
// leaves every other byte unchanged. It returns nil if nothing has to change.
func markCompleted(data []byte, spec string) ([]byte, error) {
	epic, err := statefile.ParseObject(data)
	if err != nil {
		return nil, fmt.Errorf("read the state of the epic: %w", err)
	}
	for i, value := range epic.List("specs") {
		entry, err := statefile.ParseObject(value)
		if err != nil || entry.Text("name") != spec {
			continue
		}
		if entry.Text("status") == "completed" {
			return nil, nil
		}
		return epic.SetElement("specs", i, entry.Set("status", "completed")).Bytes(), nil
	}
	return nil, nil
}

// indexState is .index/index-state.json as the plugin writes it.
type indexState struct {
	Version     string       `json:"version"`
	Updated     string       `json:"updated"`
	Directories []indexDir   `json:"directories"`
	Specs       []indexEntry `json:"specs"`
}

type indexDir struct {
	Path       string `json:"path"`
	SpecsCount int    `json:"specsCount"`
	IsDefault  bool   `json:"isDefault"`
}

type indexEntry struct {
	Name             string `json:"name"`
	Path             string `json:"path"`
	Phase            string `json:"phase"`
	TaskIndex        int    `json:"taskIndex"`
	TotalTasks       int    `json:"totalTasks"`
	AwaitingApproval *bool  `json:"awaitingApproval,omitempty"`
}

// maxIndexed is how many specs an index holds at most.
const maxIndexed = 2000

// indexOf lists every spec of the place. A spec without a state is completed if all of
// its tasks are ticked, and new if it only has other files.
func indexOf(p place, now time.Time) indexState {
	index := indexState{Version: "1.0", Updated: now.UTC().Format(time.RFC3339), Directories: []indexDir{}, Specs: []indexEntry{}}
	count := map[string]int{}
	specs := p.all()
	for _, spec := range specs {
		count[spec.root.dir]++
	}
	for _, spec := range specs[:min(len(specs), maxIndexed)] {
		index.Specs = append(index.Specs, indexEntryOf(spec))
	}
	for _, r := range p.roots {
		index.Directories = append(index.Directories, indexDir{r.shown, count[r.dir], r.isDefault})
	}
	slices.SortFunc(index.Specs, func(a, b indexEntry) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path)) })
	return index
}

func indexEntryOf(spec Spec) indexEntry {
	entry := indexEntry{Name: spec.Name, Path: spec.Shown, Phase: "new"}
	var tasks Tasks
	if data, ok := readBelow(spec.Dir, tasksName); ok {
		tasks = ParseTasks(data)
		entry.TotalTasks = len(tasks.List)
	}
	data, _ := readBelow(spec.Dir, spec.v.state)
	state, content := ParseState(data)
	switch {
	case content == Object:
		entry.Phase, entry.TaskIndex, entry.TotalTasks = state.Phase, state.TaskIndex, state.TotalTasks
		entry.AwaitingApproval = &state.Awaiting
	case content == Corrupt:
		entry.Phase = "unknown"
	case len(tasks.List) > 0 && tasks.Unchecked == 0:
		entry.Phase, entry.TaskIndex = "completed", len(tasks.List)
	case len(tasks.List) > 0:
		entry.Phase = "tasks"
	}
	return entry
}

// writeIndex writes a new index of the default root.
func writeIndex(p place, now time.Time) error {
	if len(p.roots) == 0 {
		return nil
	}
	index := indexOf(p, now)
	data, err := json.Marshal(index, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	return statefile.In(p.roots[0].dir, func(dir stateDir) error {
		if err := dir.Create(".index/index-state.json", append(data, '\n'), statefile.Durable); err != nil {
			return err
		}
		return dir.Create(".index/index.md", index.markdown(), statefile.Durable)
	})
}

// markdown formats the index for people.
func (x indexState) markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Spec Index\n\nUpdated: %s\n\n## Directories\n\n| Path | Specs | Default |\n|---|---|---|\n", x.Updated)
	cell := func(text string) string { return strings.ReplaceAll(display.Text(text), "|", `\|`) }
	for _, d := range x.Directories {
		mark := ""
		if d.IsDefault {
			mark = "yes"
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", cell(d.Path), d.SpecsCount, mark)
	}
	b.WriteString("\n## Specs\n\n| Name | Path | Phase | Tasks |\n|---|---|---|---|\n")
	for _, s := range x.Specs {
		tasks := ""
		if s.TotalTasks > 0 {
			tasks = fmt.Sprintf("%d/%d", min(s.TaskIndex, s.TotalTasks), s.TotalTasks)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(s.Name), cell(s.Path), cell(s.Phase), tasks)
	}
	return []byte(b.String())
}
