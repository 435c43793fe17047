package growstack

import (
	"runtime"
	"testing"
)

// TestReserve: a goroutine that comes from reserve has its room in one piece.
func TestReserve(t *testing.T) {
	inUse := func() uint64 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.StackInuse
	}
	grown := make(chan uint64)
	go func() {
		before := inUse()
		reserve(0)
		grown <- inUse() - before
	}()
	if got := <-grown; got < size || got > 8*size {
		t.Errorf("the stack grew by %d bytes, want room for %d", got, size)
	}
}
