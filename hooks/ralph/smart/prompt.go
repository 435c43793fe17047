package smart

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// promptFile is the name of the nth prompt: tasks.md, tasks-2.md and so on.
func promptFile(n int) string { return strings.TrimSuffix(PromptName, ".md") + suffix(n) + ".md" }

// storePrompt stores a prompt and returns the name of its file. A session of the history
// may still need the prompt that it was started with, so no file with another text is
// overwritten.
func storePrompt(dir *statefile.Dir, text string) (name string, err error) {
	text = strings.TrimRight(text, "\n") + "\n"
	for n := 1; ; n++ {
		name = promptFile(n)
		there, err := dir.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, dir.Create(name, []byte(text), statefile.Durable)
		case err == nil && string(there.Data) == text:
			return name, nil
		case n > 10000:
			return "", errors.New("too many prompts are stored in " + DirName + "/" + FolderName + "; remove those that you do not need")
		}
	}
}

// prompts returns the files of stored prompts.
func prompts(dir *statefile.Dir) ([]string, error) {
	all, err := dir.Names(FolderName)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, base := range all {
		rest, ok := strings.CutPrefix(base, strings.TrimSuffix(path.Base(PromptName), ".md"))
		number, md := strings.CutSuffix(rest, ".md")
		if ok && md && (number == "" || number[0] == '-' && len(number) > 1 && strings.Trim(number[1:], "0123456789") == "") {
			names = append(names, FolderName+"/"+base)
		}
	}
	return names, nil
}
