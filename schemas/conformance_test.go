package schemas_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas"
	"github.com/hookbridge/bridge/schemas/internal/generate"
	"github.com/hookbridge/bridge/schemas/schematest"
)

func typesOfTable() (types []protocol.Type, events []protocol.Event) {
	for _, row := range protocol.AllRows() {
		types = append(types, row.Type)
		events = append(events, row.Events...)
	}
	slices.Sort(types)
	slices.Sort(events)
	return types, slices.Compact(events)
}

func TestExactlyTheTypesOfTheTableHaveSchemas(t *testing.T) {
	t.Parallel()
	types, events := typesOfTable()
	// An additional type needs a row, its schemas and a line in the README.
	if len(types) < 36 || len(events) < 33 {
		t.Errorf("the table has %d types and %d events", len(types), len(events))
	}
	if got := schemas.Inputs(); !slices.Equal(got, types) {
		t.Errorf("input schemas of %q, want %q", got, types)
	}
	if got := schemas.Outputs(); !slices.Equal(got, events) {
		t.Errorf("output schemas of %q, want %q", got, events)
	}
	if _, err := schemas.Input("stop"); err == nil {
		t.Error("stop is a hook, not a type")
	}
	if _, err := schemas.Output("Interrupt"); err == nil {
		t.Error("Interrupt is an event of another client")
	}
}

func TestSchemasCompileAsDraft07(t *testing.T) {
	t.Parallel()
	check := func(name string, text []byte, err error) {
		if err == nil {
			_, err = schematest.Compile(name, text)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var head struct {
			Draft string `json:"$schema"`
			Title string `json:"title"`
		}
		if err := json.Unmarshal(text, &head); err != nil || head.Draft != "http://json-schema.org/draft-07/schema#" || head.Title == "" {
			t.Errorf("%s: %+v, %v", name, head, err)
		}
	}
	for _, typ := range schemas.Inputs() {
		text, err := schemas.Input(typ)
		check(string(typ), text, err)
	}
	for _, event := range schemas.Outputs() {
		text, err := schemas.Output(event)
		check(string(event), text, err)
	}
}

// If this fails, run go generate ./schemas and commit the result.
func TestCommittedSchemasAreCurrent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := generate.Write(dir); err != nil {
		t.Fatal(err)
	}
	fresh, committed := schemaFiles(t, dir), schemaFiles(t, ".")
	for path, text := range fresh {
		if !bytes.Equal(text, committed[path]) {
			t.Errorf("%s differs from what the Go types say", path)
		}
	}
	for path := range committed {
		if _, ok := fresh[path]; !ok {
			t.Errorf("%s is left over", path)
		}
	}
}

func schemaFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"input/*", "output/*"} {
		paths, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if files[path], err = os.ReadFile(filepath.Join(dir, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

func TestInputSchemasHaveTheWhitelist(t *testing.T) {
	t.Parallel()
	for _, row := range protocol.AllRows() {
		text, err := schemas.Input(row.Type)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
			Additional bool           `json:"additionalProperties"`
		}
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		var names []string
		for name := range schema.Properties {
			names = append(names, name)
		}
		want := normalize.Fields(row.Type)
		slices.Sort(names)
		slices.Sort(want)
		if !slices.Equal(names, want) {
			t.Errorf("%s: properties %q, want %q", row.Type, names, want)
		}
		if !slices.Equal(schema.Required, row.Required) || !schema.Additional {
			t.Errorf("%s: required %q, additional properties %v", row.Type, schema.Required, schema.Additional)
		}
	}
}

func TestRecordedInputsAreValid(t *testing.T) {
	t.Parallel()
	for _, p := range recorded(t) {
		for _, row := range protocol.AllRows() {
			if slices.Contains(row.Events, p.event) {
				schematest.ValidateInput(t, row.Type, p.text)
			}
		}
	}
}

// payload is an input as a client sent it.
type payload struct {
	text  []byte
	event protocol.Event
}

func recorded(t testing.TB) (all []payload) {
	t.Helper()
	paths, _ := filepath.Glob("../normalize/testdata/payloads/*.json")
	if len(paths) == 0 {
		t.Error("no payloads")
	}
	more, _ := filepath.Glob("../e2e/testdata/recorded-*/*.json")
	for _, path := range append(paths, more...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var p struct {
			Event protocol.Event `json:"hook_event_name"`
		}
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, payload{text, p.Event})
	}
	return all
}

// typeRow is a row of a Markdown table that begins with a name in backquotes.
var typeRow = regexp.MustCompile("^\\| *`([a-z-]+)` *\\|")

// The README's table of hook types must list those of protocol.Rows
// (docs/reference/hook-standard.md#documented-types), so that whoever adds or renames a
// type has to document it.
func TestReadmeListsTheTypes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if os.IsNotExist(err) {
		t.Skip("there is no README.md yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	var types []protocol.Type
	for _, row := range protocol.Rows() {
		types = append(types, row.Type)
	}
	slices.Sort(types)
	listed := typeTable(string(text), types)
	if listed == nil {
		t.Fatal("README.md has no table with a row per hook type, such as | `ralph` | ... |")
	}
	slices.Sort(listed)
	if !slices.Equal(listed, types) {
		t.Errorf("README.md lists the types %q, want %q", listed, types)
	}
}

// typeTable returns the first cells of the first table about types, which is a table that
// names at least half of them.
func typeTable(markdown string, types []protocol.Type) []protocol.Type {
	var rows []protocol.Type
	known := 0
	for line := range strings.Lines(markdown + "\n\n") {
		if !strings.HasPrefix(line, "|") {
			if 2*known > len(types) {
				return rows
			}
			rows, known = nil, 0
			continue
		}
		if cell := typeRow.FindStringSubmatch(line); cell != nil {
			rows = append(rows, protocol.Type(cell[1]))
			if slices.Contains(types, protocol.Type(cell[1])) {
				known++
			}
		}
	}
	return nil
}

func TestTypeTable(t *testing.T) {
	t.Parallel()
	types := []protocol.Type{"a", "b", "c"}
	const markdown = "| `x` | other |\n| `a` | table |\n\n| type | says |\n|---|---|\n| `a` | 1 |\n| `b` | 2 |\n| `new` | 3 |"
	if got := typeTable(markdown, types); !slices.Equal(got, []protocol.Type{"a", "b", "new"}) {
		t.Errorf("%q", got)
	}
	if got := typeTable("| `a` | 1 |\ntext\n| `b` | 2 |\n", types); got != nil {
		t.Errorf("%q", got)
	}
}
