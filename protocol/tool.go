package protocol

// ToolKind says what a tool of a client does.
type ToolKind int

// The kinds that rules and guards check. ToolOther is every other tool, including those
// of MCP servers.
const (
	ToolOther ToolKind = iota
	// ToolShell runs a command line.
	ToolShell
	// ToolRead reads files; ToolSearch searches them with a program.
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
