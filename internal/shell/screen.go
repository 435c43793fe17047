package shell

import (
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

// screen refuses text whose meaning differs between a reader and a shell, or
// between two parsers, before any parser sees it.
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
			return &refusal{"bad-character", string(r), "The command line contains a character that a reader can not see."}
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
// it part of the word, and a terminal hides what stands before it.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r <= 0xa0:
		return true
	case r == 0x00ad, r == 0x034f, r == 0x061c, r == 0x115f, r == 0x1160, r == 0x1680, r == 0x17b4, r == 0x17b5:
		return true
	case r >= 0x180b && r <= 0x180f:
		return true
	case r >= 0x2000 && r <= 0x200f, r >= 0x2028 && r <= 0x202f, r >= 0x205f && r <= 0x206f:
		return true
	case r == 0x3000, r == 0x3164, r == 0xfeff, r == 0xffa0:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff0 && r <= 0xfffb:
		return true
	case r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}
