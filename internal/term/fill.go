package term

import "strings"

// Fill fits a text into columns. Lines that begin at the margin are paragraphs, which are
// wrapped. Indented lines stay as they are, but if they have two columns, with two spaces
// or more between them, those are aligned, and the second one is wrapped.
func Fill(text string, columns int) string {
	var out strings.Builder
	var prose, block []string
	flush := func() {
		if len(prose) > 0 {
			out.WriteString(wrap(strings.Join(prose, " "), "", "", columns))
		}
		if len(block) > 0 {
			out.WriteString(list(block, columns))
		}
		prose, block = nil, nil
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case strings.TrimSpace(line) == "":
			flush()
			out.WriteByte('\n')
		case line[0] == ' ':
			if len(prose) > 0 {
				flush()
			}
			block = append(block, line)
		default:
			if len(block) > 0 {
				flush()
			}
			prose = append(prose, line)
		}
	}
	flush()
	return out.String()
}

// continued is the indentation from which a line continues the second column.
const continued = 9

// list fits indented lines.
func list(lines []string, columns int) string {
	type row struct{ first, second string }
	var rows []row
	indent := indentation(lines[0])
	wide := 0
	for _, line := range lines {
		in, last := indentation(line), len(rows)-1
		switch {
		case in >= continued && last >= 0 && rows[last].second != "":
			rows[last].second += " " + strings.TrimSpace(line)
			continue
		case in != indent:
			return strings.Join(lines, "\n") + "\n"
		}
		first, second, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if second != "" {
			wide = max(wide, Width(first))
		}
		rows = append(rows, row{first, strings.TrimSpace(second)})
	}
	const least, between = 24, 3 // the room for a second column, and what is in front of it
	margin := strings.Repeat(" ", indent)
	apart := columns-indent-wide-between < least
	var out strings.Builder
	for _, r := range rows {
		switch {
		case r.second == "":
			out.WriteString(margin + r.first + "\n")
		case apart:
			below := margin + "    "
			out.WriteString(margin + r.first + "\n" + wrap(r.second, below, below, columns))
		default:
			first := margin + r.first + strings.Repeat(" ", wide-Width(r.first)+between)
			out.WriteString(wrap(r.second, first, strings.Repeat(" ", indent+wide+between), columns))
		}
	}
	return out.String()
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// wrap puts words into lines, the first one after first and the others after indent.
func wrap(text, first, indent string, columns int) string {
	var out strings.Builder
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		switch {
		case empty:
		case Width(line)+1+Width(word) > columns:
			out.WriteString(line + "\n")
			line = indent
		default:
			line += " "
		}
		line, empty = line+word, false
	}
	return out.String() + line + "\n"
}
