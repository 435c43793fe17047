package normalize

// aliases returns the spellings, beside name itself, in which callers other than
// the client hand over a field, in the order in which they count.
func aliases(name string) [2]string {
	switch name {
	case "session_id":
		return [2]string{"sessionId"}
	case "transcript_path":
		return [2]string{"transcriptPath"}
	case "permission_mode":
		return [2]string{"permissionMode"}
	case "cwd":
		return [2]string{"directory"}
	case "hook_event_name":
		return [2]string{"hookEventName"}
	case "tool_name":
		return [2]string{"toolName"}
	case "tool_input":
		return [2]string{"toolInput", "toolArgs"}
	case "tool_response":
		return [2]string{"toolOutput", "toolResponse"}
	case "stop_reason":
		return [2]string{"stopReason"}
	case "end_turn_reason":
		return [2]string{"endTurnReason"}
	case "user_requested":
		return [2]string{"userRequested"}
	}
	return [2]string{}
}
