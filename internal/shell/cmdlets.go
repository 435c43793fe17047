package shell

import "strings"

// cmdlets are the cmdlets of PowerShell with their built-in aliases, including those of version 5 for Windows.
var cmdlets = []struct{ name, aliases string }{
	{"add-content", "ac"},
	{"clear-content", "clc"},
	{"clear-item", "cli"},
	{"clear-itemproperty", "clp"},
	{"clear-variable", "clv"},
	{"compare-object", "compare diff"},
	{"copy-item", "copy cp cpi"},
	{"copy-itemproperty", "cpp"},
	{"enter-pssession", "etsn"},
	{"export-csv", "epcsv"},
	{"foreach-object", "foreach %"},
	{"get-childitem", "dir gci ls"},
	{"get-clipboard", "gcb"},
	{"get-command", "gcm"},
	{"get-content", "cat gc type"},
	{"get-help", "man help"},
	{"get-history", "ghy h history"},
	{"get-item", "gi"},
	{"get-itemproperty", "gp"},
	{"get-itempropertyvalue", "gpv"},
	{"get-job", "gjb"},
	{"get-location", "gl pwd"},
	{"get-process", "gps ps"},
	{"get-psdrive", "gdr"},
	{"get-service", "gsv"},
	{"get-variable", "gv"},
	{"get-wmiobject", "gwmi"},
	{"import-csv", "ipcsv"},
	{"import-module", "ipmo"},
	{"invoke-command", "icm"},
	{"invoke-expression", "iex"},
	{"invoke-history", "ihy r"},
	{"invoke-item", "ii"},
	{"invoke-restmethod", "irm"},
	{"invoke-webrequest", "iwr curl wget"},
	{"invoke-wmimethod", "iwmi"},
	{"move-item", "mi move mv"},
	{"move-itemproperty", "mp"},
	{"new-alias", "nal"},
	{"new-item", "ni md mkdir"},
	{"new-psdrive", "ndr mount"},
	{"new-pssession", "nsn"},
	{"new-variable", "nv"},
	{"out-host", "oh"},
	{"out-printer", "lp"},
	{"pop-location", "popd"},
	{"push-location", "pushd"},
	{"remove-item", "ri del erase rd rm rmdir"},
	{"remove-itemproperty", "rp"},
	{"remove-job", "rjb"},
	{"remove-module", "rmo"},
	{"remove-psdrive", "rdr"},
	{"remove-pssession", "rsn"},
	{"remove-variable", "rv"},
	{"remove-wmiobject", "rwmi"},
	{"rename-item", "rni ren"},
	{"rename-itemproperty", "rnp"},
	{"resolve-path", "rvpa"},
	{"select-string", "sls"},
	{"set-alias", "sal"},
	{"set-clipboard", "scb"},
	{"set-content", "sc"},
	{"set-item", "si"},
	{"set-itemproperty", "sp"},
	{"set-location", "cd chdir sl"},
	{"set-variable", "sv set"},
	{"set-wmiinstance", "swmi"},
	{"start-job", "sajb"},
	{"start-process", "saps start"},
	{"start-service", "sasv"},
	{"start-sleep", "sleep"},
	{"stop-job", "spjb"},
	{"stop-process", "spps kill"},
	{"stop-service", "spsv"},
	{"tee-object", "tee"},
	{"where-object", "where ?"},
	{"write-output", "echo write"},
}

// Cmdlet is the cmdlet that a word means in PowerShell, in lower case. A word that is not an alias means itself.
func Cmdlet(word string) string {
	word = strings.ToLower(word)
	for _, c := range cmdlets {
		if HasWord(c.aliases, word) {
			return c.name
		}
	}
	return word
}

// FromPowerShell rewrites a line of PowerShell so that the Bash parser can read what both have in common: paths with
// slashes, the variables of the environment, commands without the & that calls them.
func FromPowerShell(line string) string {
	line = strings.ReplaceAll(line, "&&", ";")
	return strings.NewReplacer(`\`, "/", "$env:USERPROFILE", "$HOME", "$env:", "$", "$Env:", "$", "$pwd", "$PWD", "$home", "$HOME", ":$true", "", "& ", "", "`\n", " ").Replace(line)
}
