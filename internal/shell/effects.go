package shell

import "strings"

// effects say what approved commands do besides reading the project, the system's
// files and what tells the names of users. Whatever else they do is a defect of the
// tables: TestOracle in hooks/permission watches for it.
//
//	run:NAME      runs a program of that name
//	index         git rewrites its index, if the times of files changed
//	temp          uses files in the directory for temporary ones
//	read:PLACE    reads there, a path below the home of the user
//	write:PLACE   writes there as well
//	list:home     lists the home directory
//	connect:HOW   asks a name server (dns), connects to what the configuration of the
//	              user names (net), or to a socket of that name
//	environ       opens the environment of processes, and shows nothing of it
//	opens         opens what it is given, and reads nothing of it
//	rustc-info    keeps what rustc said about itself in target
var effects = []struct{ commands, does string }{
	{"git", "read:.gitconfig read:.config/git"},
	{"git status, git diff, git diff-index, git diff-files, git describe", "index"},
	{"git ls-remote, git remote show", "read:.netrc connect:dns connect:net run:sh run:ssh run:git-remote-http run:git-remote-https"},
	{"egrep, fgrep", "run:grep"},
	{"rg, fd, fdfind, npm, npx, cargo", "read:.gitconfig read:.config/git"},
	{"df", "opens"},
	{"pidof", "connect:log write:/dev/console"},
	{"rpm", "write:.rpmdb"},
	{"zcat", "run:gzip"},
	{"tar", "run:gzip run:bzip2 run:xz"},
	{"tac", "temp"},
	{"jq", "read:.jq"},
	{"ps", "environ"},
	{"top", "write:.config/procps"},
	{"hostname, netstat, lsof", "connect:dns"},
	{"dpkg", "run:dpkg-query"},
	{"apt, apt-cache", "run:dpkg temp"},
	{"lsb_release", "run:cut run:tr run:getopt run:dpkg-query run:python3"},
	{"npm, npx", "run:node read:.npmrc write:.npm connect:dns connect:net"},
	{"pip, pip3", "list:home"},
	{"pip index, pip3 index", "read:.netrc connect:dns connect:net"},
	{"cargo", "write:.cargo run:rustc rustc-info"},
	{"cargo search", "connect:dns connect:net"},
	{"go", "write:.config/go"},
	{"go list, go doc, go mod", "write:.cache/go-build write:go read:.netrc connect:dns connect:net"},
	{"java, javac", "write:/tmp/hsperfdata_* write:/proc/self/coredump_filter"},
	{"terraform", "write:.terraform.d connect:dns connect:net"},
	{"psql", "read:/etc/postgresql read:/etc/postgresql-common read:/var/lib/postgresql read:/etc/shadow"},
	{"docker", "read:.docker connect:docker.sock connect:dns connect:net"},
	{"kubectl", "read:.kube write:.kube/cache connect:dns connect:net"},
	{"systemctl, journalctl", "connect:private connect:system_bus_socket"},
}

// Effects returns the effects of a command. It accepts the command ("git status") and its rule ("git-status").
func Effects(command string) string {
	command = strings.ReplaceAll(command, " ", "-")
	var all []string
	for _, e := range effects {
		for name := range strings.SplitSeq(e.commands, ",") {
			if name = strings.ReplaceAll(strings.TrimSpace(name), " ", "-"); name == command || strings.HasPrefix(command, name+"-") {
				all = append(all, e.does)
			}
		}
	}
	return strings.Join(all, " ")
}
