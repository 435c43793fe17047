package lifecycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// initialised is the line that scripts of oh-my-claudecode look for in a session's
// environment.
const initialised = "export OMC_INITIALIZED=true\n"

// SetupInit creates the missing directories of the modes and says what it did. Running it
// again does no harm.
func SetupInit(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
	s, ok := look(req)
	if !ok {
		return nothing("no-place"), nil
	}
	home := s.registry.Dirs().Home
	var missing []string
	_, err := statefile.StatWithin(home, s.registry.Dirs().Roots...)
	for _, dir := range []moderegistry.File{moderegistry.SessionsDir, moderegistry.CheckpointsDir, moderegistry.NotepadsDir, moderegistry.PlansDir, moderegistry.LogsDir} {
		if errors.Is(err, statefile.ErrOutside) {
			break
		}
		name, _ := moderegistry.LegacyPath(dir)
		if _, err := os.Stat(filepath.Join(home, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "initialised"}}
	for _, name := range missing {
		outcome.Writes = append(outcome.Writes, protocol.Write{What: "create " + filepath.Join(home, name), Do: func() error {
			dir, err := statefile.MakeDirWithin(home, s.registry.Dirs().Roots...)
			if err != nil {
				return err
			}
			defer dir.Close()
			return dir.MakeSub(name)
		}})
	}
	lines := append([]string{fmt.Sprintf("Directories created in %s: %d.", display.Text(home), len(missing))}, s.refused()...)
	if file, ok := envFile(req.Env.Getenv); ok {
		outcome.Writes = append(outcome.Writes, write("add a line to CLAUDE_ENV_FILE", func() error { return addLine(file, initialised) }))
	}
	if project.StateInGit(s.stop.Root) {
		lines = append(lines, "git does not ignore .omc/, so states with your prompts may be committed. Add the line .omc/ to .gitignore.")
	}
	outcome.Output = protocol.Context(protocol.EventSetup, "bridge initialised the project:\n- "+strings.Join(lines, "\n- "))
	return outcome, nil
}

// SetupMaintenance removes old records that belong to no live session, and says which
// ones and why.
func SetupMaintenance(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
	s, ok := look(req)
	if !ok {
		return nothing("no-place"), nil
	}
	removals := append(s.registry.Prune(), s.store.Prune(req.Env.Now)...)
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "maintained"}}
	lines := []string{"bridge looked for old records of ended sessions. Removed: " + fmt.Sprint(len(removals)) + "."}
	for _, line := range s.refused() {
		lines = append(lines, "- "+line)
	}
	for i, r := range removals {
		outcome.Writes = append(outcome.Writes, write("remove "+r.Path, r.Do))
		if i < maxListed {
			lines = append(lines, "- "+display.Place(r.Path)+": "+display.Text(r.Why))
		}
	}
	if binary := project.BinaryPath(req.Env.Getenv); binary != "" {
		outcome.Writes = append(outcome.Writes, write("remove what interrupted installations left", func() error {
			statefile.Sweep(binary)
			return nil
		}))
	}
	if n := len(removals) - maxListed; n > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", n))
	}
	outcome.Output = protocol.Context(protocol.EventSetup, strings.Join(lines, "\n"))
	return outcome, nil
}

// maxListed is how many removals are listed.
const maxListed = 50

// envFile is the file that the client sources into the session's shells. Settings of a
// project can set the variable, so only a file in the client's own directory counts
// (docs/reference/claude-code.md#env-file).
func envFile(getenv func(string) string) (string, bool) {
	file, home := getenv(claude.EnvFile), claude.Home(getenv)
	if !filepath.IsAbs(file) || home == "" {
		return "", false
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", false
	}
	if resolved, err := filepath.EvalSymlinks(home); err == nil {
		home = resolved
	}
	rel, err := filepath.Rel(filepath.Join(home, "session-env"), dir)
	return filepath.Join(dir, filepath.Base(file)), err == nil && filepath.IsLocal(rel)
}

// addLine adds a line to a file that does not contain it.
func addLine(file, line string) error {
	dir, err := statefile.OpenDir(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer dir.Close()
	name := filepath.Base(file)
	old, err := dir.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if bytes.Contains(append([]byte("\n"), old.Data...), []byte("\n"+line)) {
		return nil
	}
	if len(old.Data) > 0 && !bytes.HasSuffix(old.Data, []byte("\n")) {
		line = "\n" + line
	}
	return dir.Append(name, []byte(line))
}
