package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ClientVariable names the executable that tests drive.
const ClientVariable = "BRIDGE_E2E_CLIENT"

const (
	dummyKey       = "dummy-key"
	defaultTimeout = 2 * time.Minute // for a busy machine; a run takes a second or two
)

// Client says how to start one client. If a field is zero, its option is left out.
type Client struct {
	Path           string // executable
	Workspace      *Workspace
	Model          *Model
	Settings       Settings
	Prompt         string
	SessionID      string // --session-id: a new session with this UUID
	Resume         string // --resume: continue this session
	PermissionMode string
	Dir            string            // working directory, default the project
	Env            map[string]string // added to the minimal environment
	Args           []string          // further options
	Input          io.Reader         // stream-json messages instead of a prompt
	Timeout        time.Duration     // default two minutes
	Columns, Rows  int               // size of an interactive client's terminal, default 160 and 50
}

// Result is the outcome of one run of the client.
type Result struct {
	ExitCode       int
	Stdout         []byte
	Stderr         string
	Events         []StreamEvent // lines of the stream-json output
	SessionID      string
	TranscriptPath string // empty if the session wrote none
	Transcript     Transcript
	Duration       time.Duration
}

// StreamEvent is one line of stream-json output.
type StreamEvent struct {
	Type           string          `json:"type"`
	Subtype        string          `json:"subtype"`
	SessionID      string          `json:"session_id"`
	IsError        bool            `json:"is_error"`
	Result         string          `json:"result"`
	NumTurns       int             `json:"num_turns"`
	TerminalReason string          `json:"terminal_reason"`
	Raw            json.RawMessage `json:"-"`
}

// Environ is the whole environment of the client. It inherits nothing, so that a client in which the tests run has no
// influence.
func (c Client) Environ() []string {
	env := map[string]string{
		"PATH":              os.Getenv("PATH"),
		"HOME":              c.Workspace.Home,
		"TMPDIR":            c.Workspace.Temp,
		"LANG":              "C.UTF-8",
		"CLAUDE_CONFIG_DIR": c.Workspace.ConfigDir(),
		"ANTHROPIC_API_KEY": dummyKey,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
		"DISABLE_AUTOUPDATER":                      "1",
	}
	if c.Model != nil {
		env["ANTHROPIC_BASE_URL"] = c.Model.URL()
	}
	for k, v := range c.Env {
		env[k] = v
	}
	list := make([]string, 0, len(env))
	for k, v := range env {
		list = append(list, k+"="+v)
	}
	return list
}

// WriteSettings writes the settings file that --settings names and returns its path.
func (c Client) WriteSettings() (string, error) {
	f, err := os.CreateTemp(c.Workspace.Root, "settings-*.json")
	if err != nil {
		return "", err
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	return f.Name(), errors.Join(enc.Encode(c.Settings), f.Close())
}

// Options are the arguments that print mode and an interactive client share; settings is the file of WriteSettings.
func (c Client) Options(settings string) []string {
	args := []string{"--settings", settings}
	if c.SessionID != "" {
		args = append(args, "--session-id", c.SessionID)
	}
	if c.Resume != "" {
		args = append(args, "--resume", c.Resume)
	}
	if c.PermissionMode != "" {
		args = append(args, "--permission-mode", c.PermissionMode)
	}
	return append(args, c.Args...)
}

// Run drives one print-mode client to its end. An error means that the run could not be observed; a client that failed is a
// Result with its exit code.
func (c Client) Run(ctx context.Context) (*Result, error) {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	settings, err := c.WriteSettings()
	if err != nil {
		return nil, err
	}
	args := []string{"--print", "--output-format", "stream-json", "--verbose"}
	args = append(args, c.Options(settings)...)
	if c.Input != nil {
		args = append(args, "--input-format", "stream-json")
	} else if c.Prompt != "" {
		args = append(args, "--", c.Prompt)
	}
	cmd := exec.CommandContext(ctx, c.Path, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Environ()
	if cmd.Dir == "" {
		cmd.Dir = c.Workspace.Project
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.Input != nil {
		cmd.Stdin = c.Input
	}
	endWithGroup(cmd)
	// A grandchild that keeps the pipe open must not block the test.
	cmd.WaitDelay = 2 * time.Second

	began := time.Now()
	err = cmd.Run()
	endGroup(cmd)
	r := &Result{Stdout: stdout.Bytes(), Stderr: stderr.String(), Duration: time.Since(began)}
	if ctx.Err() != nil {
		return r, fmt.Errorf("client ended after %v: %w\nstdout: %s\nstderr: %s", r.Duration, ctx.Err(), tail(r.Stdout), r.Stderr)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.ExitCode = exit.ExitCode()
	} else if err != nil {
		return r, err
	}
	return r, r.collect(c)
}

func (r *Result) collect(c Client) error {
	err := eachLine(r.Stdout, func(line []byte) error {
		if line[0] != '{' {
			return nil // --init-only and usage errors print text
		}
		e := StreamEvent{Raw: bytes.Clone(line)}
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		r.Events = append(r.Events, e)
		if e.SessionID != "" {
			r.SessionID = e.SessionID
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("stream-json output: %w", err)
	}
	if r.SessionID == "" {
		return nil
	}
	path, err := c.Workspace.TranscriptPath(r.SessionID)
	if err != nil {
		return nil // no turn was taken
	}
	r.TranscriptPath = path
	r.Transcript, err = ReadTranscript(path)
	return err
}

// Version asks an executable for its version, such as "2.1.330".
func Version(ctx context.Context, path string) (string, error) {
	home, err := os.MkdirTemp("", "e2e-version-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(home)
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CLAUDE_CONFIG_DIR=" + filepath.Join(home, ".claude"), "DISABLE_AUTOUPDATER=1"}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return version, nil
}

func tail(b []byte) []byte {
	const n = 2000
	if len(b) > n {
		return b[len(b)-n:]
	}
	return b
}
