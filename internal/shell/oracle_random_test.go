//go:build unix

package shell

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestRandomOptionsInBash combines the options of each row at random, clustered,
// attached and separate, with operands that would be output files if the
// program read them differently from the analysis.
func TestRandomOptionsInBash(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: runs hundreds of programs")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	t.Parallel()
	tries := 1
	if os.Getenv(everything) != "" {
		tries = 4
	}
	lines := randomLines(rand.New(rand.NewPCG(1, 2)), tries)
	runInBash(t, bash, lines)
	t.Logf("%d approved random lines run in bash", len(lines))
}

// FuzzOptionsInBash tries other combinations than TestRandomOptionsInBash.
func FuzzOptionsInBash(f *testing.F) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("bash is not installed")
	}
	f.Add(uint64(3), uint64(4))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		lines := randomLines(rand.New(rand.NewPCG(a, b)), 1)
		runInBash(t, bash, lines[:min(len(lines), 30)])
	})
}

// runInBash runs approved lines in batches and names those that change something.
func runInBash(t *testing.T, bash string, lines []string) {
	const size = 60
	for from := 0; from < len(lines); from += size {
		batch := lines[from:min(from+size, len(lines))]
		if !changes(t, bash, batch, quick) {
			continue
		}
		for _, line := range batch {
			if changes(t, bash, []string{line}, patient) {
				t.Errorf("%q is approved and changes its directory", line)
			}
		}
	}
}

// randomLines returns approved lines, from up to tries attempts for each row.
func randomLines(rng *rand.Rand, tries int) []string {
	value := func() string {
		values := []string{"2", "1", "-1", "new", "a.txt", "o", "of", "w", "x", "f"}
		return values[rng.IntN(len(values))]
	}
	var lines []string
	for _, rows := range tables() {
		for _, at := range spelledRows(rows) {
			name, r := at.name, at.row
			program, _, _ := strings.Cut(name, " ")
			switch program {
			case "sleep", "seq", "top", "vmstat", "lsof", "npm", "npx", "pip", "pip3", "java", "javac", "cargo", "rustc", "terraform", "apt", "apt-cache", "brew", "sysctl":
				continue // slow, or has no visible effect in a directory
			}
			if r.network || !installed([][]string{{program}}) {
				continue
			}
			for range tries {
				line := name
				for range 1 + rng.IntN(3) {
					line += " " + randomArgument(rng, r, value)
				}
				if Analyse(line, Options{}).Verdict == Allow {
					lines = append(lines, line)
				}
			}
		}
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

func randomArgument(rng *rand.Rand, r *row, value func() string) string {
	long := strings.Fields(r.long)
	letters := strings.NewReplacer(":", "", "?", "", "@", "").Replace(r.short)
	arg := value()
	switch kind := rng.IntN(3); {
	case kind == 0 && letters != "":
		arg = "-"
		for range 1 + rng.IntN(3) {
			arg += string(letters[rng.IntN(len(letters))])
		}
		if rng.IntN(2) == 0 {
			arg += value()
		}
	case kind == 1 && len(long) > 0:
		arg = "--" + strings.TrimRight(long[rng.IntN(len(long))], "=?@")
		if rng.IntN(2) == 0 {
			return arg + "=" + value()
		}
	default:
		return arg
	}
	if rng.IntN(2) == 0 {
		arg += " " + value()
	}
	return arg
}
