package shell

// Verdict is the answer of [Analyse].
type Verdict int

const (
	// NoOpinion means that bridge does not approve the line, so the person is asked.
	NoOpinion Verdict = iota
	// Allow means that the line only reads, provided that the Paths are
	// acceptable and the Conditions hold.
	Allow
)

// Options are the settings of a caller. The zero value is the strictest.
type Options struct {
	// NetworkReads also approves commands that read over a network with the
	// user's own credentials: git ls-remote, gh pr view, kubectl get, npm
	// view, go list. A request can carry data out, so this is off by default.
	NetworkReads bool
	// Allowed reports that the user approves a simple command, given by its argv, whatever it does. The rest of the line
	// is judged as usual. It may be nil.
	Allowed func(argv []string) bool
}

// Result explains a verdict.
type Result struct {
	Verdict Verdict
	// Rule is a stable id: the row of an approval ("git-log"; several are
	// joined by "+") or the reason of a refusal ("redirect", "unknown-program").
	Rule string
	// Token is the source text that decided, exactly as written.
	Token string
	// Why is one plain sentence.
	Why string
	// Commands holds the unquoted argv of each simple command visited. After a
	// refusal the list ends with the command that was refused; deny and ask
	// rules need the complete list of [Walk].
	Commands [][]string
	// Paths are the operands that name, or may name, a file or directory.
	Paths []Path
	// Conditions must hold for an Allow to mean read-only, sorted.
	Conditions []Condition
	// Dir is the operand of the cd with which the line begins, or empty. Every other
	// command runs there. With several cds, their operands are joined.
	Dir string
	// Network says that some command reads over a network.
	Network bool
}

// Path is an operand that names a file or directory, or may do so: a git
// revision looks like a path, and an ambiguous operand is listed.
type Path struct {
	// Name is the operand after unquoting.
	Name string
	// Command is the index into Result.Commands.
	Command int
	// Dir is the directory that Name is relative to, itself relative to the
	// working directory of the line; empty means the working directory.
	Dir string
	// Glob says that the shell expands Name.
	Glob bool
	// Below says what the command reads below a directory of that name.
	Below
}

// Below says what a command reads of a path, and below it if the path is a directory.
type Below struct {
	// Names means that names, sizes, times and the like are all that is read.
	Names bool
	// Contents means that every file below is read, Links that links are followed.
	Contents, Links bool
	// Visible means that the command leaves out hidden files, Ignores that it leaves out the files that .gitignore names.
	// In both cases, an ignore file of rg can include them again.
	Visible, Ignores bool
	// Only are patterns for the names of the files below that are read. If it is empty, all are read.
	Only []string
	// Skip are names of directories that are not entered.
	Skip []string
}

// Condition names something outside the command line that could make a
// read-only command run a program. Each lives in files of a repository, which
// an agent can write. A caller that cannot check a condition must treat the
// Allow as NoOpinion.
type Condition string

const (
	// GitConfig: the repository that git would find from the command's directory
	// has one of the forms that git makes (a work tree with its .git, a linked one, a
	// submodule), and so have its submodules; their configurations set nothing but
	// keys that are known to run no program, reach no network and stay in the
	// repository, they have no post-index-change hook, and nothing between the
	// directory and the work tree's root looks like another repository. The keys of
	// the user's own ~/.gitconfig are the user's choice.
	GitConfig Condition = "git-config"
	// GitRemote: GitConfig, and no key chooses the programs with which git talks to
	// another repository; the remote origin exists, and every remote has the address of
	// a host.
	GitRemote Condition = "git-remote"
	// RustToolchain: no rust-toolchain or rust-toolchain.toml in the directory or
	// above: rustup runs the toolchain that they name by path, or fetches the one that
	// they name. In .cargo/config and .cargo/config.toml only keys that are known to
	// choose no program.
	RustToolchain Condition = "rust-toolchain"
	// GoToolchain: no go.mod or go.work in the directory or above names a newer go
	// or toolchain line than the installed one, which the go command would
	// download and run.
	GoToolchain Condition = "go-toolchain"
	// NpmConfig: .npmrc of the project has only keys that are known to choose no
	// program, directory or host. npm before version 7 runs the file that its
	// onload-script names.
	NpmConfig Condition = "npm-config"
	// VersionFiles: no .tool-versions or mise.toml (.mise.toml) in the directory or
	// above names a tool by path, or one that has to be fetched first; asdf and mise
	// run it. Files such as .python-version hold a plain name.
	VersionFiles Condition = "version-files"
	// TrackedFiles: the index of the repository lists no file whose name usually
	// holds a secret.
	TrackedFiles Condition = "tracked-files"
)
