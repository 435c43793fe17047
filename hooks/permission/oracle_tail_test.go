//go:build linux

package permission_test

import (
	"slices"
	"testing"
)

// TestTailTellsLinesApart cuts an output at every byte: a secret belongs to the line that wrote it, even if it is read
// later.
func TestTailTellsLinesApart(t *testing.T) {
	t.Parallel()
	output := "\x00line 0\x00plain\x00line 1\x00a " + treasure + "\n\x00line 2\x00S3CR\x00line 3\x00ET\x00line 14\x00" + treasure
	want := []int{1, 14}
	for cut := range len(output) {
		for second := cut; second < len(output); second++ {
			w := &tail{}
			for _, part := range []string{output[:cut], output[cut:second], output[second:]} {
				if _, err := w.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(w.shown, want) {
				t.Fatalf("cut at %d and %d: %v, want %v", cut, second, w.shown, want)
			}
		}
	}
}
