package router_test

import (
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/deps.txt anew")

// TestDependenciesOfTheHookPath holds the list of what a hook links outside the
// standard library: each package costs start-up time at every hook. The packages of
// the handlers are in the table of handlers; what they import is listed here.
func TestDependenciesOfTheHookPath(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	got := slices.DeleteFunc(strings.Fields(string(out)), func(pkg string) bool {
		return path.Dir(pkg) == "github.com/hookbridge/bridge/hooks"
	})
	slices.Sort(got)
	golden := filepath.Join("testdata", "deps.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(text))
	for _, pkg := range got {
		if !slices.Contains(want, pkg) {
			t.Errorf("the hook path links %s, which testdata/deps.txt does not list", pkg)
		}
	}
	for _, pkg := range want {
		if !slices.Contains(got, pkg) {
			t.Errorf("testdata/deps.txt lists %s, which the hook path no longer links", pkg)
		}
	}
}

// TestForbiddenDependencies names the packages that must never be linked by a hook:
// slow to start, or not strict (docs/design.md#speed, docs/design.md#libraries).
func TestForbiddenDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for _, pkg := range strings.Fields(string(out)) {
		for _, forbidden := range []string{"net/http", "net", "os/exec", "os/user", "go.uber.org/zap", "github.com/alecthomas/kong", "github.com/invopop/jsonschema", "github.com/santhosh-tekuri/jsonschema/v5"} {
			if pkg == forbidden {
				t.Errorf("the hook path links %s", pkg)
			}
		}
	}
}

// TestRequirementsOfTheUser: the module uses the required libraries and has the required
// folders.
func TestRequirementsOfTheUser(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "..")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"github.com/alecthomas/kong", "github.com/invopop/jsonschema", "github.com/santhosh-tekuri/jsonschema/v5", "go.uber.org/zap"} {
		direct := false
		for line := range strings.SplitSeq(string(mod), "\n") {
			direct = direct || strings.Contains(line, module+" v") && !strings.Contains(line, "// indirect")
		}
		if !direct {
			t.Errorf("go.mod does not require %s directly", module)
		}
	}
	for _, dir := range []string{"cmd/bridge", "hooks/ralph", "hooks/persistentmode", "hooks/stopcontinuation", "hooks/keyword", "hooks/permission", "moderegistry", "normalize", "schemas"} {
		if _, err := os.Stat(filepath.Join(root, dir)); err != nil {
			t.Errorf("the folder %s is fixed: %v", dir, err)
		}
	}
}
