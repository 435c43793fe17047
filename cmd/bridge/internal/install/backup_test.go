package install

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
)

// TestBackup: the copy beside the settings is the file from before bridge, whatever
// is installed in which order, and uninstall removes it only if nothing is lost.
func TestBackup(t *testing.T) {
	t.Parallel()
	const mine, peer = "{\n  \"model\": \"opus\" // mine\n}\n", "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"node ~/.claude/hooks/persistent-mode.mjs\" }] }\n    ]\n  }\n}\n"
	for name, test := range map[string]struct {
		before string
		edited bool
		// copied is what somebody puts in the place of the copy after the installations.
		copied string
		// kept is the copy after the installations; left is the one after uninstall.
		kept, left string
		replace    bool
		noRecord   bool
	}{
		"restored":              {before: mine, kept: mine},
		"edited":                {before: mine, edited: true, kept: mine, left: mine},
		"no file":               {},
		"no file, edited":       {edited: true},
		"a file of the user":    {before: mine, copied: "mine\n", kept: mine, left: "mine\n"},
		"another settings file": {before: mine, copied: "{\"model\": \"haiku\"}\n", kept: mine, left: "{\"model\": \"haiku\"}\n"},
		"an empty file":         {before: mine, copied: " ", kept: mine, left: " "},
		"with lines of bridge":  {before: mine, copied: "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/x/bridge --hook=stop\"}]}]},\n  \"model\": \"opus\" // mine\n}\n", kept: mine},
		"others' lines":         {before: peer, edited: true, replace: true, kept: peer},
		"without a record":      {before: mine, kept: mine, noRecord: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			site := Site{Path: filepath.Join(top, ".claude", "settings.json"), StateHome: filepath.Join(top, "state")}
			if test.noRecord {
				site.StateHome = ""
			}
			if test.before != "" {
				write(t, site.Path, []byte(test.before))
			}
			o := options(t)
			o.Replace = test.replace
			none, nine := 0, 9
			for _, blockCap := range []*int{nil, &none, &nine} {
				o.BlockCap = blockCap
				if _, err := site.Install(o, false); err != nil {
					t.Fatal(err)
				}
				if text, _ := os.ReadFile(site.backup()); string(text) != test.kept {
					t.Fatalf("the copy after install: %q", text)
				}
			}
			if test.copied != "" {
				write(t, site.backup(), []byte(test.copied))
			}
			if test.edited {
				if err := settingsfile.Replace(site.Path, added(t, site.Path)); err != nil {
					t.Fatal(err)
				}
			}
			planned, _, err := site.Uninstall(true)
			if err != nil {
				t.Fatal(err)
			}
			c, _, err := site.Uninstall(false)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(site.backup())
			if test.noRecord {
				// The cap stays, because nobody knows whose it is.
				test.left = mine
			}
			if string(text) != test.left || (c.Backup != "") != (err == nil) {
				t.Errorf("the copy after uninstall: %q, %v, %q", text, err, c.Backup)
			}
			if gone := test.before == "" && !test.edited; c.Deleted != gone || planned.Deleted != gone {
				t.Errorf("deleted: %v, planned %v", c.Deleted, planned.Deleted)
			}
			if c.CapGone == test.noRecord || planned.CapGone != c.CapGone {
				t.Errorf("the cap is gone: %v, planned %v", c.CapGone, planned.CapGone)
			}
		})
	}
}

// added is the text of a settings file with an edit.
func added(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		text, err = settingsfile.SetMember(text, "", "added", []byte("true"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestBackupBehindALink: a link in the place of the copy is neither read nor removed by
// uninstall, and what it leads to stays.
func TestBackupBehindALink(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	site := Site{Path: filepath.Join(top, "settings.json"), StateHome: filepath.Join(top, "state")}
	write(t, site.Path, []byte("{}\n"))
	if _, err := site.Install(options(t), false); err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(top, "theirs")
	write(t, theirs, []byte("{}\n"))
	if err := os.Remove(site.backup()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(theirs, site.backup()); err != nil {
		t.Skip(err)
	}
	if _, _, err := site.Uninstall(false); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(theirs); err != nil || string(text) != "{}\n" {
		t.Errorf("%v, %q", err, text)
	}
}
