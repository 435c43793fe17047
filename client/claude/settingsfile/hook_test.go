package settingsfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/settings"
)

// samples are settings files as people have them: testdata/settings, and a huge
// one.
func samples(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/settings/*.json")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	all := map[string]string{"huge": "{\n  \"list\": [" + strings.Repeat("\"x\", ", 50_000) + "\"y\"]\n}\n"}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = string(text)
	}
	return all
}

const handler = `{"type":"command","command":"/opt/bridge","args":["--hook=stop"],"timeout":15}`

func plain(t *testing.T, text []byte) map[string]any {
	t.Helper()
	if len(strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff"))) == 0 {
		return map[string]any{}
	}
	data, err := settings.Standardize(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// TestHookRoundTrips: hooks that are added are there, nothing of the old text is lost or
// moved, and removing the hooks restores the old text.
func TestHookRoundTrips(t *testing.T) {
	t.Parallel()
	for name, sample := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old := []byte(sample)
			text := old
			events := []string{"Stop", "PreToolUse", "SessionEnd"}
			var err error
			for _, event := range events {
				if text, err = AddHook(text, event, jsontext.Value(handler)); err != nil {
					t.Fatal(err)
				}
			}
			s := lines(Source{}, value(t, text, "hooks"))
			ours := slices.DeleteFunc(s, func(l HookLine) bool { return !l.Bridge() })
			if len(ours) != 3 {
				t.Fatalf("%d handlers in\n%s", len(ours), text)
			}
			// Every line of the old text is still there, in order.
			rest := string(text)
			if !strings.Contains(sample, "\n") {
				sample = strings.TrimSpace(sample)
				rest = sample
			}
			for _, line := range strings.Split(strings.TrimSpace(sample), "\n") {
				line = strings.TrimRight(strings.TrimSpace(line), ",}] \r")
				if i := strings.Index(rest, line); i >= 0 {
					rest = rest[i+len(line):]
				} else if !strings.Contains(line, "//") && !strings.Contains(line, "/*") {
					t.Errorf("the line %.80q is gone from\n%.2000s", line, text)
				}
			}
			had := plain(t, old)
			keep := func(pointer string) bool {
				v := any(had)
				for _, name := range strings.Split(strings.Trim(pointer, "/"), "/") {
					object, ok := v.(map[string]any)
					if !ok || object[name] == nil {
						return false
					}
					v = object[name]
				}
				return true
			}
			for i := len(ours) - 1; i >= 0; i-- {
				now := lines(Source{}, value(t, text, "hooks"))
				at := slices.IndexFunc(now, func(l HookLine) bool { return l.Bridge() && l.Event == ours[i].Event })
				if text, err = RemoveHook(text, now[at], keep); err != nil {
					t.Fatal(err)
				}
			}
			if len(strings.TrimSpace(sample)) == 0 {
				sample = "{}\n"
			}
			if !sameButBlank(string(text), sample) {
				t.Errorf("not as before:\n%.1500s\nwant\n%.1500s", text, sample)
			}
		})
	}
}

// sameButBlank compares two texts, but allows a new line break in an empty
// object.
func sameButBlank(a, b string) bool {
	return a == b || strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "") && !strings.Contains(b, `"`)
}

func value(t *testing.T, text []byte, member string) jsontext.Value {
	t.Helper()
	data, err := settings.Standardize(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	var v map[string]jsontext.Value
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v[member]
}

// TestMembers: a variable is set, changed and removed.
func TestMembers(t *testing.T) {
	t.Parallel()
	for name, sample := range samples(t) {
		if strings.Contains(sample, "env") {
			continue
		}
		text, err := SetMember([]byte(sample), "/env", "CAP", jsontext.Value(`"0"`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err = SetMember(text, "/env", "CAP", jsontext.Value(`"7"`))
		if err != nil || plain(t, text)["env"].(map[string]any)["CAP"] != "7" {
			t.Errorf("%s: %v\n%.500s", name, err, text)
		}
		text, err = RemoveMember(text, "/env", "CAP", func(string) bool { return false })
		if len(strings.TrimSpace(sample)) == 0 {
			sample = "{}\n"
		}
		if err != nil || !sameButBlank(string(text), sample) {
			t.Errorf("%s: %v\n%.500s\nwant\n%.500s", name, err, text, sample)
		}
	}
}

// TestACommentSwallowsNothing: if a part after a comment is removed, the comment stays,
// and the following text does not become part of it.
func TestACommentSwallowsNothing(t *testing.T) {
	t.Parallel()
	const line, other = `{"type": "command", "command": "x --hook=stop"}`, `{"type": "command", "command": "y"}`
	for _, text := range []string{
		"{\n  // c\n  \"hooks\": {\"Stop\": [{\"hooks\": [" + line + "]}]}\n}\n",
		"{ // c\n  \"hooks\": {\"Stop\": [{\"hooks\": [" + line + "]}]}}",
		"{ // c\r\n  \"hooks\": {\"Stop\": [{\"hooks\": [" + line + "]}]}, \"b\": 1}",
		"{\"b\": 1, // c\n  \"hooks\": {\"Stop\": [{\"hooks\": [" + line + "]}]}}",
		"{\"b\": 1, /* a // c */ \"hooks\": {\"Stop\": [{\"hooks\": [" + line + "]}]},}",
		"{\"hooks\": {\"Stop\": [{\"hooks\": [ // c\n" + line + ", " + other + "]}]}}",
		"{\"hooks\": {\"Stop\": [{\"hooks\": [" + other + ", // c\n" + line + "]}]}}",
		"{\"hooks\": {\"Stop\": [{\"hooks\": [" + other + ", // c\n" + line + ",]}]}}",
	} {
		all, err := HookLines([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all, func(l HookLine) bool { return strings.HasPrefix(l.Command, "x") })
		without, err := RemoveHook([]byte(text), all[i], func(string) bool { return false })
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if left, err := HookLines(without); err != nil || len(left) != len(all)-1 || !strings.Contains(string(without), "// c") || strings.Contains(text, `"b"`) != strings.Contains(string(without), `"b"`) {
			t.Errorf("%q became %q: %v", text, without, err)
		}
	}
}

// TestRefused: a file that is not a settings file is not touched.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{", "[]", "null", `{"hooks":[]}`, `{"hooks":{"Stop":{}}}`, `{"a":1}{"b":2}`, "{'a':1}", `{"a":}`, "\xff"} {
		if out, err := AddHook([]byte(text), "Stop", jsontext.Value(handler)); err == nil {
			t.Errorf("%q became %q", text, out)
		}
	}
}
