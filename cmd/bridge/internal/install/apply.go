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
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// lockWait is how long an installation waits for another one.
const lockWait = 10 * time.Second

// ErrRemain means that the settings still contain lines of bridge after an
// uninstallation.
var ErrRemain = errors.New("another program has changed the file")

// record is what an installation found, so that it can be undone to the byte. It is in
// bridge's own state directory.
type record struct {
	Path string `json:"path"`
	// Existed says that there was a file before the first installation; Original is
	// its text, in base64.
	Existed  bool   `json:"existed"`
	Original []byte `json:"original"`
	// Result is the hash of the text that was written. It is empty when somebody
	// edited the file since the first installation: Original lacks that edit.
	Result string   `json:"result_sha256"`
	Had    []string `json:"had"`
	// Events are those for which lines were written.
	Events []string `json:"events,omitempty"`
	// BlockCap is what was written into env, or nil.
	BlockCap *int `json:"block_cap,omitempty"`
	// Removed describes the removed lines of other programs for people; Taken holds
	// these lines, so that they can be restored.
	Removed []string `json:"removed,omitempty"`
	Taken   []Taken  `json:"taken,omitempty"`
}

// firstSuffix is appended to the name of a settings file for the copy from before bridge,
// which uninstall leaves if --replace removed something.
const firstSuffix = ".before-bridge"

// Site is a settings file and the place of the record of its installation.
type Site struct {
	// Path is the settings file.
	Path string
	// StateHome is bridge's state directory; without one there is no record.
	StateHome string
	// Scope are the directories of the file's scope: a link that leads out of them is
	// not followed. None follows any link.
	Scope []string
	// replace writes the settings file; nil is settingsfile.Replace.
	replace func(path string, text []byte) error
}

// Change is what was changed in a file, or would be changed.
type Change struct {
	Plan
	Before, After []byte
	// PutBack are the lines of others that an uninstallation restored in an edited file;
	// FirstCopy is the path of the copy from before bridge.
	PutBack   []string
	FirstCopy string
	// Backup is the path of the copy beside the file that an uninstallation leaves.
	// Deleted says that it deletes the file, which did not exist before bridge, and CapGone
	// that it takes the block cap out of env.
	Backup           string
	Deleted, CapGone bool
}

// Install adds bridge to the settings file; with dry, it only plans that. A lock keeps
// two installations from running at once. A file that is not a settings file stays as it
// is.
func (s Site) Install(o Options, dry bool) (Change, error) {
	if err := s.Inside(); err != nil {
		return Change{}, err
	}
	unlock, err := s.lock(dry)
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
	if !dry {
		s.sweep()
	}
	c := Change{Plan: plan, Before: before, After: plan.Text}
	if dry || bytes.Equal(before, plan.Text) {
		return c, nil
	}
	r := record{Path: s.Path, Existed: existed, Original: before, Result: hash(plan.Text), Had: plan.Had, BlockCap: o.BlockCap, Removed: plan.Removed, Taken: plan.Taken}
	for _, e := range o.Entries {
		r.Events = append(r.Events, string(e.Event))
	}
	old, known := s.load()
	if known = known && old.concerns(before); known {
		// What counts is the state that the first installation found.
		r.Existed, r.Original, r.Had = old.Existed, old.Original, old.Had
		r.Events = append(old.Events, r.Events...)
		r.Removed, r.Taken = append(old.Removed, plan.Removed...), append(old.Taken, plan.Taken...)
		if r.BlockCap == nil {
			r.BlockCap = old.BlockCap
		}
		if old.Result != hash(before) {
			r.Result = ""
		}
	}
	slices.Sort(r.Events)
	r.Events = slices.Compact(r.Events)
	// The record comes first: an installation without a record could not be undone to the
	// byte, while a record without an installation does no harm.
	if err := s.save(r); err != nil {
		return Change{}, fmt.Errorf("write the record of the installation: %w", err)
	}
	if existed {
		if err := s.keep(before, r, known); err != nil {
			return Change{}, err
		}
	}
	return c, s.write(plan.Text)
}

// Inside reports a settings file that is a link out of its scope:
// settingsfile.ErrOutside.
func (s Site) Inside() error {
	if len(s.Scope) == 0 {
		return nil
	}
	return settingsfile.Inside(s.Path, s.Scope...)
}

// concerns reports whether the record is about the current settings: they differ from
// what the first installation found, and contain what it wrote.
func (r record) concerns(now []byte) bool {
	return !bytes.Equal(now, r.Original) && (holdsBridge(now) || len(r.Removed) > 0)
}

func holdsBridge(text []byte) bool {
	lines, err := bridgeLines(text, "")
	return err == nil && len(lines) > 0
}

// sweep removes what interrupted installations left behind next to the files that
// this one writes.
func (s Site) sweep() {
	path := s.Path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	for _, suffix := range []string{"", settingsfile.BackupSuffix, firstSuffix} {
		statefile.Sweep(path + suffix)
	}
	if s.StateHome != "" {
		statefile.Sweep(filepath.Join(string(s.installs()), s.name()))
	}
}

