//go:build linux

package permission_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// watched are the system calls that an oracle looks at. A question mark stands before
// those that not every machine or strace knows.
const watched = "execve,execveat,?fork,?vfork,clone,clone3,?open,openat,?openat2,?creat,?rename,?renameat,renameat2,?unlink,unlinkat,?rmdir,?mkdir,mkdirat," +
	"?link,linkat,?symlink,symlinkat,?mknod,mknodat,?chmod,fchmod,fchmodat,?fchmodat2,?chown,fchown,?lchown,fchownat,truncate,ftruncate,?utime,?utimes,?futimesat,utimensat," +
	"setxattr,lsetxattr,fsetxattr,removexattr,lremovexattr,fremovexattr,connect,bind,listen,sendto,sendmsg,sendmmsg,kill,ptrace,mount,umount2,pivot_root,chroot," +
	"sethostname,setdomainname,settimeofday,clock_settime,adjtimex,clock_adjtime,swapon,swapoff,reboot,init_module,finit_module,delete_module,bpf,unshare,setns,?io_uring_setup"

// event is a system call of a process, of one line.
type event struct {
	line       int
	call       string
	args       []string
	result     string
	incomplete bool // the process ended inside of it
}

// traced are command lines that run one after the other in a directory each.
type traced struct {
	dir   string
	posix bool
	text  string
}

const driver = `line() {
  echo "$1" >&3
  : 2>/dev/null </bridge-oracle/"$1"
  ( cd "$2" || exit; [ -z "$3" ] || export POSIXLY_CORRECT=1; eval "$4" ) 3>&- </dev/null
}
ulimit -t 10; ulimit -c 0
echo $$ >&3
`

// patience is how long one line may take. Some programs never end by themselves.
const patience = 20 * time.Second

// trace runs lines under strace and returns what they did. The processes are told
// apart by their ancestry, so that it does not matter how long one lives.
func trace(t *testing.T, scratch string, env []string, lines []traced) []event {
	t.Helper()
	script := driver
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	for i, l := range lines {
		posix := ""
		if l.posix {
			posix = "1"
		}
		script += fmt.Sprintf("line %d %s '%s' %s\n", i, quote(l.dir), posix, quote(l.text))
	}
	// The driver must not read its script from what its lines may read.
	file, out := filepath.Join(scratch, "driver"), filepath.Join(scratch, "trace")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	progress, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer progress.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, "strace", "-f", "--seccomp-bpf", "-y", "-qq", "-e", "signal=none", "-s", "8192", "-o", out, "-e", "trace="+watched, "bash", "--norc", "--noprofile", file)
	cmd.Env, cmd.Dir, cmd.ExtraFiles = env, scratch, []*os.File{write}
	var said tail
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	var moved atomic.Int64
	moved.Store(time.Now().UnixNano())
	first := make(chan int, 1)
	go func() {
		in := bufio.NewScanner(progress)
		for n := 0; in.Scan(); n++ {
			if n == 0 {
				pid, _ := strconv.Atoi(in.Text())
				first <- pid
			}
			moved.Store(time.Now().UnixNano())
		}
	}()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	pid, stuck := 0, 0
	for waiting := true; waiting; {
		select {
		case pid = <-first:
		case <-done:
			waiting = false
		case <-time.After(time.Second):
			if time.Since(time.Unix(0, moved.Load())) > patience && pid > 0 {
				if stuck++; stuck > 50 {
					t.Fatalf("the driver does not go on: %s", said.text)
				}
				killBelow(pid)
				moved.Store(time.Now().UnixNano())
			}
		}
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("strace did not run: %v %s", err, said.text)
	}
	events, last := readTrace(string(text))
	if last != len(lines)-1 {
		t.Fatalf("the trace ends with line %d of %d: %s", last, len(lines), said.text)
	}
	return events
}

// tail keeps the end of an output.
type tail struct{ text string }

func (w *tail) Write(p []byte) (int, error) {
	w.text += string(p)
	w.text = w.text[max(0, len(w.text)-2000):]
	return len(p), nil
}

// killBelow ends the processes below one that this test started.
func killBelow(pid int) {
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for field := range strings.FieldsSeq(string(children)) {
		if child, err := strconv.Atoi(field); err == nil {
			killBelow(child)
			_ = syscall.Kill(child, syscall.SIGKILL)
		}
	}
}

