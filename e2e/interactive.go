package e2e

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Terminal is an interactive client in its own tmux server.
type Terminal struct {
	workspace *Workspace
	socket    string
}

// ErrNoTmux means that tmux is missing, so no interactive client can be run.
var ErrNoTmux = errors.New("no tmux on the path")

// OpenTerminal starts an interactive client, waits for its input line and types the prompt, if there is one. Onboarding and
// trust are skipped. Close ends client and tmux server.
func (c Client) OpenTerminal(ctx context.Context) (*Terminal, error) {
	if _, err := exec.LookPath("tmux"); err != nil {
		return nil, ErrNoTmux
	}
	if err := c.Workspace.SkipDialogs(); err != nil {
		return nil, err
	}
	settings, err := c.WriteSettings()
	if err != nil {
		return nil, err
	}
	// Not below the workspace: the path of a socket may have at most about 100 bytes.
	dir, err := os.MkdirTemp("", "e2e-tmux-")
	if err != nil {
		return nil, err
	}
	t := &Terminal{workspace: c.Workspace, socket: filepath.Join(dir, "s")}
	cwd := c.Dir
	if cwd == "" {
		cwd = c.Workspace.Project
	}
	// The tmux server would add its own variables to the client's environment.
	line := append([]string{"env", "-i", "TERM=screen-256color"}, c.Environ()...)
	line = append(append(line, c.Path), c.Options(settings)...)
	args := append([]string{"-f", os.DevNull, "new-session", "-d", "-x", strconv.Itoa(cmp.Or(c.Columns, 160)), "-y", strconv.Itoa(cmp.Or(c.Rows, 50)), "-c", cwd, "--"}, line...)
	if _, err := t.tmux(ctx, args...); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if _, err := t.WaitFor(ctx, "❯"); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if c.Prompt != "" {
		if err := t.Type(ctx, c.Prompt); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

func (t *Terminal) tmux(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-S", t.socket}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.workspace.Home, "TERM=xterm-256color", "LANG=C.UTF-8"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// Screen is what the terminal shows, without colours.
func (t *Terminal) Screen(ctx context.Context) (string, error) {
	return t.tmux(ctx, "capture-pane", "-p")
}

// Colours is the screen with the escape sequences of its colours.
func (t *Terminal) Colours(ctx context.Context) (string, error) {
	return t.tmux(ctx, "capture-pane", "-p", "-e")
}

// Type enters a line.
func (t *Terminal) Type(ctx context.Context, text string) error {
	if _, err := t.tmux(ctx, "send-keys", "-l", "--", text); err != nil {
		return err
	}
	// A return that arrives together with the text would count as part of a paste.
	if err := sleep(ctx, 300*time.Millisecond); err != nil {
		return err
	}
	return t.Press(ctx, "Enter")
}

// Press sends keys by their tmux names, such as "Enter", "Down" or "Escape".
func (t *Terminal) Press(ctx context.Context, keys ...string) error {
	_, err := t.tmux(ctx, append([]string{"send-keys", "--"}, keys...)...)
	return err
}

// WaitFor waits until the screen shows one of the texts, and returns the screen.
func (t *Terminal) WaitFor(ctx context.Context, texts ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		screen, err := t.Screen(ctx)
		if err == nil {
			for _, text := range texts {
				if strings.Contains(screen, text) {
					return screen, nil
				}
			}
		}
		if wait := sleep(ctx, 100*time.Millisecond); wait != nil {
			return screen, fmt.Errorf("%w before the terminal showed %q:\n%s", errors.Join(wait, err), texts, screen)
		}
	}
}

// Close asks the client to end, so that it runs its SessionEnd hooks and writes nothing after Close returns, and kills it with
// the tmux server if it does not within five seconds.
func (t *Terminal) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	defer os.RemoveAll(filepath.Dir(t.socket))
	out, err := t.tmux(ctx, "display-message", "-p", "#{pane_pid}")
	if err != nil {
		return nil // the client has ended, and the server with it
	}
	pid, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return err
	}
	client, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	_ = client.Signal(syscall.SIGTERM) // it may have ended by now
	for range 50 {
		if _, err := t.tmux(ctx, "has-session"); err != nil {
			return nil
		}
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			break
		}
	}
	_, err = t.tmux(ctx, "kill-server")
	return errors.Join(errors.New("the client did not end by itself"), err)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
