//go:build unix

package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// corpusDecisions are the answers of the first version with their texts blanked. What is
// decided, which files are written and every exit code must stay what they were, however
// often a message is reworded.
const corpusDecisions = "testdata/corpus/decisions.jsonl"

// corpusTexts are the members of an answer that hold a sentence for a person or for the
// model.
var corpusTexts = regexp.MustCompile(`"(additionalContext|description|ends_by|message|permissionDecisionReason|problem|progress|reason|stopReason|systemMessage|title|why)":( ?)"(?:[^"\\]|\\.)+"`)

// blanked returns the answer without its sentences. That there is a sentence still shows.
func (a corpusAnswer) blanked() corpusAnswer {
	a.Steps = slices.Clone(a.Steps)
	for i, step := range a.Steps {
		a.Steps[i].Stdout = blankTexts(step.Stdout)
	}
	return a
}

// blankTexts blanks the sentences of an answer in JSON, and the whole of any other output.
func blankTexts(stdout string) string {
	switch {
	case strings.TrimSpace(stdout) == "":
		return stdout
	case !jsontext.Value(stdout).IsValid():
		return "<text>\n"
	}
	return corpusTexts.ReplaceAllString(stdout, `"$1":$2"<text>"`)
}
