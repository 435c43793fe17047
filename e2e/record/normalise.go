package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/hookbridge/bridge/e2e"
)

// Placeholders for values that differ from run to run, so that a new recording differs only if the client has changed.
const (
	fixedHome    = "/home/dev"
	fixedSession = "00000000-0000-4000-8000-000000000001"
	fixedPrompt  = "00000000-0000-4000-8000-000000000002"
	fixedAgent   = "a0000000000000001"
	fixedMessage = "00000000-0000-4000-8000-000000000003"
)

// normalise works on the text, so that names, order and unknown fields stay as the client wrote them.
func normalise(payload []byte, w *e2e.Workspace) ([]byte, error) {
	var p struct {
		Session    string `json:"session_id"`
		Prompt     string `json:"prompt_id"`
		Agent      string `json:"agent_id"`
		Transcript string `json:"transcript_path"`
		Response   struct {
			AgentID string `json:"agentId"`
		} `json:"tool_response"`
	}
	// tool_response may be a string, which has nothing to replace.
	if err := json.Unmarshal(payload, &p); err != nil && p.Session == "" {
		return nil, err
	}
	b := bytes.TrimSpace(payload)
	for _, r := range []struct{ old, fixed string }{
		{projectDirName(w.Project), projectDirName(fixedHome + "/proj")},
		{w.Project, fixedHome + "/proj"},
		{w.Home, fixedHome},
		{w.Temp, "/tmp"},
		{w.Root, fixedHome},
		{p.Session, fixedSession},
		{p.Prompt, fixedPrompt},
		{p.Agent, fixedAgent},
		{p.Response.AgentID, fixedAgent},
	} {
		if r.old != "" {
			b = bytes.ReplaceAll(b, []byte(r.old), []byte(r.fixed))
		}
	}
	b = regexp.MustCompile(`"(duration_ms|totalDurationMs|seconds_since_last_response)":[0-9.]+`).ReplaceAll(b, []byte(`"$1":1`))
	b = regexp.MustCompile(`"(totalTokens|context_tokens)":[0-9]+`).ReplaceAll(b, []byte(`"$1":15`))
	b = regexp.MustCompile(`"(estimated_cache_write_usd)":[0-9.e-]+`).ReplaceAll(b, []byte(`"$1":0.0001`))
	b = regexp.MustCompile(`"(turn_id|message_id)":"[0-9a-f-]{36}"`).ReplaceAll(b, []byte(`"$1":"`+fixedMessage+`"`))
	if !json.Valid(b) {
		return nil, fmt.Errorf("normalised to invalid JSON: %s", strconv.Quote(string(b)))
	}
	return append(b, '\n'), nil
}

// projectDirName is how the client names a project's directory of transcripts.
func projectDirName(path string) string {
	return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(path, "-")
}
