package shell

import (
	"path"
	"strings"
)

// global lists the options of a program that precede its subcommand and take the next word as their value; short and
// long are as in Option.
type global struct{ names, short, long string }

// globals are the programs with subcommands that people write rules about.
var globals = []global{
	{"git", "Cc", "git-dir work-tree namespace config-env super-prefix attr-source"},
	{"gh glab", "R", "repo hostname"},
	{"docker podman nerdctl", "Hcl", "host context config log-level tlscacert tlscert tlskey connection url identity root runroot storage-driver namespace address"},
	{"kubectl oc k3s", "ns", "namespace server context cluster user kubeconfig token as as-group as-uid cache-dir certificate-authority client-certificate client-key request-timeout tls-server-name"},
	{"helm", "n", "namespace kube-context kubeconfig kube-apiserver kube-token registry-config repository-cache repository-config"},
	{"npm pnpm yarn bun", "CFw", "prefix dir cwd filter workspace registry userconfig cache loglevel"},
	{"cargo", "CZ", "config color"},
	{"go", "C", ""},
	{"aws", "", "profile region endpoint-url output query ca-bundle cli-read-timeout cli-connect-timeout color"},
	{"gcloud gsutil", "", "project account configuration impersonate-service-account format verbosity billing-project"},
	{"az", "o", "output query subscription"},
	{"systemctl", "HMtpns", "host machine type property state signal root lines output"},
	{"apt apt-get aptitude", "oct", "option config-file target-release default-release host-architecture"},
	{"dnf yum zypper", "cR", "config root releasever installroot enablerepo disablerepo repo"},
	{"pip pip3", "", "python log proxy retries timeout cert client-cert cache-dir exists-action trusted-host"},
	{"poetry uv", "CP", "directory project config-file cache-dir"},
	{"composer", "d", "working-dir"},
	{"hg", "R", "repository cwd config encoding encodingmode"},
	{"svn", "", "username password config-dir config-option"},
	{"adb", "stLHP", ""},
}

// Globals returns the options of a program that precede its subcommand and take the next word as their value; ok is
// false for a program without subcommands.
func Globals(program string) (short, long string, ok bool) {
	for _, g := range globals {
		if HasWord(g.names, program) {
			return g.short, g.long, true
		}
	}
	return "", "", false
}

// Plain returns the words of a command in the form that rules use: the program without its directory, and the subcommand
// without the options before it.
func (s Simple) Plain() []Arg {
	if len(s.Args) == 0 {
		return nil
	}
	program, args := Program(s.Args[0].Text), s.Args[1:]
	if len(args) > 0 && args[0].Text != "" && strings.IndexByte("-+", args[0].Text[0]) >= 0 {
		if short, long, ok := Globals(program); ok {
			args = behindGlobals(args, short, long)
		}
	}
	if program == s.Args[0].Text && len(args)+1 == len(s.Args) {
		return s.Args
	}
	return append([]Arg{{program, s.Args[0].Known}}, args...)
}

// behindGlobals drops the options before a subcommand, and a toolchain (+nightly).
func behindGlobals(args []Arg, short, long string) []Arg {
	for len(args) > 0 {
		arg := args[0]
		switch {
		case len(arg.Text) > 1 && arg.Text[0] == '+':
			args = args[1:]
		case len(arg.Text) > 1 && arg.Text[0] == '-':
			args = args[1:]
			if _, _, separate := Option(arg, short, long); separate && len(args) > 0 {
				args = args[1:]
			}
		default:
			return args
		}
	}
	return nil
}

// Program is the name of a program without its directory and without .exe.
func Program(word string) string {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	if len(name) > 4 && strings.EqualFold(name[len(name)-4:], ".exe") {
		name = name[:len(name)-4]
	}
	return name
}
