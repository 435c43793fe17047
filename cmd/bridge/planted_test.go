//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// planted is a fault in an installation.
type planted struct {
	name, id string
	plant    func(*patient)
	// repair does what the finding advises; nil means that doctor --fix does it.
	repair func(*patient)
	// says is part of the finding; silent is not.
	says, silent string
}

// TestPlantedFaults: a healthy installation has no finding. Each fault is found, and no
// other one; the offered fix removes it.
func TestPlantedFaults(t *testing.T) {
	longer(t)
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*patient)
		lines  int
	}{
		"as installed":   {func(*patient) {}, 18},
		"a plugin":       {pluginOnly, 18},
		"local scope":    {inOrder(bridgeDo("uninstall"), bridgeDo("install", "--scope", "local")), 0},
		"project scope":  {inOrder(bridgeDo("uninstall"), bridgeDo("install", "--scope", "project")), 0},
		"some hooks":     {inOrder(bridgeDo("uninstall"), bridgeDo("install", "--hooks", "permission-request,pre-tool-use")), 2},
		"no cap":         {bridgeDo("install", "--block-cap", "0"), 18},
		"no kill switch": {withVariable("OMC_SKIP_HOOKS", " , "), 18},
	} {
		t.Run("healthy: "+name, func(t *testing.T) {
			t.Parallel()
			p := healthy(t)
			test.change(p)
			if d := p.doctor(); len(d.Findings) != 0 || len(d.Probed) != test.lines {
				t.Errorf("%+v, %d lines tried", d.Findings, len(d.Probed))
			}
		})
	}
	tests := slices.Concat(plantedInLines(), plantedInSettings(), plantedInPrograms(), plantedInStates(), plantedInRules())
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := healthy(t)
			test.plant(p)
			test.examine(p)
		})
	}
}

func (test planted) examine(p *patient) {
	t := p.t
	d := p.doctor("--quick")
	if len(d.Findings) != 1 || d.Findings[0].ID != test.id {
		t.Fatalf("want %s: %+v", test.id, d.Findings)
	}
	f := d.Findings[0]
	text := f.Where + "\n" + f.What + "\n" + f.Means + "\n" + f.Do
	if f.Where == "" || f.What == "" || f.Means == "" || f.Do == "" || !strings.Contains(text, test.says) || test.silent != "" && strings.Contains(text, test.silent) {
		t.Errorf("%+v", f)
	}
	if f.Fixable != (test.repair == nil) {
		t.Fatalf("fixable is %v: %+v", f.Fixable, f)
	}
	if test.repair != nil {
		test.repair(p)
	} else if fixed := p.doctor("--quick", "--fix"); len(fixed.Fixed) == 0 {
		t.Errorf("nothing was fixed: %+v", fixed)
	}
	if after := p.doctor("--quick"); len(after.Findings) != 0 {
		t.Errorf("after the fix: %+v", after.Findings)
	}
}

