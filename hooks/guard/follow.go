package guard

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/protocol"
)

// maxFollowed is how many changes of a call are looked up on the disk.
const maxFollowed = 256

// follow adds to the changes the places to which their links lead, and to the protected
// places their paths without links. A path that cannot be followed is judged by its name.
func (f *Facts) follow(getenv func(string) string) {
	var disk reach.Disk
	resolved := func(place string) string {
		if !path.IsAbs(place) && !filepath.IsAbs(place) {
			return place
		}
		to, err := disk.Follow("", place)
		if err != nil {
			return place
		}
		return filepath.ToSlash(to.Path)
	}
	for _, source := range settingsfile.Files([]string{f.Call.Root}, getenv) {
		if info, err := os.Lstat(source.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			f.linked = append(f.linked, resolved(filepath.ToSlash(source.Path)))
		}
	}
	for _, c := range f.changes[:min(len(f.changes), maxFollowed)] {
		p := filepath.FromSlash(cmp.Or(c.raw, c.path))
		var to reach.Place
		var err error
		// Not filepath.Split, because dots after a link must be followed.
		last := strings.LastIndexByte(p, filepath.Separator)
		if c.pattern {
			// The part before the first pattern is followed.
			first := strings.IndexAny(p, "*?[")
			last = strings.LastIndexByte(p[:first], filepath.Separator)
			to, err = disk.Follow("", p[:last]+string(filepath.Separator))
			to.Path = filepath.Join(to.Path, p[last+1:])
		} else if base := p[last+1:]; c.entry && last >= 0 && base != ".." {
			to, err = disk.Follow("", p[:last]+string(filepath.Separator))
			to.Path = filepath.Join(to.Path, base)
		} else {
			to, err = disk.Follow("", p)
		}
		if at := filepath.ToSlash(to.Path); err == nil && at != c.path {
			c.path = at
			f.changes = append(f.changes, c)
		}
	}
	for _, own := range f.Own {
		if to := resolved(own); to != own {
			f.Own = append(f.Own, to)
		}
	}
	if to := resolved(f.Call.Home); to != f.Call.Home {
		f.Homes = append(f.Homes, to)
	}
}

// The words in the name of an MCP server's tool that change files, and what they do.
const (
	writingWords  = "write edit create save append patch replace insert update copy touch put set"
	removingWords = "delete remove move rename unlink rm rmdir"
)

// pathMembers are the members of an input that name files.
const pathMembers = "path file_path filepath file filename source destination dest target src dst new_path old_path from to uri paths files directory dir"

// foreignChanges are what a tool of an MCP server seems to write or remove: the absolute
// paths in its input, if its name says that it changes files. A relative path may be one
// of another machine.
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
	var members map[string]jsontext.Value
	if json.Unmarshal(tool.ToolInput, &members) != nil {
		return nil
	}
	for member := range strings.FieldsSeq(pathMembers) {
		var one string
		var several []string
		if json.Unmarshal(members[member], &one) == nil {
			several = []string{one}
		} else if json.Unmarshal(members[member], &several) != nil {
			continue
		}
		for _, p := range several {
			p = filepath.ToSlash(strings.TrimPrefix(strings.TrimSpace(p), "file://"))
			if rest, ok := strings.CutPrefix(p, "~/"); ok && home != "" {
				p = home + "/" + rest
			}
			if path.IsAbs(p) || filepath.IsAbs(p) {
				all = append(all, change{path: path.Clean(p), token: p, effect: what})
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
