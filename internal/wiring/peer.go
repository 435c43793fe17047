package wiring

import "strings"

// Peer is a program that handles the same state as bridge.
type Peer struct {
	// Name is its name for people, and State what it handles.
	Name, State string
	// plugin is the name before the @ of its plugin; scripts are parts of its
	// hook commands.
	plugin  string
	scripts []string
}

// peers returns the table (issue threads of spec/ralph-dialects.md, section 7).
func peers() []Peer {
	const loop, specs, omc = ".claude/ralph-loop.local.md", ".ralph-state.json", ".omc/state"
	return []Peer{
		{"ralph-loop", loop, "ralph-loop", []string{"ralph-loop/hooks/stop-hook", "ralph-loop/scripts/"}},
		{"ralph-wiggum", loop, "ralph-wiggum", []string{"ralph-wiggum"}},
		{"ralph-specum", specs, "ralph-specum", []string{"ralph-specum", "stop-watcher.sh", "stop-watcher.ps1"}},
		{"ralph-speckit", specs, "ralph-speckit", []string{"ralph-speckit"}},
		{"oh-my-claudecode", omc, "oh-my-claudecode", []string{"oh-my-claudecode", "persistent-mode.mjs", "keyword-detector.mjs", "stop-continuation.mjs", "pre-tool-enforcer.mjs"}},
		{"ultrapower", omc, "ultrapower", []string{"ultrapower", "persistent-mode.cjs"}},
	}
}

// PeerOf returns the peer that a line belongs to. A line of bridge belongs to none.
func PeerOf(l Line) (peer Peer, ok bool) {
	if l.Bridge() {
		return Peer{}, false
	}
	plugin, _, _ := strings.Cut(l.Source.Plugin, "@")
	text := strings.ReplaceAll(l.Text(), `\`, "/")
	for _, p := range peers() {
		if plugin == p.plugin {
			return p, true
		}
		for _, script := range p.scripts {
			if plugin == "" && strings.Contains(text, script) {
				return p, true
			}
		}
	}
	return Peer{}, false
}
