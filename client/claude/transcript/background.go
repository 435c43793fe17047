package transcript

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// BackgroundLife is how long a background task counts as running if nothing shows its end
// (docs/reference/records.md#background-limit). The tasks of a client that has exited
// never show one.
const BackgroundLife = 30 * time.Minute

// RunningTasks counts the session's background tasks that are still running: shell commands and agents that were started
// in the background less than BackgroundLife ago, and for which the transcript contains neither a task notification nor
// a call that stopped them (observed with 2.1.197 and 2.1.329). The file lags by about 100 ms, so not all tasks that
// start at the same moment are counted. If the transcript cannot be read, the count is 0.
func RunningTasks(path string, now time.Time) int {
	file, size, fault := open(path)
	if fault != "" {
		return 0
	}
	defer file.Close()
	all := newLines(file, size)
	ended, running := map[string]bool{}, map[string]bool{}
	for {
		text, ok := all.next()
		if !ok {
			return len(running)
		}
		// These marks come from the client; in quoted text they contain backslashes.
		notified := bytes.Contains(text, []byte("<task-notification>"))
		started := bytes.Contains(text, []byte(`"backgroundTaskId":"`)) || bytes.Contains(text, []byte(`"async_launched"`))
		stopped := bytes.Contains(text, []byte(`"name":"TaskStop"`)) || bytes.Contains(text, []byte(`"name":"KillShell"`))
		if notified {
			for _, id := range notifiedIDs(text) {
				ended[id] = true
			}
		}
		if !started && !stopped {
			continue
		}
		line, ok := parseTaskLine(text)
		if !ok {
			continue
		}
		if age := now.Sub(line.Timestamp); age > BackgroundLife {
			return len(running)
		}
		for _, id := range line.stopped() {
			ended[id] = true
		}
		if id := line.started(); id != "" && !ended[id] {
			running[id] = true
		}
	}
}

// notifiedIDs returns the ids of the tasks whose end a line reports.
func notifiedIDs(text []byte) (ids []string) {
	for {
		_, rest, ok := bytes.Cut(text, []byte("<task-id>"))
		if !ok {
			return ids
		}
		id, rest, ok := bytes.Cut(rest, []byte("</task-id>"))
		if !ok {
			return ids
		}
		if len(id) <= 64 {
			ids = append(ids, string(id))
		}
		text = rest
	}
}

// taskLine holds the members of a transcript line about background tasks.
type taskLine struct {
	Type      string         `json:"type"`
	Timestamp time.Time      `json:"timestamp"`
	Sidechain bool           `json:"isSidechain"`
	Message   jsontext.Value `json:"message"`
	Result    jsontext.Value `json:"toolUseResult"`
}

func parseTaskLine(text []byte) (line taskLine, ok bool) {
	err := json.Unmarshal(trim(text), &line, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return line, err == nil && !line.Timestamp.IsZero()
}

// started returns the id of the task that the line's tool result started, or "".
func (l taskLine) started() string {
	var result struct {
		BackgroundTaskID string `json:"backgroundTaskId"`
		Status           string `json:"status"`
		AgentID          string `json:"agentId"`
	}
	if l.Type != userRole || l.Result.Kind() != '{' || json.Unmarshal(l.Result, &result, jsontext.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	if result.Status == "async_launched" {
		return result.AgentID
	}
	return result.BackgroundTaskID
}

// stopped returns the ids of the tasks that the line's tool calls stop.
func (l taskLine) stopped() (ids []string) {
	var message struct {
		Content []struct {
			Name  string         `json:"name"`
			Input jsontext.Value `json:"input"`
		} `json:"content"`
	}
	if l.Type != assistantRole || json.Unmarshal(l.Message, &message, jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	for _, call := range message.Content {
		if call.Name != "TaskStop" && call.Name != "KillShell" {
			continue
		}
		var input struct {
			TaskID  string `json:"task_id"`
			ShellID string `json:"shell_id"`
		}
		if json.Unmarshal(call.Input, &input, jsontext.AllowInvalidUTF8(true)) == nil {
			ids = append(ids, input.TaskID, input.ShellID)
		}
	}
	return ids
}
