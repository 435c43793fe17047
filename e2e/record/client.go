package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// shape is what the client's executable says about the input of an event.
type shape struct {
	event  string
	fields []string
}

// eventName is the member of an input's description that names its event. The program is minified, so only the names in
// the description are certain.
var eventName = regexp.MustCompile(`\{hook_event_name:[A-Za-z0-9_$]+\("([A-Za-z]+)"\)`)

// eventList is the list of all events; it begins with the oldest one.
var eventList = regexp.MustCompile(`\["PreToolUse","PostToolUse"(?:,"[A-Za-z]+")+\]`)

// shapes reads the events of a client and the fields of their inputs, without the common
// ones, from its executable. Fields that the program adds in another place are missing.
func shapes(executable string) (events []string, all []shape, err error) {
	program, err := os.ReadFile(executable)
	if err != nil {
		return nil, nil, err
	}
	for _, list := range eventList.FindAll(program, -1) {
		names := strings.Split(strings.Trim(string(list), `[]"`), `","`)
		if len(names) > len(events) {
			events = names
		}
	}
	for _, at := range eventName.FindAllSubmatchIndex(program, -1) {
		event := string(program[at[2]:at[3]])
		if slices.ContainsFunc(all, func(s shape) bool { return s.event == event }) {
			continue
		}
		end := min(len(program), at[0]+16<<10)
		all = append(all, shape{event, members(program[at[0]:end])})
	}
	if len(events) == 0 || len(all) == 0 {
		return nil, nil, fmt.Errorf("%s does not list its events as former clients did", executable)
	}
	return events, all, nil
}

// members are the names in an object literal of JavaScript, without those of the objects
// inside.
func members(text []byte) (names []string) {
	depth, word := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '(', '[':
			if depth++; depth == 1 {
				word = i + 1
			}
		case '}', ')', ']':
			if depth--; depth == 0 {
				return names
			}
		case ',':
			if depth == 1 {
				word = i + 1
			}
		case ':':
			if depth == 1 && word > 0 {
				names = append(names, string(bytes.TrimSpace(text[word:i])))
				word = 0
			}
		}
	}
	return names
}
