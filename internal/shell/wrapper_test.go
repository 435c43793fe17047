package shell

import "testing"

func TestHasWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list, word string
		want       bool
	}{
		{"env sudo doas", "env", true}, {"env sudo doas", "sudo", true}, {"env sudo doas", "doas", true},
		{"env\n\tsudo", "sudo", true}, {"shsh sh", "sh", true}, {"shsh", "sh", false},
		{"env sudo", "v s", false}, {"env sudo", "env sudo", false}, {"env\tsudo", "env\tsudo", false},
		{"env", "", false}, {"", "", false}, {"", "env", false}, {"env", "envs", false}, {"xenv envx", "env", false},
	} {
		if got := HasWord(c.list, c.word); got != c.want {
			t.Errorf("HasWord(%q, %q) = %v", c.list, c.word, got)
		}
	}
}
