package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// report is everything that was measured.
type report struct {
	Machine machine    `json:"machine"`
	Rounds  int        `json:"rounds"`
	Binary  binarySize `json:"binary_bytes"`
	Rows    []figures  `json:"rows"`
	// Cold are the rows as in real use. FromDisk are the same rows with programs that are
	// not in the page cache; it is missing if pages cannot be dropped.
	Cold     []figures `json:"cold,omitzero"`
	FromDisk []figures `json:"from_disk,omitzero"`
	Init     []initSum `json:"init"`
}

type machine struct {
	System string `json:"system"`
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Go     string `json:"go"`
}

type binarySize struct {
	Bridge int64 `json:"bridge"`
	Noop   int64 `json:"noop"`
}

// figures are one row: times in microseconds, ratios to the no-op.
type figures struct {
	ID         string  `json:"id"`
	Title      string  `json:"title"`
	WallMedian int64   `json:"wall_us_median"`
	WallP95    int64   `json:"wall_us_p95"`
	WallRatio  float64 `json:"wall_ratio"`
	P95Ratio   float64 `json:"wall_p95_ratio"`
	CPUMedian  int64   `json:"cpu_us_median"`
	CPURatio   float64 `json:"cpu_ratio"`
	// MaxRSS is missing if the system does not report it.
	MaxRSS int64 `json:"max_rss_bytes,omitzero"`
	// Opens is how many files the row tried to open; it is missing without strace.
	Opens *int `json:"opens,omitzero"`
}

// initSum is what was allocated before main.
type initSum struct {
	ID     string        `json:"id"`
	Bytes  int64         `json:"bytes"`
	Allocs int64         `json:"allocs"`
	Top    []packageInit `json:"top,omitzero"`
}

// newReport summarises the samples; the first row is the no-op. The runs that only inspect a program have the numbers
// after those of the measured rounds.
func newReport(rows []row, samples [][]sample, bins binaries) (report, error) {
	r := report{Machine: thisMachine()}
	var err error
	if r.Binary.Bridge, err = fileSize(bins.bridge); err != nil {
		return report{}, err
	}
	if r.Binary.Noop, err = fileSize(bins.noop); err != nil {
		return report{}, err
	}
	n := warmup + len(samples[0])
	looked := false
	for i, row := range rows {
		f := summarise(samples[i], samples[0])
		f.ID, f.Title = row.id, row.title
		if files, ok := row.opened(n); ok {
			opens := len(files)
			f.Opens = &opens
		}
		if peak, err := row.maxRSS(n + 1); err == nil {
			f.MaxRSS = peak
		}
		r.Rows = append(r.Rows, f)
		if i == 0 || row.isBridge && !looked {
			looked = row.isBridge
			inits, err := row.initTrace(n + 2)
			if err != nil {
				return report{}, err
			}
			r.Init = append(r.Init, sumInits(row.id, inits))
		}
	}
	return r, nil
}

func summarise(samples, base []sample) (f figures) {
	us := func(d time.Duration) int64 { return d.Microseconds() }
	ratio := func(f func(sample) time.Duration, q float64) float64 {
		r := float64(quantile(pick(samples, f), q)) / float64(quantile(pick(base, f), q))
		return float64(int(r*100+0.5)) / 100
	}
	f.WallMedian, f.WallP95 = us(quantile(pick(samples, wall), 0.5)), us(quantile(pick(samples, wall), 0.95))
	f.WallRatio, f.P95Ratio = ratio(wall, 0.5), ratio(wall, 0.95)
	f.CPUMedian, f.CPURatio = us(quantile(pick(samples, cpu), 0.5)), ratio(cpu, 0.5)
	return f
}

func sumInits(id string, inits []packageInit) initSum {
	s := initSum{ID: id, Top: inits[:min(len(inits), 12)]}
	for _, p := range inits {
		s.Bytes += p.Bytes
		s.Allocs += p.Allocs
	}
	return s
}

func fileSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func thisMachine() machine {
	return machine{
		System: runtime.GOOS + "/" + runtime.GOARCH + kernel(), CPU: cpuModel(),
		Cores: runtime.NumCPU(), Go: runtime.Version(),
	}
}

func kernel() string {
	out, err := exec.Command("uname", "-r").Output()
	if err != nil {
		return ""
	}
	return " " + string(bytes.TrimSpace(out))
}

func cpuModel() string {
	if file, err := os.Open("/proc/cpuinfo"); err == nil {
		defer file.Close()
		for scan := bufio.NewScanner(file); scan.Scan(); {
			if name, value, ok := strings.Cut(scan.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		return string(bytes.TrimSpace(out))
	}
	return "unknown"
}

func (r report) writeJSON(path string) error {
	data, err := json.Marshal(r, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

func (r report) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d cores, %s; %d interleaved rounds. × is the ratio to the no-op.\n",
		r.Machine.System, r.Machine.CPU, r.Machine.Cores, r.Machine.Go, r.Rounds)
	if err := r.writeCold(&b); err != nil {
		return err
	}
	b.WriteString("\nAll rows in one round, which keeps the program warm:\n\n")
	b.WriteString("| | wall, median | × | wall, p95 | × | CPU, median | × | max RSS | opens |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range r.Rows {
		opens, rss := "–", "–"
		if f.Opens != nil {
			opens = fmt.Sprint(*f.Opens)
		}
		if f.MaxRSS > 0 {
			rss = fmt.Sprintf("%.1f MB", float64(f.MaxRSS)/1e6)
		}
		fmt.Fprintf(&b, "| %s | %.2f ms | %.2f | %.2f ms | %.2f | %.2f ms | %.2f | %s | %s |\n",
			f.Title, ms(f.WallMedian), f.WallRatio, ms(f.WallP95), f.P95Ratio, ms(f.CPUMedian), f.CPURatio, rss, opens)
	}
	fmt.Fprintf(&b, "\nBinary: %.1f MB (no-op %.1f MB).\n", float64(r.Binary.Bridge)/1e6, float64(r.Binary.Noop)/1e6)
	for _, s := range r.Init {
		fmt.Fprintf(&b, "\nBefore main, %s: %d allocations, %d bytes.", s.ID, s.Allocs, s.Bytes)
		if s.ID == "noop" {
			continue
		}
		b.WriteString(" The most:\n\n| package | allocations | bytes | clock |\n|---|--:|--:|--:|\n")
		for _, p := range s.Top {
			fmt.Fprintf(&b, "| %s | %d | %d | %.3f ms |\n", p.Package, p.Allocs, p.Bytes, p.Clock)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeRatios prints the times of rows beside those of the no-op.
func writeRatios(w io.Writer, title string, rows []figures) error {
	if len(rows) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "\n%s:\n\n| | wall, median | × | CPU, median | × |\n|---|--:|--:|--:|--:|\n", title); err != nil {
		return err
	}
	for _, f := range rows {
		if _, err := fmt.Fprintf(w, "| %s | %.2f ms | %.2f | %.2f ms | %.2f |\n", f.Title, ms(f.WallMedian), f.WallRatio, ms(f.CPUMedian), f.CPURatio); err != nil {
			return err
		}
	}
	return nil
}

func ms(us int64) float64 { return float64(us) / 1000 }
