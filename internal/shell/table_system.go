package shell

import "strings"

// systemRows describe the machine, its processes and its services.
var systemRows = []row{
	{name: "whoami|arch|tty|w"}, {name: "who", short: "abdHlmpqrsTu"},
	{name: "id", short: "agGnruz", operands: data},
	{name: "groups", operands: data},
	// hostname NAME and hostname -F set the name of the machine.
	{name: "hostname", short: "sfdiIA", long: "short fqdn long domain ip-address all-ip-addresses all-fqdns",
		danger: []danger{{"-F --file -b --boot", "sets the name of the machine"}}},
	{name: "uname", short: "asnrvmpio", long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system"},
	{name: "nproc", long: "all ignore="},
	{name: "uptime", short: "ps", long: "pretty since"},
	{name: "free", short: "bkmghtwl", long: "bytes kibi mebi gibi human total wide"},
	{name: "vmstat", short: "aswdDt", operands: data, max: 2},
	{name: "lscpu", short: "e?jp?x", long: "json extended? parse?"},
	{name: "lsblk", short: "afJlmno:pt", long: "all fs json list output= paths"},
	{name: "lsb_release", short: "aidrcs", long: "all id description release codename short"},
	{name: "getconf", operands: data, max: 1},
	{name: "locale", short: "amck"},
	{name: "cal", short: "13jyw", operands: data},
	{name: "tput cols|lines|colors"},
	// An operand that does not begin with + sets the clock.
	{name: "date", at: true, short: "uRd:I?r@jv:", long: "utc universal rfc-email rfc-3339= iso-8601? date= reference@ debug", operands: data, max: 1, check: checkDate,
		danger: []danger{
			{"-s --set", "sets the clock"},
			{"-f --file", "reads a file on Linux and a format on macOS"},
		}},
	{name: "ps", short: "AaNdeTxfFlLjyMcwHmhrSo:p:u:U:C:G:g:t:q:s:k:O:", operands: data, check: checkPs, digits: true,
		long: "pid= ppid= user= User= group= sort= forest headers no-headers cols= columns= width= rows= format="},
	{name: "pgrep", short: "aflLnovxcwu:U:P:g:t:s:d:", long: "list-name list-full full parent= newest oldest exact count inverse user= uid= delimiter=", operands: data, max: 1},
	{name: "pidof", short: "sxc", operands: data},
	// Operands that begin with + are options, such as +r (repeat for ever).
	{name: "lsof", short: "nPltaRbi?p:u:c:s?d:", operands: paths, bans: &noPlus, check: checkLsof},
	{name: "ss", short: "tulnpaxwseomi460HO", long: "tcp udp listening numeric processes all summary extended memory info ipv4 ipv6 unix raw no-header oneline", operands: data, check: checkSs,
		danger: []danger{
			{"-r --resolve", "asks name servers about every address"},
			{"-K --kill", "closes connections"},
			{"-D --diag", "writes a file"},
			{"-F --filter", "reads a file"},
		}},
	{name: "netstat", short: "tulnpaxwserovWimg46", long: "tcp udp listening numeric programs all route interfaces statistics"},
	{name: "top", short: "b1n:cHip:u:o:w?", raw: false, check: checkTop},
	{name: "systemctl status", short: "ln:", long: "no-pager full lines= all output=", operands: data},
	{name: "systemctl is-active|is-enabled|is-failed", operands: data},
	{name: "systemctl list-units", short: "at:", long: "all type= state= no-pager no-legend failed plain", operands: data},
	{name: "systemctl list-unit-files", short: "t:", long: "type= state= no-pager no-legend", operands: data},
	{name: "systemctl show", short: "p:", long: "property= no-pager value", operands: data},
	{name: "systemctl cat", long: "no-pager", operands: data},
	{name: "journalctl", short: "u:n:p:t:b?kxeqraS:U:o:g:", long: "unit= lines= priority= since= until= no-pager boot? dmesg reverse output= grep= identifier= catalog pager-end quiet list-boots disk-usage user system all utc no-hostname case-sensitive?",
		danger: []danger{
			{"--vacuum-time --vacuum-size --vacuum-files", "deletes logs"},
			{"--rotate --flush --sync --relinquish-var --smart-relinquish-var", "changes the journal"},
			{"--cursor-file", "writes a file"},
			{"-f --follow", "waits forever"},
		}},
	{name: "ip addr", short: "46"}, {name: "ip a|route|r|link"}, {name: "ip route show"},
	{name: "ip addr|link show", operands: data, max: 1, bans: &onlyName},
	{name: "ifconfig", short: "a"},
	{name: "sysctl -a"},
	{name: "sysctl -n", operands: data, bans: &noEquals},
	{name: "launchctl list", operands: data, max: 1},
	{name: "dpkg -l|-L|-s|-S|--list|--listfiles|--status", operands: data},
	{name: "dpkg --print-architecture"},
	{name: "apt list", long: "installed upgradable all-versions", operands: data},
	{name: "apt-cache policy|show|search|depends", operands: data},
	{name: "rpm -qa", operands: data}, {name: "rpm -qi|-ql", operands: data, bans: &onlyName},
}

func checkDate(c *call) *refusal {
	for _, w := range c.operands {
		if !strings.HasPrefix(w.text, "+") {
			return &refusal{"operand", w.src, "An operand of date that does not begin with + sets the clock."}
		}
	}
	return nil
}

// checkPs accepts one word of BSD letters and process numbers. The BSD letter e
// shows the environment of processes, and procps reads all words as BSD letters if
// it cannot read them otherwise (ps -eux). So a word of letters with an e among
// them is accepted only if procps can read the line in one way only.
func checkPs(c *call) *refusal {
	plain := len(c.operands) == 0
	for _, o := range c.options {
		switch o.name {
		case "-o":
			for column := range strings.SplitSeq(o.value, ",") {
				plain = plain && psColumn(column)
			}
		case "-e", "-f", "-F", "-l", "-y", "-A", "-j", "-w", "--sort", "--no-headers", "--headers":
		default:
			plain = false
		}
		if (o.name == "-o" || o.name == "-O" || o.name == "--format") && strings.Contains(o.value, "env") {
			return &refusal{"operand", o.src, "ps may show the environment of processes."}
		}
	}
	for i, w := range c.operands {
		if digitsOnly(w.text) || i == 0 && w.text != "" && strings.Trim(w.text, "aAcfhHjlLmrSTuvwxX") == "" {
			continue
		}
		return &refusal{"operand", w.src, "The operand of ps is not known to be read-only."}
	}
	for _, w := range c.args {
		letters := strings.TrimPrefix(w.text, "-")
		if !plain && strings.Contains(letters, "e") && !strings.HasPrefix(letters, "-") && !strings.ContainsAny(letters, ",=%") {
			return &refusal{"operand", w.src, "ps may show the environment of processes."}
		}
	}
	return nil
}

func psColumn(name string) bool {
	switch strings.TrimSuffix(name, "=") {
	case "pid", "ppid", "pgid", "sid", "user", "uid", "comm", "cmd", "args", "command", "etime", "time", "stat", "state", "start", "lstart", "tty", "%cpu", "%mem", "pcpu", "pmem", "rss", "vsz", "nice", "ni", "pri":
		return true
	}
	return false
}

// checkLsof rejects host names, because lsof asks a name server about them.
func checkLsof(c *call) *refusal {
	for _, w := range c.args {
		if strings.Contains(w.text, "@") {
			return &refusal{"operand", w.src, "lsof asks a name server about the host."}
		}
	}
	return nil
}

// checkSs accepts filters of states, ports and addresses. Any other word is a host name, and ss asks a name server about
// it.
func checkSs(c *call) *refusal {
	const known = "state exclude established connected synchronized bucket big listening listen closed close-wait closing fin-wait-1 fin-wait-2 last-ack syn-sent syn-recv time-wait all sport dport src dst and or not = == != eq ne ge le gt lt"
	for _, w := range c.operands {
		if !HasWord(known, w.text) && strings.Trim(w.text, "0123456789.:*/[]") != "" {
			return &refusal{"operand", w.src, "ss asks a name server about the host."}
		}
	}
	return nil
}

func checkTop(c *call) *refusal {
	if c.has("-b") && c.has("-n") {
		return nil
	}
	return &refusal{"unknown-option", "top", "Only top -b with -n ends by itself."}
}
