package moderegistry

import "testing"

// TestStringify: what Node 20 writes with JSON.stringify(JSON.parse(text)).
func TestStringify(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{ }": "{}", " [ ] ": "[]", "\ufeff{\n  \"a\": [1, {\"b\": null}],\n  \"c\": true\n}\n": `{"a":[1,{"b":null}],"c":true}`,
		`{"b":1,"10":2,"2":3,"a":4,"01":5,"-1":6,"0":7}`:              `{"0":7,"2":3,"10":2,"b":1,"a":4,"01":5,"-1":6}`,
		`{"x":0,"4294967295":1,"4294967294":2,"4294967296":3}`:        `{"4294967294":2,"x":0,"4294967295":1,"4294967296":3}`,
		`{"\u0031":1,"é":2,"\u00e9":3,"__proto__":4}`:                 `{"1":1,"é":3,"__proto__":4}`,
		`[0,-0,0.0,1.0,1e2,1E+2,1.50,4.35,9007199254740993]`:          `[0,0,0,1,100,100,1.5,4.35,9007199254740992]`,
		`[1e20,1e21,123456789012345680000,0.000001,0.0000001,1.5e-7]`: `[100000000000000000000,1e+21,123456789012345680000,0.000001,1e-7,1.5e-7]`,
		`[5e-324,1e-400,1e400,-1e400,1.7976931348623157e308]`:         `[5e-324,0,null,null,1.7976931348623157e+308]`,
		`["\u0000\u001F\b\f\n\r\t\"\\\/\u007f\u2028"]`:                `["\u0000\u001f\b\f\n\r\t\"\\/` + "\x7f\u2028" + `"]`,
		`["\ud83d\ude00","\uD83D","\ude00\ud83d","\ud83d\u0041"]`:     `["😀","\ud83d","\ude00\ud83d","\ud83dA"]`,
	} {
		if got, err := stringify([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%s: %s, want %s, %v", text, got, want, err)
		}
	}
	for _, text := range []string{"", "{", "[1,", `{"a":}`, `{"a"`, `["\x"]`, "{]", "[}"} {
		if got, err := stringify([]byte(text)); err == nil {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func FuzzStringify(f *testing.F) {
	for _, seed := range []string{`{"1":1.0,"a":"\ud83d","a":[]}`, `[1e400,-0,"\/"]`, "\ufeff{}", `"\u`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := stringify([]byte(text))
		if err != nil {
			return
		}
		if twice, err := stringify(once); err != nil || string(twice) != string(once) {
			t.Errorf("%q: %q, then %q, %v", text, once, twice, err)
		}
	})
}
