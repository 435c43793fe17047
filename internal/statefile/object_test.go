package statefile

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestObjectSetKeepsTheRest(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.FixedZone("", 3600))
	tests := map[string]struct {
		before, after string
		set           func(Object) Object
	}{
		"a changed member stays in its place": {
			"{\n  \"z\": 1,\n  \"iteration\": 3,\n  \"custom\": {\"b\": [1, 2], \"a\": null}\n}\n",
			"{\n  \"z\": 1,\n  \"iteration\": 4,\n  \"custom\": {\"b\": [1, 2], \"a\": null}\n}\n",
			func(o Object) Object { return o.Set("iteration", 4) },
		},
		"a new member takes the layout of the others": {
			"{\n    \"active\": true\n}", "{\n    \"active\": true,\n    \"session_id\": \"s\"\n}",
			func(o Object) Object { return o.Set("session_id", "s") },
		},
		"on one line": {
			`{"active":true}`, `{"active":true,"updated_at":"2026-03-01T09:00:00.000Z"}`,
			func(o Object) Object { return o.Set("updated_at", now) },
		},
		"CRLF and a byte order mark": {
			"\ufeff{\r\n  \"a\": 1\r\n}\r\n", "\ufeff{\r\n  \"a\": 2,\r\n  \"b\": false\r\n}\r\n",
			func(o Object) Object { return o.Set("a", 2).Set("b", false) },
		},
		"an object inside": {
			`{"execution":{"tasks_total":5,"x":"y"}}`, `{"execution":{"tasks_total":6,"x":"y"}}`,
			func(o Object) Object { return o.Set("execution", o.Object("execution").Set("tasks_total", 6)) },
		},
		"an empty one": {"{}", "{\n  \"a\": 1\n}\n", func(o Object) Object { return o.Set("a", 1) }},
		"escaped names": {
			`{"\u0061ctive": true, "b\"c": 1}`, `{"\u0061ctive": false, "b\"c": 2}`,
			func(o Object) Object { return o.Set("active", false).Set(`b"c`, 2) },
		},
		"numbers beyond 64 bits survive": {
			`{"big":123456789012345678901234567890,"a":1}`, `{"big":123456789012345678901234567890,"a":2}`,
			func(o Object) Object { return o.Set("a", 2) },
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, err := ParseObject([]byte(test.before))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(test.set(o).Bytes()); got != test.after {
				t.Errorf("got  %q\nwant %q", got, test.after)
			}
			if string(o.Bytes()) != test.before {
				t.Errorf("the original changed: %q", o.Bytes())
			}
		})
	}
}

func TestObjectReads(t *testing.T) {
	t.Parallel()
	o, err := ParseObject([]byte(`{"active": true, "yes": "true", "n": 3, "f": 2.5, "s": "7", "neg": -1, "huge": 1e300, "null": null, "round": 1e2, "zero": 0, "most": 1000000000, "over": 1000000001, "at": "2026-03-01T09:00:00Z", "bad": "yesterday"}`))
	if err != nil {
		t.Fatal(err)
	}
	if !o.Bool("active") || o.Bool("yes") || o.Bool("n") || o.Bool("absent") {
		t.Error("only the literal true is true")
	}
	for name, want := range map[string]int{"n": 3, "absent": 9, "null": 9, "round": 100, "zero": 0, "most": 1_000_000_000} {
		if got, err := o.Count(name, 9); got != want || err != nil {
			t.Errorf("Count(%s) = %d, %v, want %d", name, got, err, want)
		}
	}
	for _, name := range []string{"f", "s", "neg", "huge", "active", "over"} {
		if got, err := o.Count(name, 9); err == nil {
			t.Errorf("Count(%s) = %d without an error", name, got)
		}
	}
	if o.Text("n") != "" || o.Text("yes") != "true" || o.Text("absent") != "" {
		t.Error("only a string is a text")
	}
	if o.Time("at").IsZero() || !o.Time("bad").IsZero() {
		t.Error("a time is read as RFC 3339 or not at all")
	}
}

func TestParseObjectRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "null", "[]", `"x"`, "{", `{"a":1`, `{"a":1}}`, `{"a":1} {}`, `{"a":1,"a":2}`, `{"a":}`, "{a:1}", `{"a":1,}`, "\x00\x00\x00",
		strings.Repeat(`{"a":`, 20000),
	} {
		if _, err := ParseObject([]byte(text)); !errors.Is(err, ErrNotObject) {
			t.Errorf("ParseObject(%.20q) = %v, want ErrNotObject", text, err)
		}
	}
}

// TestObjectLists: the elements of an array, wherever it is in the object.
func TestObjectLists(t *testing.T) {
	t.Parallel()
	o, err := ParseLax([]byte(`{"list": ["a", 1, {"b": [2]}, "c\u0064"], "none": [], "object": {"a": "b"}, "text": "ab", "twice": [{"a": 1, "a": 2}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"list": `"a" 1 {"b": [2]} "c\u0064"`, "none": "", "object": "", "text": "", "twice": "", "absent": ""} {
		var got []string
		for _, value := range o.List(name) {
			got = append(got, string(value))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := strings.Join(o.Texts("list"), " "); got != "a cd" {
		t.Errorf("%q", got)
	}
	o, err = ParseObject([]byte("{\n  \"a\": 1, \"list\": [ 1, 2 ,3 ]\n}"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(o.SetElement("list", 1, []string{"x"}).Bytes()); got != "{\n  \"a\": 1, \"list\": [ 1, [\"x\"] ,3 ]\n}" {
		t.Errorf("%q", got)
	}
}
