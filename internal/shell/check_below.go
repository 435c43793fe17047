package shell

import "strings"

// here lists the working directory if the call names no path: commands that search
// begin there.
func (c *call) here() {
	if len(c.paths) == 0 {
		c.paths = append(c.paths, word{text: ".", glob: -1})
	}
}

// checkGrep notes what a recursive grep reads.
func checkGrep(c *call) *refusal {
	excludes := false
	for _, o := range c.options {
		switch o.name {
		case "-r", "--recursive":
			c.below.Contents = true
		case "-R", "--dereference-recursive":
			c.below.Contents, c.below.Links = true, true
		case "--directories":
			// grep accepts the first letters of a value.
			c.below.Contents = c.below.Contents || strings.HasPrefix(o.value, "r") && o.value != "read"
		case "--exclude-dir":
			c.below.skip(o.value)
		case "--include":
			c.below.Only = append(c.below.Only, o.value)
		case "--exclude", "--exclude-from":
			excludes = true
		}
	}
	if excludes {
		// With options of both kinds, the first one decides about a file that no pattern
		// matches.
		c.below.Only = nil
	}
	if c.below.Contents && (len(c.operands) == 0 || len(c.operands) == 1 && !c.has("-e", "-f", "--regexp", "--file")) {
		c.paths = append(c.paths, word{text: ".", glob: -1})
	}
	return nil
}

// checkRg notes what rg reads.
func checkRg(c *call) *refusal {
	if c.has("--type-list", "--version", "-V", "--help") {
		return nil
	}
	c.below.Contents, c.below.Links = !c.has("--files"), c.has("-L", "--follow")
	c.below.Names = !c.below.Contents && !c.has("-f", "--file", "--ignore-file")
	// A pattern or an ignore file on the command line includes left-out files again, and
	// a link may lead to them. A type and -uu include hidden files again.
	leaves := !c.below.Links && !c.has("-u", "--unrestricted", "--ignore-file")
	c.below.Visible = leaves && !c.has("--hidden", "-.", "-t", "--type")
	c.below.Ignores = leaves && !c.has("--no-ignore", "--no-ignore-vcs", "--no-ignore-parent")
	every := false // a type is unknown
	for _, o := range c.options {
		switch o.name {
		case "-g", "--glob", "--iglob":
			if name, not := strings.CutPrefix(o.value, "!"); not {
				c.below.skip(name)
			} else {
				c.below.Visible, c.below.Ignores = false, false
				c.below.Only = append(c.below.Only, o.value)
			}
		case "-t", "--type":
			patterns := rgType(o.value)
			every = every || patterns == ""
			c.below.Only = append(c.below.Only, strings.Fields(patterns)...)
		}
	}
	if every {
		c.below.Only = nil
	}
	if len(c.below.Only) > 0 || every {
		c.below.Skip = nil // a later pattern may include the directory again
	}
	if len(c.operands) == 0 || len(c.operands) == 1 && !c.has("-e", "-f", "--regexp", "--file", "--files") {
		c.paths = append(c.paths, word{text: ".", glob: -1})
	}
	return nil
}

// rgType returns patterns that cover a type of rg, or "" for an unknown type.
func rgType(name string) string {
	switch name {
	case "go":
		return "*.go"
	case "ts", "typescript":
		return "*.ts *.tsx *.cts *.mts"
	case "js":
		return "*.js *.jsx *.cjs *.mjs *.vue"
	case "py", "python":
		return "*.py *.pyi"
	case "rust":
		return "*.rs"
	case "md", "markdown":
		return "*.md *.markdown *.mdown *.mdwn *.mdx *.mkd *.mkdn"
	case "css":
		return "*.css *.scss"
	}
	return ""
}

// Searched returns patterns of the only names that a search with the Grep tool reads, or
// nil if it may read others. The client gives its glob and its type to rg, for which a
// file that the glob names is read whatever its type.
func Searched(glob, kind string) []string {
	if glob == "" {
		return strings.Fields(rgType(kind))
	}
	// A path must match to its end, so its last part decides.
	slash := strings.LastIndexByte(glob, '/') + 1
	before, rest, _ := strings.Cut(glob[slash:], "{")
	inner, after, braces := strings.Cut(rest, "}")
	if !braces {
		before, inner, after = glob[slash:], "", ""
	}
	var names []string
	for one := range strings.SplitSeq(inner, ",") {
		name := before + one + after
		if name == "" || !narrow(glob[:slash]+name) || strings.Contains(name, "**") || strings.ContainsRune(name, '/') {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// narrow reports a pattern in which only * and ? have a special meaning.
func narrow(pattern string) bool {
	return strings.Trim(pattern, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.*?/-") == "" && !strings.HasPrefix(pattern, "-")
}

// checkFollow notes that links below a directory are followed: by fd, tree, du and a
// recursive ls.
func checkFollow(c *call) *refusal {
	switch c.name {
	case "tree":
		c.below.Links = c.has("-l")
	case "ls":
		c.below.Links = c.has("-R", "--recursive") && c.has("-L", "--dereference")
	default:
		c.below.Links = c.has("-L", "--follow", "--dereference")
	}
	if c.below.Links {
		c.here()
	}
	return nil
}

// checkDiff: given two directories, diff reads all files below them and follows links.
func checkDiff(c *call) *refusal {
	c.below.Contents, c.below.Links = true, !c.has("--no-dereference")
	return nil
}

// skip records a directory that the command does not enter, if its name is plain.
func (b *Below) skip(name string) {
	name = strings.TrimSuffix(name, "/")
	if name != "" && !strings.ContainsAny(name, `*?[]{}!\/`) {
		b.Skip = append(b.Skip, name)
	}
}
