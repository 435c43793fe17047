package install

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
)

// Options say what is installed.
type Options struct {
	Entries []Entry
	// Command is the program of the hook lines.
	Command string
	// BlockCap is written into the settings' env if it is not nil.
	BlockCap *int
	// Replace removes other programs that handle the same state.
	Replace bool
	// Plugins are the plugins that Replace switches off.
	Plugins []string
}

// Plan is the effect of an installation on a file.
type Plan struct {
	// Text is the new text; Had are the pointers that existed before.
	Text []byte
	Had  []string
	// Added, Changed and Kept are the events of our lines; Removed are the removed lines
	// of other programs.
	Added, Changed, Kept []string
	Removed              []string
	// Taken holds the lines that Removed describes, so that they can be restored.
	Taken []Taken
}

// Taken is a hook line of another program, in a group of its own, or a plugin that
// was switched on.
type Taken struct {
	Event  string         `json:"event,omitempty"`
	Group  jsontext.Value `json:"group,omitempty"`
	Plugin string         `json:"plugin,omitempty"`
}

// Install plans an installation. An absent file has an empty text. If something is
// wrong with the file, the error says what, and the file stays as it is.
func Install(text []byte, o Options) (Plan, error) {
	had, err := pointers(text)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Text: text, Had: had}
	keep := p.keep()
	if o.Replace {
		if err := p.removeCompetitors(keep); err != nil {
			return Plan{}, err
		}
	}
	for _, e := range o.Entries {
		if err := p.put(e, o.Command, keep); err != nil {
			return Plan{}, err
		}
	}
	if o.BlockCap != nil {
		if p.Text, err = settingsfile.SetMember(p.Text, "/env", claude.EnvBlockCap, jsontext.Value(strconv.Quote(strconv.Itoa(*o.BlockCap)))); err != nil {
			return Plan{}, err
		}
	}
	for _, plugin := range o.Plugins {
		if p.Text, err = settingsfile.SetMember(p.Text, "/enabledPlugins", plugin, jsontext.Value("false")); err != nil {
			return Plan{}, err
		}
		p.Removed = append(p.Removed, "plugin "+plugin)
		p.Taken = append(p.Taken, Taken{Plugin: plugin})
	}
	return p, nil
}

// put makes the entry the only line of bridge at its event.
func (p *Plan) put(e Entry, command string, keep func(string) bool) error {
	handler, err := e.handler(command)
	if err != nil {
		return err
	}
	ours, err := bridgeLines(p.Text, string(e.Event))
	if err != nil {
		return err
	}
	if err := onlyBridge(ours); err != nil {
		return err
	}
	if len(ours) == 1 && e.is(ours[0], command) {
		p.Kept = append(p.Kept, string(e.Event))
		return nil
	}
	for range ours {
		now, err := bridgeLines(p.Text, string(e.Event))
		if err != nil {
			return err
		}
		if p.Text, err = settingsfile.RemoveHook(p.Text, now[len(now)-1], keep); err != nil {
			return err
		}
	}
	if p.Text, err = settingsfile.AddHook(p.Text, string(e.Event), handler); err != nil {
		return err
	}
	if len(ours) > 0 {
		p.Changed = append(p.Changed, string(e.Event))
	} else {
		p.Added = append(p.Added, string(e.Event))
	}
	return nil
}

// removeCompetitors removes the lines of competitors.
func (p *Plan) removeCompetitors(keep func(string) bool) error {
	for {
		all, err := settingsfile.HookLines(p.Text)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(l settingsfile.HookLine) bool { _, ok := settingsfile.CompetitorOf(l); return ok })
		if i < 0 {
			return nil
		}
		group, err := settingsfile.Group(p.Text, all[i])
		if err != nil {
			return err
		}
		p.Taken = append(p.Taken, Taken{Event: all[i].Event, Group: group})
		if p.Text, err = settingsfile.RemoveHook(p.Text, all[i], keep); err != nil {
			return err
		}
		p.Removed = append(p.Removed, all[i].Event+": "+all[i].Text())
	}
}

func (p *Plan) keep() func(string) bool {
	return func(pointer string) bool { return slices.Contains(p.Had, pointer) }
}

