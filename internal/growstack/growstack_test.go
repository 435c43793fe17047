package growstack

import (
	"runtime"
	"testing"
)

// TestReserve: the stack of a goroutine is grown when it returns from reserve.
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
