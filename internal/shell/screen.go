package shell

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits on a command line. Parsing is fast up to the size limit, but nested
// constructs cost stack and time that grow faster than their length.
const (
	maxBytes    = 32 << 10
	maxOpeners  = 400
	maxCommands = 40
	maxDepth    = 48
)

// refusal says why a line is not approved.
type refusal struct {
	rule, token, why string
}

// screen rejects text that a person and a shell, or two parsers, may read differently,
// before any parser sees it.
func screen(command string) *refusal {
	if len(command) > maxBytes {
		return &refusal{"too-long", "", "The command line is longer than 32 KiB."}
	}
	if !utf8.ValidString(command) {
		return &refusal{"bad-character", "", "The command line is not valid UTF-8."}
	}
	openers := 0
	for _, r := range command {
		switch r {
		case '(', '{', '`', '[', '<':
			openers++
		}
		if hidden(r) {
			return &refusal{"bad-character", string(r), "The command line contains an invisible character."}
		}
	}
	if openers > maxOpeners {
		return &refusal{"too-deep", "", "The command line contains too many brackets to be analysed."}
	}
	if strings.TrimSpace(command) == "" {
		return &refusal{"empty", "", "There is no command."}
	}
	return nil
}

// hidden reports control characters and characters without a visible shape. A
// carriage return is one of them: some parsers end a command at it, bash makes
// it part of the word, and a terminal hides the text before it.
func hidden(r rune) bool {
	if r >= ' ' && r < 0x7f || r == '\n' || r == '\t' {
		return false
	}
	return slices.ContainsFunc(invisible, func(span [2]rune) bool { return span[0] <= r && r <= span[1] })
}

// invisible are the first and the last character of each range.
var invisible = [][2]rune{
	{0, 0x1f}, {0x7f, 0xa0}, {0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c}, {0x115f, 0x1160}, {0x1680, 0x1680}, {0x17b4, 0x17b5},
	{0x180b, 0x180f}, {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},
	{0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
}
