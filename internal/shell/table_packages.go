package shell

import "strings"

// packageRows are the reading sub-commands of package managers and build tools.
var packageRows = []row{
	{name: "npm ls", short: "aglp", long: npmListLong, operands: data, needs: needNpmConfig | needVersionFiles},
	{name: "npm list", short: "aglp", long: npmListLong, operands: data, needs: needNpmConfig | needVersionFiles},
	{name: "npm root", short: "g", long: "global", needs: needNpmConfig | needVersionFiles},
	{name: "npm prefix", short: "g", long: "global", needs: needNpmConfig | needVersionFiles},
	{name: "npm bin", short: "g", long: "global", needs: needNpmConfig | needVersionFiles},
	{name: "npm pkg get", long: "json", operands: data, needs: needNpmConfig | needVersionFiles},
	{name: "npm config get", operands: data, max: 1, needs: needNpmConfig | needVersionFiles, check: noCredential},
	{name: "npm view", long: "json", operands: data, network: true, needs: needNpmConfig | needVersionFiles, check: onlyPackage},
	{name: "npm info", long: "json", operands: data, network: true, needs: needNpmConfig | needVersionFiles, check: onlyPackage},
	{name: "npm show", long: "json", operands: data, network: true, needs: needNpmConfig | needVersionFiles, check: onlyPackage},
	{name: "npm outdated", short: "gl", long: "json long global depth=", operands: data, network: true, needs: needNpmConfig | needVersionFiles},
	{name: "npm search", long: "json parseable", operands: data, network: true, needs: needNpmConfig | needVersionFiles},
	{name: "npm whoami", network: true, needs: needNpmConfig | needVersionFiles},
	{name: "npm ping", network: true, needs: needNpmConfig | needVersionFiles},
	// npm audit fix installs.
	{name: "npm audit", long: "json omit= audit-level=", network: true, needs: needNpmConfig | needVersionFiles},

	{name: "pip list", short: "lev", long: "format= local user editable exclude-editable not-required verbose disable-pip-version-check", needs: needVersionFiles},
	{name: "pip3 list", short: "lev", long: "format= local user editable exclude-editable not-required verbose disable-pip-version-check", needs: needVersionFiles},
	{name: "pip show", short: "fv", long: "files verbose", operands: data, needs: needVersionFiles},
	{name: "pip3 show", short: "fv", long: "files verbose", operands: data, needs: needVersionFiles},
	{name: "pip freeze", short: "l", long: "local all user exclude-editable", needs: needVersionFiles},
	{name: "pip3 freeze", short: "l", long: "local all user exclude-editable", needs: needVersionFiles},
	{name: "pip index versions", operands: data, max: 1, network: true, needs: needVersionFiles},

	// cargo tree and a full cargo metadata may write Cargo.lock.
	{name: "cargo metadata", long: "format-version= no-deps offline locked frozen", needs: needRustToolchain, check: checkCargoMetadata},
	{name: "cargo tree", short: "i:p:e:d", long: "invert= package= depth= edges= duplicates prefix= frozen no-dedupe workspace", operands: data, max: 1, needs: needRustToolchain, check: needFrozen,
		danger: []danger{{"--config -Z --manifest-path", "chooses programs that cargo runs"}}},
	{name: "cargo locate-project", long: "workspace message-format=", needs: needRustToolchain},
	{name: "cargo search", long: "limit=", operands: data, network: true, needs: needRustToolchain},
	{name: "cargo info", operands: data, max: 1, network: true, needs: needRustToolchain},

	// The go command downloads the modules that go.mod names, so most of its
	// read side reads over the network.
	{name: "go env", words: true, long: "json changed", operands: data, needs: needGoToolchain, check: noEquals,
		danger: []danger{{"--w --u", "changes the settings"}}},
	{name: "go help", operands: data, needs: needGoToolchain},
	{name: "go list", words: true, long: "m f= json? e deps test find u versions retracted tags=", operands: paths, network: true, needs: needGoToolchain | needGitConfig,
		danger: []danger{
			{"--toolexec --exec", "runs a program"},
			{"--export --compiled", "compiles"},
			{"--modfile --overlay --mod --C", "chooses other files or changes them"},
		}},
	{name: "go doc", words: true, long: "all c cmd short src u", operands: data, network: true, needs: needGoToolchain},
	{name: "go mod graph", network: true, needs: needGoToolchain},
	{name: "go mod why", words: true, long: "m vendor", operands: data, network: true, needs: needGoToolchain},

	{name: "brew list", long: "versions formula cask", operands: data},
	{name: "brew --prefix", operands: data, max: 1},
	{name: "brew info", long: "json?", operands: data, network: true},
}

const npmListLong = "all json long parseable global depth= omit= include= prod production dev link package-lock-only"

func checkCargoMetadata(c *call) *refusal {
	if c.has("--no-deps") {
		return nil
	}
	return needFrozen(c)
}

func needFrozen(c *call) *refusal {
	if c.has("--frozen") {
		return nil
	}
	return &refusal{"option-missing", c.row.name, "Without --frozen the command may write Cargo.lock and use the network."}
}

func noCredential(c *call) *refusal {
	for _, w := range c.operands {
		lower := strings.ToLower(w.text)
		for _, part := range []string{"/", "_", "auth", "token", "pass", "key", "cert", "otp"} {
			if strings.Contains(lower, part) {
				return &refusal{"operand", w.src, "The value may be a credential."}
			}
		}
	}
	return nil
}

// onlyPackage accepts package names, with a scope and a version.
func onlyPackage(c *call) *refusal {
	for _, w := range c.operands {
		if strings.ContainsAny(w.text, ":\\") || strings.HasPrefix(w.text, ".") || strings.HasPrefix(w.text, "/") {
			return &refusal{"operand", w.src, "Only the name of a package is approved."}
		}
	}
	return nil
}
