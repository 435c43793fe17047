#!/bin/sh
# Installs a Claude Code client for the tests and prints the path of its executable.
#   install-client.sh            the pinned version
#   install-client.sh previous   the older one that must keep working
#   install-client.sh 2.1.300    any other
# The cache is ${BRIDGE_E2E_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bridge-e2e}/<version>.
set -eu

pinned=2.1.330
previous=2.1.197

fail() {
	echo "install-client: $*" >&2
	exit 1
}

case ${1:-pinned} in
pinned) version=$pinned ;;
previous) version=$previous ;;
[0-9]*.[0-9]*.[0-9]*) version=$1 ;;
*) fail "unknown version '$1': want pinned, previous or X.Y.Z" ;;
esac

cache=${BRIDGE_E2E_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bridge-e2e}/$version
scope=$cache/node_modules/@anthropic-ai

# The platform package carries the executable; which one npm took depends on system, processor and libc.
executable() {
	for f in "$scope"/claude-code-*/claude "$scope"/claude-code-*/claude.exe; do
		if [ -x "$f" ] && DISABLE_AUTOUPDATER=1 "$f" --version 2>/dev/null </dev/null | grep -q "^$version "; then
			echo "$f"
			return 0
		fi
	done
	return 1
}

executable && exit 0
command -v npm >/dev/null || fail "Claude Code $version is not in $cache and there is no npm to install it"
mkdir -p "$cache" || fail "cannot create $cache"
# Install scripts only copy the executable into the wrapper package, which nothing here uses.
npm install --prefix "$cache" --ignore-scripts --no-audit --no-fund --loglevel=error \
	"@anthropic-ai/claude-code@$version" >&2 || fail "npm could not install Claude Code $version"
executable || fail "Claude Code $version has no working executable for this platform in $scope"
