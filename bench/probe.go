package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// packageInit is the cost of initialising one package.
type packageInit struct {
	Package string  `json:"package"`
	Clock   float64 `json:"clock_ms"`
	Bytes   int64   `json:"bytes"`
	Allocs  int64   `json:"allocs"`
}

// initTrace runs the row once and returns what its packages did before main, sorted by
// the number of allocations.
func (r row) initTrace(n int) ([]packageInit, error) {
	cmd, stdout, err := r.command(n)
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	var trace bytes.Buffer
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "GODEBUG=inittrace=1")
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.title, err)
	}
	return parseInitTrace(trace.Bytes()), nil
}

func parseInitTrace(trace []byte) (inits []packageInit) {
	line := regexp.MustCompile(`^init (\S+) @\S+ ms, (\S+) ms clock, (\d+) bytes, (\d+) allocs$`)
	for scan := bufio.NewScanner(bytes.NewReader(trace)); scan.Scan(); {
		m := line.FindStringSubmatch(scan.Text())
		if m == nil {
			continue
		}
		p := packageInit{Package: m[1]}
		// The pattern accepts nothing else.
		p.Clock, _ = strconv.ParseFloat(m[2], 64)
		p.Bytes, _ = strconv.ParseInt(m[3], 10, 64)
		p.Allocs, _ = strconv.ParseInt(m[4], 10, 64)
		inits = append(inits, p)
	}
	slices.SortStableFunc(inits, func(a, b packageInit) int {
		return cmp.Or(cmp.Compare(b.Allocs, a.Allocs), cmp.Compare(b.Clock, a.Clock))
	})
	return inits
}

// opened lists the files that the row tries to open in one run, in order. ok is false if
// strace is missing or not allowed.
func (r row) opened(n int) (files []string, ok bool) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return nil, false
	}
	dir, err := os.MkdirTemp("", "bridge-bench-")
	if err != nil {
		return nil, false
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "trace")
	r.argv = append([]string{strace, "-f", "-qq", "-o", log, "-e", "trace=?open,?openat,?openat2,?creat"}, r.argv...)
	if _, err := r.run(n); err != nil {
		return nil, false
	}
	data, err := os.ReadFile(log)
	if err != nil {
		return nil, false
	}
	call := regexp.MustCompile(`(?m)^\d+ +(?:open|creat|openat2?)\((?:[^",]+, )?"((?:[^"\\]|\\.)*)"`)
	for _, m := range call.FindAllSubmatch(data, -1) {
		files = append(files, string(m[1]))
	}
	return files, true
}
