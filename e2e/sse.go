package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// messageIDs makes the ids of one answer. They depend only on the number of the request, so recordings do not change
// from run to run.
type messageIDs struct{ request int }

func (i messageIDs) message() string      { return fmt.Sprintf("msg_%024d", i.request) }
func (i messageIDs) toolUse(n int) string { return fmt.Sprintf("toolu_%020d%04d", i.request, n) }
func (i messageIDs) header() http.Header {
	return http.Header{"Request-Id": {fmt.Sprintf("req_%024d", i.request)}}
}
func stopReason(t Turn) string {
	for _, b := range t.Blocks {
		if b.Tool != "" {
			return "tool_use"
		}
	}
	return "end_turn"
}

type object = map[string]any

func usage(t Turn, output int) object {
	if t.Usage != nil {
		return t.Usage
	}
	return object{"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": output}
}

func envelope(model string, t Turn, ids messageIDs) object {
	return object{
		"id": ids.message(), "type": "message", "role": "assistant", "model": model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage(t, 1),
	}
}

func toolInput(b Block) any {
	if b.Input == nil {
		return object{}
	}
	return b.Input
}

func writeTurn(w http.ResponseWriter, model string, t Turn, ids messageIDs) {
	content := []any{}
	for i, b := range t.Blocks {
		if b.Tool == "" {
			content = append(content, object{"type": "text", "text": b.Text})
		} else {
			content = append(content, object{"type": "tool_use", "id": ids.toolUse(i), "name": b.Tool, "input": toolInput(b)})
		}
	}
	m := envelope(model, t, ids)
	m["content"], m["stop_reason"], m["usage"] = content, stopReason(t), usage(t, 5)
	writeJSON(w, http.StatusOK, m)
}

func streamTurn(w http.ResponseWriter, model string, t Turn, ids messageIDs) {
	for k, v := range ids.header() {
		w.Header()[k] = v
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	send := func(event string, data object) {
		data["type"] = event
		line, err := json.Marshal(data)
		if err != nil {
			panic(fmt.Sprintf("script with an input that is no JSON: %v", err))
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, line)
	}
	send("message_start", object{"message": envelope(model, t, ids)})
	for i, b := range t.Blocks {
		start, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": b.Text}
		if b.Tool != "" {
			input, err := json.Marshal(toolInput(b))
			if err != nil {
				panic(fmt.Sprintf("script with an input that is no JSON: %v", err))
			}
			start = object{"type": "tool_use", "id": ids.toolUse(i), "name": b.Tool, "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(input)}
		}
		send("content_block_start", object{"index": i, "content_block": start})
		send("content_block_delta", object{"index": i, "delta": delta})
		send("content_block_stop", object{"index": i})
	}
	send("message_delta", object{"delta": object{"stop_reason": stopReason(t), "stop_sequence": nil}, "usage": usage(t, 5)})
	send("message_stop", object{})
}
