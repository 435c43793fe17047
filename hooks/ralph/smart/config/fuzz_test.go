package config_test

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/protocol"
)

// FuzzResolve: a repository's file cannot allow more than the user does, values stay
// within their limits, and a changed file keeps its other content.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		`{"max_iterations": 20, "completion_threshold": 95, "auto_approve": true}`, `{"max_iterations": 1e9, "mine": {"a": 1}}`, `{"stall_detection": -1}`,
		`{"max_iterations": "20"}`, `[]`, ``, `{"auto_approve": 1, "strict_mode": null}`,
	} {
		f.Add([]byte(seed))
	}
	no := false
	clamp := protocol.SmartClamp{MaxIterations: 30, CompletionThreshold: 80, StallDetection: 6, AutoApprove: &no}
	f.Fuzz(func(t *testing.T, data []byte) {
		free := config.Resolve(data, nil, protocol.SmartClamp{})
		for _, k := range config.Keys() {
			if _, err := k.Parse(fmt.Sprint(free.Values.Get(k)), false); err != nil {
				t.Fatalf("%q gives %s = %v: %v", data, k, free.Values.Get(k), err)
			}
		}
		v := config.Resolve(data, nil, clamp).Values
		if v.MaxIterations > 30 || v.MaxIterations < 1 || v.CompletionThreshold < 80 || v.StallDetection > 6 || v.StallDetection < 1 || v.AutoApprove {
			t.Fatalf("%q gives %+v", data, v)
		}
		if data == nil {
			return
		}
		changed, err := config.Write(data, map[config.Key]any{"max_iterations": 7})
		if err != nil {
			return
		}
		if got := config.Resolve(changed, nil, protocol.SmartClamp{}); got.Values.MaxIterations != 7 || got.Values.StallDetection != free.Values.StallDetection {
			t.Fatalf("%q became %q: %+v", data, changed, got)
		}
		if again, err := config.Write(changed, map[config.Key]any{"max_iterations": 7}); err != nil || string(again) != string(changed) {
			t.Fatalf("%q became %q (valid %v)", changed, again, jsontext.Value(again).IsValid())
		}
	})
}
