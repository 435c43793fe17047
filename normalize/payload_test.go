package normalize_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// payload is one input as the client sent it.
type payload struct {
	path  string
	text  []byte
	event protocol.Event
}

// payloads returns the recorded payloads: those of an older client in this package, and
// those that the end-to-end tests record from the pinned one.
func payloads(t testing.TB) []payload {
	t.Helper()
	paths, _ := filepath.Glob("testdata/payloads/*.json")
	recorded, _ := filepath.Glob("../e2e/testdata/recorded-*/*.json")
	var all []payload
	for _, path := range append(paths, recorded...) {
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
		all = append(all, payload{path, text, p.Event})
	}
	return all
}

func TestPayloadsCoverEveryEvent(t *testing.T) {
	t.Parallel()
	var events []protocol.Event
	for _, p := range payloads(t) {
		events = append(events, p.event)
	}
	// These two events cannot be provoked (e2e/record). Their fields come from the client's executable.
	missing := []protocol.Event{protocol.EventPermissionDenied, protocol.EventTeammateIdle}
	for _, row := range protocol.AllRows() {
		for _, event := range row.Events {
			if !slices.Contains(events, event) && !slices.Contains(missing, event) {
				t.Errorf("no payload of %s", event)
			}
		}
	}
}

// A top-level field that the whitelist does not contain means that the client has a new
// feature: decide whether a handler needs the field, and add it to protocol.Input or to
// the list here.
func TestWhitelistKnowsEveryFieldOfTheClient(t *testing.T) {
	t.Parallel()
	notNeeded := []string{}
	eachPayload(t, func(t *testing.T, p payload, row protocol.Row, members map[string]jsontext.Value) {
		for name := range members {
			if !slices.Contains(normalize.Fields(row.Type), name) && !slices.Contains(notNeeded, name) {
				t.Errorf("%s drops %s of %s", row.Type, name, p.path)
			}
		}
	})
}

func TestPayloadsNormaliseWithoutLoss(t *testing.T) {
	t.Parallel()
	eachPayload(t, func(t *testing.T, p payload, row protocol.Row, members map[string]jsontext.Value) {
		result, err := parse(hookOf(t, row.Type), bytes.NewReader(p.text))
		if err != nil {
			t.Errorf("%s refuses %s: %v", row.Type, p.path, err)
			return
		}
		got := everyMember(t, result.Input)
		for name, value := range members {
			kept := slices.ContainsFunc(got[name], func(v string) bool { return v == string(value) })
			if empty := slices.Contains([]string{`null`, `""`, `[]`, `{}`}, string(value)); !kept && !empty {
				t.Errorf("%s loses %s of %s: %q, want %s", row.Type, name, p.path, got[name], value)
			}
		}
		if len(result.Audit) > 0 {
			t.Errorf("%s audits %q of %s", row.Type, result.Audit, p.path)
		}
	})
}

func eachPayload(t *testing.T, do func(*testing.T, payload, protocol.Row, map[string]jsontext.Value)) {
	for _, p := range payloads(t) {
		var members map[string]jsontext.Value
		if err := json.Unmarshal(p.text, &members); err != nil {
			t.Fatalf("%s: %v", p.path, err)
		}
		known := false
		for _, row := range protocol.AllRows() {
			if slices.Contains(row.Events, p.event) {
				known = true
				do(t, p, row, members)
			}
		}
		if !known {
			t.Errorf("%s: no type answers %s", p.path, p.event)
		}
	}
}

// everyMember returns the members of all groups of an input, by name. Two groups may have a name in common; at most one
// of them is filled.
func everyMember(t *testing.T, in protocol.Input) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, group := range []any{in.Base, in.Prompt, in.Stop, in.Tool, in.Permission, in.Session, in.Subagent, in.Trigger, in.Own} {
		text, err := json.Marshal(group)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]jsontext.Value
		if err := json.Unmarshal(text, &members); err != nil {
			t.Fatal(err)
		}
		for name, value := range members {
			all[name] = append(all[name], string(value))
		}
	}
	return all
}
