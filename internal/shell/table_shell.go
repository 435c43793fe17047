package shell

import "strings"

// shellRows look commands and variables up.
var shellRows = []row{
	// command -v prints what a name stands for; without -v it would run it.
	{name: "command -v|-V", operands: data},
	{name: "type", short: "atpPf", operands: data},
	{name: "which", short: "as", operands: data},
	{name: "printenv", operands: data, check: checkPrintenv},
}

// checkPrintenv accepts names that do not look like credentials. Without a name
// everything is printed.
func checkPrintenv(c *call) *refusal {
	if len(c.operands) == 0 {
		return &refusal{"environment", "printenv", "The environment may hold credentials."}
	}
	for _, w := range c.operands {
		upper := strings.ToUpper(w.text)
		for _, part := range []string{"KEY", "TOKEN", "SECRET", "PASS", "PWD", "CRED", "AUTH", "COOKIE", "PRIVATE", "URL", "DSN", "PAT_", "_PAT", "SESSION", "CERT", "HEADER", "CONN"} {
			if strings.Contains(upper, part) {
				return &refusal{"environment", w.src, "The variable may hold a credential."}
			}
		}
	}
	return nil
}
