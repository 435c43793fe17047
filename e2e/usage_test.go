package e2e

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"testing"
)

// ccusageVariable names the program ccusage 20.0.24, the second judge of costs.
const ccusageVariable = "BRIDGE_CCUSAGE"

// TestUsageEqualsTheClients: bridge usage counts in the transcripts of three sessions, with
// a subagent each, what the client itself says that they cost, to the micro-dollar. If
// BRIDGE_CCUSAGE names ccusage, it is asked as well.
func TestUsageEqualsTheClients(t *testing.T) {
	used := func(t Turn, in, out, w5m, w1h, read int) Turn {
		t.Usage = map[string]any{
			"input_tokens": in, "output_tokens": out, "cache_read_input_tokens": read, "cache_creation_input_tokens": w5m + w1h,
			"cache_creation": object{"ephemeral_5m_input_tokens": w5m, "ephemeral_1h_input_tokens": w1h},
		}
		return t
	}
	agent := Call("Agent", object{"description": "scripted", "prompt": "say one", "subagent_type": "general-purpose", "run_in_background": false})
	two := Turn{Blocks: []Block{{Text: "Two calls."}, {Tool: "Bash", Input: object{"command": "echo 1"}}, {Tool: "Bash", Input: object{"command": "echo 2"}}}}
	for _, model := range []string{"claude-sonnet-4-5-20250929", "claude-opus-4-5", "claude-haiku-4-5"} {
		t.Run(model, func(t *testing.T) {
			s := newStage(t, Agents(
				Turns(used(agent, 3, 211, 1017, 0, 15001), used(two, 7, 99, 41, 613, 16018), used(Say("Done."), 1, 5, 0, 3, 17771)),
				Turns(used(Say("One."), 4001, 13, 7, 0, 0)),
			))
			id := sessionID()
			r := s.run(Client{Prompt: "go", SessionID: id, Args: []string{"--model", model}, Settings: Settings{Permissions: &Permissions{Allow: []string{"Bash(echo *)", "Agent"}}}})
			want := clientsCost(t, r.Events)
			cmd := exec.CommandContext(t.Context(), bridge(t), "usage", "--session", id, "--json")
			cmd.Dir, cmd.Env = s.Project, []string{"HOME=" + s.Home, "CLAUDE_CONFIG_DIR=" + s.ConfigDir()}
			var report struct {
				Total struct {
					Micros    int64    `json:"cost_micro_dollars"`
					Requests  int      `json:"requests"`
					ToolCalls int      `json:"tool_calls"`
					Unpriced  []string `json:"models_without_price"`
				} `json:"total"`
			}
			decode(t, cmd, &report)
			if got := report.Total; got.Micros != want || got.Requests != 4 || got.ToolCalls != 3 || len(got.Unpriced) > 0 {
				t.Errorf("%+v, but the client says %d micro-dollars for 4 requests with 3 tool calls", got, want)
			}
			ccusage := os.Getenv(ccusageVariable)
			if ccusage == "" {
				t.Logf("%s is not set: compared only with the client, %d micro-dollars", ccusageVariable, want)
				return
			}
			other := exec.CommandContext(t.Context(), ccusage, "claude", "daily", "--offline", "--json")
			other.Env = []string{"HOME=" + s.Home, "PATH=" + os.Getenv("PATH"), "CLAUDE_CONFIG_DIR=" + s.ConfigDir()}
			var totals struct {
				Totals struct {
					Cost float64 `json:"totalCost"`
				} `json:"totals"`
			}
			decode(t, other, &totals)
			if got := int64(math.Round(totals.Totals.Cost * 1e6)); got != want {
				t.Errorf("ccusage says %d micro-dollars, the client %d", got, want)
			}
		})
	}
}

func decode(t *testing.T, cmd *exec.Cmd, v any) {
	t.Helper()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, errs.String())
	}
	if err := json.Unmarshal(out, v); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// clientsCost is what the client says at the end of its output, in micro-dollars.
func clientsCost(t *testing.T, events []StreamEvent) int64 {
	t.Helper()
	for _, e := range events {
		var result struct {
			Cost *float64 `json:"total_cost_usd"`
		}
		if e.Type == "result" && json.Unmarshal(e.Raw, &result) == nil && result.Cost != nil {
			return int64(math.Round(*result.Cost * 1e6))
		}
	}
	t.Fatal("the client does not say what the session cost")
	return 0
}
