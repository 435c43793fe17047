package claude

import "strings"

// tools are the names of the client's tools, present and former, besides those of MCP
// servers.
const tools = "Agent AskUserQuestion Bash BashOutput Brief Config CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree " +
	"Glob Grep KillBash KillShell LS LSP ListAgents ListMcpResources ListMcpResourcesTool ListPeers Monitor MultiEdit NotebookEdit NotebookRead PowerShell " +
	"ProposeGoal PushNotification REPL Read ReadMcpResource ReadMcpResourceDirTool ReadMcpResourceTool RemoteTrigger ScheduleWakeup SendMessage SendUserFile " +
	"SendUserMessage SetGoal Skill Sleep SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete " +
	"TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write"

// Tools lists the names of the client's tools as far as bridge knows them.
func Tools() []string { return strings.Fields(tools) }

// ListTools are the tools with which the model creates a task list.
func ListTools() []string { return []string{"TaskCreate", "TodoWrite"} }
