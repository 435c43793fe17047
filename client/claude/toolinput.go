package claude

// Member is a member of a tool's input. Kinds are the first bytes of its JSON values, 0 for
// a number.
type Member struct{ Name, Kinds string }

// Members returns the members of a tool's input, as 2.1.330 accepts them: the required string, and the others. It
// returns none for a tool that bridge never approves by itself. The others are nil if bridge needs only the required
// one.
func Members(tool string) (required string, others []Member) {
	const text, number, flag, list = `"`, "0", "tf", "["
	switch tool {
	case ToolBash, "PowerShell":
		// A command outside of the sandbox can do more than the command that was judged.
		return "command", []Member{{"description", text}, {"timeout", number}, {"run_in_background", flag}, {"dangerouslyDisableSandbox", "f"}}
	case ToolRead:
		return "file_path", []Member{{"offset", number}, {"limit", number}, {"pages", text}}
	case "LS":
		return "path", []Member{{"ignore", list}}
	case "NotebookRead":
		return "notebook_path", []Member{{"cell_id", text}}
	case ToolGlob:
		return "pattern", []Member{{"path", text}}
	case ToolGrep:
		return "pattern", []Member{
			{"path", text}, {"glob", text}, {"type", text}, {"output_mode", text}, {"-A", number}, {"-B", number}, {"-C", number}, {"context", number},
			{"head_limit", number}, {"offset", number}, {"-n", flag}, {"-i", flag}, {"-o", flag}, {"multiline", flag},
		}
	case ToolWrite, ToolEdit, ToolMultiEdit:
		return "file_path", nil
	case "NotebookEdit":
		return "notebook_path", nil
	}
	return "", nil
}
