package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
)

// ClientAsk returns an ask rule in the client's own settings that could match
// the call, or "". A hook's allow would override such a rule (design section 2),
// so everything doubtful counts as a match: a settings file that cannot be read
// is an error, and a pattern is compared by its first word only.
//
// The client's deny rules need no such look: they win before any hook runs.
func ClientAsk(c Call, places []string, getenv func(string) string) (rule string, err error) {
	for _, file := range clientSettings(places, getenv) {
		rules, err := askRules(file)
		if err != nil {
			return "", err
		}
		for _, rule := range rules {
			if mayMatch(rule, c) {
				return rule + " in " + file, nil
			}
		}
	}
	return "", nil
}

// clientSettings lists the settings files of the client: managed, the user's,
// the project's.
func clientSettings(places []string, getenv func(string) string) []string {
	var files []string
	managed := managedDir()
	files = append(files, filepath.Join(managed, "managed-settings.json"))
	if parts, err := filepath.Glob(filepath.Join(managed, "managed-settings.d", "*.json")); err == nil {
		files = append(files, parts...)
	}
	user := getenv("CLAUDE_CONFIG_DIR")
	if user == "" {
		if home := getenv("HOME"); home != "" {
			user = filepath.Join(home, ".claude")
		} else if home := getenv("USERPROFILE"); home != "" {
			user = filepath.Join(home, ".claude")
		}
	}
	dirs := make([]string, 0, len(places)+1)
	if user != "" {
		// What the user's organisation sends is kept there, too.
		dirs = append(dirs, user)
		files = append(files, filepath.Join(user, "remote-settings.json"))
	}
	for _, place := range places {
		dirs = append(dirs, filepath.Join(place, ".claude"))
	}
	for _, dir := range dirs {
		files = append(files, filepath.Join(dir, "settings.json"), filepath.Join(dir, "settings.local.json"))
	}
	return slices.Compact(files)
}

func managedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// askRules reads permissions.ask of one settings file; an absent file has none.
func askRules(file string) ([]string, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > statefile.MaxSize) {
		err = statefile.ErrNotRegular
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(file)
	}
	if err == nil {
		data, err = settings.Standardize(data)
	}
	var client struct {
		Permissions struct {
			Ask []string `json:"ask"`
		} `json:"permissions"`
	}
	if err == nil {
		err = json.Unmarshal(data, &client)
	}
	if err != nil {
		return nil, fmt.Errorf("read the ask rules of %s: %w", file, err)
	}
	return client.Permissions.Ask, nil
}

// mayMatch reports whether a rule of the client could match the call. It errs
// on the side of yes.
func mayMatch(rule string, c Call) bool {
	tool, pattern, _ := strings.Cut(rule, "(")
	tool = strings.TrimSpace(tool)
	shell := c.Text != ""
	switch {
	case tool == c.Tool, tool == "*", strings.Contains(tool, "*") && glob(tool, c.Tool):
	case strings.HasPrefix(c.Tool, tool+"__"):
		// mcp__server stands for all tools of the server.
		return true
	case readsFiles(tool) && (shell || readsFiles(c.Tool)), writesFiles(tool) && (shell || writesFiles(c.Tool)):
		return true
	default:
		return false
	}
	if !shell {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimSpace(pattern), "*")
	word, _, _ = strings.Cut(word, ":")
	word, _, _ = strings.Cut(strings.TrimRight(word, ")"), " ")
	if strings.Contains(c.Text, word) {
		return true
	}
	return slices.ContainsFunc(c.Commands, func(command string) bool { return strings.Contains(command, word) })
}

func readsFiles(tool string) bool {
	return slices.Contains([]string{"Read", "Grep", "Glob", "LS", "NotebookRead"}, tool)
}

func writesFiles(tool string) bool {
	return slices.Contains([]string{"Edit", "Write", "MultiEdit", "NotebookEdit"}, tool)
}
