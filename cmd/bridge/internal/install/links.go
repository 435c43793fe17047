package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// linksRecord is the name of the record of the links, beside those of the settings files.
const linksRecord = "links.json"

// maxLinksRecord is far more than one user's links need.
const maxLinksRecord = 64 << 10

// Links are links to the installed program, so that a shell finds it by name.
type Links struct {
	// Program is the path of the installed program.
	Program string
	// StateHome is bridge's state directory; without one, no link is made, because
	// uninstall would not know it.
	StateHome string
	Getenv    func(string) string
}

// Link is a name of the program, and what install does about it.
type Link struct {
	Name string
	// Path is where the link is, or would be; it is empty if there is no directory for
	// it.
	Path string
	Fate Fate
	// By is the file that already has the name: the program that runs under it, or
	// whatever is in the place of the link.
	By string
	// Err is why the link could not be made.
	Err error
}

// Fate says what becomes of a link.
type Fate int

const (
	// ToMake: the link is made.
	ToMake Fate = iota
	// Exists: the name already leads to the program.
	Exists
	// Occupied: another file has the name.
	Occupied
	// Nowhere: no suitable directory is on the PATH.
	Nowhere
)

// madeLink is a link in the record.
type madeLink struct {
	Path   string `json:"path"`
	Target string `json:"target"`
}

// DefaultDir is the directory for links if none is named: the first of ~/.local/bin and
// ~/bin that is on the PATH, or "".
func (l Links) DefaultDir() string {
	user := home.Dir(l.Getenv)
	if user == "" {
		return ""
	}
	for _, dir := range []string{filepath.Join(user, ".local", "bin"), filepath.Join(user, "bin")} {
		if l.Searched(dir) {
			return dir
		}
	}
	return ""
}

// Searched reports whether a directory is on the PATH.
func (l Links) Searched(dir string) bool {
	return slices.ContainsFunc(filepath.SplitList(l.Getenv("PATH")), func(entry string) bool {
		return filepath.IsAbs(entry) && filepath.Clean(entry) == dir
	})
}

// Plan says what becomes of each name of the program in a directory, which may be "".
// asked says that the user named the directory; then a link elsewhere does not count.
func (l Links) Plan(dir string, asked bool) []Link {
	var all []Link
	for _, name := range self.Names() {
		at := ""
		if dir != "" {
			at = filepath.Join(dir, name)
			if runtime.GOOS == "windows" {
				at += ".exe"
			}
		}
		all = append(all, decide(name, at, asked, l.look(at), l.search(name)))
	}
	return all
}

// occupant is what is in the place of a link.
type occupant int

const (
	nothing occupant = iota
	ours
	foreign
)

// found is a program on the PATH.
type found struct {
	path string
	ours bool
}

// decide says what becomes of a link at a path, from what is there and from the programs
// that PATH has for its name. No link is made if another program has the name: the link
// could hide that program from scripts that need it, or hide a newer version from a
// package.
func decide(name, at string, asked bool, there occupant, onPath []found) Link {
	link := Link{Name: name, Path: at}
	switch {
	case there == foreign:
		link.Fate, link.By = Occupied, at
	case there == ours:
		link.Fate, link.By = Exists, at
	case len(onPath) > 0 && !onPath[0].ours:
		link.Fate, link.By = Occupied, onPath[0].path
	case len(onPath) > 0 && !asked:
		link.Fate, link.By = Exists, onPath[0].path
	case at == "":
		link.Fate = Nowhere
	}
	return link
}

func (l Links) look(path string) occupant {
	if path == "" {
		return nothing
	}
	if _, err := os.Lstat(path); err != nil {
		return nothing
	}
	if l.leads(path) {
		return ours
	}
	return foreign
}

// leads reports whether a file is the program or leads to it, even if the program is not
// there yet.
func (l Links) leads(path string) bool {
	if target, err := os.Readlink(path); err == nil && target == l.Program {
		return true
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	program, err := os.Stat(l.Program)
	return err == nil && os.SameFile(info, program)
}

func (l Links) search(name string) (all []found) {
	for path := range self.OnPath(name, l.Getenv) {
		all = append(all, found{path, l.leads(path)})
	}
	return all
}

// Make makes the links of a plan. If a link cannot be made, its Err says why, and the
// others are made all the same.
func (l Links) Make(plan []Link) error {
	if !slices.ContainsFunc(plan, func(link Link) bool { return link.Fate == ToMake }) {
		return nil
	}
	unlock, err := l.lock()
	if err != nil {
		return err
	}
	defer unlock()
	made, err := l.load()
	if err != nil {
		return err
	}
	for _, link := range plan {
		if entry := (madeLink{link.Path, l.Program}); link.Fate == ToMake && !slices.Contains(made, entry) {
			made = append(made, entry)
		}
	}
	// The record comes first: it does no harm without a link, while uninstall would not
	// know a link without a record.
	if err := l.save(made); err != nil {
		return err
	}
	for i, link := range plan {
		if link.Fate != ToMake {
			continue
		}
		err := os.MkdirAll(filepath.Dir(link.Path), 0o755)
		if err == nil {
			// This fails if a file is there, so it never overwrites one.
			err = os.Symlink(l.Program, link.Path)
		}
		plan[i].Err = err
	}
	return nil
}

// Remove removes the links that install made and that nobody has changed since, and
// returns their paths. With dry, it removes nothing.
func (l Links) Remove(dry bool) (removed []string, err error) {
	if l.StateHome == "" {
		return nil, nil
	}
	if !dry {
		unlock, err := l.lock()
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	made, err := l.load()
	if err != nil {
		return nil, err
	}
	var left []madeLink
	var errs []error
	for _, link := range made {
		target, err := os.Readlink(link.Path)
		if err != nil || target != link.Target {
			continue
		}
		if !dry {
			if err := os.Remove(link.Path); err != nil {
				errs, left = append(errs, fmt.Errorf("remove the link: %w", err)), append(left, link)
				continue
			}
		}
		removed = append(removed, link.Path)
	}
	slices.SortFunc(removed, strings.Compare)
	if dry || len(made) == 0 {
		return removed, nil
	}
	return removed, errors.Join(append(errs, l.save(left))...)
}

func (l Links) lock() (unlock func(), err error) {
	if l.StateHome == "" {
		return nil, errors.New("no directory for bridge's records is known")
	}
	unlock, err = project.Lock(context.Background(), protocol.Env{StateHome: l.StateHome}, "links\x00", lockWait)
	if err != nil {
		return nil, fmt.Errorf("another bridge is changing the links: %w", err)
	}
	return unlock, nil
}

func (l Links) records() statefile.Own { return settingsfile.Installs(l.StateHome) }

func (l Links) load() ([]madeLink, error) {
	path := filepath.Join(string(l.records()), linksRecord)
	text, err := statefile.ReadFile(path, maxLinksRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var record struct {
		Links []madeLink `json:"links"`
	}
	if err == nil {
		err = json.Unmarshal(text, &record)
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of the links, %s: %w", path, err)
	}
	return record.Links, nil
}

func (l Links) save(made []madeLink) error {
	if len(made) == 0 {
		return l.records().Remove(linksRecord)
	}
	text, err := json.Marshal(map[string]any{"links": made}, jsontext.WithIndent("  "))
	if err == nil {
		err = l.records().Save(linksRecord, append(text, '\n'), statefile.Durable)
	}
	if err != nil {
		return fmt.Errorf("write the record of the links: %w", err)
	}
	return nil
}
