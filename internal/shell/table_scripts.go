package shell

// scriptRows are programs whose operand is a program in their own language. The
// checks read that program.
var scriptRows = []row{
	{name: "sed", at: true, optionsFirst: true, short: "nEre:suz", long: "quiet silent expression= regexp-extended posix separate unbuffered null-data sandbox debug help version", operands: data, globs: prefixedGlobs, check: checkSed,
		danger: []danger{
			{"-i --in-place", "edits files in place"},
			{"-f --file", "takes the script from a file"},
		}},
	{name: "awk|gawk", at: true, optionsFirst: true, short: "F:v:", long: "version", operands: data, globs: prefixedGlobs, check: checkAwk, danger: awkDanger},
	{name: "mawk", at: true, optionsFirst: true, short: "F:v:", operands: data, globs: prefixedGlobs, check: checkAwk, danger: awkDanger},
	{name: "jq", at: true, short: "rcnsSeajMCRV", operands: patternThenPaths, globs: prefixedGlobs, check: checkJq,
		long: "raw-output compact-output null-input slurp sort-keys exit-status ascii-output join-output monochrome-output color-output raw-input tab indent= stream stream-errors seq unbuffered raw-output0 arg== argjson== help version",
		danger: []danger{
			{"-f --from-file", "takes the filter from a file"},
			{"-L", "chooses where modules are loaded from"},
			{"--slurpfile --rawfile", "reads a file that is no operand"},
		}},
}

var awkDanger = []danger{
	{"-f --file -E --exec", "takes the program from a file"},
	{"-i --include -l --load", "loads a library; inplace edits files"},
	{"-o --pretty-print -d --dump-variables -p --profile", "writes a file"},
	{"-D --debug", "starts a debugger that runs commands"},
	{"-W", "is a vendor option, such as exec"},
}
