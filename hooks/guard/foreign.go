package guard

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/protocol"
)

// The words in the name of an MCP server's tool that change files, and what they do.
const (
	writingWords  = "write edit create save append patch replace insert update copy touch put set truncate"
	removingWords = "delete remove move rename unlink rm rmdir trash"
)

// pathMembers are the members of an input that name files, without underscores.
const pathMembers = "path filepath fspath absolutepath file filename source sourcepath sourcefile destination destinationpath dest target targetpath targetfile src srcpath dst dstpath newpath oldpath from to uri uris paths filepaths files directory dir folder notebookpath"

// maxMembers is how deeply nested a member may be to be found.
const maxMembers = 5

// foreignChanges are what a tool of an MCP server seems to write or remove: the absolute paths in its input, if its name
// says that it changes files. A relative path may be on another machine.
func foreignChanges(tool protocol.ToolFields, home string) (all []change) {
	server, name, ok := strings.Cut(strings.TrimPrefix(strings.ToLower(tool.ToolName), "mcp__"), "__")
	if !ok || !strings.HasPrefix(tool.ToolName, "mcp__") || server == "" {
		return nil
	}
	what := itself
	switch {
	case holdsWord(name, removingWords):
		what = wipes
	case !holdsWord(name, writingWords):
		return nil
	}
	for _, p := range foreignPaths("", tool.ToolInput, maxMembers) {
		p = filepath.ToSlash(strings.TrimPrefix(strings.TrimSpace(p), "file://"))
		if rest, ok := strings.CutPrefix(p, "~/"); ok && home != "" {
			p = home + "/" + rest
		}
		if path.IsAbs(p) || filepath.IsAbs(p) {
			all = append(all, change{path: path.Clean(p), token: p, effect: what})
		}
	}
	return all
}

// foreignPaths collects, at any depth, the texts of the members of a value whose names say that they are files. name is
// the name of the value itself.
func foreignPaths(name string, value jsontext.Value, depth int) (all []string) {
	if depth == 0 {
		return nil
	}
	switch value.Kind() {
	case '"':
		var text string
		if shell.HasWord(pathMembers, strings.ToLower(strings.ReplaceAll(name, "_", ""))) && json.Unmarshal(value, &text) == nil {
			all = append(all, text)
		}
	case '[':
		var several []jsontext.Value
		if json.Unmarshal(value, &several) == nil {
			for _, one := range several {
				all = append(all, foreignPaths(name, one, depth-1)...)
			}
		}
	case '{':
		var members map[string]jsontext.Value
		if json.Unmarshal(value, &members) == nil {
			for member, one := range members {
				all = append(all, foreignPaths(member, one, depth-1)...)
			}
		}
	}
	return all
}

// holdsWord reports whether a name such as write_file or deleteFile holds one of the
// words, which are separated by spaces.
func holdsWord(name, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if len(word) > 3 && strings.Contains(name, word) {
			return true
		}
		for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' }) {
			if part == word {
				return true
			}
		}
	}
	return false
}
