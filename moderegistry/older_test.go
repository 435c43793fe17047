package moderegistry

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestOlderStates: a mode that is started and stopped again and again leaves only a limited number of states, the newest
// ones.
func TestOlderStates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := range 30 {
		w.write("state/sessions/s1/ultrawork-state.json", fmt.Sprintf(`{"active":true,"started_at":"{now-1s}","original_prompt":"task %d"}`, n))
		at := time.Now().Add(time.Duration(n-60) * time.Minute)
		if err := os.Chtimes(w.project+"/.omc/state/sessions/s1/ultrawork-state.json", at, at); err != nil {
			t.Fatal(err)
		}
		if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Ultrawork}, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	var older, texts []string
	for path, text := range files(t, w.project) {
		if strings.Contains(path, ".bak") {
			texts = append(texts, text)
		}
		if strings.Contains(path, ".bak.") {
			older = append(older, path)
		}
	}
	all := strings.Join(texts, "\n")
	if len(older) != keptOlder || !strings.Contains(all, "task 29\"") || !strings.Contains(all, "task 9\"") || strings.Contains(all, "task 8\"") {
		t.Errorf("%d: %s", len(older), all)
	}
}
