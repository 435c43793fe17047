package reach

import (
	"path"
	"slices"
	"strings"
)

// Class is a kind of names under which tools keep credentials.
type Class struct {
	// What describes their content.
	What string
	// Names are patterns in lower case, separated by spaces; * stands for any text. A pattern without a slash is compared
	// with the name of a file or directory, a pattern with slashes with as many of the last parts of a path. Everything
	// below such a directory counts. There is a space at both ends.
	Names string
}

// Classes is the table of docs/permissions.md#names-of-secrets.
func Classes() []Class {
	return []Class{
		{"environments", " .env* *.env .dev.vars* "},
		{"keys and certificates", " id_rsa* id_dsa* id_ecdsa* id_ed25519* *_rsa *_dsa *_ecdsa *_ed25519 ssh_host_*_key .ssh .gnupg secring.gpg *.pem *.key *.ppk *.p8 *.p12 *.pfx *.pkcs12 *.pk8 *.jks *.jceks *.bks *.keystore *.keytab krb5cc_* *.ovpn wg*.conf age/keys.txt *.agekey *.agilekeychain *.keychain *.keychain-db "},
		{"vaults, wallets and browsers", " *.kdb *.kdbx *.psafe3 .password-store logins.json key3.db key4.db cookies.sqlite wallet.dat utc--* "},
		{"files with a telling name", " secrets secret .secrets .secret *.secret *.secrets *secret*.json *secret*.yml *secret*.yaml *secret*.toml *secret*.ini *secret*.conf *secret*.properties *secret*.xml *secret*.csv *secret*.txt credentials .credentials *credentials.json *credentials.yml *credentials.yaml *credentials.toml *credentials.ini *credentials.properties *credentials.xml *credentials.csv *credentials.txt password.txt passwords.* .passwd .htpasswd .htdigest .*token token.json *accesskeys.csv rootkey.csv "},
		{"agents", " .credentials.json .claude.json* .claude/backups auth.json oauth_creds.json github-copilot/hosts.json github-copilot/apps.json huggingface/token "},
		{"clouds", " .aws .azure .oci .aliyun .config/gcloud application_default_credentials.json *service-account*.json *service_account*.json *serviceaccount*.json *firebase-adminsdk*.json client_secret*.json .boto .s3cfg .passwd-s3fs rclone.conf .config/doctl .config/hcloud .config/scw .fly/config.yml .databrickscfg .cloudflared local.settings.json .tugboat ngrok.yml "},
		{"clusters and containers", " .kube kubeconfig *.kubeconfig k3s.yaml .docker/config.json .dockercfg .dockerconfigjson helm/registry/config.json "},
		{"infrastructure", " *.tfstate *.tfstate.* *.tfvars *.tfvars.json .terraformrc terraform.rc credentials.tfrc.json *vault_pass* *vault-pass* .pulumi/credentials.json "},
		{"packages", " .npmrc .pypirc .cargo/credentials.toml .m2/settings.xml settings-security.xml "},
		{"logins of programs", " .netrc _netrc .authinfo* .git-credentials .gitcredentials gh/hosts.yml .config/glab-cli .config/hub .pgpass pgpass.conf .my.cnf .mylogin.cnf .smbcredentials .msmtprc .fetchmailrc .ftpconfig .remote-sync.json sftp-config.json .vscode/sftp.json filezilla.xml recentservers.xml sitemanager.xml .sentryclirc .config/stripe .circleci/cli.yml configstore/*.json kaggle.json robomongo.json wp-config.php .xauthority .iceauthority "},
		{"histories", " .*_history .history .zhistory .histfile fish_history .bash_sessions .zsh_sessions .lesshst .viminfo .dbshell "},
	}
}

// Exceptions are similar names that hold no secret: examples, and public keys.
const Exceptions = "cacert.pem ca-bundle.pem *.example *.sample *.template *.dist *.tmpl *.tpl *.pub example.env sample.env template.env .environment"

// Doubtful are settings files that may or may not contain a token, so their content
// decides.
const Doubtful = ".yarnrc .yarnrc.yml pip.conf nuget.config gradle.properties .bundle/config .condarc .gitconfig .hgrc .curlrc .wgetrc .mcp.json .claude/settings.json .claude/settings.local.json .bashrc .bash_profile .profile .zshrc .zprofile .zshenv config.fish"

// Secrets knows the names of files that usually hold credentials.
type Secrets struct {
	// exact holds whole names, ends holds endings after the last dot; both come from the user. After manyNames questions,
	// the names of the table are added. Before that, the text of the table is searched, because most calls ask about a
	// few names only.
	exact, ends map[string]bool
	asked       int
	// pairs are the patterns with a slash.
	pairs []pair
	wild  []pattern
	// not are names that the user excludes, in addition to Exceptions.
	not []string
}

// After manyNames questions, adding the table to the maps would have cost no more than searching its text.
const manyNames = 32

// pair is a pattern with a slash. last is its last part, "" if that has stars.
type pair struct{ text, last string }

// pattern is a pattern with stars. first and last are the bytes with which a name must
// begin and end, or 0 for any; they rule out nearly all names.
type pattern struct {
	text        string
	first, last byte
}

func patternOf(text string) pattern {
	p := pattern{text: text}
	if c := text[0]; c != '*' && c != '?' {
		p.first = c
	}
	if c := text[len(text)-1]; c != '*' && c != '?' {
		p.last = c
	}
	return p
}

func (p pattern) matches(name string) bool {
	return name != "" && (p.first == 0 || p.first == name[0]) && (p.last == 0 || p.last == name[len(name)-1]) && wild(p.text, name)
}

