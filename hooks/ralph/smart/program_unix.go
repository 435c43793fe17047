//go:build unix

package smart

func gitPaths() []string {
	return []string{"/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git", "/opt/local/bin/git"}
}
