package normalize

// Aliases returns the spellings of a field beside name itself.
func Aliases(name string) []string {
	var names []string
	for _, alias := range aliases(name) {
		if alias != "" {
			names = append(names, alias)
		}
	}
	return names
}
