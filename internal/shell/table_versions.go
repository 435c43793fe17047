package shell

// versionRows print the version of a program and stop before they read anything
// of the project. Left out on purpose: yarn and pnpm run the version that the
// project names, mvn and gradle start a JVM with the project's options, dotnet
// picks an SDK from global.json, pytest loads conftest.py and poetry the
// plugins of the project.
var versionRows = []row{
	{name: "node --version", needs: needVersionFiles}, {name: "node -v", needs: needVersionFiles},
	{name: "npm --version", needs: needNpmConfig | needVersionFiles}, {name: "npm -v", needs: needNpmConfig | needVersionFiles},
	{name: "npx --version", needs: needNpmConfig | needVersionFiles}, {name: "npx -v", needs: needNpmConfig | needVersionFiles},
	{name: "deno --version", needs: needVersionFiles}, {name: "bun --version", needs: needVersionFiles}, {name: "bun -v", needs: needVersionFiles},
	{name: "tsc --version", needs: needVersionFiles}, {name: "tsc -v", needs: needVersionFiles},
	{name: "eslint --version", needs: needVersionFiles}, {name: "prettier --version", needs: needVersionFiles},
	{name: "python --version", needs: needVersionFiles}, {name: "python -V", needs: needVersionFiles},
	{name: "python3 --version", needs: needVersionFiles}, {name: "python3 -V", needs: needVersionFiles},
	{name: "pip --version", needs: needVersionFiles}, {name: "pip3 --version", needs: needVersionFiles},
	{name: "uv --version"}, {name: "ruff --version"}, {name: "mypy --version", needs: needVersionFiles},
	{name: "ruby --version", needs: needVersionFiles}, {name: "ruby -v", needs: needVersionFiles},
	{name: "perl --version", needs: needVersionFiles}, {name: "perl -v", needs: needVersionFiles},
	{name: "php --version", needs: needVersionFiles}, {name: "php -v", needs: needVersionFiles},
	{name: "lua -v", needs: needVersionFiles},
	{name: "java -version", needs: needVersionFiles}, {name: "java --version", needs: needVersionFiles},
	{name: "javac -version", needs: needVersionFiles}, {name: "javac --version", needs: needVersionFiles},
	{name: "elixir --version", needs: needVersionFiles}, {name: "ghc --version", needs: needVersionFiles}, {name: "swift --version", needs: needVersionFiles},
	{name: "rustc --version", long: "verbose", needs: needRustToolchain}, {name: "rustc -V", needs: needRustToolchain}, {name: "rustc -vV", needs: needRustToolchain},
	{name: "cargo --version", needs: needRustToolchain}, {name: "cargo -V", needs: needRustToolchain},
	{name: "go version", needs: needGoToolchain},
	{name: "gcc --version"}, {name: "g++ --version"}, {name: "clang --version"}, {name: "clang++ --version"},
	{name: "make --version"}, {name: "make -v"}, {name: "cmake --version"},
	{name: "bash --version"}, {name: "zsh --version"},
	{name: "docker --version"}, {name: "docker -v"}, {name: "docker compose version"},
	{name: "helm version", long: "short"}, {name: "terraform version", network: true, needs: needVersionFiles},
	{name: "sqlite3 --version"}, {name: "psql --version"}, {name: "curl --version"}, {name: "ffmpeg -version"}, {name: "brew --version"},
}
