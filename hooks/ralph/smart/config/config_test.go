package config_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/protocol"
)

// TestPrecedence holds R3-3: command line, config.json, built-in.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	got := config.Resolve([]byte(`{"max_iterations": 20, "completion_threshold": 95, "auto_approve": true}`),
		map[config.Key]any{"max_iterations": 7, "verbose": true}, protocol.SmartClamp{})
	want := config.Values{MaxIterations: 7, CompletionThreshold: 95, AutoApprove: true, StallDetection: 5, Verbose: true}
	if got.Values != want || len(got.Warnings) != 0 {
		t.Errorf("%+v", got)
	}
	for k, source := range map[config.Key]config.Source{"max_iterations": config.CommandLine, "completion_threshold": config.File, "stall_detection": config.BuiltIn} {
		if got.Sources[k] != source {
			t.Errorf("%s comes from %s, want %s", k, got.Sources[k], source)
		}
	}
}

// TestBrokenFiles holds R3-4: each error affects only its own key, and a warning names
// the key.
func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, warning string }{
		"no JSON":          {`{"max_iterations": `, "not a JSON object"},
		"a list":           {`[1]`, "not a JSON object"},
		"empty":            {``, "not a JSON object"},
		"a text":           {`{"max_iterations": "20"}`, "max_iterations has the wrong type"},
		"a number":         {`{"auto_approve": 1}`, "auto_approve has the wrong type"},
		"zero iterations":  {`{"max_iterations": 0}`, "max_iterations must be a whole number from 1 to 10000"},
		"too many":         {`{"max_iterations": 10001}`, "max_iterations must be"},
		"a fraction":       {`{"stall_detection": 1.5}`, "stall_detection must be"},
		"a threshold":      {`{"completion_threshold": 101}`, "completion_threshold must be a whole number from 0 to 100"},
		"a command to run": {`{"test_command": "rm -rf ~"}`, "test_command is read from your own configuration only"},
	} {
		got := config.Resolve([]byte(c.data), nil, protocol.SmartClamp{})
		if got.Values != config.Defaults() || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].English, c.warning) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// One bad key leaves the others.
	for _, bad := range []string{`"x"`, "0"} {
		got := config.Resolve([]byte(`{"max_iterations": `+bad+`, "stall_detection": 9, "mine": {"a": 1}}`), nil, protocol.SmartClamp{})
		if got.Values.StallDetection != 9 || got.Values.MaxIterations != 50 || len(got.Warnings) != 1 {
			t.Errorf("%s: %+v", bad, got)
		}
	}
}

// TestTheUsersClamp holds docs/design.md#repositories-tighten.
func TestTheUsersClamp(t *testing.T) {
	t.Parallel()
	no, yes := false, true
	clamp := protocol.SmartClamp{MaxIterations: 30, CompletionThreshold: 80, StallDetection: 6, AutoApprove: &no, StrictMode: &yes}
	got := config.Resolve([]byte(`{"max_iterations": 9999, "completion_threshold": 1, "stall_detection": 0, "auto_approve": true}`), nil, clamp)
	if want := (config.Values{MaxIterations: 30, CompletionThreshold: 80, StallDetection: 6, StrictMode: true}); got.Values != want {
		t.Errorf("%+v", got.Values)
	}
	if got.Sources["max_iterations"] != config.Clamped || got.Sources["verbose"] != config.BuiltIn {
		t.Errorf("%+v", got.Sources)
	}
	tighter := config.Resolve([]byte(`{"max_iterations": 3, "completion_threshold": 99, "stall_detection": 2}`), nil, clamp)
	if want := (config.Values{MaxIterations: 3, CompletionThreshold: 99, StallDetection: 2, StrictMode: true}); tighter.Values != want {
		t.Errorf("%+v", tighter.Values)
	}
	same := config.Resolve([]byte(`{"max_iterations": 30, "completion_threshold": 80, "stall_detection": 6}`), nil, clamp)
	for _, k := range []config.Key{"max_iterations", "completion_threshold", "stall_detection"} {
		if same.Sources[k] == config.Clamped {
			t.Errorf("%s is no more than the bound", k)
		}
	}
	if unlimited := config.Resolve(nil, map[config.Key]any{"max_iterations": 0}, clamp); unlimited.Values.MaxIterations != 30 {
		t.Errorf("%+v", unlimited.Values)
	}
}

// TestParse holds R3-4.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key       config.Key
		text      string
		unlimited bool
		want      any
	}{
		{"max_iterations", "100", false, 100}, {"max_iterations", "0", false, nil}, {"max_iterations", "0", true, 0}, {"max_iterations", "-1", true, nil},
		{"completion_threshold", "95%", false, 95}, {"stall_detection", "0", false, 0}, {"stall_detection", "0", true, 0}, {"stall_detection", "1001", false, nil},
		{"max_iterations", "10000", false, 10000}, {"completion_threshold", "100", false, 100}, {"stall_detection", "1000", false, 1000},
		{"auto_approve", "TRUE", false, true}, {"verbose", "false", false, false}, {"strict_mode", "yes", false, nil}, {"max_iterations", "ten", false, nil},
	} {
		got, err := c.key.Parse(c.text, c.unlimited)
		if got != c.want || (err == nil) != (c.want != nil) {
			t.Errorf("%s %q: %v, %v", c.key, c.text, got, err)
		}
	}
}

// TestWrite holds R3-2, R3-4 and R3-5: unknown names stay, a broken file is not
// overwritten, the indentation is 2.
func TestWrite(t *testing.T) {
	t.Parallel()
	got, err := config.Write([]byte("{\n  \"mine\": [1],\n  \"max_iterations\": 5\n}\n"), map[config.Key]any{"max_iterations": 100, "auto_approve": true})
	if want := "{\n  \"mine\": [1],\n  \"max_iterations\": 100,\n  \"auto_approve\": true\n}\n"; err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err := config.Write([]byte("{"), map[config.Key]any{"verbose": true}); err == nil {
		t.Errorf("a broken file became %s", got)
	}
	want := "{\n  \"max_iterations\": 50,\n  \"completion_threshold\": 90,\n  \"auto_approve\": false,\n  \"strict_mode\": false,\n  \"stall_detection\": 5,\n  \"verbose\": false\n}\n"
	values := map[config.Key]any{}
	for _, k := range config.Keys() {
		values[k] = config.Defaults().Get(k)
	}
	if got, err := config.Write(nil, values); err != nil || string(got) != want {
		t.Errorf("the defaults are not the documented ones: %v\n%s", err, got)
	}
}
