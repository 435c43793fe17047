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
	for _, plugin := range []string{"oh-my-claudecode:", "omc:", "ultrapower:"} {
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

// explicit reads a prompt that begins like a command: /ralph, $ralph, !ralph, force:
// ralph, /oh-my-claudecode:ralph. taken is also true for other commands, because their
// text belongs to them.
func explicit(prompt string) (d Detection, taken bool) {
	command, after, slash := commandOf(prompt)
	if command == "" {
		return Detection{}, false
	}
	if command == "cancel" || isCancelName(command) {
		d.Cancel, d.Rule = true, "command"
		if mode, err := moderegistry.Parse(strings.TrimRight(after, " .!")); err == nil {
			d.Modes = []moderegistry.Mode{mode}
		}
		return d, slash || command != "cancel"
	}
	mode, err := moderegistry.Parse(command)
	if err != nil {
		return Detection{}, slash
	}
	d.Rule, d.Modes = "command", []moderegistry.Mode{mode}
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
