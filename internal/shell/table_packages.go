package shell

// packageRows are the reading sub-commands of package managers and build tools.
var packageRows = []row{
	{name: "npm ls|list", at: true, short: "aglp", long: "all json long parseable global depth= omit= include= prod production dev link package-lock-only", operands: data, needs: npmConditions},
	{name: "npm root|prefix|bin", short: "g", long: "global", needs: npmConditions},
	{name: "npm pkg get", long: "json", operands: data, needs: npmConditions},
	{name: "npm config get", operands: data, max: 1, needs: npmConditions, bans: &noCredential},
	{name: "npm view|info|show", at: true, long: "json", operands: data, network: true, needs: npmConditions, bans: &onlyPackage},
	{name: "npm outdated", short: "gl", long: "json long global depth=", operands: data, network: true, needs: npmConditions},
	{name: "npm search", at: true, long: "json parseable", operands: data, network: true, needs: npmConditions},
	{name: "npm whoami|ping", network: true, needs: npmConditions},
	// npm audit fix installs.
	{name: "npm audit", long: "json omit= audit-level=", network: true, needs: npmConditions},

	{name: "pip|pip3 list", short: "lev", long: "format= local user editable exclude-editable not-required verbose disable-pip-version-check", needs: VersionFiles},
	{name: "pip|pip3 show", short: "fv", long: "files verbose", operands: data, needs: VersionFiles},
	{name: "pip|pip3 freeze", short: "l", long: "local all user exclude-editable", needs: VersionFiles},
	{name: "pip index versions", operands: data, max: 1, network: true, needs: VersionFiles},

	// cargo tree and a full cargo metadata may write Cargo.lock; cargo info opens it for writing.
	{name: "cargo metadata", equals: true, long: "format-version= no-deps offline locked frozen", needs: RustToolchain, check: checkCargoMetadata},
	{name: "cargo tree", equals: true, short: "i:p:e:d", long: "invert= package= depth= edges= duplicates prefix= frozen no-dedupe workspace", operands: data, max: 1, needs: RustToolchain, check: needFrozen,
		danger: []danger{{"--config -Z --manifest-path", "chooses programs that cargo runs"}}},
	{name: "cargo locate-project", equals: true, long: "workspace message-format=", needs: RustToolchain},
	{name: "cargo search", equals: true, long: "limit=", operands: data, network: true, needs: RustToolchain},

	// The go command downloads the modules that go.mod names, so most of its reading commands read over the network.
	{name: "go env", words: true, long: "json changed", operands: data, needs: GoToolchain, bans: &noEquals,
		danger: []danger{{"--w --u", "changes the settings"}}},
	{name: "go help", operands: data, needs: GoToolchain},
	{name: "go list", words: true, long: "m f= json? e deps test find u versions retracted tags=", operands: paths, network: true, needs: GoToolchain + " " + GitConfig,
		danger: []danger{
			{"--toolexec --exec", "runs a program"},
			{"--export --compiled", "compiles"},
			{"--modfile --overlay --mod --C", "chooses other files or changes them"},
		}},
	{name: "go doc", words: true, long: "all c cmd short src u", operands: data, network: true, needs: GoToolchain},
	{name: "go mod graph", network: true, needs: GoToolchain},
	{name: "go mod why", words: true, long: "m vendor", operands: data, network: true, needs: GoToolchain},

	{name: "brew list", long: "versions formula cask", operands: data, bans: &onlyFormula},
	{name: "brew --prefix", operands: data, max: 1, bans: &onlyFormula},
	{name: "brew info", long: "json?", operands: data, network: true, bans: &onlyFormula},
}

const npmConditions = NpmConfig + " " + VersionFiles

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
	return &refusal{"option-missing", c.name, "Without --frozen the command may write Cargo.lock and use the network."}
}
