package guard

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/reach"
)

// maxFollowed is how many changes of a call bridge checks on the disk.
const maxFollowed = 256

// follow adds the targets of links to the changes, and the paths without links to the protected places. A path that
// cannot be followed is judged by its name.
func (f *Facts) follow(getenv func(string) string) {
	var disk reach.Disk
	resolved := func(place string) string {
		if !path.IsAbs(place) && !filepath.IsAbs(place) {
			return place
		}
		to, err := disk.Follow("", place)
		if err != nil {
			return place
		}
		return filepath.ToSlash(to.Path)
	}
	for _, source := range settingsfile.Files([]string{f.Call.Root}, getenv) {
		if info, err := os.Lstat(source.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			f.linked = append(f.linked, resolved(filepath.ToSlash(source.Path)))
		}
	}
	for _, c := range f.changes[:min(len(f.changes), maxFollowed)] {
		p := filepath.FromSlash(cmp.Or(c.raw, c.path))
		var to reach.Place
		var err error
		// Not filepath.Split, because dots after a link must be followed.
		last := strings.LastIndexByte(p, filepath.Separator)
		if c.pattern {
			// Only the part before the first pattern is followed.
			first := strings.IndexAny(p, "*?[")
			last = strings.LastIndexByte(p[:first], filepath.Separator)
			to, err = disk.Follow("", p[:last]+string(filepath.Separator))
			to.Path = filepath.Join(to.Path, p[last+1:])
		} else if base := p[last+1:]; c.entry && last >= 0 && base != ".." {
			to, err = disk.Follow("", p[:last]+string(filepath.Separator))
			to.Path = filepath.Join(to.Path, base)
		} else {
			to, err = disk.Follow("", p)
		}
		if at := filepath.ToSlash(to.Path); err == nil && at != c.path {
			c.path = at
			f.changes = append(f.changes, c)
		}
	}
	for _, own := range f.Own {
		if to := resolved(own); to != own {
			f.Own = append(f.Own, to)
		}
	}
	if to := resolved(f.Call.Home); to != f.Call.Home {
		f.Homes = append(f.Homes, to)
	}
}
