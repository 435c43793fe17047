// Package transcript reads the last turn of a Claude Code transcript: what the model said
// and did since the last prompt or hook feedback. It reads from the end of the file, so
// its cost depends on the length of the turn and not on the size of the file.
//
// A transcript is a file of JSON lines. Their format belongs to the client and changes between versions
// (docs/reference/claude-code.md#transcript). The client writes each content block as a separate line, and the Stop
// hook's input may be newer than the file. Lines are therefore read leniently: what cannot be understood is skipped and
// is never an error.
package transcript
