package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

func post(t *testing.T, m *Model, path, body string, header map[string]string) (*http.Response, string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		q.Header.Set(k, v)
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(b)
}

const turnBody = `{"model":"m","stream":true,"system":[{"type":"text","text":"sys"}],"tools":[{"name":"Bash"}],"messages":[
	{"role":"user","content":[{"type":"text","text":"<system-reminder>\nx\n</system-reminder>"},{"type":"text","text":"hello"}]},
	{"role":"system","content":"environment"}]}`

func TestModelStreamsATurn(t *testing.T) {
	t.Parallel()
	m := StartModel(Turns(Turn{Blocks: []Block{{Text: "look"}, {Tool: "Bash", Input: object{"command": "ls"}}}}))
	defer m.Close()
	r, body := post(t, m, "/v1/messages?beta=true", turnBody, nil)
	if got := r.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
	var types []string
	sc := bufio.NewScanner(strings.NewReader(body))
	for sc.Scan() {
		if data, ok := strings.CutPrefix(sc.Text(), "data: "); ok {
			var e struct{ Type string }
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				t.Fatal(err)
			}
			types = append(types, e.Type)
		}
	}
	want := "message_start content_block_start content_block_delta content_block_stop " +
		"content_block_start content_block_delta content_block_stop message_delta message_stop"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("events %s\nwant %s", got, want)
	}
	for _, part := range []string{`"stop_reason":"tool_use"`, `"partial_json":"{\"command\":\"ls\"}"`} {
		if !strings.Contains(body, part) {
			t.Errorf("no %s in\n%s", part, body)
		}
	}
}

func TestModelAnswersWithoutStream(t *testing.T) {
	t.Parallel()
	m := StartModel(Turns(Say("one", "two")))
	defer m.Close()
	_, body := post(t, m, "/v1/messages", strings.Replace(turnBody, `"stream":true`, `"stream":false`, 1), nil)
	var got struct {
		Content    []struct{ Text string }
		StopReason string `json:"stop_reason"`
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Content) != 2 || got.Content[1].Text != "two" || got.StopReason != "end_turn" {
		t.Errorf("answered %s", body)
	}
}

func TestModelTellsRequestsApart(t *testing.T) {
	t.Parallel()
	m := StartModel(Turns(Say("first"), Say("second")))
	defer m.Close()
	a := map[string]string{"x-claude-code-session-id": "a"}
	sub := map[string]string{"x-claude-code-session-id": "a", "x-claude-code-agent-id": "x"}
	title := `{"model":"m","stream":true,"tools":[],"messages":[{"role":"user","content":"title?"}]}`
	compact := `{"model":"m","stream":true,"tools":[{"name":"Bash"}],"messages":[{"role":"user","content":"` + compactMarkers[0] + `."}]}`
	for _, step := range []struct {
		body   string
		header map[string]string
		want   string
	}{
		{title, a, "title"},
		{turnBody, a, "first"},
		{turnBody, sub, "first"},
		{compact, a, "<summary>"},
		{turnBody, a, "second"},
		{turnBody, map[string]string{"x-claude-code-session-id": "b"}, "first"},
		{turnBody, a, "script exhausted after 2 turns"},
	} {
		if _, body := post(t, m, "/v1/messages", step.body, step.header); !strings.Contains(body, step.want) && !strings.Contains(body, strings.Replace(step.want, "<summary>", `\u003csummary\u003e`, 1)) {
			t.Errorf("%v: no %q in\n%s", step.header, step.want, body)
		}
	}
	main := m.Requests("a", Main)
	if len(main) != 3 || main[2].N != 3 || main[0].Prompt() != "hello" || main[0].System != "sys" {
		t.Errorf("main requests of a: %+v", main)
	}
	if !strings.Contains(main[0].Context(), "environment") {
		t.Errorf("context %q", main[0].Context())
	}
}

func TestModelOtherEndpoints(t *testing.T) {
	t.Parallel()
	m := StartModel(Turns())
	defer m.Close()
	if _, body := post(t, m, "/v1/messages/count_tokens", turnBody, nil); strings.TrimSpace(body) != `{"input_tokens":10}` {
		t.Errorf("count_tokens: %s", body)
	}
	if _, body := post(t, m, "/api/anything", `{}`, nil); strings.TrimSpace(body) != `{}` {
		t.Errorf("other: %s", body)
	}
	if r, _ := post(t, m, "/v1/messages", `{`, nil); r.StatusCode != http.StatusBadRequest || len(m.Faults()) != 1 {
		t.Errorf("broken body: status %d, faults %q", r.StatusCode, m.Faults())
	}
}
