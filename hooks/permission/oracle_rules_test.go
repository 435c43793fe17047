//go:build linux

package permission_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// gitIndex are the files that git writes when it records new file times.
var gitIndex = regexp.MustCompile(`(^|/)\.git/((modules|worktrees)/[^/]+/)*index(\.lock)?$`)

// systemFiles are the files of the system that programs read. A slash at the end means everything below.
var systemFiles = strings.Fields(`/usr/ /lib/ /lib32/ /lib64/ /bin/ /sbin/ /opt/ /proc/ /sys/ /dev/null /dev/tty /dev/urandom /dev/random /dev/zero /dev/full /dev/pts/ /dev/ /etc
	/etc/ld.so.cache /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d/ /etc/localtime /etc/timezone /etc/locale.alias /etc/nsswitch.conf /etc/passwd /etc/group /etc/hosts /etc/host.conf
	/etc/resolv.conf /etc/gai.conf /etc/services /etc/protocols /etc/networks /etc/magic /etc/magic.mime /etc/os-release /etc/lsb-release /etc/debian_version /etc/dpkg/ /etc/apt/ /etc/alternatives/ /etc/mime.types
	/etc/ldap/ldap.conf /etc/gitconfig /etc/gitattributes /etc/ssl/openssl.cnf /etc/ssl/certs/ /etc/ca-certificates/ /etc/machine-id /etc/hostname /etc/sysctl.conf /etc/sysctl.d/ /etc/java-11-openjdk/ /etc/java-17-openjdk/ /etc/java-21-openjdk/
	/etc/terminfo/ /etc/python3/ /etc/python3.11/ /etc/python3.12/ /etc/python3.13/ /etc/pip.conf /etc/npmrc /etc/perl/ /etc/inputrc /etc/fstab /etc/mtab /etc/login.defs /etc/selinux/ /etc/iproute2/ /etc/ethertypes /etc/default/ /etc/systemd/ /etc/rpm/
	/var/lib/dpkg/ /var/lib/apt/ /var/cache/apt/ /var/cache/ldconfig/ /var/lib/systemd/ /var/log/journal/ /var/log/wtmp /var/run/utmp /run/utmp /run/systemd/ /run/udev/ /run/log/journal/ /run/resolvconf/ /run/mount/ /run/nscd/`)

// nameServices are asked about the names of users and groups, by anything that shows
// the owner of a file.
var nameServices = regexp.MustCompile(`^/(var/)?run/(nscd/socket|systemd/userdb/.*)$|^/var/lib/sss/pipes/`)

// ground says what a line may read.
type ground struct {
	// roots are the project and what belongs to it, home is the user's directory;
	// secrets are names that hold something that no line may read.
	roots   []string
	home    string
	secrets []string
	// scratch is around all of it, programs are directories of programs of the machine.
	scratch  string
	programs []string
}

// judge returns what a call does beyond reading the project, or "". programs are those that the line names; effects are
// those that its rows declare.
func (g ground) judge(e event, programs, effects []string) string {
	if strings.HasPrefix(e.call, "syscall_0x") && (e.result == "" || e.result == "?") {
		return "" // strace read garbage from a process that was ending; no watched call is without a name
	}
	has := func(kind, value string) bool { return slices.Contains(effects, kind+value) }
	switch e.call {
	case "clone", "clone3", "fork", "vfork", "???":
		return ""
	case showed:
		return showed
	case "execve", "execveat":
		at := 0
		if e.call == "execveat" {
			at = 1
		}
		path := e.text(at)
		switch name := filepath.Base(path); {
		case strings.HasPrefix(path, g.scratch) || !filepath.IsAbs(path):
			return "runs " + path
		case slices.Contains(programs, name) || has("run:", name):
			return ""
		}
		return "runs " + path
	case "open", "creat":
		return g.opens(e, 0, effects)
	case "openat", "openat2":
		return g.opens(e, 0, effects)
	case "connect", "bind", "sendto", "sendmsg", "sendmmsg", "listen":
		return g.talks(e, effects)
	case "kill":
		if len(e.args) == 2 && (e.args[1] == "0" || e.args[1] == "SIGPIPE") {
			return ""
		}
		return "signals: " + e.String()
	case "ftruncate", "fchmod", "fchown", "fsetxattr", "fremovexattr":
		return g.writes(e, named(e.args[0]), effects)
	case "rename", "link", "symlink":
		return g.both(g.writes(e, e.path(0), effects), g.writes(e, e.path(1), effects), e.call == "symlink")
	case "renameat", "renameat2", "linkat":
		return g.both(g.writes(e, e.path(0), effects), g.writes(e, e.path(2), effects), false)
	case "symlinkat":
		return g.writes(e, e.path(1), effects)
	}
	if len(e.args) == 0 {
		return e.String()
	}
	return g.writes(e, e.path(0), effects)
}

// both joins the findings about the two names of a call.
func (g ground) both(first, second string, secondOnly bool) string {
	if first != "" && !secondOnly {
		return first
	}
	return second
}

func (g ground) opens(e event, at int, effects []string) string {
	path, flags := e.path(at), ""
	for _, a := range e.args {
		if strings.Contains(a, "O_") {
			flags = a
		}
	}
	if e.call == "creat" || strings.Contains(flags, "O_WRONLY") || strings.Contains(flags, "O_RDWR") || strings.Contains(flags, "O_CREAT") || strings.Contains(flags, "O_TRUNC") {
		return g.writes(e, path, effects)
	}
	if e.failed() || e.incomplete || strings.Contains(flags, "O_PATH") {
		return ""
	}
	if real := named(e.result); real != "" {
		path = real
	}
	if slices.Contains(effects, "opens") && strings.Contains(flags, "O_NOCTTY") {
		return ""
	}
	return g.reads(path, effects)
}

