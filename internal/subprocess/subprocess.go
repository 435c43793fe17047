// Package subprocess runs programs that the user's own configuration names, with limits
// on time and output. It never runs anything that a repository or an environment variable
// names (docs/design.md#nothing-executed).
package subprocess

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrTimeout means that a program was ended because it took too long.
var ErrTimeout = errors.New("it gave no result in time and was ended")

// Shell runs a command line of the user in dir and returns its exit code and the end of
// its output.
func Shell(dir, command string, wait time.Duration) (code int, out string, err error) {
	const most = 1500
	args, system := shell(command)
	code, out, err = run(dir, args, system, wait, most, true)
	return code, strings.TrimSpace(strings.ToValidUTF8(out, "")), err
}

// Run runs a program to its end and keeps at most most bytes of its output: the last ones
// if tail is set. After wait, it kills the program with everything that it started. It
// uses os.StartProcess, because os/exec would cost every hook start-up time.
func Run(dir string, args []string, wait time.Duration, most int, tail bool) (code int, out string, err error) {
	return run(dir, args, ownGroup(), wait, most, tail)
}

func run(dir string, args []string, system *syscall.SysProcAttr, wait time.Duration, most int, tail bool) (code int, out string, err error) {
	if wait <= 0 {
		return 0, "", ErrTimeout
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, "", err
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return 0, "", err
	}
	defer r.Close()
	process, err := os.StartProcess(args[0], args, &os.ProcAttr{Dir: dir, Files: []*os.File{null, w, w}, Sys: system})
	w.Close()
	if err != nil {
		return 0, "", err
	}
	killGroup := groupOf(process)
	kept := keeper{most: most, tail: tail}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&kept, r)
	}()
	type end struct {
		state *os.ProcessState
		err   error
	}
	ended := make(chan end, 1)
	go func() {
		state, err := process.Wait()
		ended <- end{state, err}
	}()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case e := <-ended:
		// A process that the program left in the background may keep the pipe open.
		killGroup()
		select {
		case <-read:
		case <-time.After(100 * time.Millisecond):
		}
		if e.err != nil {
			return 0, "", e.err
		}
		return e.state.ExitCode(), kept.String(), nil
	case <-timer.C:
		killGroup()
		return 0, "", ErrTimeout
	}
}

// cmdLine is the command line of a Windows shell. cmd does not know the escapes that
// other programs use: with /S it removes the first and the last quote and leaves
// everything in between as it is.
func cmdLine(shell, command string) string { return `"` + shell + `" /D /S /C "` + command + `"` }

// keeper keeps the beginning or the end of what is written to it.
type keeper struct {
	mu   sync.Mutex
	most int
	tail bool
	data []byte
}

func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.tail {
		k.data = append(k.data, p...)
		if over := len(k.data) - k.most; over > 0 {
			k.data = append(k.data[:0], k.data[over:]...)
		}
		return len(p), nil
	}
	k.data = append(k.data, p[:min(len(p), max(k.most-len(k.data), 0))]...)
	return len(p), nil
}

func (k *keeper) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(k.data)
}
