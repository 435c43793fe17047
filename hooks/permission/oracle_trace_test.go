//go:build linux

package permission_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// watched are the system calls that the oracle checks. A question mark marks those that
// not every machine or strace knows.
const watched = "execve,execveat,?fork,?vfork,clone,clone3,?open,openat,?openat2,?creat,?rename,?renameat,renameat2,?unlink,unlinkat,?rmdir,?mkdir,mkdirat," +
	"?link,linkat,?symlink,symlinkat,?mknod,mknodat,?chmod,fchmod,fchmodat,?fchmodat2,?chown,fchown,?lchown,fchownat,truncate,ftruncate,?utime,?utimes,?futimesat,utimensat," +
	"setxattr,lsetxattr,fsetxattr,removexattr,lremovexattr,fremovexattr,connect,bind,listen,sendto,sendmsg,sendmmsg,kill,ptrace,mount,umount2,pivot_root,chroot," +
	"sethostname,setdomainname,settimeofday,clock_settime,adjtimex,clock_adjtime,swapon,swapoff,reboot,init_module,finit_module,delete_module,bpf,unshare,setns,?io_uring_setup"

// event is a system call that a process of one line made.
type event struct {
	line       int
	call       string
	args       []string
	result     string
	incomplete bool // the process ended during the call
}

// traced are command lines that run one after the other, each in its own directory.
type traced struct {
	dir   string
	posix bool
	text  string
}

const driver = `line() {
  echo "$1" >&3
  printf '\0line %s\0' "$1"; printf '\0line %s\0' "$1" >&2
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
func trace(t testing.TB, scratch string, env []string, lines []traced) []event {
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
	// The lines must not be able to read the driver's script.
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
	cmd := exec.CommandContext(ctx, "strace", "-f", "--seccomp-bpf", "-y", "-q", "-e", "signal=none", "-s", "8192", "-o", out, "-e", "trace="+watched, "bash", "--norc", "--noprofile", file)
	cmd.Env, cmd.Dir, cmd.ExtraFiles = env, scratch, []*os.File{write}
	said, shows := &tail{}, &tail{}
	cmd.Stdout, cmd.Stderr = shows, said
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
	for _, at := range append(shows.shown, said.shown...) {
		events = append(events, event{line: at, call: showed})
	}
	return events
}

// showed is the name of an event that is not a system call: at this point, an output contained a secret. A line that
// left a process behind may have written it later.
const showed = "showed a secret, or a line before it did"

// treasure is text that no line may show: the content of every secret of the fixture, and the value of a variable.
const treasure = "S3CRET"

// mark is what the driver writes to an output before a line begins. Only a mark in the output itself shows reliably
// which line wrote what.
var mark = regexp.MustCompile("\x00line ([0-9]+)\x00")

// tail keeps the end of an output, and notes about which lines showed a secret in it.
type tail struct {
	text  string
	line  int
	shown []int
}

func (w *tail) Write(p []byte) (int, error) {
	// What was kept may end inside a mark or a secret.
	rest := w.text + string(p)
	note := func(part string) {
		if strings.Contains(part, treasure) && !slices.Contains(w.shown, w.line) {
			w.shown = append(w.shown, w.line)
		}
	}
	for {
		at := mark.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		note(rest[:at[0]])
		w.line, _ = strconv.Atoi(rest[at[2]:at[3]])
		rest = rest[at[1]:]
	}
	note(rest)
	w.text = rest[max(0, len(rest)-1000):]
	return len(p), nil
}

// killBelow ends the descendants of a process that this test started.
func killBelow(pid int) {
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for field := range strings.FieldsSeq(string(children)) {
		if child, err := strconv.Atoi(field); err == nil {
			killBelow(child)
			_ = syscall.Kill(child, syscall.SIGKILL)
		}
	}
}

// process is a process of a trace. The system may reuse the number of a process that ended.
type process struct {
	pid    string
	parent *process
	line   int // of the driver when it was born, for a child of the driver
}

// reader reads a trace from its beginning.
type reader struct {
	calls []rawCall
	// now are the living processes. orphans are those whose creation was not seen yet: a child may run, and even end,
	// before its parent's call returns.
	now     map[string]*process
	orphans map[string]*process
	pending map[string]int
	driver  *process
	line    int
}

type rawCall struct {
	by   *process
	text string
	line int // of the driver, at this point
}

func (r *reader) process(pid string) *process {
	p := r.now[pid]
	if p == nil {
		p = &process{pid: pid, line: -1}
		r.now[pid] = p
		if r.driver == nil {
			r.driver = p
		} else {
			r.orphans[pid] = p
		}
	}
	return p
}

// row reads a row of the trace.
func (r *reader) row(row string) {
	pid, rest, ok := strings.Cut(row, " ")
	rest = strings.TrimLeft(rest, " ")
	if !ok || strings.HasPrefix(rest, "---") {
		return
	}
	if strings.HasPrefix(rest, "+++") {
		if !strings.HasPrefix(rest, "+++ superseded") {
			delete(r.now, pid)
			delete(r.pending, pid)
		}
		return
	}
	if strings.HasSuffix(rest, "(No such file or directory)") && strings.HasPrefix(rest, "open") && strings.Contains(rest, "O_RDONLY") && !strings.Contains(rest, "/bridge-oracle/") {
		return // most of what a program tries
	}
	p, at := r.process(pid), len(r.calls)
	if strings.HasPrefix(rest, "<... ") {
		_, tail, _ := strings.Cut(rest, " resumed>")
		if at, ok = r.pending[pid]; !ok {
			return
		}
		delete(r.pending, pid)
		r.calls[at].text += tail
	} else {
		before, unfinished := strings.CutSuffix(rest, "<unfinished ...>")
		r.calls = append(r.calls, rawCall{p, before, r.line})
		if unfinished {
			r.pending[pid] = at
		}
	}
	c := r.calls[at]
	if _, marker, ok := strings.Cut(c.text, `"/bridge-oracle/`); ok && p == r.driver {
		number, _, _ := strings.Cut(marker, `"`)
		if n, err := strconv.Atoi(number); err == nil {
			r.line = n
		}
	}
	if _, waits := r.pending[pid]; waits {
		return
	}
	switch name, _, _ := strings.Cut(c.text, "("); name {
	case "clone", "clone3", "fork", "vfork":
		_, child, _ := strings.Cut(c.text, ") = ")
		child, _, _ = strings.Cut(child, " ")
		child, _, _ = strings.Cut(child, "<")
		if _, err := strconv.Atoi(child); err != nil {
			return
		}
		born := r.orphans[child]
		if born == nil {
			born = &process{pid: child}
			r.now[child] = born
		}
		delete(r.orphans, child)
		born.parent, born.line = p, -1
		if p == r.driver {
			born.line = c.line
		}
	}
}

// readTrace reads the output of strace -f. The first process is the driver; its calls are not events. last is the number
// of the last line that began.
func readTrace(text string) (events []event, last int) {
	r := reader{now: map[string]*process{}, orphans: map[string]*process{}, pending: map[string]int{}, line: -1}
	for row := range strings.Lines(text) {
		r.row(strings.TrimRight(row, "\n"))
	}
	for _, c := range r.calls {
		if c.by == r.driver {
			continue
		}
		name, rest, ok := strings.Cut(c.text, "(")
		if !ok {
			continue
		}
		by := c.by
		for by.line < 0 && by.parent != nil {
			by = by.parent
		}
		e := event{line: by.line, call: name}
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
	return events, r.line
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
