package permission_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// BenchmarkSearch shows what a search of a large project costs.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		dir, err := filepath.EvalSymlinks(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		for i := range n {
			if i%100 == 0 {
				if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint(i/10_000), fmt.Sprint(i/100)), 0o700); err != nil {
					b.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i/10_000), fmt.Sprint(i/100), fmt.Sprintf("component_%d.go", i)), nil, 0o600); err != nil {
				b.Fatal(err)
			}
		}
		in := protocol.Input{}
		in.CWD, in.Tool.ToolName = dir, "Bash"
		in.Tool.ToolInput = jsontext.Value(`{"command":"grep -rn foo ."}`)
		in.Permission.Suggestions = permission.OfferAll("grep -rn foo .")
		req := project.Request(in, project.Env(func(string) string { return "" }, time.Time{}))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if v, err := permission.Judge(req); err != nil || v.Kind != permission.Allow {
					b.Fatalf("%+v: %v", v, err)
				}
			}
		})
	}
}

// BenchmarkManyPaths shows what each further path in a line costs.
func BenchmarkManyPaths(b *testing.B) {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "a", "b", "c"), 0o700); err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 100, 1000} {
		command := "ls" + strings.Repeat(" a/b/c/d", n)
		in := protocol.Input{}
		in.CWD, in.Tool.ToolName = dir, "Bash"
		in.Tool.ToolInput = jsontext.Value(fmt.Sprintf(`{"command":%q}`, command))
		in.Permission.Suggestions = permission.OfferAll(command)
		req := project.Request(in, project.Env(func(string) string { return "" }, time.Time{}))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if v, err := permission.Judge(req); err != nil || v.Kind != permission.Allow {
					b.Fatalf("%+v: %v", v, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/path")
		})
	}
}
