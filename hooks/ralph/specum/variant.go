package specum

// variant is one of the systems that drive a spec with a state file. They share the code;
// these are the differences (docs/reference/ralph-specum.md#siblings).
type variant struct {
	// kind is the name of the dialect in bridge status; tag begins its messages and its
	// lines on stderr; noun is its word for a spec; command is the prefix of its slash
	// commands.
	kind, tag, noun, command string
	// settings is the path of the settings file in the project, or empty.
	settings string
	// roots is the default directory of the specs. current is the file that names the
	// current spec; it is in currentDir or, if that is empty, in each root.
	roots, currentDir, current string
	state                      string
	// lineToken says that the token counts only at the beginning of a line and before
	// white space.
	lineToken bool
	// gates says that the variant has quick mode, the check of tasks.md and the task
	// block in the prompt; approval says that it has awaitingApproval.
	gates, approval bool
	// records says that the variant has epics and an index to update.
	records bool
	// yields says that a stop within a turn that a hook continued is blocked only after
	// progress.
	yields bool
	// brief says that the instruction is a single sentence.
	brief bool
}

// Names of the variants, as bridge status and the configuration write them.
const (
	Specum  = "specum"
	Speckit = "speckit"
	Codex   = "codex"
)

// variants returns the systems in the order in which they are looked for. Codex shares
// its files with specum and is selected in the user's configuration.
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
