package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Policy is everything that decides about a tool call, apart from the call itself.
type Policy struct {
	Deny, Ask, Allow []Rule
	Options          protocol.Permissions
	// Ignored lists allow rules of repository files: a repository can deny or ask,
	// never allow (docs/design.md#repositories-tighten).
	Ignored []Rule
}

// ProjectFile is the configuration that a repository may contain, below .claude.
const ProjectFile = "bridge.json"

// projectConfig holds the settings that a repository may make.
type projectConfig struct {
	Deny  []string `json:"deny,omitempty"`
	Ask   []string `json:"ask,omitempty"`
	Allow []string `json:"allow,omitempty"`
}

// Load joins the rules of the user's configuration and of the .claude/bridge.json
// files in the places where state is searched. Any file that cannot be read or
// parsed is an error: it might have denied the call.
func Load(env protocol.Env, places []string) (Policy, error) {
	p := Policy{Options: env.Config.Permissions}
	var err error
	add := func(to *[]Rule, texts []string, source, list string) {
		rules, e := parseRules(texts, source, list, env.Getenv)
		err = errors.Join(err, e)
		*to = append(*to, rules...)
	}
	user := filepath.Join(env.ConfigHome, settings.FileName)
	add(&p.Deny, p.Options.Deny, user, "deny")
	add(&p.Ask, p.Options.Ask, user, "ask")
	add(&p.Allow, p.Options.Allow, user, "allow")
	for _, place := range places {
		source := filepath.Join(place, ".claude", ProjectFile)
		project, e := loadProject(filepath.Join(place, ".claude"), home.Short(source, env.Getenv))
		if e != nil {
			err = errors.Join(err, e)
			continue
		}
		add(&p.Deny, project.Deny, source, "deny")
		add(&p.Ask, project.Ask, source, "ask")
		add(&p.Ignored, project.Allow, source, "allow")
	}
	return p, err
}

func loadProject(dirPath, source string) (projectConfig, error) {
	var config projectConfig
	dir, err := statefile.OpenDir(dirPath)
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil
	}
	if err != nil {
		return config, fmt.Errorf("open the project's configuration: %w", err)
	}
	defer dir.Close()
	file, err := dir.Read(ProjectFile)
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil
	}
	if err != nil {
		return config, fmt.Errorf("read %s: %w", source, err)
	}
	standard, err := settings.Standardize(file.Data)
	if err != nil {
		return config, settings.Wrong(source, nil, nil, err)
	}
	// Other parts of the file belong to other handlers.
	var parts struct {
		Permissions jsontext.Value `json:"permissions"`
	}
	switch err := json.Unmarshal(standard, &parts); {
	case err != nil:
		return config, settings.Wrong(source, standard, standard, err)
	case jsontext.Value(standard).Kind() == 'n':
		return config, fmt.Errorf("the file must be an object, not null, in %s", source)
	case parts.Permissions == nil:
		return config, nil
	}
	err = settings.NoNull(parts.Permissions)
	if err == nil {
		err = json.Unmarshal(parts.Permissions, &config)
	}
	if err != nil {
		return config, fmt.Errorf("permissions: %w", settings.Wrong(source, standard, parts.Permissions, err))
	}
	return config, nil
}

// Follow resolves the links in absolute patterns of allow rules, for a call that names
// paths, because paths are judged without links. A link inside the project is the
// repository's choice and not the user's, so it is not followed.
func (p *Policy) Follow(c Call) {
	if len(c.Targets) == 0 {
		return
	}
	for i, r := range p.Allow {
		if r.HasPattern && (r.forTool(c.Tool) || r.covers(c.Tool)) {
			p.Allow[i].real = followPattern(r.Pattern, c.Root, c.Home)
		}
	}
}

// followPattern returns an absolute pattern with the links above the root resolved, or "".
func followPattern(pattern, root, home string) string {
	switch rest, ok := strings.CutPrefix(pattern, "~/"); {
	case ok && home == "":
		return ""
	case ok:
		pattern = home + "/" + rest
	case !strings.HasPrefix(pattern, "/"):
		return ""
	}
	var disk reach.Disk
	at := "/"
	for parts := split(pattern); ; parts = parts[1:] {
		if len(parts) < 2 || at == root || strings.ContainsAny(parts[0], `*?[\`) {
			return strings.TrimSuffix(at, "/") + "/" + strings.Join(parts, "/")
		}
		next, err := disk.Follow(filepath.FromSlash(at), parts[0])
		if err != nil {
			return ""
		}
		at = filepath.ToSlash(next.Path)
	}
}

// Unread returns a function that names the deny or ask rule for Read that covers a file or directory, or "". Unread
// returns nil if there are no such rules. Commands that read the file are not approved either.
func (p Policy) Unread(root, home string) func(file string) string {
	var rules []Rule
	for _, r := range append(p.Deny[:len(p.Deny):len(p.Deny)], p.Ask...) {
		if r.HasPattern && r.forTool(claude.ToolRead) {
			rules = append(rules, r)
		}
	}
	if rules == nil {
		return nil
	}
	root, home = filepath.ToSlash(root), filepath.ToSlash(home)
	return func(file string) string {
		for _, r := range rules {
			if r.catches(filepath.ToSlash(file), root, home) {
				return r.Text + " in " + r.Source
			}
		}
		return ""
	}
}

// Permit returns the first allow rule of the list that covers the call.
func Permit(rules []Rule, c Call) (rule Rule, token string, ok bool) {
	for _, r := range rules {
		if token, ok := r.Permits(c); ok {
			return r, token, true
		}
	}
	return Rule{}, "", false
}

// Match returns the first deny or ask rule of the list that matches the call.
func Match(rules []Rule, c Call) (rule Rule, token string, ok bool) {
	for _, r := range rules {
		if token, ok := r.Matches(c); ok {
			return r, token, true
		}
	}
	return Rule{}, "", false
}
