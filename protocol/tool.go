package protocol

// ToolKind says what a tool of a client does.
type ToolKind int

// The kinds that rules and guards look at. ToolOther is every other tool, those of
// MCP servers among them.
const (
	ToolOther ToolKind = iota
	// ToolShell runs a command line.
	ToolShell
	// ToolRead reads files, and ToolSearch searches them with a program.
	ToolRead
	ToolSearch
	// ToolWrite writes files.
	ToolWrite
	// ToolFetch reads a URL.
	ToolFetch
	// ToolAgent starts a subagent.
	ToolAgent
	// ToolDialog asks the user.
	ToolDialog
)
