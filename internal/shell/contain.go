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
			return !secret(rest)
		}
	}
	return false
}

// secret reports a component that usually holds a credential.
func secret(name string) bool {
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		switch part {
		case ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass", "secrets", "credentials", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa":
			return true
		case ".env.example", ".env.sample", ".env.template", ".envrc.example":
			continue
		}
		if part == ".env" || part == ".envrc" || strings.HasPrefix(part, ".env.") || strings.HasSuffix(part, ".pem") || strings.HasSuffix(part, ".env") {
			return true
		}
	}
	return false
}
