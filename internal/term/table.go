// Package term lays text out for a terminal.
package term

import (
	"io"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
)

// Table is a table of text whose columns are as wide as their content. Cells are cleaned,
// because they may come from files of a repository.
type Table struct {
	Head []string
	// Width is how many columns the terminal has; 0 means that nothing is clipped. Then
	// the columns in Clip, the first one first, become narrower until a row fits.
	Width int
	Clip  []int
	// Paint returns what to write before a cell of a column, such as a colour; "" leaves
	// the cell as it is. nil paints nothing.
	Paint func(column int, cell string) string
	rows  [][]string
}

const (
	// gap is between two columns.
	gap = 2
	// narrowest is how far a column is clipped.
	narrowest = 8
	// plain ends what Paint begins.
	plain = "\x1b[0m"
)

// Add adds a row.
func (t *Table) Add(cells ...string) {
	for i, cell := range cells {
		cells[i] = display.Text(cell)
	}
	t.rows = append(t.rows, cells)
}

// widths returns the widths of the columns; 0 is an empty column.
func (t *Table) widths() []int {
	widths := make([]int, len(t.Head))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell))
		}
	}
	total := -gap
	for i, head := range t.Head {
		if widths[i] > 0 {
			widths[i] = max(widths[i], Width(head))
			total += widths[i] + gap
		}
	}
	for _, i := range t.Clip {
		if over := total - t.Width; t.Width > 0 && over > 0 && widths[i] > narrowest {
			less := min(over, widths[i]-narrowest)
			widths[i], total = widths[i]-less, total-less
		}
	}
	return widths
}

// Write writes the table. Empty columns are left out.
func (t *Table) Write(w io.Writer) {
	widths := t.widths()
	for n, row := range append([][]string{t.Head}, t.rows...) {
		var line strings.Builder
		blanks := 0
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			cell = Clip(cell, widths[i])
			if cell != "" {
				line.WriteString(strings.Repeat(" ", blanks))
				blanks = 0
			}
			blanks += widths[i] - Width(cell) + gap
			if colour := t.colour(n, i, cell); colour != "" {
				cell = colour + cell + plain
			}
			line.WriteString(cell)
		}
		io.WriteString(w, line.String()+"\n")
	}
}

// colour is what to write before a cell.
func (t *Table) colour(row, column int, cell string) string {
	if t.Paint == nil || row == 0 || cell == "" {
		return ""
	}
	return t.Paint(column, cell)
}
