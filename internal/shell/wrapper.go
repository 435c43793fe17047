package shell

import "strings"

// wrapper says what comes before the command that a program runs: its options that take the next word as their value,
// and its own operands.
type wrapper struct {
	names string
	// short are letters, long names without their dashes.
	short, long string
	operands    int
	// chdir are the options, of the above, that name the directory to run in.
	chdir string
	// sub are the subcommands that run a command; "" is a program that does nothing else.
	sub string
}

// wrappers are programs that run the command after their options.
var wrappers = []wrapper{
	{names: "sudo", short: "ugpChDrtTRUa", long: "user group prompt close-from host chdir role type command-timeout chroot other-user auth-type login-class", chdir: "D chdir"},
	{names: "doas", short: "ugpChDrtTRUa"},
	{names: "run0", short: "ugpD", long: "user group nice chdir setenv unit property description slice background machine", chdir: "D chdir"},
	{names: "pkexec", long: "user"},
	{names: "env", short: "uCSPa", long: "unset chdir split-string argv0", chdir: "C chdir"},
	{names: "nice", short: "n", long: "adjustment"},
	{names: "ionice", short: "cnpPu", long: "class classdata pid pgid uid"},
	{names: "chrt", short: "TPDp", long: "sched-runtime sched-period sched-deadline pid", operands: 1},
	{names: "taskset", operands: 1},
	{names: "timeout gtimeout", short: "sk", long: "signal kill-after", operands: 1},
	{names: "time", short: "of", long: "output format"},
	{names: "stdbuf", short: "ioe", long: "input output error"},
	{names: "xargs", short: "adEILnPsJRS", long: "arg-file delimiter max-args max-procs max-chars process-slot-var"},
	{names: "parallel", short: "jNaIdLnsPS", long: "jobs arg-file colsep delimiter max-args max-procs max-replace-args workdir sshlogin sshloginfile tagstring results joblog timeout delay retries load memfree halt tmpdir env"},
	{names: "exec", short: "a"},
	{names: "chroot", long: "userspec groups", operands: 1},
	{names: "flock", short: "wEc", long: "timeout wait conflict-exit-code command", operands: 1},
	{names: "strace ltrace", short: "oepsuEaISPObX", long: "output trace attach string-limit user env columns"},
	{names: "watch", short: "nq", long: "interval equexit"},
	{names: "su runuser", short: "cgGsTuw", long: "command group supp-group shell session-command user whitelist-environment"},
	{names: "script", short: "cBEIOTmo", long: "command log-io log-in log-out log-timing logging-format output-limit echo", operands: 1},
	{names: "unshare", short: "SGRw", long: "setuid setgid root wd map-user map-group propagation", chdir: "w wd"},
	{names: "nsenter", short: "tSG", long: "target setuid setgid"},
	{names: "setpriv", long: "reuid regid groups inh-caps ambient-caps bounding-set securebits selinux-label apparmor-profile pdeathsig rlimit"},
	{names: "systemd-run", short: "pugEHM", long: "unit property description slice uid gid nice working-directory setenv host machine service-type", chdir: "working-directory"},
	{names: "numactl", short: "CNmpil"},
	{names: "caffeinate", short: "tw"},
	{names: "faketime setarch gosu su-exec sg", operands: 1},
	{names: "cpulimit", short: "lpeP", long: "limit pid exe path"},
	{names: "runcon", short: "turl", long: "type user role range"},
	{names: "aa-exec", short: "pn", long: "profile namespace"},
	{names: "systemd-inhibit", long: "what who why mode"},
	{names: "systemd-cat", short: "tp", long: "identifier priority stderr-priority"},
	{names: "ssh-agent", short: "aEPt"},
	{names: "xvfb-run", short: "efnpsw", long: "error-file auth-file server-num xauth-protocol server-args wait listen-tcp"},
	{names: "fakeroot", short: "lsib", long: "lib faked"},
	{names: "hyperfine", short: "wmrMpcDPnSu", long: "warmup min-runs max-runs runs prepare setup cleanup conclude parameter-scan parameter-step-size parameter-list shell style sort command-name time-unit export-json export-csv export-markdown output input"},
	{names: "watchexec", short: "weifdrsowE", long: "watch exts filter ignore debounce signal stop-signal shell workdir env"},
	{names: "perf", short: "eopCtrcFgIK", long: "event output pid cpu tid repeat count freq", sub: "stat record trace"},
	{names: "npx bunx pnpx", short: "pcw", long: "package call workspace"},
	{names: "npm pnpm yarn", short: "CFwc", long: "prefix dir filter workspace package call", sub: "exec x dlx"},
	{names: "poetry pipenv pdm hatch rye uv", short: "CPp", long: "directory project python with extra group env-file", sub: "run"},
	{names: "bundle asdf", sub: "exec"},
	{names: "mise rtx", short: "Cj", long: "cd jobs env", sub: "exec x"},
	{names: "direnv", sub: "exec", operands: 1},
	{names: "conda mamba micromamba", short: "np", long: "name prefix cwd", sub: "run"},
	{names: "tmux", short: "LSfcnstxyFe", sub: "new new-session neww new-window split-window splitw run run-shell respawn-pane respawnp popup display-popup"},
	{names: "screen", short: "SceshpT"},
	{names: "command builtin nohup setsid busybox toybox noglob nocorrect prlimit unbuffer dbus-run-session dbus-launch torsocks torify proxychains proxychains4 rlwrap cross-env eatmydata fakechroot firejail chronic valgrind catchsegv entr"},
}

