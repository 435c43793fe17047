package plan

import (
	"bytes"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The tag that surrounds the model's answer to the request for a task list (R3-10).
const (
	openTag  = "<task-analysis"
	closeTag = "</task-analysis>"
)

var (
	// ErrNoAnalysis means that the text has no pair of task-analysis tags.
	ErrNoAnalysis = errors.New("no <task-analysis> block was found")
	// ErrNoTasks means that there is a block, but no task in it.
	ErrNoTasks = errors.New("the <task-analysis> block contains no task; each task begins with a line such as \"## 任务 1: title\"")
	// ErrTooLong means that the texts are too long for a state file.
	ErrTooLong = errors.New("the tasks are too long; shorten the descriptions and name files instead")
	// ErrTooMany means that the block contains more than MaxTasks tasks.
	ErrTooMany = errors.New("the <task-analysis> block contains more than 1000 tasks")
)

// ParseAnalysis reads the last complete task-analysis block of a text: Markdown with a
// heading for each task, or JSON. The numbers of tasks are ignored. A task without
// criteria gets its title as its only criterion.
func ParseAnalysis(text string) ([]Task, error) {
	body, ok := analysisBody(text)
	if !ok {
		return nil, ErrNoAnalysis
	}
	return parse(unfence(body))
}

// analysisBody returns the text between the last pair of tags.
func analysisBody(text string) (string, bool) {
	end := strings.LastIndex(text, closeTag)
	start := strings.LastIndex(text[:max(end, 0)], openTag)
	if start < 0 {
		return "", false
	}
	body := text[start+len(openTag) : end]
	shut := strings.IndexByte(body, '>')
	if shut < 0 || strings.ContainsAny(body[:shut], "\n<") {
		return "", false
	}
	return body[shut+1:], true
}

// unfence removes a code fence that surrounds the whole text.
func unfence(text string) string {
	text = strings.TrimSpace(text)
	mark, ok := IsFence(text)
	if !ok {
		return text
	}
	_, rest, _ := strings.Cut(text, "\n")
	if body, closed := strings.CutSuffix(rest, mark); closed {
		return body
	}
	return text
}

// jsonTask is a task in JSON.
type jsonTask struct {
	Title       string           `json:"title"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Criteria    []jsontext.Value `json:"criteria"`
	Acceptance  []jsontext.Value `json:"acceptance_criteria"`
}

// parseJSON reads {"tasks":[…]} or a bare list. In a list of strings, each string is a
// title.
func parseJSON(text string) ([]Task, bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil, false
	}
	list := jsontext.Value(text)
	if text[0] == '{' {
		var object struct {
			Tasks jsontext.Value `json:"tasks"`
		}
		if json.Unmarshal([]byte(text), &object, jsontext.AllowDuplicateNames(true)) != nil {
			return nil, false
		}
		list = object.Tasks
	}
	var values []jsontext.Value
	if json.Unmarshal(list, &values, jsontext.AllowDuplicateNames(true)) != nil {
		return nil, false
	}
	var tasks []Task
	for _, value := range values {
		var j jsonTask
		if value.Kind() == '"' {
			if json.Unmarshal(value, &j.Title) != nil {
				return nil, false
			}
		} else if json.Unmarshal(value, &j, jsontext.AllowDuplicateNames(true)) != nil {
			return nil, false
		}
		t := Task{Title: j.Title, Description: normalise(j.Description)}
		if t.Title == "" {
			t.Title = j.Name
		}
		for _, c := range append(j.Criteria, j.Acceptance...) {
			t.Criteria = append(t.Criteria, jsonCriterion(c))
		}
		tasks = append(tasks, t)
	}
	tasks = tidy(tasks)
	return tasks, len(tasks) > 0
}

// jsonCriterion reads a criterion that is a string or an object.
func jsonCriterion(value jsontext.Value) Criterion {
	var c Criterion
	if value.Kind() == '"' {
		_ = json.Unmarshal(value, &c.Text)
	} else {
		var object struct {
			Text string `json:"text"`
			Name string `json:"name"`
			Done bool   `json:"done"`
		}
		if json.Unmarshal(value, &object) == nil {
			c = Criterion{object.Text + object.Name, object.Done}
		}
	}
	c.Text = string(bytes.TrimSpace([]byte(c.Text)))
	if done, boxed, rest := box(c.Text); boxed {
		c = Criterion{rest, done}
	}
	return c
}
