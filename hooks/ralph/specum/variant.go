package specum

// variant is one of the systems that drive a spec with a state file. The code is the
// same for all; this is what differs (docs/reference/ralph-specum.md#siblings).
type variant struct {
	// kind is the dialect's name for bridge status, tag begins its lines on stderr
	// and its messages, noun is what it calls a spec, command its slash commands.
	kind, tag, noun, command string
	// settings is the settings file below the project, or empty.
	settings string
	// roots is the directory of the specs; current is the file that names the
	// current one, below currentDir or, where that is empty, below each root.
	roots, currentDir, current string
	state                      string
	// lineToken says that the completion token counts only at the beginning of a
	// line, behind nothing and before white space.
	lineToken bool
	// gates says that quick mode, the user's approval, the check of tasks.md and
	// the task block are known; approval that awaitingApproval is.
	gates, approval bool
	// records says that there are epics and an index to bring up to date.
	records bool
	// yields says that a stop within a turn that a hook continued needs progress.
	yields bool
	// brief says that the instruction is one sentence.
	brief bool
}

// Names of the variants, as bridge status and the configuration write them.
const (
	Specum  = "specum"
	Speckit = "speckit"
	Codex   = "codex"
)

// variants returns the systems in the order in which they are looked for. Codex
// shares its files with specum and is chosen by the user's configuration.
func variants() []variant {
	return []variant{specumVariant(), {
		kind: Speckit, tag: "ralph-speckit", noun: "feature", command: "/speckit",
		settings: ".claude/ralph-speckit.local.md",
		roots:    ".specify/specs", currentDir: ".specify", current: ".current-feature", state: ".speckit-state.json",
		lineToken: true, yields: true,
	}}
}

func specumVariant() variant {
	return variant{
		kind: Specum, tag: "ralph-specum", noun: "spec", command: "/ralph-specum",
		settings: ".claude/ralph-specum.local.md",
		roots:    "./specs", current: ".current-spec", state: ".ralph-state.json",
		gates: true, approval: true, records: true, yields: true,
	}
}

// asCodex turns specum into its codex sibling, which has the same files.
func (v variant) asCodex() variant {
	v.kind, v.tag = Codex, "ralph-specum-codex"
	v.gates, v.records, v.yields, v.brief = false, false, false, true
	return v
}
