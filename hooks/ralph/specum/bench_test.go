package specum

import (
	"fmt"
	"strings"
	"testing"
)

func bigTasks(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- [ ] %d.1 Build one more part\n  - **Do**: change the parser so that nested lists are read\n  - **Verify**: go test ./parser\n", i+1)
	}
	return []byte(b.String())
}

func BenchmarkParseTasks(b *testing.B) {
	data := bigTasks(500)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		ParseTasks(data)
	}
}
