package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// List returns all loops of the project, whoever their owner is.
func List(s *protocol.Stop) ([]protocol.Controlled, error) {
	var all []protocol.Controlled
	store := session.NewStore(s.Env.StateHome)
	session.Locate(s, DirName, "", func(dir *statefile.Dir, path string) bool {
		names, err := dir.Names(".")
		if err != nil {
			return true
		}
		for _, name := range names {
			base, ended := strings.CutSuffix(name, statefile.Backup(""))
			if base != FileName && !(strings.HasPrefix(base, "ralph-loop.") && strings.HasSuffix(base, ".local.md")) {
				continue
			}
			file, err := dir.Read(name)
			if err != nil {
				all = append(all, kind().Broken(path+"/"+name, err))
				continue
			}
			l := &loop{dir: path, name: base, file: file, state: Parse(file.Data), store: store}
			c := l.controlled(s, store, ended)
			if ended && c.Status.Problem == "" {
				c.Status.Problem = session.OlderProblem(statefile.Older(names, base))
			}
			all = append(all, c)
		}
		return true
	})
	return all, nil
}

func (l *loop) controlled(s *protocol.Stop, store session.Store, ended bool) protocol.Controlled {
	locked := func(order func() (string, error)) (string, error) {
		return project.Locked(s.Env, s.Root, func() (string, error) {
			if err := l.reread(ended); err != nil {
				return "", fmt.Errorf("read the ralph loop: %w", err)
			}
			return order()
		})
	}
	c := protocol.Controlled{Status: l.status(s, store, ended), Adoptable: true, Resume: func(opts protocol.ResumeOptions) (string, error) {
		return locked(func() (string, error) { return l.resumeFor(opts, store, ended) })
	}}
	if !ended {
		c.Cancel = func() (string, error) {
			text, err := locked(l.cancel)
			if errors.Is(err, statefile.ErrGone) {
				return "The Ralph loop has already ended.", nil
			}
			return text, err
		}
		c.Pause = func() (string, error) { return locked(l.pause) }
	}
	return c
}

// reread reads the file again under the lock, because a stop may have counted in the
// meantime.
func (l *loop) reread(ended bool) error {
	name := l.name
	if ended {
		name = statefile.Backup(name)
	}
	file, err := statefile.ReadIn(l.dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s/%s: %w", l.dir, name, statefile.ErrGone)
	}
	if err != nil {
		return err
	}
	l.file, l.state = file, Parse(file.Data)
	return nil
}

func (l *loop) status(s *protocol.Stop, store session.Store, ended bool) protocol.Status {
	st := protocol.Status{
		Kind: "loop", Label: l.Label(), Path: l.dir + "/" + l.name, State: protocol.LoopActive,
		SessionID: l.state.SessionID, Iteration: l.state.Iteration, Limit: l.state.MaxIterations,
		StartedAt: l.state.StartedAt, UpdatedAt: l.file.ModTime, Problem: l.state.Problem,
		PromptLength: claude.Length(l.state.Prompt), About: l.state.Prompt,
		EndsBy: l.endsBy(), Stop: display.Bridge + " ralph cancel",
	}
	switch {
	case ended:
		st.State, st.Path, st.Stop = protocol.LoopEnded, st.Path+statefile.Backup(""), ""
	case l.state.Problem != "":
		st.State = protocol.LoopBroken
	case !l.state.Active:
		st.State, st.Problem = protocol.LoopPaused, l.state.Unclear
	case store.Stale(l.owned(), s.Env.Now):
		st.State = protocol.LoopStale
		st.Problem = kind().StaleProblem(l.owned().Path)
	}
	return st
}

func (l *loop) owned() session.Owned {
	return session.Owned{Path: l.dir + "/" + l.name, SessionID: l.state.SessionID, Stamp: l.state.StartedAt, ModTime: l.file.ModTime, ChangeTime: l.file.ChangeTime}
}

func (l *loop) endsBy() string {
	var ends []string
	if l.state.Promise != "" {
		ends = append(ends, "<promise>"+l.state.Promise+"</promise>")
	}
	if l.state.MaxIterations > 0 {
		ends = append(ends, display.Count(l.state.MaxIterations, "iteration"))
	}
	if len(ends) == 0 {
		return "only " + display.Bridge + " ralph cancel"
	}
	return strings.Join(ends, " or ")
}

func (l *loop) cancel() (string, error) {
	if err := l.archive().Do(); err != nil {
		return "", fmt.Errorf("cancel the ralph loop: %w", err)
	}
	return fmt.Sprintf("Cancelled Ralph loop (was at iteration %d).\n%s", l.state.Iteration, strings.Replace(l.resume(""), ". To continue", ".\nTo continue", 1)), nil
}

func (l *loop) pause() (string, error) {
	if err := l.rewrite(l.name, [2]string{"active", "false"}); err != nil {
		return "", fmt.Errorf("pause the ralph loop: %w", err)
	}
	return fmt.Sprintf("Paused the Ralph loop at iteration %d. To continue: "+display.Bridge+" ralph resume", l.state.Iteration), nil
}

// rewrite sets values in the front matter of the file name.
func (l *loop) rewrite(name string, pairs ...[2]string) error {
	return statefile.In(l.dir, func(dir *statefile.Dir) error {
		return dir.Replace(name, l.file, l.state.front.SetAll(pairs...), statefile.Durable)
	})
}
