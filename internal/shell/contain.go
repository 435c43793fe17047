package shell

import (
	"path"
	"strings"
)

// Contained reports whether a path stays below one of the roots and names
// nothing that usually holds a secret. It is lexical: cwd and roots are absolute,
// clean and without links, and a caller with a file system has to resolve the
// links of p as well. A pattern is judged by what stands before it.
func Contained(p Path, cwd string, roots []string) bool {
	name := p.Name
	if strings.ContainsRune(name, '\\') || len(name) > 1 && name[1] == ':' && len(name) > 2 && name[2] == '/' {
		return false // a path of Windows, which has no meaning here
	}
	if p.Glob {
		// What a pattern matches may be a link or be followed by "..".
		i := strings.IndexAny(name, "*?[^")
		if i >= 0 && strings.Contains("/"+name[i:]+"/", "/../") {
			return false
		}
	}
	full := name
	if !path.IsAbs(full) {
		base := p.Dir
		if !path.IsAbs(base) {
			base = path.Join(cwd, base)
		}
		full = path.Join(base, name)
	}
	full = path.Clean(full)
	for _, root := range roots {
		rest, ok := strings.CutPrefix(full, strings.TrimSuffix(root, "/"))
		if ok && (rest == "" || rest[0] == '/') {
			return !Secret(rest)
		}
	}
	return false
}

// Secret reports a component of a path, or of a path in a git revision, that usually
// holds a credential.
func Secret(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), ":", "/")
	if strings.HasSuffix(name, "/.git/config") {
		return true // tokens of remotes
	}
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass", "secrets", "credentials", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa":
			return true
		case ".env.example", ".env.sample", ".env.template", ".envrc.example":
			continue
		}
		if strings.HasSuffix(part, ".pem") || strings.HasSuffix(part, ".env") {
			return true
		}
		// .env.local, .env-prod and .env~, too.
		if rest, ok := strings.CutPrefix(part, ".env"); ok && (rest == "rc" || rest[0] < 'a' || rest[0] > 'z') {
			return true
		}
	}
	return false
}

// zshPattern reports a word that zsh expands if extended_glob is set. A revision such
// as HEAD^ or HEAD~1 has the same form.
func zshPattern(word string) bool {
	return strings.ContainsAny(word, "^#") || strings.Contains(strings.TrimRight(word, "~"), "~")
}

// MayMatch reports whether a component of a pattern may match name, in some shell
// and with some of its options: upper case counts as lower case, a wildcard matches
// a leading dot. Only what stands before the first and behind the last special
// character is compared.
func MayMatch(pattern, name string) bool {
	if strings.ContainsAny(pattern, "^#~") {
		return true // operators of zsh
	}
	const special = `*?[]{}(),|!+@\`
	first := strings.IndexAny(pattern, special)
	if first < 0 {
		return strings.EqualFold(pattern, name)
	}
	head, tail := pattern[:first], pattern[strings.LastIndexAny(pattern, special)+1:]
	return len(name) >= len(head)+len(tail) && strings.EqualFold(name[:len(head)], head) && strings.EqualFold(name[len(name)-len(tail):], tail)
}
