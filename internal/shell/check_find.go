package shell

import "strings"

// checkFind accepts starting points and the tests and printing actions of find.
// Left out: -exec, -execdir, -ok, -okdir (run programs), -delete (removes),
// -fprint, -fprint0, -fprintf, -fls (write files) and -files0-from (a list of
// paths). A predicate must be spelled exactly; find knows no abbreviations.
func checkFind(c *call) *refusal {
	args := c.args
	for _, w := range args {
		c.below.Links = c.below.Links || w.text == "-L" || w.text == "-follow"
	}
	for len(args) > 0 && (args[0].text == "-H" || args[0].text == "-L" || args[0].text == "-P") {
		args = args[1:]
	}
	expression := false
	for i := 0; i < len(args); i++ {
		w := args[i]
		starts := strings.HasPrefix(w.text, "-") || w.text == "(" || w.text == ")" || w.text == "!" || w.text == ","
		if !expression && !starts {
			if w.glob == 0 {
				return globRefusal(w)
			}
			c.paths = append(c.paths, w)
			continue
		}
		expression = true
		if w.glob >= 0 {
			return globRefusal(w)
		}
		values, isPath, ok := findPredicate(w.text)
		if !ok {
			return &refusal{"dangerous-option", w.src, "The predicate " + w.text + " of find is not known to be read-only."}
		}
		if values == 0 {
			continue
		}
		if i+1 == len(args) {
			return &refusal{"option-value", w.src, "The predicate " + w.text + " of find lacks its value."}
		}
		i++
		if args[i].glob >= 0 {
			return globRefusal(args[i])
		}
		if isPath && strings.HasPrefix(args[i].text, "-") {
			return &refusal{"option-like-value", args[i].src, "A value that looks like an option is not approved."}
		}
		if isPath {
			c.paths = append(c.paths, args[i])
		}
	}
	c.here()
	return nil
}

// findPredicate returns how many values a predicate takes and whether they name
// a file that is examined.
func findPredicate(name string) (values int, isPath, ok bool) {
	switch name {
	case "(", ")", "!", ",", "-not", "-a", "-and", "-o", "-or", "-true", "-false",
		"-print", "-print0", "-ls", "-prune", "-quit", "-depth", "-d", "-mount", "-xdev", "-daystart", "-follow",
		"-noleaf", "-ignore_readdir_race", "-empty", "-nouser", "-nogroup", "-readable", "-writable", "-executable",
		"-warn", "-nowarn", "-help", "-version":
		return 0, false, true
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-lname", "-ilname", "-regex", "-iregex",
		"-regextype", "-type", "-xtype", "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-used",
		"-maxdepth", "-mindepth", "-perm", "-user", "-group", "-uid", "-gid", "-links", "-inum", "-fstype", "-printf",
		"-newermt", "-newerat", "-newerct":
		return 1, false, true
	case "-newer", "-anewer", "-cnewer", "-samefile":
		return 1, true, true
	}
	return 0, false, false
}
