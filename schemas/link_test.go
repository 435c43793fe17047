package schemas_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A hook links schemas and normalize. Neither may link a validator or the generator: the
// validator alone compiles five meta-schemas when it is initialised and costs every hook
// 2.7 ms (docs/design.md#speed).
func TestHooksLinkNoValidator(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".", "../normalize").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for pkg := range strings.Lines(string(out)) {
		for _, unwanted := range []string{"invopop", "santhosh-tekuri", "encoding/json", "regexp", "net/http", "testing"} {
			if strings.Contains(pkg, unwanted) {
				t.Errorf("a hook links %s", strings.TrimSpace(pkg))
			}
		}
	}
}
