package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Entry is one line of a transcript, with the fields that tests check. Raw is the whole line.
type Entry struct {
	Type       string          `json:"type"`
	Subtype    string          `json:"subtype"`
	UUID       string          `json:"uuid"`
	SessionID  string          `json:"sessionId"`
	IsMeta     bool            `json:"isMeta"`
	Sidechain  bool            `json:"isSidechain"`
	Content    json.RawMessage `json:"content"`
	Message    *EntryMessage   `json:"message"`
	Attachment *Attachment     `json:"attachment"`
	Raw        json.RawMessage `json:"-"`
}

// EntryMessage is the message of a user or assistant entry.
type EntryMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// Attachment is the client's record of what a hook did.
type Attachment struct {
	Type          string `json:"type"` // hook_success, hook_blocking_error, hook_system_message, ...
	HookName      string `json:"hookName"`
	HookEvent     string `json:"hookEvent"`
	Content       any    `json:"content"`
	Stdout        string `json:"stdout"`
	Stderr        string `json:"stderr"`
	BlockingError *struct {
		BlockingError string `json:"blockingError"`
		Command       string `json:"command"`
	} `json:"blockingError"`
}

// Transcript is the entries of one session in file order.
type Transcript []Entry

// TranscriptPath finds the file of a session; the client derives the directory from the project's path.
func (w *Workspace) TranscriptPath(session string) (string, error) {
	found, err := filepath.Glob(filepath.Join(w.ConfigDir(), "projects", "*", session+".jsonl"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("session %s has %d transcripts", session, len(found))
	}
	return found[0], nil
}

// ReadTranscript parses a transcript file.
func ReadTranscript(path string) (Transcript, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var t Transcript
	err = eachLine(b, func(line []byte) error {
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		e.Raw = bytes.Clone(line)
		t = append(t, e)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func eachLine(b []byte, f func([]byte) error) error {
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 16<<20)
	for n := 1; sc.Scan(); n++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		if err := f(sc.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return sc.Err()
}

// Says returns the texts of the assistant, in order.
func (t Transcript) Says() []string {
	var out []string
	for _, e := range t {
		if e.Type == "assistant" && e.Message != nil && !e.Sidechain {
			if s := joinText(blocksOf(e.Message.Content)); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// StopBlocks returns the reasons with which Stop hooks kept the session going, in order.
func (t Transcript) StopBlocks() []string {
	var out []string
	for _, e := range t {
		if a := e.Attachment; a != nil && a.Type == "hook_blocking_error" && a.HookEvent == "Stop" && a.BlockingError != nil {
			out = append(out, a.BlockingError.BlockingError)
		}
	}
	return out
}

// SystemMessages returns the systemMessage texts that hooks of an event showed the user, in order.
func (t Transcript) SystemMessages(event string) []string {
	var out []string
	for _, e := range t {
		if a := e.Attachment; a != nil && a.Type == "hook_system_message" && a.HookEvent == event {
			out = append(out, fmt.Sprint(a.Content))
		}
	}
	return out
}

// Contains reports whether any line contains the text in its JSON form, without HTML escaping.
func (t Transcript) Contains(text string) bool {
	for _, e := range t {
		if bytes.Contains(e.Raw, []byte(text)) {
			return true
		}
	}
	return false
}
