package debuglog_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/debuglog"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"nothing to hide", `{"a": [1, -2.5e3, true, null, "x"]}`, `{"a":[1,-2.5e3,true,null,"x"]}`},
		{"token", `{"token":"hunter2"}`, `{"token":"[redacted]"}`},
		{"any case", `{"GITHUB_TOKEN":"h","ApiKey":"h","passWord":"h","clientSecret":"h","PrivateKey":"h"}`,
			`{"GITHUB_TOKEN":"[redacted]","ApiKey":"[redacted]","passWord":"[redacted]","clientSecret":"[redacted]","PrivateKey":"[redacted]"}`},
		{"words apart", `{"api_key":"h","private-key":"h","Api Key":"h"}`, `{"api_key":"[redacted]","private-key":"[redacted]","Api Key":"[redacted]"}`},
		{"escaped name", `{"p\u0061ssword":"h"}`, `{"password":"[redacted]"}`},
		{"long s", `{"pa\u017f\u017fword":"h"}`, "{\"pa\u017f\u017fword\":\"[redacted]\"}"},
		{"whole values", `{"secrets":{"a":["h",{"b":"h"}]},"tokens":[1,2],"c":1}`, `{"secrets":"[redacted]","tokens":"[redacted]","c":1}`},
		{"any depth", `[[{"tool_input":{"env":[{"x":{"Password":5}}]}}]]`, `[[{"tool_input":{"env":[{"x":{"Password":"[redacted]"}}]}}]]`},
		{"value named like one", `{"name":"password"}`, `{"name":"password"}`},
		{"JSON in a string", `{"body":"{\"user\":\"a\",\"password\":\"h\"}"}`, `{"body":"{\"user\":\"a\",\"password\":\"[redacted]\"}"}`},
		{"JSON in a string in a string", `{"a":"[\"{\\\"token\\\":\\\"h\\\"}\"]"}`, `{"a":"[\"{\\\"token\\\":\\\"[redacted]\\\"}\"]"}`},
		{"broken JSON in a string", `{"a":"{\"api_key\":\"hunter2"}`, `{"a":"{\"api_key\":[redacted]"}`},
		{"assignment", `{"command":"export GITHUB_TOKEN=hunter2 && make"}`, `{"command":"export GITHUB_TOKEN=[redacted] && make"}`},
		{"option", `{"command":"mysql --password hunter2 --user=x db"}`, `{"command":"mysql --password [redacted] --user=x db"}`},
		{"quoted", `{"command":"DB_PASSWORD='hunter 2' run"}`, `{"command":"DB_PASSWORD=[redacted] run"}`},
		{"header", `{"command":"curl -H 'Authorization: Bearer hunter2' http://x"}`, `{"command":"curl -H 'Authorization: [redacted]' http://x"}`},
		{"private key", `{"content":"-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----\n"}`,
			`{"content":"-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\n"}`},
		{"private key cut off", `{"content":"x -----BEGIN PRIVATE KEY-----\nhunter2"}`, `{"content":"x -----BEGIN PRIVATE KEY-----[redacted]"}`},
		{"a certificate is no key", `{"content":"-----BEGIN CERTIFICATE-----\nMIIB"}`, `{"content":"-----BEGIN CERTIFICATE-----\nMIIB"}`},
		{"assignment in code", `{"new_string":"token := \"hunter 2\"; x"}`, `{"new_string":"token := [redacted]; x"}`},
		{"escaped once more", `{"command":"curl -d {\\\"secret\\\":\\\"hunter2\\\"}"}`, `{"command":"curl -d {\\\"secret\\\":[redacted]}"}`},
		{"a word about one", `{"prompt":"The token is wrong. Which key?"}`, `{"prompt":"The token is wrong. Which key?"}`},
		{"nothing behind it", `{"prompt":"password: "}`, `{"prompt":"password: "}`},
		{"duplicate names", `{"token":1,"token":2}`, `{"token":"[redacted]","token":"[redacted]"}`},
		{"bad UTF-8", "{\"a\":\"\xff\"}", "{\"a\":\"\ufffd\"}"},
		{"a bare value", `"x"`, `"x"`},
		{"empty", ``, `"[0 bytes, not JSON]"`},
		{"truncated", `{"password":"hunter2`, `"[20 bytes, not JSON]"`},
		{"truncated after a value", `{"password":"hunter2"`, `"[21 bytes, not JSON]"`},
		{"two values", `{"a":1}{"token":"hunter2"}`, `"[26 bytes, not JSON]"`},
		{"not JSON", `password=hunter2`, `"[16 bytes, not JSON]"`},
		{"too large", `"` + strings.Repeat("x", 300<<10) + `"`, `"[307202 bytes, too large]"`},
		{"too deep", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), `"[40000 bytes, not JSON]"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := string(debuglog.Redact([]byte(tc.in))); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestRedactFollowsStringsInStringsToAnEnd(t *testing.T) {
	t.Parallel()
	text := `{"token":"hunter2"}`
	for range 8 {
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		text = "[" + string(quoted) + "]"
	}
	if got := string(debuglog.Redact([]byte(text))); strings.Contains(got, "hunter2") || !strings.Contains(got, "nested too deep") {
		t.Errorf("got %s", got)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add([]byte(`{"a":{"password":"x","b":["{\"token\":1}"]}}`), "hunter2")
	f.Add([]byte(`{"command":"A_SECRET=x make"}`), "s p\"\\")
	f.Fuzz(func(t *testing.T, data []byte, secret string) {
		got := debuglog.Redact(data)
		if !jsontext.Value(got).IsValid(jsontext.AllowDuplicateNames(true)) {
			t.Fatalf("Redact(%q) is no JSON: %q", data, got)
		}
		if again := debuglog.Redact(got); len(got) < 200<<10 && string(again) != string(debuglog.Redact(again)) {
			t.Fatalf("Redact is not stable: %q", again)
		}
		value, err := jsontext.AppendQuote(nil, secret+"-hunter2")
		if err != nil {
			return
		}
		member := []byte(`{"x":[{"my_ApiKey":` + string(value) + `}]}`)
		if got := debuglog.Redact(member); string(got) != `{"x":[{"my_ApiKey":"[redacted]"}]}` {
			t.Fatalf("Redact(%q) = %q", member, got)
		}
	})
}