// writes judges a file that is opened for writing, or changed otherwise.
func (g ground) writes(e event, path string, effects []string) string {
	switch path {
	case "/dev/null", "/dev/tty", "/dev/full", "/dev/zero":
		if e.call == "open" || e.call == "openat" {
			return ""
		}
	}
	if strings.HasPrefix(path, "/proc/self/") && strings.HasPrefix(e.call, "open") && e.failed() {
		return ""
	}
	if slices.Contains(effects, "index") && gitIndex.MatchString(path) {
		return ""
	}
	if strings.Contains(e.result, "EISDIR") || slices.Contains(effects, "rustc-info") && strings.HasSuffix(path, "/target/.rustc_info.json") {
		return ""
	}
	if slices.Contains(effects, "temp") && below(filepath.Join(g.scratch, "tmp"), path) {
		return ""
	}
	for _, effect := range effects {
		if place, ok := strings.CutPrefix(effect, "write:"); ok && g.at(place, path) {
			return ""
		}
	}
	if strings.HasPrefix(e.call, "mkdir") && strings.Contains(e.result, "EEXIST") {
		return ""
	}
	return "writes: " + e.String()
}

// at reports whether a path is at the place of an effect, or on the way there. A place that is not absolute is below the
// home directory.
func (g ground) at(place, path string) bool {
	if !filepath.IsAbs(place) {
		place = filepath.Join(g.home, place)
	}
	if start, ok := strings.CutSuffix(place, "*"); ok {
		return strings.HasPrefix(path, start)
	}
	return below(place, path) || below(g.home, path) && below(path, place) && path != g.home
}

func below(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func (g ground) reads(path string, effects []string) string {
	switch {
	case !filepath.IsAbs(path): // a pipe, a socket
		return ""
	case below("/proc", path) && strings.HasSuffix(path, "/environ"):
		if slices.Contains(effects, "environ") {
			return ""
		}
		return "reads the environment of a process: " + path
	case !strings.HasPrefix(path, g.scratch):
		for _, name := range systemFiles {
			if path == name || path == strings.TrimSuffix(name, "/") || strings.HasSuffix(name, "/") && below(name, path) {
				return ""
			}
		}
		if slices.ContainsFunc(g.programs, func(dir string) bool { return below(dir, path) }) {
			return ""
		}
	case slices.ContainsFunc(g.roots, func(dir string) bool { return below(dir, path) }) && !slices.Contains(g.secrets, path):
		return ""
	}
	for _, effect := range effects {
		for _, kind := range []string{"read:", "write:"} {
			if place, ok := strings.CutPrefix(effect, kind); ok && g.at(place, path) {
				return ""
			}
		}
	}
	if path == "/" || path == g.home && slices.Contains(effects, "list:home") {
		return ""
	}
	if slices.Contains(g.secrets, path) {
		return "reads a secret: " + path
	}
	return "reads outside of the project: " + path
}

// harmlessMessages are netlink messages that only ask. ip sends the one about no link at
// all to learn what the kernel can do.
var harmlessMessages = regexp.MustCompile(`nlmsg_type=(RTM_GET[A-Z]*|SOCK_DIAG_BY_FAMILY|DCCPDIAG_GETSOCK|TCPDIAG_GETSOCK|NLMSG_DONE|RTM_NEWLINK, nlmsg_flags=NLM_F_REQUEST\|NLM_F_ACK, nlmsg_seq=0, nlmsg_pid=0\}, \{ifi_family=AF_UNSPEC, ifi_type=[A-Z_]*, ifi_index=0, ifi_flags=0, ifi_change=0\}|(0|0x14) /\* [A-Z_?]* \*/)[],}]`)

func (g ground) talks(e event, effects []string) string {
	text := strings.Join(e.args, ", ")
	has := func(effect string) bool { return slices.Contains(effects, effect) }
	_, socket, _ := strings.Cut(text, `sun_path="`)
	socket, _, _ = strings.Cut(socket, `"`)
	switch {
	case strings.Contains(text, "AF_NETLINK") || strings.Contains(text, "nlmsg_type"):
		if strings.Count(text, "nlmsg_type=") == len(harmlessMessages.FindAllString(text, -1)) {
			return ""
		}
	case strings.Contains(text, "AF_UNIX"):
		if nameServices.MatchString(socket) || has("connect:"+filepath.Base(socket)) {
			return ""
		}
	case strings.Contains(text, "AF_INET"):
		if has("connect:net") || has("connect:dns") && strings.Contains(text, "htons(53)") || strings.Contains(text, "AF_UNSPEC") {
			return ""
		}
		if e.call == "bind" && strings.Contains(text, "htons(0)") {
			return ""
		}
		// Connecting a datagram socket without sending anything only shows the machine's own address.
		if e.call == "connect" && strings.Contains(text, "htons(0)") {
			return ""
		}
	case strings.Contains(text, "AF_UNSPEC"):
		return ""
	case e.call == "bind" && strings.Contains(text, "htons(0)"):
		return ""
	case e.call == "sendto" || e.call == "sendmsg" || e.call == "sendmmsg":
		// The socket was connected before.
		return ""
	}
	return "talks: " + e.String()
}
