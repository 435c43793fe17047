package schemas_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/schemas"
)

// TestConfigSchema: the schema accepts and rejects the same configurations as bridge, and
// accepts the example of the documentation.
func TestConfigSchema(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.CompileString("config.schema.json", string(schemas.Config()))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "```jsonc\n")
	example, _, found := strings.Cut(example, "\n```")
	if !found {
		t.Fatal("docs/configuration.md has no example")
	}
	for text, valid := range map[string]bool{
		example: true, "{}": true, `{"deadlines_ms":{"stop":1}}`: false, `{"deadlines_ms":{"ralph":1}}`: true, `{"permissions":{"deny":["Bash"]}}`: true,
		`{"permissions":{"deny":"Bash"}}`: false, `{"permissons":{}}`: false, `{"lang":1}`: false,
		`{"specum":{"variant":"codex"}}`: true, `{"specum":{"variant":"codx"}}`: false,
	} {
		standard, err := settings.Standardize([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(standard, &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != valid {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}
