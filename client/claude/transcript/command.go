package transcript

import "strings"

// Command returns the slash command that began a turn with its arguments, as the client
// writes it into the transcript, or the text itself.
func Command(opening string) string {
	_, name, ok := strings.Cut(opening, "<command-name>")
	if !ok {
		return opening
	}
	name, rest, _ := strings.Cut(name, "</command-name>")
	_, args, _ := strings.Cut(rest, "<command-args>")
	args, _, _ = strings.Cut(args, "</command-args>")
	return name + " " + args
}
