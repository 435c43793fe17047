package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/internal/wiring"
)

// lockWait is how long an installation waits for another one.
const lockWait = 10 * time.Second

// record remembers what an installation found, so that it can be taken out to the
// byte. It lies below bridge's own state directory.
type record struct {
	Path string `json:"path"`
	// Existed says that there was a file; Original is its text, in base64.
	Existed  bool   `json:"existed"`
	Original []byte `json:"original"`
	// Result is the hash of the text that was written.
	Result string   `json:"result_sha256"`
	Had    []string `json:"had"`
	// BlockCap is what was written into env, or nil.
	BlockCap *int `json:"block_cap,omitempty"`
	// Removed are the lines of others, for people; Original has them.
	Removed []string `json:"removed,omitempty"`
}

// Site is a settings file and where the record of its installation lies.
type Site struct {
	// Path is the settings file.
	Path string
	// StateHome is bridge's state directory; without one there is no record.
	StateHome string
}

// Change is what was done, or would be done, to a file.
type Change struct {
	Plan
	Before, After []byte
}

// Install puts bridge into the settings file; dry only plans it. Two installations
// at once come one after the other. A file that is no settings file is left alone.
func (s Site) Install(o Options, dry bool) (Change, error) {
	unlock, err := s.lock()
	if err != nil {
		return Change{}, err
	}
	defer unlock()
	before, existed, err := s.read()
	if err != nil {
		return Change{}, err
	}
	plan, err := Install(before, o)
	if err != nil {
		return Change{}, fmt.Errorf("%s stays as it is: %w", s.Path, err)
	}
	c := Change{Plan: plan, Before: before, After: plan.Text}
	if dry || bytes.Equal(before, plan.Text) {
		return c, nil
	}
	r := record{Path: s.Path, Existed: existed, Original: before, Had: plan.Had, BlockCap: o.BlockCap, Removed: plan.Removed}
	if old, ok := s.load(); ok {
		// What the first installation found counts, as far as nobody changed the
		// file since.
		r.Had, r.Removed = old.Had, append(old.Removed, plan.Removed...)
		if r.BlockCap == nil {
			r.BlockCap = old.BlockCap
		}
		if old.Result == hash(before) {
			r.Existed, r.Original = old.Existed, old.Original
		}
	}
	r.Result = hash(plan.Text)
	// The record comes first: an installation without one could not be taken out to
	// the byte, a record without one does no harm.
	if err := s.save(r); err != nil {
		return Change{}, fmt.Errorf("remember the installation: %w", err)
	}
	if existed {
		if err := wiring.Replace(s.Path+wiring.BackupSuffix, before); err != nil {
			return Change{}, fmt.Errorf("keep a copy of %s: %w", s.Path, err)
		}
	}
	return c, wiring.Replace(s.Path, plan.Text)
}

// Uninstall takes bridge out of the settings file. A file that nobody changed since
// becomes what it was before the first installation, to the byte; in any other
// only bridge's lines go. What --replace took out comes back with the former.
func (s Site) Uninstall(dry bool) (c Change, removed []string, err error) {
	unlock, err := s.lock()
	if err != nil {
		return Change{}, nil, err
	}
	defer unlock()
	before, existed, err := s.read()
	if err != nil || !existed {
		return Change{}, nil, err
	}
	r, known := s.load()
	after, removed, err := Uninstall(before, r.Had, r.BlockCap)
	if err != nil {
		return Change{}, nil, fmt.Errorf("%s stays as it is: %w", s.Path, err)
	}
	untouched := known && r.Result == hash(before)
	if untouched {
		after = r.Original
	}
	c = Change{Before: before, After: after}
	if dry {
		return c, removed, nil
	}
	switch {
	case untouched && !r.Existed:
		err = os.Remove(s.Path)
	case !bytes.Equal(before, after):
		if err = wiring.Replace(s.Path+wiring.BackupSuffix, before); err == nil {
			err = wiring.Replace(s.Path, after)
		}
	}
	if err != nil {
		return Change{}, nil, err
	}
	if known && !untouched && len(r.Removed) > 0 {
		// They stand in the original, which the user may want.
		kept := s.Path + ".before-bridge"
		if err := wiring.Replace(kept, r.Original); err != nil {
			return Change{}, nil, fmt.Errorf("keep the settings as they were before: %w", err)
		}
		c.Removed = append(r.Removed, "the settings as they were before bridge are in "+kept)
	}
	return c, removed, s.forget()
}

func (s Site) read() (text []byte, existed bool, err error) {
	info, err := os.Stat(s.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(s.Path); err == nil {
			return nil, false, fmt.Errorf("%s is a link to nowhere; it stays as it is", s.Path)
		}
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case !info.Mode().IsRegular():
		return nil, false, fmt.Errorf("%s is not a regular file; it stays as it is", s.Path)
	}
	text, err = os.ReadFile(s.Path)
	return text, true, err
}

func (s Site) lock() (unlock func(), err error) {
	if s.StateHome == "" {
		return func() {}, nil
	}
	unlock, err = project.Lock(context.Background(), s.StateHome, "settings\x00"+s.Path, lockWait)
	if err != nil {
		return nil, fmt.Errorf("another bridge works on %s: %w", s.Path, err)
	}
	return unlock, nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (s Site) name() string { return project.ID(s.Path) + ".json" }

func (s Site) dir() string { return filepath.Join(s.StateHome, "installs") }

func (s Site) load() (r record, ok bool) {
	if s.StateHome == "" {
		return record{}, false
	}
	// Not by statefile: the original may be longer than a state file.
	text, err := os.ReadFile(filepath.Join(s.dir(), s.name()))
	if err != nil || json.Unmarshal(text, &r) != nil || r.Path != s.Path {
		return record{}, false
	}
	return r, true
}

func (s Site) save(r record) error {
	if s.StateHome == "" {
		return nil
	}
	text, err := json.Marshal(r, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	dir, err := statefile.MakeDir(s.dir())
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Create(s.name(), append(text, '\n'), statefile.Durable)
}

func (s Site) forget() error {
	if s.StateHome == "" {
		return nil
	}
	err := os.Remove(filepath.Join(s.dir(), s.name()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