// readTrace reads the output of strace -f. The first process is the driver; what it
// does is no event. last is the number of the last line that began.
func readTrace(text string) (events []event, last int) {
	type raw struct {
		pid  string
		text string
		line int // of the driver, at this point
	}
	var calls []raw
	open, parent := map[string]int{}, map[string]string{}
	first, line := "", -1
	born := map[string]int{} // children of the driver
	for row := range strings.Lines(text) {
		pid, rest, ok := strings.Cut(strings.TrimRight(row, "\n"), " ")
		rest = strings.TrimLeft(rest, " ")
		if !ok || strings.HasPrefix(rest, "+++") || strings.HasPrefix(rest, "---") {
			continue
		}
		if first == "" {
			first = pid
		}
		at := len(calls)
		if strings.HasPrefix(rest, "<... ") {
			_, tail, _ := strings.Cut(rest, " resumed>")
			if at, ok = open[pid]; !ok {
				continue
			}
			delete(open, pid)
			calls[at].text += tail
		} else {
			calls = append(calls, raw{pid, rest, line})
			if before, ok := strings.CutSuffix(rest, "<unfinished ...>"); ok {
				open[pid] = at
				calls[at].text = before
				// The marker counts from its beginning.
				rest = before
			}
		}
		c := calls[at]
		if pid == first {
			if _, marker, ok := strings.Cut(c.text, `"/bridge-oracle/`); ok {
				number, _, _ := strings.Cut(marker, `"`)
				if n, err := strconv.Atoi(number); err == nil {
					line = n
				}
			}
		}
		if _, pending := open[pid]; pending {
			continue
		}
		switch name, _, _ := strings.Cut(c.text, "("); name {
		case "clone", "clone3", "fork", "vfork":
			_, child, _ := strings.Cut(c.text, ") = ")
			child, _, _ = strings.Cut(child, " ")
			child, _, _ = strings.Cut(child, "<")
			parent[child] = pid
			if pid == first {
				born[child] = c.line
			}
		}
	}
	lineOf := func(pid string) int {
		for range 100 {
			if n, ok := born[pid]; ok {
				return n
			}
			if pid = parent[pid]; pid == "" {
				break
			}
		}
		return -1
	}
	for _, c := range calls {
		if c.pid == first {
			continue
		}
		name, rest, ok := strings.Cut(c.text, "(")
		if !ok {
			continue
		}
		e := event{line: lineOf(c.pid), call: name}
		if i := strings.LastIndex(rest, ") = "); i >= 0 {
			e.result, rest = strings.TrimSpace(rest[i+4:]), rest[:i]
		} else if i := strings.LastIndexByte(rest, ')'); i >= 0 && strings.HasPrefix(strings.TrimLeft(rest[i+1:], " "), "= ") {
			e.result, rest = strings.TrimSpace(strings.TrimLeft(rest[i+1:], " ")[2:]), rest[:i]
		} else {
			e.incomplete = true
		}
		e.args = splitArgs(rest)
		events = append(events, e)
	}
	return events, line
}

// splitArgs splits the arguments of a call at the commas between them.
func splitArgs(text string) (args []string) {
	depth, quoted, from := 0, false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[' || c == '(':
			depth++
		case c == '}' || c == ']' || c == ')':
			depth--
		case c == ',' && depth <= 0:
			args = append(args, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(args, strings.TrimSpace(text[from:]))
}

// text is the string that an argument holds.
func (e event) text(i int) string {
	if i >= len(e.args) {
		return ""
	}
	s := strings.TrimSuffix(e.args[i], "...")
	if unquoted, err := strconv.Unquote(s); err == nil {
		return unquoted
	}
	return strings.Trim(s, `"`)
}

// path is the path that a call names: at the position of a directory's descriptor,
// followed by a name, or of a name alone.
func (e event) path(i int) string {
	if i < len(e.args) && !strings.HasPrefix(e.args[i], `"`) {
		dir := named(e.args[i])
		if name := e.text(i + 1); filepath.IsAbs(name) {
			return filepath.Clean(name)
		} else if strings.HasPrefix(e.args[min(i+1, len(e.args)-1)], `"`) {
			return filepath.Join(dir, name)
		}
		return dir
	}
	return e.text(i)
}

// named is the path of a descriptor as strace shows it: 3</path>.
func named(descriptor string) string {
	_, path, ok := strings.Cut(descriptor, "<")
	end := strings.LastIndexByte(path, '>')
	if !ok || end < 0 {
		return ""
	}
	return path[:end]
}

func (e event) failed() bool { return strings.HasPrefix(e.result, "-") }

func (e event) String() string {
	return fmt.Sprintf("%s(%s) = %s", e.call, strings.Join(e.args, ", "), e.result)
}
