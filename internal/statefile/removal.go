package statefile

import "time"

// Removal is a file that may go, and why. Maintenance carries removals out and
// bridge doctor shows them.
type Removal struct {
	Path, Why string
	Do        func() error
}

// Age is how long ago the file at name was last changed; ok is false when it is
// absent or comes from the future, as after a clock was set back.
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
