package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// maxRequests bounds a loop that nothing else ends: later requests get an error that the client does not retry.
const maxRequests = 1000

// Model is the scripted model server. Its address is on loopback.
type Model struct {
	// Judge answers requests that offer no tools, such as the question whether a goal is reached. If it is nil, the
	// answer is a title.
	Judge   Script
	script  Script
	server  *httptest.Server
	ordinal counter

	mu       sync.Mutex
	requests []Request
	faults   []string
}

// StartModel starts a server that answers from script until Close.
func StartModel(script Script) *Model {
	m := &Model{script: script}
	m.server = httptest.NewServer(m)
	return m
}

// URL is the value for ANTHROPIC_BASE_URL.
func (m *Model) URL() string { return m.server.URL }

// Close ends the server and its open connections.
func (m *Model) Close() {
	m.server.CloseClientConnections()
	m.server.Close()
}

// Requests returns the requests of one kind and session (of all sessions if session is empty), in order of arrival.
func (m *Model) Requests(session string, kind Kind) []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Request
	for _, r := range m.requests {
		if r.Kind == kind && (session == "" || r.Session == session) {
			out = append(out, r)
		}
	}
	return out
}

// Faults lists requests that the server could not answer as the API would. A test can fail if there are any.
func (m *Model) Faults() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.faults...)
}

func (m *Model) fault(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults = append(m.faults, fmt.Sprintf(format, args...))
}

func (m *Model) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	switch {
	case q.Method == http.MethodPost && q.URL.Path == "/v1/messages":
		m.messages(w, q)
	case q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/count_tokens"):
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": 10})
	default:
		writeJSON(w, http.StatusOK, struct{}{})
	}
}

func (m *Model) messages(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		m.fault("read: %v", err)
		return
	}
	r, err := parseRequest(q.Header, body)
	if err != nil {
		m.fault("%v", err)
		writeAPIError(w, err.Error())
		return
	}
	r.N = m.ordinal.next(fmt.Sprint(r.Kind, r.Session, r.Agent))
	m.mu.Lock()
	m.requests = append(m.requests, r)
	total := len(m.requests)
	m.mu.Unlock()
	if total > maxRequests {
		m.fault("more than %d requests", maxRequests)
		writeAPIError(w, "too many requests for one test")
		return
	}

	turn := m.answer(r)
	select {
	case <-time.After(turn.Delay):
	case <-q.Context().Done():
		return
	}
	if turn.Status != 0 {
		writeError(w, turn.Status, turn.Error, turn.Blocks[0].Text)
		return
	}
	ids := messageIDs{request: total}
	if r.Stream {
		streamTurn(w, r.Model, turn, ids)
	} else {
		writeTurn(w, r.Model, turn, ids)
	}
}

func (m *Model) answer(r Request) Turn {
	switch r.Kind {
	case Compact:
		return Say("<analysis>\nshort\n</analysis>\n\n<summary>\nThe conversation so far, in short.\n</summary>")
	case Side:
		if m.Judge != nil {
			return m.Judge(r)
		}
		return Say(`{"title": "Scripted session"}`)
	default:
		return m.script(r)
	}
}

func writeAPIError(w http.ResponseWriter, message string) {
	writeError(w, http.StatusBadRequest, "invalid_request_error", message)
}

func writeError(w http.ResponseWriter, status int, kind, message string) {
	writeJSON(w, status, map[string]any{
		"type":  "error",
		"error": map[string]any{"type": kind, "message": message},
	})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// Writing fails only if the client has hung up, and then nobody reads the answer.
	_ = json.NewEncoder(w).Encode(v)
}
