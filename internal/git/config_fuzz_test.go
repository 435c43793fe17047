package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzConfigAgreesWithGit: if every line of a configuration has the plain form, git lists exactly the keys that bridge
// reads.
func FuzzConfigAgreesWithGit(f *testing.F) {
	if _, err := exec.LookPath("git"); err != nil {
		f.Skip("git is needed to compare with")
	}
	for _, text := range []string{
		"", "[core]\n\tbare = false\n", "[a \"b\"]\nc = d\n[a \"B\"]\nC=D\n", "[core][core]fsmonitor = x\n", "[diff\t\"x\"]\n\ttextconv = x\n", "[diff \"];\"] textconv = x\n",
		"[core]\n\teditor = vi \\\n[user]\n\tfsmonitor = x\n", "[a]\r\nb = c\r\n", "\ufeff[a]\nb = c\n", "[a.b]\nc = d\n", "[a]\nb\n", "[a]b = c\n", "[a] # x\nb = c # d\n", "[a]\nb = \"c ; d\" ; e\n", "[a \"b\" ]\nc = d\n", "[ a]\nb=c\n",
		"[a]\n[b] ; x\nc=d\n", "[a \"\"]\nb=c\n", "[a]\nb = c = d\n", "[a]\nb\t=\tc\n", "[include]\npath = x\n", "[a  \"b\"]\nc=d\n", "[a]\n;\\\nb = c\n", "[a \"b]\nc = d\n", "[a-b]\nc-d = e\n", "[a]\n1b = c\n", "[A \"x.y\"]\nB.c = d\n", "[a]\n b = c\n\n\n  [d]\n e = f", "[a]\n\x0bb = c\n", "[a]\nb = c\f\n", "[a] [b]\nc=d\n",
	} {
		f.Add(text, []byte{})
	}
	// Pieces of configurations find more errors than single letters do.
	pieces := []string{"\n", "\n", "\n", "[core]", "[", "]", "a", "b", "\"", "[x \"y\"]", " ", "\t", "=", " = ", "#", ";", "\\", "\r", "\r\n", "bare", "fsmonitor", "-", ".", "1", "A", "true", "[include]", "path", "\x00", "\ufeff", "\u00e4", "\u0085", "\f", "'", "~", "%"}
	f.Add("[a]", []byte{0, 6, 13, 7, 0, 3, 0, 7, 12, 6})
	f.Fuzz(func(t *testing.T, text string, picks []byte) {
		for _, pick := range picks {
			text += pieces[int(pick)%len(pieces)]
		}
		if len(text) > 1<<14 {
			return
		}
		var ours []string
		for line := range Config(text) {
			if line.Odd != "" {
				return // the caller asks
			}
			if line.Key == "" {
				continue
			}
			name := line.Section + "."
			if line.Sub != "" {
				name += strings.Trim(line.Sub, `"`) + "."
			}
			value := line.Value
			if strings.ContainsAny(value, "\"#;\t") {
				value = "?"
			}
			ours = append(ours, name+line.Key+"\n"+value)
		}
		theirs, ok := listed(t, text)
		if !ok {
			return // git stops with an error and runs nothing
		}
		if len(ours) == len(theirs) {
			for i := range theirs {
				if strings.HasSuffix(ours[i], "\n?") {
					key, _, _ := strings.Cut(theirs[i], "\n")
					theirs[i] = key + "\n?"
				}
			}
		}
		if !slices.Equal(ours, theirs) {
			t.Errorf("%q: bridge reads %q, git reads %q", text, ours, theirs)
		}
	})
}

// listed returns the names and values that git reads in a configuration.
func listed(t *testing.T, text string) (all []string, ok bool) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "config", "--file", file, "--no-includes", "--list", "--show-origin", "--null")
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] != "file:"+file {
			t.Errorf("%q: git reads %s", text, fields[i])
		}
		all = append(all, fields[i+1])
	}
	return all, true
}
