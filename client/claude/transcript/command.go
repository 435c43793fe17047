package transcript

import "strings"

// Command returns the slash command, with its arguments, that began a turn. If the text is not a command as the client
// writes it into the transcript, Command returns the text.
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
