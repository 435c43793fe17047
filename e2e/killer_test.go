package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

const killerArgument = "-kill-hook"

// killer is started instead of a Stop hook. It runs the hook, kills some hooks at a random moment, and records what it
// saw. As with any killed hook, the client gets no answer from a hook that it kills.
type killer struct {
	dir  string
	seed uint64
	// percent is how many percent of the hooks are killed.
	percent int
}

// hook is the hook line for a settings file.
func (k killer) hook(path string) (Hook, error) {
	self, err := os.Executable()
	if err != nil {
		return Hook{}, err
	}
	return Exec(self, killerArgument, k.dir, strconv.FormatUint(k.seed, 10), strconv.Itoa(k.percent), path), nil
}

// sighting is what the killer saw of one hook.
type sighting struct {
	Session string `json:"session"`
	// Turn counts the hooks of the session from 0.
	Turn int `json:"turn"`
	PID  int `json:"pid"`
	// State is the file whose counter was read before and after; -1 means that the file did not exist.
	State         string `json:"state"`
	Before, After int
	Killed        bool `json:"killed"`
	// Stdout is what the hook printed. If the hook was killed, the client got nothing.
	Stdout string `json:"stdout"`
	// Torn says that the state file was incomplete afterwards.
	Torn string `json:"torn,omitempty"`
}

func (s sighting) blocks() bool {
	return !s.Killed && bytes.Contains([]byte(s.Stdout), []byte(`"block"`))
}

func (k killer) logOf(session string) string   { return filepath.Join(k.dir, session+".log") }
func (k killer) stateOf(session string) string { return filepath.Join(k.dir, session+".state") }

// watch names the state file whose counter belongs to a session; "" means none.
func (k killer) watch(session, path string) error {
	return os.WriteFile(k.stateOf(session), []byte(path), 0o600)
}

// sightings returns what was seen of a session, in order.
func (k killer) sightings(session string) ([]sighting, error) {
	data, err := os.ReadFile(k.logOf(session))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []sighting
	for lines := bufio.NewScanner(bytes.NewReader(data)); err == nil && lines.Scan(); {
		var s sighting
		if err = json.Unmarshal(lines.Bytes(), &s); err == nil {
			all = append(all, s)
		}
	}
	return all, err
}

// killMain is the killer's process.
func killMain(args []string) error {
	seed, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return err
	}
	percent, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	return killer{args[0], seed, percent}.run(args[3])
}

func (k killer) run(path string) error {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var payload struct {
		Session string `json:"session_id"`
	}
	if err := json.Unmarshal(input, &payload); err != nil {
		return err
	}
	before, err := k.sightings(payload.Session)
	if err != nil {
		return err
	}
	s := sighting{Session: payload.Session, Turn: len(before)}
	if name, err := os.ReadFile(k.stateOf(s.Session)); err == nil {
		s.State = string(name)
	}
	name := fnv.New64a()
	name.Write([]byte(s.Session))
	dice := rand.New(rand.NewPCG(k.seed, name.Sum64()+uint64(s.Turn)))
	mortal := dice.IntN(100) < k.percent
	after := time.Duration(dice.IntN(4000)) * time.Microsecond

	s.Before, _ = iterationOf(s.State)
	var stdout bytes.Buffer
	cmd := exec.Command(path, "--hook=stop")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	s.PID = cmd.Process.Pid
	if mortal {
		time.Sleep(after)
		_ = cmd.Process.Kill()
	}
	var exit *exec.ExitError
	switch err := cmd.Wait(); {
	case errors.As(err, &exit):
		s.Killed = true
	case err != nil:
		return err
	}
	s.Stdout = stdout.String()
	if s.After, err = iterationOf(s.State); err != nil {
		s.Torn = err.Error()
	}
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(k.logOf(s.Session), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if _, err := log.Write(append(line, '\n')); err != nil {
		return err
	}
	if err := log.Close(); err != nil {
		return err
	}
	if s.Killed {
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		_ = self.Kill()
		select {}
	}
	_, err = os.Stdout.Write(stdout.Bytes())
	return err
}

var counterLine = regexp.MustCompile(`(?m)(?:^|[{,\s])"?iteration"?: ?(\d+)`)

// iterationOf reads the iteration of a state file of any dialect; -1 when there is no
// file. An error says that it is torn.
func iterationOf(path string) (int, error) {
	if path == "" {
		return -1, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	match := counterLine.FindSubmatch(text)
	if match == nil {
		return -1, fmt.Errorf("no iteration in %q", text)
	}
	return strconv.Atoi(string(match[1]))
}
