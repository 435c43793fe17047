package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// TestSearch: which of several files counts, near or far, and what the notices say about the others. The content of a
// file names its owner; "old" has no owner and was not evidently started here, "ended" belongs to the session but has
// ended, "bad" cannot be read.
func TestSearch(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files   map[string]string
		best    string
		claimed bool
		notices string
	}{
		"nothing":                              {nil, "", false, ""},
		"the session's own":                    {map[string]string{"near/all": "s1"}, "near/all", false, ""},
		"the nearest of two own ones":          {map[string]string{"near/all": "s1", "far/all": "s1"}, "near/all", false, ""},
		"one to claim":                         {map[string]string{"near/all": ""}, "near/all", true, ""},
		"the nearest of two to claim":          {map[string]string{"near/all": "", "far/all": ""}, "near/all", true, ""},
		"a far own one before a near claim":    {map[string]string{"near/all": "", "far/all": "s1"}, "far/all", false, ""},
		"another's is not told of":             {map[string]string{"near/all": "s2"}, "", false, ""},
		"a stale one is":                       {map[string]string{"near/all": "old", "far/all": "s1"}, "far/all", false, "stale-x"},
		"one that cannot be read is":           {map[string]string{"near/all": "bad"}, "", false, "unusable-x"},
		"the folder before all":                {map[string]string{"near/own": "s1", "near/all": "s1"}, "near/own", false, ""},
		"a far folder before all":              {map[string]string{"near/all": "s1", "far/own": "s1"}, "far/own", false, ""},
		"a folder that ended decides":          {map[string]string{"near/own": "ended", "far/all": "s1"}, "", false, ""},
		"a far folder that ended decides":      {map[string]string{"near/all": "", "far/own": "ended"}, "", false, ""},
		"a folder that cannot be read decides": {map[string]string{"near/own": "bad", "near/all": ""}, "", false, "unusable-x"},
		"a folder behind one that ended":       {map[string]string{"near/own": "ended", "far/own": "s1"}, "far/own", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top, now := t.TempDir(), time.Now()
			dirs := []string{filepath.Join(top, "near"), filepath.Join(top, "far")}
			for _, dir := range dirs {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for file, text := range test.files {
				if err := os.WriteFile(filepath.Join(top, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			kind := Kind{Key: "x", Label: "x"}
			search := Search[Owned]{
				Kind: kind, SessionID: "s1", Now: now, Names: []string{"own", "all"}, Private: "own", Unusable: kind.Unusable,
				Owned: func(o Owned) Owned { return o },
				Load: func(dir *statefile.Dir, path, name string) (Owned, error) {
					file, err := dir.Read(name)
					o := Owned{Path: path + "/" + name, SessionID: string(file.Data), Stamp: now, ModTime: now, ChangeTime: now}
					switch o.SessionID {
					case "old":
						o.SessionID, o.Stamp = "", time.Time{}
					case "bad":
						err = errors.New("bad")
					}
					return o, err
				},
				Judge: func(_ *statefile.Dir, o Owned, by Ownership) Ownership { return by },
			}
			var visited int
			refused := Walk(dirs, nil, "", func(dir *statefile.Dir, path string) bool {
				visited++
				return search.Visit(dir, path)
			})
			best := ""
			if search.Best != nil {
				best, _ = filepath.Rel(top, search.Best.Path)
			}
			var told []string
			for _, n := range search.Notices {
				key, _, _ := strings.Cut(n.Key, ":")
				told = append(told, key)
			}
			if filepath.ToSlash(best) != test.best || search.Claimed != test.claimed || strings.Join(told, " ") != test.notices || len(refused) > 0 {
				t.Errorf("found %q, claimed %v, told %v", best, search.Claimed, told)
			}
			if own := test.best == "near/own"; own != (visited == 1) {
				t.Errorf("%d directories were visited", visited)
			}
		})
	}
}

// TestSearchTellsOfRefusedDirectories: only directories that contain one of the files are
// reported.
func TestSearchTellsOfRefusedDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "all"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	kind := Kind{Key: "x", Label: "x", Remedies: Remedies{WorldWritable: "Do this."}}
	search := Search[Owned]{Names: []string{"own", "all"}, Unusable: kind.Unusable}
	search.Refuse([]Refused{{dir, statefile.ErrWorldWritable}, {t.TempDir(), statefile.ErrWorldWritable}})
	want := "X: bridge ignores the state file, because its directory is world-writable: " + dir + "/all. Do this."
	if len(search.Notices) != 1 || search.Notices[0].Text != want {
		t.Errorf("%+v, want %q", search.Notices, want)
	}
}

// TestOwnWithoutAHome: nothing is kept, and that is not an error.
func TestOwnWithoutAHome(t *testing.T) {
	t.Parallel()
	own := statefile.OwnIn("", "x")
	if err := own.Save("a", []byte("b"), statefile.Durable); err != nil {
		t.Error(err)
	}
	if _, err := own.Read("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, ok := own.Look("a"); ok || own.Remove("a") != nil {
		t.Error("something is there")
	}
}