func wrapperOf(name string) (w wrapper, ok bool) {
	for _, w := range wrappers {
		if HasWord(w.names, name) {
			return w, true
		}
	}
	return wrapper{}, false
}

// HasWord reports whether a list of words, separated by blanks, contains a word. It searches the text for the word
// between blanks, because most lists are long and most words are in none.
func HasWord(list, word string) bool {
	if word == "" || strings.ContainsAny(word, blanks) {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], word)
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(word)
		if (start == 0 || strings.IndexByte(blanks, list[start-1]) >= 0) && (end == len(list) || strings.IndexByte(blanks, list[end]) >= 0) {
			return true
		}
		from = start + 1
	}
}

// blanks separate the words of a list.
const blanks = " \t\n"

// behind removes the options and leading operands of the wrapper, so that the wrapped command remains. dirs are the
// directories that the options enter.
func (w wrapper) behind(args []Arg) (rest, dirs []Arg) {
	operands := w.operands
	for len(args) > 0 {
		arg := args[0]
		text := arg.Text
		switch {
		case text == "--":
			return args[min(1+operands, len(args)):], dirs
		case text == "-":
			args = args[1:]
		case len(text) > 1 && text[0] == '-':
			args = args[1:]
			name, value, separate := Option(arg, w.short, w.long)
			if separate {
				if len(args) == 0 {
					return nil, dirs
				}
				value, args = args[0], args[1:]
			}
			if HasWord(w.chdir, name) {
				dirs = append(dirs, value)
			}
		case strings.Contains(text, "=") && (HasWord("env sudo doas", w.names) || HasWord(w.names, "cross-env")):
			args = args[1:]
		case operands > 0:
			operands--
			args = args[1:]
		default:
			return args, dirs
		}
	}
	return nil, dirs
}

// takesScript are the names of the wrappers that take a command line after -c.
const takesScript = "flock script su faketime npx npm"

// scripts are the command lines that flock, script, su, npx and others take after -c, which may follow operands, and the
// one that env takes after -S, with the words that follow.
func (w wrapper) scripts(args []Arg) (all []Arg) {
	first, _, _ := strings.Cut(w.names, " ")
	short, long := "c", "command session-command call"
	switch {
	case first == "env":
		short, long = w.short, w.long
	case !HasWord(takesScript, first):
		return nil
	}
	for i, a := range args {
		name, value, separate := Option(a, short, long)
		if !strings.HasPrefix(a.Text, "-") || name == "" || value.Text == "" && !separate {
			continue
		}
		behind := args[i+1:]
		if separate {
			if len(behind) == 0 {
				break
			}
			value, behind = behind[0], behind[1:]
		}
		if first == "env" {
			if name != "S" && name != "split-string" {
				continue
			}
			value.Text += " " + Join(behind)
		}
		all = append(all, value)
	}
	return all
}

// Option returns the name of the option in a word that begins with a dash, and its value if it is attached; separate
// says that the value is the next word. short and long, the latter separated by spaces, are the options that take a
// value. For any other option, the name is its long name or "".
func Option(arg Arg, short, long string) (name string, value Arg, separate bool) {
	if text, ok := strings.CutPrefix(arg.Text, "--"); ok {
		text, attached, ok := strings.Cut(text, "=")
		for full := range strings.FieldsSeq(long) {
			if text == full || len(text) > 1 && strings.HasPrefix(full, text) {
				return full, Arg{attached, arg.Known}, !ok
			}
		}
		return text, Arg{attached, arg.Known}, false
	}
	for i := 1; i < len(arg.Text); i++ {
		if strings.IndexByte(short, arg.Text[i]) >= 0 {
			return arg.Text[i : i+1], Arg{arg.Text[i+1:], arg.Known}, i+1 == len(arg.Text)
		}
	}
	return "", Arg{}, false
}