// Uninstall returns the text without the lines of bridge. It also removes objects and
// lists that this leaves empty, unless had lists them. cap is the block cap that install
// wrote, or nil.
func Uninstall(text []byte, had []string, blockCap *int) (without []byte, removed []string, err error) {
	keep := func(pointer string) bool { return slices.Contains(had, pointer) }
	for {
		ours, err := bridgeLines(text, "")
		if err != nil {
			return nil, nil, err
		}
		if len(ours) == 0 {
			break
		}
		if err := onlyBridge(ours); err != nil {
			return nil, nil, err
		}
		last := ours[len(ours)-1]
		if text, err = settingsfile.RemoveHook(text, last, keep); err != nil {
			return nil, nil, err
		}
		removed = append(removed, last.Event)
	}
	if blockCap != nil {
		now, err := envOf(text)
		if err == nil && string(now[claude.EnvBlockCap]) == strconv.Quote(strconv.Itoa(*blockCap)) {
			if text, err = settingsfile.RemoveMember(text, "/env", claude.EnvBlockCap, keep); err != nil {
				return nil, nil, err
			}
		}
	}
	slices.Sort(removed)
	return text, slices.Compact(removed), nil
}

// putBack returns the text with the lines that an installation removed, unless they are
// there again.
func putBack(text []byte, taken []Taken) ([]byte, error) {
	for _, t := range taken {
		var err error
		if t.Plugin != "" {
			if switchedOff(text, t.Plugin) {
				text, err = settingsfile.SetMember(text, "/enabledPlugins", t.Plugin, jsontext.Value("true"))
			}
		} else if there, listErr := hasGroup(text, t); listErr != nil || !there {
			text, err = settingsfile.AddGroup(text, t.Event, t.Group)
		}
		if err != nil {
			return nil, err
		}
	}
	return text, nil
}

// switchedOff reports whether the file says that a plugin is off.
func switchedOff(text []byte, plugin string) bool {
	var file struct {
		EnabledPlugins map[string]jsontext.Value `json:"enabledPlugins"`
	}
	return settingsfile.Decode(text, &file) == nil && file.EnabledPlugins[plugin].Kind() == 'f'
}

// hasGroup reports whether the event's list already contains the line of t.
func hasGroup(text []byte, t Taken) (bool, error) {
	all, err := settingsfile.HookLines(text)
	if err != nil {
		return false, err
	}
	for _, l := range all {
		if l.Event != t.Event {
			continue
		}
		if group, err := settingsfile.Group(text, l); err == nil && bytes.Equal(group, t.Group) {
			return true, nil
		}
	}
	return false, nil
}

// bridgeLines are the lines that call bridge, at one event or at every
// event.
func bridgeLines(text []byte, event string) ([]settingsfile.HookLine, error) {
	all, err := settingsfile.HookLines(text)
	return slices.DeleteFunc(all, func(l settingsfile.HookLine) bool { return !l.Bridge() || event != "" && l.Event != event }), err
}

// onlyBridge is an error if one of the lines runs something else after bridge, which
// would be lost with the line.
func onlyBridge(lines []settingsfile.HookLine) error {
	for _, l := range lines {
		if l.More() {
			return fmt.Errorf("its %s line runs more than bridge (%s). Move the rest into a line of its own, and run this command again", l.Event, display.Data(l.Command, 200))
		}
	}
	return nil
}

// pointers are the objects and lists that contain hooks, and env, as far as they existed
// before the installation; Uninstall does not remove them. Those with only bridge's lines
// do not count.
func pointers(text []byte) ([]string, error) {
	without, _, err := Uninstall(text, nil, nil)
	if err != nil {
		return nil, err
	}
	var file map[string]jsontext.Value
	if err := settingsfile.Decode(without, &file); err != nil {
		return nil, fmt.Errorf("it is not a JSON object: %w", err)
	}
	var had []string
	for _, name := range []string{"env", "enabledPlugins"} {
		if file[name] != nil {
			had = append(had, "/"+name)
		}
	}
	var events map[string]jsontext.Value
	if file["hooks"] == nil {
		return had, nil
	}
	had = append(had, "/hooks")
	if err := json.Unmarshal(file["hooks"], &events); err != nil {
		return nil, fmt.Errorf("its hooks are not an object: %w", err)
	}
	for event := range events {
		had = append(had, "/hooks/"+event)
	}
	slices.Sort(had)
	return had, nil
}

func envOf(text []byte) (map[string]jsontext.Value, error) {
	var file struct {
		Env map[string]jsontext.Value `json:"env"`
	}
	err := settingsfile.Decode(text, &file)
	return file.Env, err
}
