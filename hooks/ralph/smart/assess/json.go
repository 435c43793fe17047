package assess

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// json reads the JSON form, with the members completed, completion_percentage,
// completed_items, pending_items, blocked_items, confidence and next_action, or with the
// names of the Markdown form. It returns false if the body is not a JSON object.
func (r *reader) json(body string) bool {
	start, end := strings.IndexByte(body, '{'), strings.LastIndexByte(body, '}')
	if start < 0 || end < start {
		return false
	}
	if before := body[:start]; start > 0 && (keyInText(before) || keyInText(body[end+1:])) {
		// In a Markdown block, the text may contain braces.
		return false
	}
	return r.object(body[start : end+1])
}

// keyInText reports whether a line of the text begins with a key.
func keyInText(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if k, _ := keyLine(line); k != noKey {
			return true
		}
	}
	return false
}

func (r *reader) object(text string) bool {
	read, values := *r.Assessment, *r
	values.Assessment = &read
	dec := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	word, flag := Unknown, Unknown
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return false
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return false
		}
		k := keyOf(name)
		switch {
		case Fold(name) == "completed" && value.Kind() == 't':
			flag = Completed
		case Fold(name) == "completed" && value.Kind() == 'f':
			flag = InProgress
		case Fold(name) == "completed":
			k = doneKey
		case value.Kind() == '{' && isWrapper(name):
			if values.object(string(value)) {
				word = values.Status
			}
		}
		if k == confidenceKey && string(value) == "1" {
			// JSON cannot distinguish 1.0 from 1.
			value = jsontext.Value("100")
		}
		for _, text := range texts(value) {
			values.set(k, text)
		}
		if k == statusKey {
			word = values.Status
		}
	}
	*r.Assessment = read
	r.completion, r.confident, r.remark = values.completion, values.confident, values.remark
	// The status word wins over the completed flag, whichever comes first.
	if r.Status = word; word == Unknown {
		if r.Status = flag; flag == InProgress && r.Blocker != "" {
			r.Status = Blocked
		}
	}
	return true
}

// isWrapper reports whether the name is that of an object around the
// assessment.
func isWrapper(name string) bool {
	switch Fold(name) {
	case "assessment", "completionassessment", "result", "evaluation", "评估", "完成评估":
		return true
	}
	return false
}

// texts returns the strings in a JSON value.
func texts(value jsontext.Value) []string {
	switch value.Kind() {
	case '"':
		var s string
		_ = json.Unmarshal(value, &s)
		return []string{s}
	case '[':
		var values []jsontext.Value
		_ = json.Unmarshal(value, &values)
		var all []string
		for _, v := range values {
			all = append(all, texts(v)...)
		}
		return all
	case '0', 't', 'f':
		return []string{string(value)}
	}
	return nil
}