func plantedInLines() []planted {
	timeouts := func(value any) func(*patient) {
		return func(p *patient) {
			p.edit(func(settings object) {
				for event, groups := range settings["hooks"].(object) {
					if event != "SessionEnd" {
						groups.([]any)[0].(object)["hooks"].([]any)[0].(object)["timeout"] = value
					}
				}
			})
		}
	}
	matcher := func(event, text string) func(*patient) {
		return func(p *patient) { p.group(event, func(group object) { group["matcher"] = text }) }
	}
	return []planted{
		{name: "unknown hook", id: "unknown-hook", plant: inLine("args", []string{"--hook=stpo"}), repair: inLine("args", []string{"--hook=stop"}), says: `did you mean "stop"`},
		{name: "hook of another event", id: "wrong-event", plant: inLine("args", []string{"--hook=pre-compact"}), repair: bridgeDo("install")},
		{name: "no timeout", id: "timeout-missing", plant: func(p *patient) { p.line("Stop", func(line object) { delete(line, "timeout") }) }},
		{name: "timeout in words", id: "timeout-not-a-number", plant: inLine("timeout", "10s")},
		{name: "timeouts in milliseconds", id: "timeout-in-milliseconds", plant: timeouts(15000), says: "17 hook lines"},
		{name: "timeout too short", id: "timeout-too-short", plant: inLine("timeout", 1)},
		{name: "async", id: "async", plant: inLine("async", true)},
		{name: "asyncRewake", id: "async-rewake", plant: inLine("asyncRewake", true)},
		{name: "once", id: "once", plant: inLine("once", true)},
		{name: "if", id: "if-never-runs", plant: inLine("if", "Bash(ls)")},
		{name: "powershell", id: "shell-missing", plant: func(p *patient) {
			p.line("Stop", func(line object) {
				delete(line, "args")
				line["command"], line["shell"] = p.program+" --hook=stop", "powershell"
			})
		}, repair: bridgeDo("install")},
		{name: "shell form", id: "shell-form", plant: func(p *patient) {
			p.line("Stop", func(line object) { delete(line, "args"); line["command"] = p.program + " --hook=stop" })
		}, repair: bridgeDo("install")},
		{name: "permission request that fails open", id: "permission-may-fail-open", plant: func(p *patient) {
			p.line("PermissionRequest", func(line object) { delete(line, "onFailure") })
		}},
		{name: "matcher in lower case", id: "matcher-never-matches", plant: matcher("PreToolUse", "bash")},
		{name: "matcher of no tool", id: "matcher-never-matches", plant: matcher("PermissionRequest", "Nope")},
		{name: "matcher of an MCP server", id: "matcher-never-matches", plant: matcher("PreToolUse", "mcp__memory")},
		{name: "matcher that leaves tools out", id: "matcher-narrow", plant: matcher("PreToolUse", "Edit|Write"), says: "Bash"},
		{name: "matcher of permission requests", id: "permission-matcher", plant: matcher("PermissionRequest", "Bash")},
		{name: "matcher that leaves starts out", id: "matcher-narrow", plant: matcher("SessionStart", "startup|resume"), says: "compact"},
		{name: "broken matcher", id: "matcher-broken", plant: matcher("PreToolUse", "Bash(")},
		{name: "matcher at a stop", id: "matcher-ignored", plant: matcher("Stop", "Bash")},
		{name: "no line for Stop", id: "events-not-wired", plant: func(p *patient) {
			p.edit(func(settings object) { delete(settings["hooks"].(object), "Stop") })
		}, repair: bridgeDo("install"), says: "No loop and no mode continues"},
		{name: "no line", id: "not-installed", plant: inFile("~/.claude/settings.json", "{}"), repair: bridgeDo("install")},
		{name: "two lines in one file", id: "wired-twice", plant: func(p *patient) {
			p.edit(func(settings object) {
				hooks := settings["hooks"].(object)
				line := object{"type": "command", "command": p.program, "args": []string{"--hook=Stop"}, "timeout": 10}
				hooks["Stop"] = append(hooks["Stop"].([]any), object{"hooks": []any{line}})
			})
		}},
		{name: "plugin and settings", id: "wired-twice", plant: withPlugin, says: "18 hooks"},
		{name: "settings and local settings", id: "wired-twice", plant: func(p *patient) {
			p.write(".claude/settings.local.json", strings.ReplaceAll(read(p.t, p.settings), `"timeout": `, `"timeout":1`))
			p.write(".claude/settings.local.json", strings.ReplaceAll(read(p.t, filepath.Join(p.project, ".claude", "settings.local.json")), p.program, p.home+"/.local/share/bridge/./bin/bridge"))
		}},
	}
}

