package shell

import "strings"

// row is one read-only program or sub-command. The tables are data: adding a
// command is one row and its lines in testdata/commands.tsv.
type row struct {
	// name is the program and its sub-command words, separated by spaces; a | stands
	// between several words in one place.
	name string
	// short lists the accepted single-letter options. A letter is alone, or
	// is followed by ':' (takes a value, attached or the next word), '?' (takes
	// an attached value or none) or '@' (like ':', and the value is a path).
	short string
	// long lists the accepted long options, separated by spaces, with the suffix '=' , '?' or '@' in the same meaning.
	// Abbreviations are not approved, because their meaning depends on the version of the program.
	long string
	// words means that options are words after one or two dashes, as Go's flag
	// package and java have them: nothing is clustered.
	words bool
	// digits accepts -5 and the like.
	digits bool
	// at says that a word that begins with @ is an ordinary word. For other programs it names a file with more arguments.
	at bool
	// equals says that an = before the value of a letter does not belong to the value. With getopt it does: -d= has the
	// value "=".
	equals bool
	// operands says what the words that are not options mean.
	operands operands
	// max limits the number of operands; zero means no limit.
	max int
	// globs says which operands the shell may expand.
	globs globs
	// network marks commands that read over a network.
	network bool
	// needs are the conditions of an approval, separated by spaces.
	needs Condition
	// danger explains options that are left out on purpose. It only makes the answer clearer and decides nothing.
	danger []danger
	// bans are texts that no operand may contain.
	bans *bans
	// check is a rule that the columns cannot express.
	check func(*call) *refusal
	// raw skips option parsing: check does all of it.
	raw bool
	// optionsFirst does not approve options after an operand. With POSIXLY_CORRECT, and
	// on systems other than Linux, such a word is an operand, for example another script
	// or an output file.
	optionsFirst bool
}

// danger is a reason why options are missing from a row.
type danger struct {
	options string // spellings, separated by spaces
	why     string // ends the sentence "The option X ..."
}

// bans are texts that no operand may contain, in lower case and separated by spaces, and
// the reason. A text with a leading ^ counts only at the beginning of the operand.
type bans struct{ parts, rule, why string }

func (b *bans) match(operand string) bool {
	operand = strings.ToLower(operand)
	for part := range strings.FieldsSeq(b.parts) {
		if start, ok := strings.CutPrefix(part, "^"); ok && strings.HasPrefix(operand, start) || !ok && strings.Contains(operand, part) {
			return true
		}
	}
	return false
}

// Bans of several rows: an address can name another host, and
// carry data out.
var (
	onlyName     = bans{"/ :", "operand", "Only a name is approved."}
	onlyPackage  = bans{`: \ ^. ^/`, "operand", "Only the name of a package is approved."}
	onlyFormula  = bans{"/ : .rb", "operand", "brew runs a formula that is named by its file."}
	noAddress    = bans{":// ^//", "operand", "An address may name another host."}
	noEquals     = bans{"=", "operand", "An equals sign sets the value."}
	noPlus       = bans{"^+", "unknown-option", "Options that begin with + are not approved."}
	noCredential = bans{"/ _ auth token pass key cert otp", "operand", "The value may be a credential."}
)

type operands int

const (
	none             operands = iota // no operands
	data                             // words that name no file
	paths                            // files or directories
	patternThenPaths                 // a pattern, unless -e or -f gave it, then files
	revisions                        // git revisions and paths: listed as paths
)

type globs int

const (
	noGlobs       globs = iota // the shell expands nothing
	prefixedGlobs              // a pattern must not begin with a dash or a wildcard
	anyGlobs                   // the program has no option that could do harm
)

// tables returns the rows. They are composite literals of constants, laid out
// by the compiler: nothing runs at start-up.
func tables() [][]row {
	return [][]row{fileRows, textRows, searchRows, scriptRows, shellRows, gitRows, systemRows, versionRows, packageRows, containerRows, githubRows}
}
