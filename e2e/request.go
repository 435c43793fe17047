package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Kind says which part of the client sent a request.
type Kind int

const (
	Main     Kind = iota // a turn of the conversation
	Subagent             // a turn of an agent that the conversation started
	Compact              // the summary that /compact asks for
	Side                 // titles, probes: everything that offers no tools
)

func (k Kind) String() string {
	return [...]string{"main", "subagent", "compact", "side"}[k]
}

// Request is one POST /v1/messages as the server received it.
type Request struct {
	Kind     Kind
	Session  string // x-claude-code-session-id
	Agent    string // x-claude-code-agent-id, only of subagents
	N        int    // ordinal among the requests of this kind, session and agent, from 1
	Model    string
	Stream   bool
	System   string
	Messages []Message
	Tools    []string
	Raw      json.RawMessage
}

// Message is one element of a request's messages. Besides user and assistant, clients send the role system in mid-conversation.
type Message struct {
	Role   string
	Blocks []ContentBlock
}

// ContentBlock is the union of the block types that clients send.
type ContentBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
}

// compactMarkers begin the instruction of a compaction request, which otherwise looks like a turn: it has the same tools
// and system prompt.
var compactMarkers = []string{"CRITICAL: Respond with TEXT ONLY. Do NOT call any tools", "Your task is to create a detailed summary of the conversation"}

func parseRequest(h http.Header, body []byte) (Request, error) {
	var wire struct {
		Model    string          `json:"model"`
		Stream   bool            `json:"stream"`
		System   json.RawMessage `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, fmt.Errorf("request body: %w", err)
	}
	r := Request{
		Session: h.Get("x-claude-code-session-id"),
		Agent:   h.Get("x-claude-code-agent-id"),
		Model:   wire.Model,
		Stream:  wire.Stream,
		System:  joinText(blocksOf(wire.System)),
		Raw:     body,
	}
	for _, m := range wire.Messages {
		r.Messages = append(r.Messages, Message{Role: m.Role, Blocks: blocksOf(m.Content)})
	}
	for _, t := range wire.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	r.Kind = classify(r)
	return r, nil
}

func classify(r Request) Kind {
	switch {
	case r.Agent != "":
		return Subagent
	case len(r.Tools) == 0:
		return Side
	}
	last := r.Prompt()
	for _, m := range compactMarkers {
		if strings.HasPrefix(last, m) {
			return Compact
		}
	}
	return Main
}

// blocksOf reads a content that is a string or a list of blocks.
func blocksOf(content json.RawMessage) []ContentBlock {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return []ContentBlock{{Type: "text", Text: s}}
	}
	var blocks []ContentBlock
	if json.Unmarshal(content, &blocks) != nil {
		return nil
	}
	return blocks
}

func joinText(blocks []ContentBlock) string {
	var parts []string
	for _, b := range blocks {
		switch b.Type {
		case "text":
			parts = append(parts, b.Text)
		case "tool_result":
			parts = append(parts, joinText(blocksOf(b.Content)))
		}
	}
	return strings.Join(parts, "\n")
}

// Prompt is the text of the last user message without the client's own reminders: what the user typed, or the feedback of a
// Stop hook. It is empty after a tool result.
func (r Request) Prompt() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role != "user" {
			continue
		}
		var texts []string
		for _, b := range r.Messages[i].Blocks {
			if b.Type == "text" && !strings.HasPrefix(b.Text, "<system-reminder>") {
				texts = append(texts, b.Text)
			}
		}
		return strings.TrimSpace(strings.Join(texts, "\n"))
	}
	return ""
}

// Context is all text of the conversation that the model received, including tool results but not the system prompt.
func (r Request) Context() string {
	var parts []string
	for _, m := range r.Messages {
		parts = append(parts, joinText(m.Blocks))
	}
	return strings.Join(parts, "\n")
}

// ToolResults are the tool results of the conversation, in order.
func (r Request) ToolResults() []ContentBlock {
	var out []ContentBlock
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			if b.Type == "tool_result" {
				out = append(out, b)
			}
		}
	}
	return out
}
