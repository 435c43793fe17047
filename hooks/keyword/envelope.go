package keyword

import (
	"slices"
	"strings"

	"github.com/hookbridge/bridge/moderegistry"
)

// commandMarks begin a command, as a slash does.
var commandMarks = parts{"force:", "$", "!"}

// commandOf splits a prompt that begins like a command. command is empty for other
// prompts, such as a path or an amount of money.
func commandOf(prompt string) (command, after string, slash bool) {
	text := strings.ToLower(strings.TrimSpace(prompt[:min(len(prompt), 400)]))
	if text == "cancel --force" || text == "cancel --all" {
		return "cancel", text[7:], false
	}
	if team, ok := strings.CutPrefix(text, "team "); ok && isCrew(strings.TrimPrefix(team, "ralph ")) {
		return "team", team, false
	}
	if swarm, ok := strings.CutPrefix(text, "swarm "); ok && isCrew(swarm) {
		return "swarm", swarm, false
	}
	if command, task, ok := strings.Cut(text, " "); ok && isTask(task) {
		if _, ok := commandMode(command); ok {
			return command, task, false
		}
	}
	rest, slash := strings.CutPrefix(text, "/")
	if !slash {
		var ok bool
		if rest, ok = commandMarks.cut(text); !ok {
			return "", "", false
		}
		if text[0] == 'f' {
			rest = strings.TrimSpace(rest)
		}
	}
	for _, plugin := range []string{"oh-my-claudecode:", "omc:", "omc-", "ultrapower:"} {
		rest = strings.TrimPrefix(rest, plugin)
	}
	end := 0
	for end < len(rest) && (isWordByte(rest[end]) || rest[end] == '-' || rest[end] == ':' && end+1 < len(rest) && isWordByte(rest[end+1])) {
		end++
	}
	if end < len(rest) && strings.IndexByte(" \t\r\n?!.,;:", rest[end]) < 0 {
		return "", "", false
	}
	return rest[:end], strings.TrimSpace(rest[end:]), slash
}

// isCrew reports whether text begins with a number of agents of one kind: "3:executor".
func isCrew(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	return rest != text && len(rest) > 1 && rest[0] == ':' && isLetter(rest[1])
}

// isTask reports whether text is a quoted task with nothing but flags around it: --fast "build an API". A prompt that
// consists of a mode and such a task is a command without its slash.
func isTask(text string) bool {
	for strings.HasPrefix(text, "--") {
		_, text, _ = strings.Cut(text, " ")
	}
	if text == "" || text[0] != '"' {
		return false
	}
	task, rest, ok := strings.Cut(text[1:], `"`)
	for field := range strings.FieldsSeq(rest) {
		if !strings.HasPrefix(field, "--") && strings.Trim(field, "0123456789") != "" {
			return false
		}
	}
	return ok && strings.ContainsRune(task, ' ') || ok && strings.IndexFunc(task, isWide) >= 0
}

// explicit reads a prompt that begins like a command: /ralph, $ralph, !ralph, force:
// ralph, /oh-my-claudecode:ralph. taken is also true for other commands, because their
// text belongs to them.
func explicit(prompt string) (d Detection, taken bool) {
	command, after, slash := commandOf(prompt)
	if command == "" {
		return Detection{}, false
	}
	switch command {
	case "cancel-ralph", "ralph-wiggum:cancel-ralph", "ralph-loop:cancel-ralph":
		// The plugin's own command only asks the model to delete the state.
		return Detection{Cancel: true, Rule: "command", Modes: []moderegistry.Mode{moderegistry.Ralph}}, true
	}
	if command == "cancel" || isCancelName(command) {
		d.Cancel, d.Rule = true, "command"
		if mode, err := moderegistry.Parse(strings.TrimRight(after, " .!")); err == nil {
			d.Modes = []moderegistry.Mode{mode}
		}
		return d, slash || command != "cancel" || after == "" || len(d.Modes) > 0 || strings.HasPrefix(after, "--")
	}
	mode, ok := commandMode(command)
	if !ok {
		return Detection{}, slash
	}
	d.Rule, d.Modes = "command", []moderegistry.Mode{mode}
	if mode == moderegistry.Team && strings.HasPrefix(after, "ralph ") {
		// A team that continues until its work is done.
		d.Modes = append(d.Modes, moderegistry.Ralph)
	}
	switch strings.TrimRight(after, " .!") {
	case "cancel", "stop", "off", "end", "abort":
		d.Cancel = true
	case "?", "help", "--help", "-h", "status", "list":
		return Detection{}, true
	}
	if !slash && strings.HasSuffix(after, "?") {
		return Detection{}, false
	}
	return d, true
}

// commandMode is the mode whose name, or trigger of one word, the command has.
func commandMode(command string) (moderegistry.Mode, bool) {
	if mode, err := moderegistry.Parse(command); err == nil {
		return mode, true
	}
	for i := range modes {
		if modes[i].mode != cancel && (slices.Contains(modes[i].triggers[name], command) || slices.Contains(modes[i].triggers[short], command)) {
			return modes[i].mode, true
		}
	}
	return "", false
}

// isEcho reports whether a line begins like a text of a hook, ours or another tool's.
func isEcho(line []byte, table []row) bool {
	text := strings.TrimLeft(string(line[:min(len(line), 120)]), "⎿●⏺>*- \t│")
	if header, ok := strings.CutPrefix(text, "["); ok {
		for i := range table {
			if rest, ok := strings.CutPrefix(header, string(table[i].mode)); ok && table[i].mode != cancel {
				// "[ralph] fix it" is a tag of the user; the hooks' headers continue
				// after the name.
				return !strings.HasPrefix(rest, "]")
			}
		}
		rest, ok := echoes.cut(header)
		return ok && !strings.HasPrefix(rest, "]")
	}
	if strings.HasPrefix(text, "stop hook") || strings.HasPrefix(text, "when fully complete") {
		return true
	}
	rest, ok := echoEvents.cut(text)
	return ok && echoWords.in(rest)
}

var (
	echoes     = parts{"tool error", "magic keyword", "mode:", "bridge"}
	echoEvents = parts{"subagentstop hook", "userpromptsubmit hook", "userpromptsubmit:", "pretooluse:", "posttooluse:", "sessionstart:"}
	echoWords  = parts{"hook", "says", "context", "feedback", "error"}
)

func isCancelName(text string) bool { return slices.Contains(cancelNames, text) }
