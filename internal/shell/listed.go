package shell

import "strings"

// Listed is a command of the tables, for tests and documents.
type Listed struct {
	// Command is the program and its sub-command.
	Command string
	Options []ListedOption
	// Dangers are options that the row leaves out on purpose.
	Dangers []string
	// Operands says that the command takes operands; Max limits them, zero means no
	// limit.
	Operands bool
	Max      int
	Network  bool
	// Raw says that a check reads the arguments: Options is empty.
	Raw bool
}

// ListedOption is an option of a row.
type ListedOption struct {
	// Name has its dashes.
	Name  string
	Arity Arity
}

// Arity says how an option takes its value.
type Arity int

const (
	// NoValue: none.
	NoValue Arity = iota
	// RequiredValue: attached, or the next word.
	RequiredValue
	// OptionalValue: attached only.
	OptionalValue
	// TwoValues: the next two words.
	TwoValues
)

// Table lists every command that the tables approve.
func Table() (all []Listed) {
	for _, rows := range tables() {
		for _, at := range spelledRows(rows) {
			all = append(all, at.row.listed(at.name))
		}
	}
	return all
}

func (r *row) listed(command string) Listed {
	l := Listed{Command: command, Operands: r.operands != none || r.raw, Max: r.max, Network: r.network, Raw: r.raw}
	for i := range len(r.short) {
		if kind, ok := shortKind(r.short, r.short[i]); ok {
			l.Options = append(l.Options, ListedOption{"-" + r.short[i:i+1], arity(kind)})
		}
	}
	for entry := range strings.FieldsSeq(r.long) {
		name := strings.TrimRight(entry, "=?@")
		if kind, ok := longKind(r.long, name); ok {
			l.Options = append(l.Options, ListedOption{"--" + name, arity(kind)})
		}
	}
	for _, d := range r.danger {
		l.Dangers = append(l.Dangers, strings.Fields(d.options)...)
	}
	return l
}

func arity(kind byte) Arity {
	switch kind {
	case required, pathname:
		return RequiredValue
	case optional:
		return OptionalValue
	case pair:
		return TwoValues
	}
	return NoValue
}

// spelledRow is one of the commands that a row covers.
type spelledRow struct {
	name string
	row  *row
}

func spelledRows(rows []row) (all []spelledRow) {
	for i := range rows {
		names := []string{""}
		for token := range strings.FieldsSeq(rows[i].name) {
			var longer []string
			for _, name := range names {
				for part := range strings.SplitSeq(token, "|") {
					longer = append(longer, strings.TrimSpace(name+" "+part))
				}
			}
			names = longer
		}
		for _, name := range names {
			all = append(all, spelledRow{name, &rows[i]})
		}
	}
	return all
}
