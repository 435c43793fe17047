package shell

// versionRows print the version of a program and stop before they read anything
// of the project. Left out on purpose: yarn and pnpm run the version that the
// project names, mvn and gradle start a JVM with the project's options, dotnet
// picks an SDK from global.json, pytest loads conftest.py, poetry the plugins of
// the project, and older versions of Erlang, which elixir starts, .erlang.
var versionRows = []row{
	{name: "npm|npx --version|-v", needs: npmConditions},
	{name: "node|tsc|ruby|perl|php|bun --version|-v", needs: VersionFiles},
	{name: "python|python3 --version|-V", needs: VersionFiles},
	{name: "java|javac -version|--version", needs: VersionFiles},
	{name: "lua -v", needs: VersionFiles},
	{name: "deno|eslint|prettier|pip|pip3|mypy|ghc|swift --version", needs: VersionFiles},
	{name: "terraform version", network: true, needs: VersionFiles},
	{name: "rustc --version", long: "verbose", needs: RustToolchain}, {name: "rustc -V|-vV", needs: RustToolchain},
	{name: "cargo --version|-V", needs: RustToolchain},
	{name: "go version", needs: GoToolchain},
	{name: "uv|ruff|gcc|g++|clang|clang++|cmake|bash|zsh|sqlite3|psql|curl|brew --version"},
	{name: "make|docker --version|-v"}, {name: "docker compose version"},
	{name: "helm version", long: "short"}, {name: "ffmpeg -version"},
}
