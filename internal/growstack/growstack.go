// Package growstack pre-grows the main goroutine's stack.
//
// A goroutine begins with a stack of 2 KiB and doubles it again and again. Each time, the
// runtime copies the stack and looks up every frame; a process that lives for a
// millisecond spends a twentieth of it there. The runtime grows a stack in one step to
// the size that a function declares, so one such function that runs first is enough. That
// is why this package has a variable that is initialised by a call, the only one on the
// hook path.
package growstack

var _ = reserve(0)

// reserve declares size bytes and returns before it touches them.
//
//go:noinline
func reserve(n int) byte {
	if n == 0 {
		return 0
	}
	var room [size]byte
	for i := range n {
		room[i] = byte(i)
	}
	return room[n/2]
}

const size = 24 << 10
