package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

const serverArgument = "-ask-the-user"

// serve is an MCP server with one tool, which asks the user for a name.
func serve(in io.Reader, out io.Writer) error {
	reply := func(id json.RawMessage, result any) {
		text, _ := json.Marshal(result) // literals below
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, text)
	}
	var call json.RawMessage
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string `json:"protocolVersion"`
			} `json:"params"`
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return err
		}
		switch m.Method {
		case "initialize":
			reply(m.ID, map[string]any{
				"protocolVersion": m.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo": map[string]any{"name": "asker", "version": "1"},
			})
		case "tools/list":
			reply(m.ID, map[string]any{"tools": []any{map[string]any{
				"name": "ask", "description": "asks the user", "inputSchema": map[string]any{"type": "object", "properties": map[string]any{}},
			}}})
		case "tools/call":
			call = m.ID
			fmt.Fprintln(out, `{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?",`+
				`"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`)
		case "":
			// The user's answer.
			reply(call, map[string]any{"content": []any{map[string]any{"type": "text", "text": "asked"}}})
		default:
			if m.ID != nil {
				reply(m.ID, map[string]any{})
			}
		}
	}
	return lines.Err()
}
