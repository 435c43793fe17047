package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// systemFaults are faults that need Linux and, except for the last one, root.
func systemFaults() []fault {
	return []fault{
		{name: "no inode", superuser: true, run: withoutInodes},
		{name: "rename refused", superuser: true, leaves: true, prepare: func(s *scene) { s.appendOnly(filepath.Dir(s.state())) }},
		// A Go program that does nothing needs 80 MB of address space for data; less
		// than this, and none of them starts.
		{name: "80 MB of memory", run: func(s *scene, hook, input string) answer {
			cmd := exec.Command("sh", "-c", `ulimit -d 81920; exec "$0" --hook="$1"`, binary, hook)
			cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.env, strings.NewReader(input)
			return s.raw(cmd)
		}},
	}
}

// withoutInodes calls the hook with project and home on a file system of their own that
// has no room for another file, and copies back what remains.
func withoutInodes(s *scene, hook, input string) answer {
	s.t.Helper()
	top := filepath.Dir(s.project)
	kept := s.t.TempDir()
	const script = `set -e
cp -a "$1/." "$2/"
mount -t tmpfs -o nr_inodes=200,mode=0700 none "$1"
cp -a "$2/." "$1/"
mkdir "$1/full"; i=0
while : 2>/dev/null >"$1/full/$i"; do i=$((i+1)); done
cd "$1/project"
code=0; "$3" --hook="$4" || code=$?
rm -rf "$1/full"
cp -a "$1/." "$2/"
exit $code`
	cmd := exec.Command("bash", "-c", script, "bash", top, kept, binary, hook)
	cmd.Env, cmd.Stdin = s.env, strings.NewReader(input)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	a := s.raw(cmd)
	s.project, s.home = filepath.Join(kept, "project"), filepath.Join(kept, "home")
	return a
}

// appendOnly lets files be made in dir, but neither renamed nor removed.
func (s *scene) appendOnly(dir string) {
	s.t.Helper()
	d, err := os.Open(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { d.Close() })
	const appendOnly = 0x20 // FS_APPEND_FL
	set := func(flags int) error { return unix.IoctlSetPointerInt(int(d.Fd()), unix.FS_IOC_SETFLAGS, flags) }
	before, err := unix.IoctlGetInt(int(d.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = set(before | appendOnly)
	}
	if err != nil {
		s.t.Skipf("this file system has no append-only directories: %v", err)
	}
	s.relieve = func() {
		if err := set(before); err != nil {
			s.t.Fatal(err)
		}
	}
	s.t.Cleanup(func() { _ = set(before) })
}

// TestRefusedRenameLeavesNothingForEver: a temporary file that could not be removed is
// removed at the next stop.
func TestRefusedRenameLeavesNothingForEver(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only the superuser can make a directory append-only")
	}
	s := newScene(t)
	s.startLoop(3)
	s.appendOnly(filepath.Dir(s.state()))
	a := s.hook("stop", s.stopInput(1))
	if a.blocks() || !strings.Contains(a.stdout, "could not be saved") {
		t.Errorf("a stop that cannot be counted must be allowed, and say why: %q", a.stdout)
	}
	s.relieve()
	if a := s.hook("stop", s.stopInput(2)); !a.blocks() || s.iteration() != 4 {
		t.Errorf("the loop does not go on: %q", a.stdout)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(s.state()), ".*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