// NewSecrets returns the names of the table and of further patterns. A pattern that
// begins with ! removes names.
func NewSecrets(more []string) *Secrets {
	s := &Secrets{pairs: make([]pair, 0, 32), wild: make([]pattern, 0, 64)}
	for _, class := range Classes() {
		s.addOdd(class.Names)
	}
	for _, pattern := range more {
		pattern, not := strings.CutPrefix(strings.TrimSpace(Fold(pattern)), "!")
		switch pattern = strings.Trim(pattern, "/"); {
		case pattern == "":
		case not:
			s.not = append(s.not, pattern)
		default:
			s.add(pattern)
		}
	}
	return s
}

// addOdd adds the patterns of a list that are neither a plain name nor an ending. It
// finds them by their stars and slashes.
func (s *Secrets) addOdd(list string) {
	for _, sign := range []byte("*/") {
		for at := 0; ; {
			i := strings.IndexByte(list[at:], sign)
			if i < 0 {
				break
			}
			start := strings.LastIndexByte(list[:at+i], ' ') + 1
			end := len(list)
			if n := strings.IndexByte(list[at+i:], ' '); n >= 0 {
				end = at + i + n
			}
			// A pattern that has both is found by its slash.
			if pattern := list[start:end]; sign == '/' || !strings.Contains(pattern, "/") {
				if _, ends := ending(pattern); !ends {
					s.add(pattern)
				}
			}
			at = end
		}
	}
}

// ending is the ending, after the last dot, that a pattern such as *.pem requires.
func ending(pattern string) (end string, ok bool) {
	end, ok = strings.CutPrefix(pattern, "*.")
	return end, ok && !strings.ContainsAny(end, "*?./")
}

// add puts a pattern into the collection in which it is found fastest.
func (s *Secrets) add(pattern string) {
	last := path.Base(pattern)
	end, ends := ending(pattern)
	switch {
	case strings.Contains(pattern, "/"):
		if strings.ContainsAny(last, "*?") {
			last = ""
		}
		s.pairs = append(s.pairs, pair{pattern, last})
	case !strings.ContainsAny(pattern, "*?"):
		s.exact = with(s.exact, pattern)
	case ends:
		s.ends = with(s.ends, end)
	default:
		s.wild = append(s.wild, patternOf(pattern))
	}
}

// word reports whether the list of a Class contains a word.
func word(list, word string) bool {
	return !strings.ContainsRune(word, ' ') && strings.Contains(list, " "+word+" ")
}

func with(set map[string]bool, word string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	set[word] = true
	return set
}

// listed looks up a plain name, and what follows its last dot.
func (s *Secrets) listed(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if s.exact[name] || dot >= 0 && s.ends[name[dot+1:]] {
		return true
	}
	if s.asked > manyNames {
		return false
	}
	s.asked++
	file, found := s.asked > manyNames, false
	for _, class := range Classes() {
		found = found || word(class.Names, name) || dot >= 0 && word(class.Names, "*"+name[dot:])
		if file {
			for pattern := range strings.FieldsSeq(class.Names) {
				if _, ends := ending(pattern); ends || !strings.ContainsAny(pattern, "*?/") {
					s.add(pattern)
				}
			}
		}
	}
	return found
}

// Has reports whether a part of a path, or of a path in a git revision, is the name of a secret. The path has slashes
// and is relative to the project's root.
func (s *Secrets) Has(name string) bool {
	dir := ""
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '/' || r == ':' }) {
		if s.Named(dir, part) || GitConfig(dir, part) {
			return true
		}
		dir = path.Join(dir, part)
	}
	return false
}

// Named reports whether a file or a directory has the name of a secret by itself,
// whatever the directories above it are called. dir is the path of its directory.
func (s *Secrets) Named(dir, name string) bool {
	// Some systems ignore these endings.
	name = strings.TrimRight(Fold(name), ". ")
	if !s.named(dir, name) || slices.ContainsFunc(s.not, func(pattern string) bool { return suits(pattern, dir, name) }) {
		return false
	}
	for pattern := range strings.FieldsSeq(Exceptions) {
		if suits(pattern, dir, name) {
			return false
		}
	}
	return true
}

func (s *Secrets) named(dir, name string) bool {
	if s.listed(name) {
		return true
	}
	for _, pattern := range s.wild {
		if pattern.matches(name) {
			return true
		}
	}
	if dir == "" {
		return false
	}
	return slices.ContainsFunc(s.pairs, func(p pair) bool { return (p.last == "" || p.last == name) && suits(p.text, dir, name) })
}

// Unsure reports whether only the content of a file can show whether it holds a token.
func (s *Secrets) Unsure(dir, name string) bool {
	if name = Fold(name); name == "" || !strings.Contains(Doubtful, name) {
		return false
	}
	for pattern := range strings.FieldsSeq(Doubtful) {
		if path.Base(pattern) == name && suits(pattern, dir, name) {
			return true
		}
	}
	return false
}

// suits compares a pattern with as many of the last parts of a path as the pattern has.
func suits(pattern, dir, name string) bool {
	above, last := path.Split(pattern)
	if !wild(last, name) {
		return false
	}
	for above != "" {
		above, last = path.Split(strings.TrimSuffix(above, "/"))
		dir, name = path.Split(strings.TrimSuffix(dir, "/"))
		if name == "" || !wild(last, Fold(name)) {
			return false
		}
	}
	return true
}

// GitConfig reports a configuration file in a git directory. It may contain tokens, in
// the addresses of remotes and in headers. Every repository has such a file, so its
// content decides, not its name.
func GitConfig(dir, name string) bool {
	name = strings.TrimRight(Fold(name), ". ")
	return (name == "config" || name == "config.worktree") && InGit(dir)
}

// InGit reports a .git directory, or a directory in it.
func InGit(dir string) bool { return strings.Contains("/"+Fold(dir)+"/", "/.git/") }