func plantedInSettings() []planted {
	const broken, remote = `{"hooks": `, "~/.claude/remote-settings.json"
	return []planted{
		{name: "broken settings", id: "settings-unreadable", plant: inOrder(removed(".claude/settings.json.bridge.bak"), inFile("~/.claude/settings.json", broken)),
			repair: inOrder(removed(".claude/settings.json"), bridgeDo("install")), silent: ".bridge.bak"},
		{name: "broken settings beside a copy", id: "settings-unreadable", plant: func(p *patient) {
			p.put(p.settings+".bridge.bak", read(p.t, p.settings))
			p.put(p.settings, broken)
		}, repair: func(p *patient) { p.put(p.settings, read(p.t, p.settings+".bridge.bak")) }, says: ".bridge.bak"},
		{name: "broken settings of the project", id: "settings-unreadable", plant: inFile(".claude/settings.json", broken), repair: inFile(".claude/settings.json", "{}")},
		{name: "settings that nobody may read", id: "settings-unreadable", plant: inOrder(moded(".claude/settings.json", 0), (*patient).asUser)},
		{name: "settings that are a link to nothing", id: "settings-dangling", plant: func(p *patient) {
			p.must(os.Remove(p.settings))
			p.must(os.Symlink(filepath.Join(p.home, "dotfiles", "settings.json"), p.settings))
		}, repair: inOrder(removed(".claude/settings.json"), bridgeDo("install")), says: "dotfiles/settings.json"},
		{name: "settings that everybody may write", id: "settings-writable", plant: moded(".claude/settings.json", 0o666)},
		{name: "hooks off, user", id: "all-hooks-disabled", plant: inSettings("disableAllHooks", true)},
		{name: "hooks off, local", id: "all-hooks-disabled", plant: inFile(".claude/settings.local.json", `{"disableAllHooks": true}`)},
		{name: "hooks off, project", id: "all-hooks-disabled", plant: inFile(".claude/settings.json", `{"disableAllHooks": true}`), repair: inFile(".claude/settings.json", `{"disableAllHooks": false}`)},
		{name: "hooks off, managed", id: "all-hooks-disabled", plant: inFile(remote, `{"disableAllHooks": true}`), repair: removed(".claude/remote-settings.json")},
		{name: "hooks off, but on here", id: "all-hooks-disabled", plant: inOrder(inSettings("disableAllHooks", true), inFile(".claude/settings.local.json", `{"disableAllHooks": false}`)), says: "Hooks run in this project"},
		{name: "managed hooks only", id: "managed-hooks-only", plant: inFile(remote, `{"allowManagedHooksOnly": true}`), repair: removed(".claude/remote-settings.json")},
		{name: "hooks of plugins only", id: "managed-hooks-only", plant: inFile(remote, `{"strictPluginOnlyCustomization": ["hooks"]}`), repair: removed(".claude/remote-settings.json")},
		{name: "DISABLE_OMC", id: "kill-switch", plant: inSettings("env", object{"DISABLE_OMC": "1"})},
		{name: "two kill switches", id: "kill-switch", plant: inSettings("env", object{"DISABLE_OMC": "true", "OMC_SKIP_HOOKS": "ralph,stop"}), says: "DISABLE_OMC=true and OMC_SKIP_HOOKS=ralph,stop"},
		{name: "two kill switches in the environment", id: "kill-switch", plant: inOrder(withVariable("DISABLE_OMC", "1"), withVariable("OMC_SKIP_HOOKS", "ralph")),
			repair: inOrder(withoutVariable("DISABLE_OMC"), withoutVariable("OMC_SKIP_HOOKS")), says: "unset DISABLE_OMC OMC_SKIP_HOOKS"},
		{name: "unknown name in OMC_SKIP_HOOKS", id: "skip-unknown", plant: inSettings("env", object{"OMC_SKIP_HOOKS": "keyword-detecter"}), says: `did you mean "keyword-detector"`},
		{name: "worker of a team", id: "team-worker", plant: withVariable("OMC_TEAM_WORKER", "team/worker-1"), repair: withoutVariable("OMC_TEAM_WORKER")},
		{name: "worker of a team in settings", id: "team-worker", plant: inSettings("env", object{"OMC_TEAM_WORKER": "x"})},
		{name: "low block cap", id: "block-cap", plant: inSettings("env", object{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "2"})},
		{name: "block cap in words", id: "block-cap", plant: withVariable("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "never"), repair: withoutVariable("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP")},
		{name: "safe mode", id: "client-restricted", plant: withVariable("CLAUDE_CODE_SAFE_MODE", "1"), repair: withoutVariable("CLAUDE_CODE_SAFE_MODE")},
		{name: "variable of the project", id: "project-env", plant: inFile(".claude/settings.json", `{"env": {"OMC_STATE_DIR": "/tmp"}}`), repair: inFile(".claude/settings.json", "{}")},
		{name: "ralph-loop", id: "peer", plant: func(p *patient) {
			at := filepath.Join(p.home, ".claude", "plugins", "cache", "ralph-loop")
			p.put(filepath.Join(at, "hooks", "hooks.json"), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bash ${CLAUDE_PLUGIN_ROOT}/hooks/stop-hook.sh"}]}]}}`)
			p.put(filepath.Join(p.home, ".claude", "plugins", "installed_plugins.json"), `{"plugins": {"ralph-loop@m": [{"installPath": "`+at+`"}]}}`)
			inSettings("enabledPlugins", object{"ralph-loop@m": true})(p)
		}},
		{name: "copy of ralph-loop's script", id: "peer", plant: func(p *patient) {
			p.put(filepath.Join(p.home, "tools", "stop-hook.sh"), "STATE=.claude/ralph-loop.local.md\n")
			inFile(".claude/settings.local.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bash ~/tools/stop-hook.sh"}]}]}}`)(p)
		}},
		{name: "plugin whose folder is gone", id: "plugin-not-loaded", plant: inOrder(pluginOnly, removed("release")),
			repair: inOrder(bridgeDo("install"), uninstallPlugin), says: "claude plugin uninstall bridge@bridge"},
		{name: "plugin that is not installed", id: "plugin-not-installed", plant: inOrder(bridgeDo("uninstall"), inFile("~/.claude/settings.json", `{"enabledPlugins": {"bridge@bridge": true}}`)),
			repair: func(p *patient) { withPlugin(p) }},
	}
}
