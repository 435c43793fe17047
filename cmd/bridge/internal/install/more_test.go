package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestALineThatRunsMoreStays: what a user wrote behind bridge in one line is never removed
// with it; install and uninstall name the line and change nothing.
func TestALineThatRunsMoreStays(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"; echo MINE", ";echo MINE", " && echo MINE", " | tee -a MINE", " > MINE", " & echo MINE", "\necho MINE", " $(echo MINE)", " `echo MINE`"} {
		for _, program := range []string{"bridge", `"/home/a b/bridge"`} {
			command, err := json.Marshal(program + " --hook=stop" + end)
			if err != nil {
				t.Fatal(err)
			}
			top := t.TempDir()
			site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
			text := fmt.Sprintf(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":%s}]}]}}`, command)
			write(t, site.Path, []byte(text))
			_, installing := site.Install(options(t), false)
			_, _, uninstalling := site.Uninstall(false)
			for what, err := range map[string]error{"install": installing, "uninstall": uninstalling} {
				if err == nil || !strings.Contains(err.Error(), "Stop line runs more than bridge") {
					t.Errorf("%s, %s: %v", command, what, err)
				}
			}
			if got, err := os.ReadFile(site.Path); err != nil || string(got) != text {
				t.Errorf("%s: %v, %s", command, err, got)
			}
		}
	}
}

// TestSomebodysBackup: a file that has the name of the copy already is neither replaced nor
// removed.
func TestSomebodysBackup(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
	write(t, site.Path, []byte("{\"a\": 1}\n"))
	write(t, site.backup(), []byte("mine"))
	if _, err := site.Install(options(t), false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := site.Uninstall(false); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{site.Path: "{\"a\": 1}\n", site.backup(): "mine"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %v, %q", path, err, got)
		}
	}
}
