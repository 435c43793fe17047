// Package usage reads from Claude Code's transcripts what a session has used
// (docs/reference/claude-code.md#usage).
package usage

import (
	"bytes"
	"cmp"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/usage"
	"github.com/hookbridge/bridge/protocol"
)

// Message is one answer of the model, or one block of it: each block has a line of its own
// with the usage of the whole answer.
type Message struct {
	// ID and Request identify the answer. An empty ID is nobody's duplicate.
	ID, Request string
	Session     string
	// CWD is the directory in which the session worked.
	CWD   string
	Model string
	At    time.Time
	// Sidechain is set for a line of a subagent or of a side conversation.
	Sidechain bool
	// Fast is set for an answer in fast mode; Speed says whether the line names its speed.
	Fast, Speed bool
	Tokens      usage.Tokens
	// Tools are the tool calls of this line by their ids, with the file that a call edits.
	Tools map[string]string
}

// synthetic is the model of messages that the client wrote itself.
const synthetic = "<synthetic>"

// marker is part of every line with a usage. Other lines, which are longer, are not
// parsed.
var (
	marker  = []byte(`"usage":{`)
	toolUse = []byte(`"tool_use"`)
)

type line struct {
	Type      string    `json:"type"`
	SessionID string    `json:"sessionId"`
	CWD       string    `json:"cwd"`
	RequestID string    `json:"requestId"`
	Sidechain bool      `json:"isSidechain"`
	Timestamp time.Time `json:"timestamp"`
	Message   struct {
		ID      string         `json:"id"`
		Model   string         `json:"model"`
		Content jsontext.Value `json:"content"`
		Usage   *struct {
			Input         int64 `json:"input_tokens"`
			Output        int64 `json:"output_tokens"`
			CacheRead     int64 `json:"cache_read_input_tokens"`
			CacheCreation int64 `json:"cache_creation_input_tokens"`
			Creation      *struct {
				FiveMinutes int64 `json:"ephemeral_5m_input_tokens"`
				OneHour     int64 `json:"ephemeral_1h_input_tokens"`
			} `json:"cache_creation"`
			Speed string `json:"speed"`
		} `json:"usage"`
	} `json:"message"`
}

// Parse reads one line of a transcript; ok is false if it has no usage.
func Parse(text []byte) (m Message, ok bool) {
	if !bytes.Contains(text, marker) {
		return Message{}, false
	}
	var l line
	if err := json.Unmarshal(text, &l, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return Message{}, false
	}
	u := l.Message.Usage
	if l.Type != "assistant" || u == nil || l.Message.Model == "" || l.Message.Model == synthetic {
		return Message{}, false
	}
	m = Message{ID: l.Message.ID, Request: l.RequestID, Session: l.SessionID, CWD: l.CWD, Model: l.Message.Model, At: l.Timestamp, Sidechain: l.Sidechain}
	m.Tokens = usage.Tokens{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite5m: u.CacheCreation}
	if u.Creation != nil {
		m.Tokens.CacheWrite5m, m.Tokens.CacheWrite1h = u.Creation.FiveMinutes, u.Creation.OneHour
	}
	m.Fast, m.Speed = u.Speed == "fast", u.Speed != ""
	if bytes.Contains(l.Message.Content, toolUse) {
		m.Tools = tools(l.Message.Content)
	}
	return m, m.valid()
}

// valid refuses numbers that no request has: a sum of them could overflow.
func (m Message) valid() bool {
	const most = 1 << 32
	for _, n := range []int64{m.Tokens.Input, m.Tokens.Output, m.Tokens.CacheRead, m.Tokens.CacheWrite5m, m.Tokens.CacheWrite1h} {
		if n < 0 || n > most {
			return false
		}
	}
	return true
}

// tools are the tool calls among the blocks of a message.
func tools(content jsontext.Value) map[string]string {
	var blocks []struct {
		Type  string `json:"type"`
		ID    string `json:"id"`
		Name  string `json:"name"`
		Input struct {
			FilePath     string `json:"file_path"`
			NotebookPath string `json:"notebook_path"`
		} `json:"input"`
	}
	if err := json.Unmarshal(content, &blocks, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil
	}
	calls := map[string]string{}
	for _, b := range blocks {
		if b.Type != "tool_use" {
			continue
		}
		calls[b.ID] = ""
		if claude.Kind(b.Name) == protocol.ToolWrite {
			calls[b.ID] = cmp.Or(b.Input.FilePath, b.Input.NotebookPath)
		}
	}
	return calls
}
