package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Policy is everything that decides a tool call besides the call itself.
type Policy struct {
	Deny, Ask, Allow []Rule
	Options          protocol.Permissions
	// Ignored lists allow rules of repository files: a repository can deny or ask,
	// never allow (docs/design.md#repositories-tighten).
	Ignored []Rule
}

// ProjectFile is the configuration that a repository may carry, below .claude.
const ProjectFile = "bridge.json"

// projectConfig is what a repository may say.
type projectConfig struct {
	Permissions struct {
		Deny  []string `json:"deny,omitempty"`
		Ask   []string `json:"ask,omitempty"`
		Allow []string `json:"allow,omitempty"`
	} `json:"permissions,omitzero"`
}

// Load joins the rules of the user's configuration and of the .claude/bridge.json
// files in the places where state is searched. Any file that cannot be read or
// parsed is an error: it might have denied the call.
func Load(env protocol.Env, places []string) (Policy, error) {
	p := Policy{Options: env.Config.Permissions}
	var err error
	add := func(to *[]Rule, texts []string, source string) {
		rules, e := parseRules(texts, source)
		err = errors.Join(err, e)
		*to = append(*to, rules...)
	}
	user := filepath.Join(env.ConfigHome, settings.FileName)
	add(&p.Deny, p.Options.Deny, user)
	add(&p.Ask, p.Options.Ask, user)
	add(&p.Allow, p.Options.Allow, user)
	for _, place := range places {
		source := filepath.Join(place, ".claude", ProjectFile)
		project, e := loadProject(filepath.Join(place, ".claude"), source)
		if e != nil {
			err = errors.Join(err, e)
			continue
		}
		add(&p.Deny, project.Permissions.Deny, source)
		add(&p.Ask, project.Permissions.Ask, source)
		add(&p.Ignored, project.Permissions.Allow, source)
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
		return config, fmt.Errorf("parse %s: %w", source, err)
	}
	// Other parts of the file belong to other handlers.
	if err := json.Unmarshal(standard, &config); err != nil {
		return config, fmt.Errorf("parse %s: %w", source, err)
	}
	return config, nil
}

// Match returns the first rule of the list that matches the call.
func Match(rules []Rule, c Call) (rule Rule, token string, ok bool) {
	for _, r := range rules {
		if token, ok := r.Matches(c); ok {
			return r, token, true
		}
	}
	return Rule{}, "", false
}