func (s Site) write(text []byte) error {
	if s.replace != nil {
		return s.replace(s.Path, text)
	}
	return settingsfile.Replace(s.Path, text)
}

// Uninstall removes bridge from the settings file. If nobody has changed the file since,
// it becomes what it was before the first installation, byte for byte; otherwise only
// bridge's lines are removed. In both cases, it restores what --replace removed. It
// returns an error if lines of bridge remain.
func (s Site) Uninstall(dry bool) (c Change, removed []string, err error) {
	if err := s.Inside(); err != nil {
		return Change{}, nil, err
	}
	unlock, err := s.lock(dry)
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
	// An older bridge may have kept a file that already contained its lines as the
	// original.
	untouched := known && r.Result == hash(before) && !holdsBridge(r.Original)
	if untouched {
		after = r.Original
	} else if after, err = r.restore(after); err != nil {
		return Change{}, nil, fmt.Errorf("%s stays as it is: %w", s.Path, err)
	}
	c = Change{Before: before, After: after, Deleted: untouched && !r.Existed, CapGone: r.BlockCap != nil && capOf(before) != "" && capOf(after) == ""}
	if dry {
		return c, removed, nil
	}
	s.sweep()
	switch {
	case untouched && !r.Existed:
		err = os.Remove(s.Path)
	case !bytes.Equal(before, after):
		err = s.rewrite(before, after, r, known, untouched)
	}
	if err == nil {
		err = s.verify()
	}
	if err != nil {
		return Change{}, nil, err
	}
	if err := s.copies(&c, r, known && !untouched && len(r.Removed) > 0); err != nil {
		return Change{}, nil, err
	}
	return c, removed, s.forget()
}

// restore restores, in an edited file, what installations removed or changed.
func (r record) restore(text []byte) ([]byte, error) {
	text, err := putBack(text, r.Taken)
	if err != nil || r.BlockCap == nil {
		return text, err
	}
	was, err := envOf(r.Original)
	if err != nil || was[claude.EnvBlockCap] == nil {
		return text, nil
	}
	if now, err := envOf(text); err != nil || now[claude.EnvBlockCap] != nil {
		return text, nil
	}
	return settingsfile.SetMember(text, "/env", claude.EnvBlockCap, was[claude.EnvBlockCap])
}

// capOf is the block cap in a settings file, or "".
func capOf(text []byte) string {
	env, err := envOf(text)
	if err != nil {
		return ""
	}
	return string(env[claude.EnvBlockCap])
}

// verify reads the file again, because a running client may have written it in the
// meantime.
func (s Site) verify() error {
	text, _, err := s.read()
	if err != nil {
		return err
	}
	lines, err := bridgeLines(text, "")
	if err != nil {
		return fmt.Errorf("read %s again: %w", s.Path, err)
	}
	if len(lines) > 0 {
		return fmt.Errorf("%s still has %d of bridge's hook lines: %w", s.Path, len(lines), ErrRemain)
	}
	return nil
}

func (s Site) read() (text []byte, existed bool, err error) {
	text, err = statefile.ReadFile(s.Path, settingsfile.MaxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(s.Path); err == nil {
			return nil, false, fmt.Errorf("%s is a broken link; it stays as it is", s.Path)
		}
		return nil, false, nil
	case errors.Is(err, statefile.ErrNotRegular):
		return nil, false, fmt.Errorf("%s is not a regular file; it stays as it is", s.Path)
	case err != nil:
		return nil, false, fmt.Errorf("read %s, which stays as it is: %w", s.Path, err)
	}
	return text, true, err
}

func (s Site) lock(dry bool) (unlock func(), err error) {
	if s.StateHome == "" || dry {
		return func() {}, nil
	}
	unlock, err = project.Lock(context.Background(), protocol.Env{StateHome: s.StateHome}, "settings\x00"+s.Path, lockWait)
	if err != nil {
		return nil, fmt.Errorf("another bridge is changing %s: %w", s.Path, err)
	}
	return unlock, nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (s Site) name() string { return settingsfile.RecordName(s.Path) }

func (s Site) installs() statefile.Own { return settingsfile.Installs(s.StateHome) }

func (s Site) load() (r record, ok bool) {
	if s.StateHome == "" {
		return record{}, false
	}
	// Not as a record: the original may be longer than a state file.
	text, err := statefile.ReadFile(filepath.Join(string(s.installs()), s.name()), settingsfile.MaxRecord)
	if err != nil || json.Unmarshal(text, &r) != nil || r.Path != s.Path {
		return record{}, false
	}
	return r, true
}

func (s Site) save(r record) error {
	text, err := json.Marshal(r, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return s.installs().Save(s.name(), append(text, '\n'), statefile.Durable)
}

func (s Site) forget() error { return s.installs().Remove(s.name()) }
