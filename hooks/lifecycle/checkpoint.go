package lifecycle

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude/tasklist"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// keptCheckpoints is how many of the newest checkpoints a project keeps.
const keptCheckpoints = 10

// Checkpoint is written before a compaction (docs/reference/records.md#checkpoints). It
// contains states and counts, but no prompt: the prompt is in the state file.
type Checkpoint struct {
	CreatedAt time.Time         `json:"created_at"`
	Trigger   string            `json:"trigger"`
	SessionID string            `json:"session_id"`
	Modes     map[string]Moment `json:"active_modes"`
	Todos     Todos             `json:"todo_summary"`
}

// Moment is the position of a loop or mode at that time.
type Moment struct {
	Label     string `json:"label"`
	Path      string `json:"path"`
	Iteration int    `json:"iteration"`
	Limit     int    `json:"max_iterations,omitzero"`
	Phase     string `json:"phase,omitempty"`
	Progress  string `json:"progress,omitempty"`
	Stop      string `json:"stop"`
}

// Todos counts the session's tasks.
type Todos struct {
	Pending    int    `json:"pending"`
	InProgress int    `json:"in_progress"`
	Completed  int    `json:"completed"`
	Next       string `json:"next,omitempty"`
}

// PreCompact writes a checkpoint of the session's active loops, modes and tasks. If there
// are none, it writes no file.
func PreCompact(list protocol.Lister) protocol.Handler {
	return func(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
		s, ok := look(req)
		if !ok || s.records.Dir() == "" {
			return nothing("no-place"), nil
		}
		loops, err := list(s.stop)
		if err != nil {
			return protocol.Outcome{}, fmt.Errorf("list what is in progress: %w", err)
		}
		s.lang = languageOf(loops)
		c := s.checkpointOf(req, loops, tasklist.Read(req.Input.SessionID, time.Time{}, req.Env.Getenv))
		if len(c.Modes) == 0 && c.Todos == (Todos{}) {
			return nothing("nothing-under-way"), nil
		}
		outcome := protocol.Outcome{
			Writes: []protocol.Write{{What: "write a checkpoint", Do: func() error { return s.keep(c) }}},
			OnWriteError: func(err error) protocol.Output {
				return protocol.Notice(fmt.Sprintf(s.lang.In("bridge: 压缩上下文之前没有写入检查点: %v。循环和模式不受影响。", "bridge: no checkpoint was written before the compaction: %v. Loops and modes are not affected."), err))
			},
			Trace: protocol.Trace{Rule: "checkpoint"},
		}
		if len(c.Modes) > 0 {
			outcome.Output = protocol.Notice(s.lang.In("bridge: 压缩上下文之前已写入检查点: ", "bridge: a checkpoint was written before the compaction: ") + c.summary(s.lang) + s.lang.In("压缩之后会告诉模型。", " The model is told about it afterwards."))
		}
		return outcome, nil
	}
}

// checkpointOf collects what the session has in progress.
func (s scene) checkpointOf(req protocol.Request, loops []protocol.Controlled, tasks tasklist.Tasks) Checkpoint {
	c := Checkpoint{CreatedAt: req.Env.Now.UTC(), Trigger: req.Input.Trigger.Trigger, SessionID: req.Input.SessionID, Modes: map[string]Moment{}}
	for _, l := range loops {
		st := l.Status
		if st.SessionID == req.Input.SessionID && (st.State == protocol.LoopActive || st.State == protocol.LoopPaused) {
			c.Modes[st.Kind] = Moment{st.Label, st.Path, st.Iteration, st.Limit, st.Phase, st.Progress, display.Named(st.Stop, s.name)}
		}
	}
	c.Todos = todosOf(tasks)
	return c
}

func todosOf(tasks tasklist.Tasks) Todos {
	return Todos{tasks.Pending, tasks.InProgress, tasks.Completed, display.Clip(tasks.Next, 120)}
}

// summary has one sentence for each part.
func (c Checkpoint) summary(lang protocol.Lang) string {
	var b strings.Builder
	kinds := make([]string, 0, len(c.Modes))
	for kind := range c.Modes {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		m := c.Modes[kind]
		fmt.Fprintf(&b, lang.In("%s%s (状态在 %s)。", "%s%s (state in %s). "), m.Label, standing(lang, m.Iteration, m.Limit, m.Phase, m.Progress), display.Place(m.Path))
	}
	if n := c.Todos.Pending + c.Todos.InProgress; n > 0 {
		fmt.Fprintf(&b, lang.In("未完成任务 %d 个, 已完成 %d 个, 下一个: %s。", "%d open and %d finished tasks, the next one: %s. "), n, c.Todos.Completed, display.Data(c.Todos.Next, 120))
	}
	return display.Text(strings.TrimSpace(b.String()))
}

// standing describes the position of a loop, such as ", iteration 3/20, phase qa".
func standing(lang protocol.Lang, iteration, limit int, phase, progress string) string {
	text := ""
	if iteration > 0 {
		text = fmt.Sprintf(lang.In(", 迭代 %d", ", iteration %d"), iteration)
		if limit > 0 {
			text += fmt.Sprintf("/%d", limit)
		}
	}
	if phase != "" {
		text += lang.In(", 阶段 ", ", phase ") + display.Name(phase)
	}
	if progress != "" {
		text += ", " + progress
	}
	return text
}

// keep writes the checkpoint and removes all but the newest ones.
func (s scene) keep(c Checkpoint) error {
	text, err := json.Marshal(c, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	dir, err := statefile.MakeDir(s.records.Dir())
	if err != nil {
		return err
	}
	defer dir.Close()
	folder, _ := moderegistry.LegacyPath(moderegistry.CheckpointsDir)
	stamp := strings.NewReplacer(":", "-", ".", "-").Replace(c.CreatedAt.Format("2006-01-02T15:04:05.000000Z"))
	name := path.Join(folder, "checkpoint-"+stamp+"-"+short(c.SessionID)+".json")
	if err := dir.Create(name, append(text, '\n'), statefile.Volatile); err != nil {
		return err
	}
	names := checkpoints(dir)
	for _, old := range names[min(keptCheckpoints, len(names)):] {
		if err := dir.Remove(old); err != nil {
			return err
		}
	}
	return nil
}

// checkpoints lists the checkpoints, newest first.
func checkpoints(dir *statefile.Dir) []string {
	folder, _ := moderegistry.LegacyPath(moderegistry.CheckpointsDir)
	names, err := dir.Names(folder)
	if err != nil {
		return nil
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		return !strings.HasPrefix(n, "checkpoint-") || !strings.HasSuffix(n, ".json")
	})
	slices.Sort(names)
	slices.Reverse(names)
	for i := range names {
		names[i] = path.Join(folder, names[i])
	}
	return names
}

// lastCheckpoint returns the session's newest checkpoint.
func (s scene) lastCheckpoint() (c Checkpoint, ok bool) {
	dir, err := statefile.OpenDir(s.records.Dir())
	if err != nil {
		return Checkpoint{}, false
	}
	defer dir.Close()
	for _, name := range checkpoints(dir) {
		file, err := dir.Read(name)
		if err != nil {
			continue
		}
		var c Checkpoint
		if json.Unmarshal(file.Data, &c) == nil && c.SessionID == s.req.Input.SessionID {
			return c, true
		}
	}
	return Checkpoint{}, false
}

// short is enough of a session id to tell it from others.
func short(id string) string {
	if len(id) > 8 {
		return id[:8]
	}
	return id
}
