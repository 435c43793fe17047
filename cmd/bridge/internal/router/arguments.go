package router

import "strings"

// HookArgument finds the value of --hook in the arguments after the program's name.
// called is true if any argument begins with --hook. The process is then a hook, and
// wrong arguments must not lead to a usage error (docs/design.md#hook-names). The first
// value wins; extra lists the other arguments. The exceptions are bridge explain --hook=T
// and bridge install --hooks=…, which a person types, and bridge complete, which completes
// them.
func HookArgument(args []string) (value string, extra []string, called bool) {
	const name = "--hook"
	if len(args) > 0 && (args[0] == "explain" || args[0] == "install" || args[0] == "complete") {
		return "", nil, false
	}
	have := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case strings.HasPrefix(arg, name+"="):
			called = true
			if have {
				extra = append(extra, arg)
				continue
			}
			value, have = arg[len(name)+1:], true
		case arg == name:
			called = true
			if have || i+1 == len(args) {
				extra = append(extra, arg)
				continue
			}
			i++
			value, have = args[i], true
		default:
			called = called || strings.HasPrefix(arg, name)
			extra = append(extra, arg)
		}
	}
	return value, extra, called
}
