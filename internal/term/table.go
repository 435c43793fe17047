// Package term lays text out for a terminal.
package term

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/internal/display"
)

// Table is a table of text whose columns are as wide as their content. Cells are cleaned,
// because they may come from files of a repository.
type Table struct {
	Head []string
	rows [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) {
	for i, cell := range cells {
		cells[i] = display.Text(cell)
	}
	t.rows = append(t.rows, cells)
}

// Write writes the table. Empty columns are left out.
func (t *Table) Write(w io.Writer) {
	widths := make([]int, len(t.Head))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, head := range t.Head {
		if widths[i] > 0 {
			widths[i] = max(widths[i], utf8.RuneCountInString(head))
		}
	}
	for _, row := range append([][]string{t.Head}, t.rows...) {
		var line strings.Builder
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		io.WriteString(w, strings.TrimRight(line.String(), " ")+"\n")
	}
}
