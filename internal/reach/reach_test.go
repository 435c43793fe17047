package reach

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes files and links below a directory of its own: "a/b" is a file, "a/" a
// directory, "a -> b" a link.
func tree(t testing.TB, entries ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name, target, link := strings.Cut(entry, " -> ")
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		switch {
		case link:
			err = os.Symlink(strings.ReplaceAll(target, "ROOT", root), full)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(full, 0o700)
		default:
			err = os.WriteFile(full, []byte(name), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestFollow has a row for each way in which a name can lead somewhere.
func TestFollow(t *testing.T) {
	t.Parallel()
	root := tree(t, "p/a/b/c/x", "p/a/x", "p/x", "x", "p/link -> a/b", "p/abs -> ROOT/p/a", "p/out -> ../o", "o/d/x", "p/deep -> out/d", "p/dangling -> nowhere/x",
		"p/loop -> loop", "p/a/up -> ..", "p/chain -> deep")
	for name, want := range map[string]string{
		"":                    "p exists",
		".":                   "p exists",
		"x":                   "p/x exists",
		"./a//b/./c/":         "p/a/b/c exists",
		"a/../x":              "p/x exists",
		"..":                  ". exists",
		"../x":                "x exists",
		"link/c":              "p/a/b/c exists over p/link",
		"link/..":             "p/a exists over p/link",
		"link/../x":           "p/a/x exists over p/link",
		"link/../../x":        "p/x exists over p/link",
		"abs/b":               "p/a/b exists over p/abs",
		"a/up/a/up/x":         "p/x exists over p/a/up p/a/up",
		"out":                 "o exists over p/out",
		"out/../x":            "x exists over p/out",
		"deep/x":              "o/d/x exists over p/deep p/out",
		"chain/x":             "o/d/x exists over p/chain p/deep p/out",
		"missing":             "p/missing",
		"missing/y/z":         "p/missing/y/z",
		"x/y":                 "p/x/y",
		"dangling":            "p/nowhere/x over p/dangling",
		"dangling/y":          "p/nowhere/x/y over p/dangling",
		"missing/..":          ErrUp.Error(),
		"dangling/../../p/x":  ErrUp.Error(),
		"loop":                ErrLinks.Error(),
		"loop/x":              ErrLinks.Error(),
		`a\b`:                 ErrStrange.Error(),
		"c:/x":                ErrStrange.Error(),
		root + "/p/link/../x": "p/a/x exists over p/link",
		"/":                   "/ exists",
	} {
		for _, trusted := range []string{"", root, filepath.Join(root, "p")} {
			var d Disk
			if trusted != "" {
				d.Trust(trusted)
			}
			if got := told(d.Follow(filepath.Join(root, "p"), name))(root); got != want && !strings.HasPrefix(got, want+": ") {
				t.Errorf("%q leads to %q, want %q", name, got, want)
			}
		}
	}
}

// told formats a place, without the directory in which the test runs.
func told(p Place, err error) func(root string) string {
	return func(root string) string {
		if err != nil {
			return err.Error()
		}
		text := p.Path
		if Within(root, text) {
			text = Rel(root, text)
		}
		if p.Exists {
			text += " exists"
		}
		for i, link := range p.Over {
			if i == 0 {
				text += " over"
			}
			text += " " + Rel(root, link)
		}
		return text
	}
}

// TestFollowMoving: the target of such a link depends on the process that reads it.
func TestFollowMoving(t *testing.T) {
	t.Parallel()
	if _, err := os.Readlink("/proc/self"); err != nil {
		t.Skip("there is no /proc")
	}
	root := tree(t, "cwd -> /proc/self/cwd", "in -> /dev/stdin")
	for _, name := range []string{"cwd", "cwd/x", "in", "/proc/self/root/etc", fmt.Sprintf("/proc/%d/cwd", os.Getpid()), "/dev/fd/0"} {
		var d Disk
		if place, err := d.Follow(root, name); !errors.Is(err, ErrMoving) {
			t.Errorf("%s leads to %+v, %v", name, place, err)
		}
	}
}

// TestBoth: a shell and a program may take ".." from different places.
func TestBoth(t *testing.T) {
	t.Parallel()
	root := tree(t, "p/a/b/", "p/link -> a/b", "p/x", "p/a/x")
	for name, want := range map[string]string{"x": "p/x", "a/../x": "p/x", "link/../x": "p/a/x p/x", "link/../../x": "p/x x"} {
		var d Disk
		all, err := d.Both(filepath.Join(root, "p"), name)
		var got []string
		for _, p := range all {
			got = append(got, Rel(root, p.Path))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q leads to %q, %v, want %q", name, got, err, want)
		}
	}
}

// TestExpand: the result contains everything to which some shell may expand the pattern.
func TestExpand(t *testing.T) {
	t.Parallel()
	root := tree(t, "p/a.go", "p/B.GO", "p/.env", "p/sub/c.go", "p/sub/.hidden.go", "p/link -> ../o", "o/secret.go", "p/file -> ../o/secret.go", "p/dir/deep/x.go")
	for pattern, want := range map[string]string{
		"*.go":            "p | p/B.GO p/a.go",
		"*.e?v":           "p | p/.env",
		"s*/*.go":         "p | p/sub/.hidden.go p/sub/c.go",
		"l*/*":            "p | o/secret.go",
		"l*k":             "p | o",
		"f*":              "p | o/secret.go",
		"link/s*":         "o | o/secret.go",
		"*/../a.go":       "p | a.go p/a.go p/a.go",
		"d*/*/x.go":       "p | p/dir/deep/x.go",
		"[a]*":            "p | o o/secret.go p/.env p/B.GO p/a.go p/dir p/sub",
		"none*":           "p |",
		"missing/*":       "p/missing |",
		"a.go/*":          "p/a.go |",
		root + "/o/*.go":  "o | o/secret.go",
		"sub/c.go":        "p/sub/c.go | p/sub/c.go",
		"./././s?b/c.go/": "p | p/sub/c.go",
	} {
		var d Disk
		base, all, err := d.Expand(filepath.Join(root, "p"), pattern)
		var got []string
		for _, p := range all {
			got = append(got, Rel(root, p.Path))
		}
		slices.Sort(got)
		if text := strings.TrimSpace(Rel(root, base.Path) + " | " + strings.Join(got, " ")); err != nil || text != want {
			t.Errorf("%q: %q, %v, want %q", pattern, text, err, want)
		}
	}
	for pattern, want := range map[string]error{"**/x": ErrDeep, `*\x`: ErrStrange, "missing/../*": ErrUp} {
		var d Disk
		if _, _, err := d.Expand(filepath.Join(root, "p"), pattern); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", pattern, err, want)
		}
	}
}

// TestExpandIsBounded: bridge judges neither a pattern with too many matches nor several patterns that together have too
// many.
func TestExpandIsBounded(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range maxMatches {
		names = append(names, fmt.Sprintf("d/%d", i))
	}
	root := tree(t, names...)
	var d Disk
	if _, all, err := d.Expand(root, "d/*"); err != nil || len(all) != maxMatches {
		t.Errorf("%d matches, %v", len(all), err)
	}
	if _, _, err := d.Expand(root, "d/1"); !errors.Is(err, ErrTooMuch) {
		t.Errorf("one more: %v", err)
	}
}

// TestListIsBounded: a list has a maximum length and a maximum duration.
func TestListIsBounded(t *testing.T) {
	t.Parallel()
	root := tree(t, "a", "b")
	none := func(os.DirEntry) error { return nil }
	d := Disk{entries: maxEntries - 3}
	if err := d.List(root, none); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	if err := d.List(root, none); !errors.Is(err, ErrTooMuch) {
		t.Errorf("beyond the bound: %v", err)
	}
	d = Disk{}
	if err := d.List(root, none); err != nil {
		t.Fatal(err)
	}
	d.started = d.started.Add(-2 * maxTime)
	if err := d.List(root, none); !errors.Is(err, ErrTooMuch) {
		t.Errorf("too late: %v", err)
	}
	if err := d.List(filepath.Join(root, "none"), none); err != nil {
		t.Errorf("no directory: %v", err)
	}
}

// TestMatch: in doubt, the answer is yes.
func TestMatch(t *testing.T) {
	t.Parallel()
	for pattern, names := range map[string]string{
		"*": "a .env", "id_rs*": "id_rsa ID_RSA id_rs", "*.e?v": ".env prod.env x.e?v", "i?_[r]sa": "id_rsa", "[a": "[a", "*.go": "a.go .go", "a[b*": "a[bc ab", "^x": "anything", "a#b": "b", `\id_rsa`: "id_rsa", "+(i)d_rsa": "id_rsa",
		"*.{env,go}": "x.env x.go", "a?b": "aéb", "*K": "x\u212a", "?*?": "ab", "a*b*c": "aXbYc abc",
	} {
		for name := range strings.FieldsSeq(names) {
			if !Match(pattern, name) {
				t.Errorf("%s may match %s", pattern, name)
			}
		}
	}
	for pattern, names := range map[string]string{"*.go": "server.pem", "id_*": "x_id", "a*a": "a", "*.e?v": "env.txt a.csv x.eenv", "a": "b", "a*b*c": "acb", "?": "ab", "[a]b": "ac"} {
		for name := range strings.FieldsSeq(names) {
			if Match(pattern, name) {
				t.Errorf("%s cannot match %s", pattern, name)
			}
		}
	}
}

// FuzzFollow compares with the system: Follow finds under each name what the system finds.
func FuzzFollow(f *testing.F) {
	root := tree(f, "p/a/b/x", "p/a/x", "p/x", "p/l -> a/b", "p/a/u -> ../..", "p/o -> ../q", "q/d/x", "p/m -> o/d", "p/n -> none", "p/c -> c", "p/t -> ROOT/p/a")
	for _, name := range []string{"l/../x", "a/u/p/l/..", "m/../../p/t/b/x", "n/..", "c", "t/u/q/d/./x", "x/..", "../q//d/", "l/x/", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ContainsRune(name, 0) || len(name) > 200 || strings.Contains(name, "proc") || strings.Contains(name, "dev") {
			return
		}
		var d Disk
		place, err := d.Follow(filepath.Join(root, "p"), name)
		raw := filepath.Join(root, "p") + "/" + name
		if strings.HasPrefix(name, "/") {
			raw = name
		}
		want, statErr := os.Stat(raw)
		if statErr != nil {
			return
		}
		if err != nil {
			if !errors.Is(err, ErrStrange) {
				t.Fatalf("%q is there: %v", name, err)
			}
			return
		}
		got, lstatErr := os.Lstat(place.Path)
		if lstatErr != nil || !place.Exists || !os.SameFile(got, want) {
			t.Fatalf("%q leads to %+v, %v", name, place, lstatErr)
		}
		if real, evalErr := filepath.EvalSymlinks(place.Path); evalErr != nil || real != place.Path {
			t.Fatalf("%q leads over links to %s: %s, %v", name, place.Path, real, evalErr)
		}
	})
}

// FuzzExpand: Expand finds everything that filepath.Glob finds for a pattern.
func FuzzExpand(f *testing.F) {
	root := tree(f, "p/a/b/x", "p/a/x.go", "p/x.go", "p/l -> a/b", "p/a/u -> ../..", "p/.e", "q/d/x")
	for _, pattern := range []string{"*", "*/*", "l/*", "?/?/x", "a/u/*/*.go", "[a-l]/*", "*/../*", "./*"} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if len(pattern) > 40 || strings.Count(pattern, "*") > 4 || strings.HasPrefix(pattern, "/") || strings.ContainsRune(pattern, 0) {
			return
		}
		names, err := filepath.Glob(filepath.Join(root, "p") + "/" + pattern)
		if err != nil || len(names) == 0 {
			return
		}
		var d Disk
		_, all, err := d.Expand(filepath.Join(root, "p"), pattern)
		if err != nil {
			return
		}
		found := map[string]bool{}
		for _, p := range all {
			found[p.Path] = true
		}
		for _, name := range names {
			real, err := filepath.EvalSymlinks(name)
			if err == nil && !found[real] {
				t.Fatalf("%q stands for %s, which is not among %v", pattern, name, found)
			}
		}
	})
}
