package claude

// MaxContext is the maximum length of a text that a hook gives to the model as context.
// If the text is longer, the model gets a preview
// (docs/reference/claude-code.md#output-sizes).
const MaxContext = 10_000

// Length counts the characters of a text as the client does, in UTF-16 code units.
func Length(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
