package statefile

import "time"

// Removal is a file that may be removed, and the reason. Maintenance performs removals,
// and bridge doctor shows them.
type Removal struct {
	Path, Why string
	Do        func() error
}

// Age is the time since the file at name was last changed. ok is false if the file is
// absent or its time is in the future, as after the clock was set back.
func (d *Dir) Age(name string, now time.Time) (age time.Duration, ok bool) {
	info, err := d.Stat(name)
	if err != nil {
		return 0, false
	}
	age = now.Sub(info.ModTime())
	return age, age >= 0
}

// Removal returns the removal of a file, or of an empty directory.
func (d *Dir) Removal(name, why string) Removal {
	path := d.path
	return Removal{Path: path + "/" + name, Why: why, Do: func() error {
		return In(path, func(dir *Dir) error { return dir.Remove(name) })
	}}
}
