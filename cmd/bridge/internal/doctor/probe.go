package doctor

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// Probe is a hook line that was run with a payload of a session that owns nothing.
type Probe struct {
	Event string `json:"event"`
	Line  string `json:"line"`
	// P50 and P95 are the times that its runs took, in microseconds.
	P50 int64 `json:"p50_us"`
	P95 int64 `json:"p95_us"`
}

const (
	// probeRuns is how often a line is run.
	probeRuns = 7
	// probeTime is how long one run may take.
	probeTime = 10 * time.Second
	// slow is the median from which a user notices the hook.
	slow = 50 * time.Millisecond
)

// probe runs the lines that may be run, each exactly as it is written, in an empty
// directory and with separate records.
func (e *examination) probe() {
	if e.NoProbe {
		return
	}
	dir, err := os.MkdirTemp("", "bridge-doctor-")
	if err != nil {
		e.found(Finding{ID: "no-scratch-directory", Severity: Error, Where: os.TempDir(), What: err.Error(),
			Means: "The hook lines could not be tried.", Do: "Free some space on the disk."})
		return
	}
	defer os.RemoveAll(dir)
	for _, l := range e.lines {
		if e.mayRun(l) {
			e.try(l, dir)
		}
	}
	e.merge()
}

// mayRun reports whether a line may be run: it was written by somebody trusted, and its
// program is this one.
func (e *examination) mayRun(l settingsfile.HookLine) bool {
	if !l.Bridge() || !l.Source.Scope.Trusted() {
		return false
	}
	if name, _, _ := strings.Cut(l.Source.Plugin, "@"); l.Source.Scope == settingsfile.Plugin && name != "bridge" {
		return false
	}
	path, err := l.Program(e.Root, e.Getenv, exec.LookPath)
	if err != nil {
		return false
	}
	theirs, err := os.Stat(path)
	if err != nil || theirs.Mode().Perm()&0o111 == 0 && os.PathSeparator == '/' {
		return false
	}
	// A shell line may do more than call the program.
	if l.Args == nil && strings.ContainsAny(l.Command, ";&|<>`\n()") {
		return false
	}
	is, _ := e.identify(path)
	return is == same
}

func (e *examination) try(l settingsfile.HookLine, dir string) {
	var times []time.Duration
	var problem string
	for range probeRuns {
		took, err := e.once(l, dir)
		if err != nil {
			problem = err.Error()
			break
		}
		times = append(times, took)
	}
	if problem != "" {
		e.about(l, Finding{ID: "wrong-answer", Severity: Error, What: problem,
			Means: "Claude Code cannot use such an answer.", Do: "Run " + display.Bridge + " install again; if the problem remains, run the line by hand with a payload that fits " + display.Bridge + " schema."})
		return
	}
	slices.Sort(times)
	probe := Probe{Event: l.Event, Line: l.Text(), P50: times[len(times)/2].Microseconds(), P95: times[len(times)-1].Microseconds()}
	e.probes = append(e.probes, probe)
	if times[len(times)/2] > slow {
		e.about(l, Finding{ID: "slow", Severity: Warning, What: fmt.Sprintf("it took %v (median of %d)", times[len(times)/2].Round(time.Millisecond), probeRuns),
			Means: "Every event waits for it. A virus scanner or a network file system is the usual cause.", Do: "Put the program on a local disk, and exclude it from the virus scanner."})
	}
}

// once runs a line and checks its answer.
func (e *examination) once(l settingsfile.HookLine, dir string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	var cmd *exec.Cmd
	if l.Args != nil {
		path, err := l.Program(e.Root, e.Getenv, exec.LookPath)
		if err != nil {
			return 0, err
		}
		cmd = exec.CommandContext(ctx, path, l.Args...)
	} else {
		shell, flag := "sh", "-c"
		if os.PathSeparator == '\\' {
			shell, flag = "powershell", "-Command"
		}
		cmd = exec.CommandContext(ctx, shell, flag, l.Command)
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), claude.EnvPluginRoot+"="+l.Source.Root, claude.EnvProjectDir+"="+dir,
		"DISABLE_OMC=", "OMC_SKIP_HOOKS=")
	cmd.Stdin = strings.NewReader(payload(l.Event, dir))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	err := cmd.Run()
	took := e.since(begin)
	if err != nil {
		return took, fmt.Errorf("it ended with %w: %s", err, strings.TrimSpace(errs.String()))
	}
	return took, checkAnswer(l.Event, out.Bytes())
}

// payload is an event of a session that owns nothing. A permission-request without
// a tool must be denied.
func payload(event, dir string) string {
	text, err := json.Marshal(dir)
	if err != nil {
		text = []byte(`""`)
	}
	return fmt.Sprintf(`{"session_id":"bridge-doctor","transcript_path":"","cwd":%s,"hook_event_name":%q,"stop_hook_active":false,"prompt":"","source":"startup","reason":"other","trigger":"maintenance","agent_id":"","agent_type":""}`, text, event)
}

// checkAnswer checks an answer against the rules for every hook.
func checkAnswer(event string, out []byte) error {
	if len(out) == 0 {
		if event == string(protocol.EventPermissionRequest) {
			return fmt.Errorf("a tool that must be denied was left to the dialog")
		}
		return nil
	}
	var answer map[string]jsontext.Value
	if err := json.Unmarshal(out, &answer); err != nil {
		return fmt.Errorf("the answer is not a JSON object: %.80q", out)
	}
	if event == string(protocol.EventPermissionRequest) && !bytes.Contains(out, []byte(`"behavior": "deny"`)) {
		return fmt.Errorf("a tool that must be denied was answered with %.80q", out)
	}
	if _, blocks := answer["decision"]; blocks {
		return fmt.Errorf("a session that owns nothing was blocked: %.80q", out)
	}
	return nil
}
