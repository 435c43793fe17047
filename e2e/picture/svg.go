package main

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
)

// style is the look of a piece of text. The colour "" is the terminal's default.
type style struct {
	fore, back        string
	bold, dim, italic bool
}

// run is a piece of a line in one style.
type run struct {
	text  string
	style style
}

type line []run

func (l line) text() string {
	var b strings.Builder
	for _, r := range l {
		b.WriteString(r.text)
	}
	return b.String()
}

// parse reads a screen that tmux captured with its colours.
func parse(screen string) (lines []line) {
	var now style
	for text := range strings.Lines(screen) {
		var l line
		for i, part := range strings.Split(strings.TrimRight(text, "\n"), "\x1b[") {
			if i > 0 {
				codes, rest, ok := strings.Cut(part, "m")
				if !ok {
					continue
				}
				now, part = now.with(strings.Split(codes, ";")), rest
			}
			if part != "" {
				l = append(l, run{part, now})
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// with applies the codes of one escape sequence.
func (s style) with(codes []string) style {
	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i])
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 3:
			s.italic = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 23:
			s.italic = false
		case n == 38 || n == 48:
			colour, used := extended(codes[i+1:])
			i += used
			if n == 38 {
				s.fore = colour
			} else {
				s.back = colour
			}
		case n == 39:
			s.fore = ""
		case n == 49:
			s.back = ""
		case n >= 30 && n < 38:
			s.fore = indexed(n - 30)
		case n >= 90 && n < 98:
			s.fore = indexed(n - 90 + 8)
		case n >= 40 && n < 48:
			s.back = indexed(n - 40)
		}
	}
	return s
}

// extended reads the codes after 38 or 48 and returns how many they are.
func extended(codes []string) (colour string, used int) {
	numbers := make([]int, len(codes))
	for i, code := range codes {
		numbers[i], _ = strconv.Atoi(code)
	}
	switch {
	case len(numbers) >= 4 && numbers[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", numbers[1], numbers[2], numbers[3]), 4
	case len(numbers) >= 2 && numbers[0] == 5:
		return indexed(numbers[1]), 2
	}
	return "", len(codes)
}

// indexed is a colour of the palette of 256.
func indexed(n int) string {
	basic := []string{"#000000", "#cd3131", "#0dbc79", "#c5a332", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
		"#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"}
	switch {
	case n < 16:
		return basic[max(n, 0)]
	case n < 232:
		level := func(i int) int {
			if i == 0 {
				return 0
			}
			return 55 + 40*i
		}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}

// crop returns the lines from the first one with the text from to the last one with the text to.
func crop(lines []line, from, to string) []line {
	first, last := -1, -1
	for i, l := range lines {
		if first < 0 && strings.Contains(l.text(), from) {
			first = i
		}
		if strings.Contains(l.text(), to) {
			last = i
		}
	}
	if first < 0 || last < first {
		return nil
	}
	return lines[first : last+1]
}

// elide replaces the lines between the first one with the text from and the next one with the text to.
func elide(lines []line, from, to string) []line {
	has := func(text string) func(line) bool {
		return func(l line) bool { return strings.Contains(l.text(), text) }
	}
	first := slices.IndexFunc(lines, has(from))
	last := slices.IndexFunc(lines, has(to))
	if first < 0 || last < first {
		return nil
	}
	dots := line{{"     …", style{dim: true}}}
	return slices.Concat(lines[:first+1], []line{dots, nil}, lines[last:])
}

const (
	cellWidth, cellHeight = 8.4, 19.0
	margin                = 16.0
)

// draw draws the lines. Colours are those of a dark terminal; on a light page each keeps
// its hue and gets the opposite lightness.
func draw(lines []line, title string) []byte {
	columns := 0
	for _, l := range lines {
		columns = max(columns, width(strings.TrimRight(l.text(), " ")))
	}
	var body strings.Builder
	var palette []paint
	class := func(p paint) string {
		n := slices.Index(palette, p)
		if n < 0 {
			n, palette = len(palette), append(palette, p)
		}
		return "c" + strconv.Itoa(n)
	}
	for i, l := range lines {
		column, y := 0, margin+float64(i)*cellHeight
		for _, r := range l {
			n := width(r.text)
			x := margin + float64(column)*cellWidth
			if r.style.back != "" {
				fmt.Fprintf(&body, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", class(paint{r.style.back, true}), x, y, float64(n)*cellWidth, cellHeight)
			}
			words(&body, r, class, x, y+cellHeight*0.74)
			column += n
		}
	}
	var style strings.Builder
	for _, light := range []bool{false, true} {
		if light {
			style.WriteString("@media (prefers-color-scheme: light) {\n.page { fill: #ffffff } text { fill: #1f2328 }\n")
		}
		for n, p := range palette {
			if light {
				p = p.onLight()
			}
			fmt.Fprintf(&style, ".c%d { fill: %s }\n", n, p.colour)
		}
	}
	style.WriteString("}\n")
	w, h := 2*margin+float64(columns)*cellWidth, 2*margin+float64(len(lines))*cellHeight
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" role="img">
<title>%s</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre }
.page { fill: #0d1117 } .b { font-weight: bold } .d { opacity: .65 } .i { font-style: italic }
%s</style>
<rect class="page" width="100%%" height="100%%" rx="8"/>
%s</svg>
`, w, h, w, html.EscapeString(title), style.String(), body.String())
}

// words writes each word at its own column, so that a font with other widths does not
// shift the rest of the line.
func words(b *strings.Builder, r run, class func(paint) string, x, y float64) {
	var classes []string
	if r.style.fore != "" {
		classes = append(classes, class(paint{r.style.fore, false}))
	}
	for _, c := range []struct {
		name string
		on   bool
	}{{"b", r.style.bold}, {"d", r.style.dim}, {"i", r.style.italic}} {
		if c.on {
			classes = append(classes, c.name)
		}
	}
	attribute := ""
	if len(classes) > 0 {
		attribute = ` class="` + strings.Join(classes, " ") + `"`
	}
	column := 0
	for _, word := range strings.SplitAfter(r.text, " ") {
		if text := strings.TrimRight(word, " "); text != "" {
			fmt.Fprintf(b, "<text%s x=\"%.1f\" y=\"%.1f\">%s</text>\n", attribute, x+float64(column)*cellWidth, y, html.EscapeString(text))
		}
		column += width(word)
	}
}

// width is the number of columns of a text.
func width(s string) (n int) {
	for _, r := range s {
		switch {
		case r >= 0x1F300 || r >= 0x2E80 && r < 0xFE00 || r == '✅':
			n += 2
		case r >= 0xFE00 && r <= 0xFE0F || r == 0x200D:
		default:
			n++
		}
	}
	return n
}

// paint is the colour of a text or of its background.
type paint struct {
	colour     string
	background bool
}

// onLight is the paint on a light page: the same hue with the opposite lightness. A text is dark enough to be read.
func (p paint) onLight() paint {
	var r, g, b int
	fmt.Sscanf(p.colour, "#%02x%02x%02x", &r, &g, &b)
	shift := 255 - max(r, g, b) - min(r, g, b)
	c := [3]float64{}
	for i, v := range []int{r, g, b} {
		c[i] = float64(min(max(v+shift, 0), 255))
	}
	if bright := 0.3*c[0] + 0.6*c[1] + 0.1*c[2]; !p.background && bright > 115 {
		for i := range c {
			c[i] *= 115 / bright
		}
	}
	p.colour = fmt.Sprintf("#%02x%02x%02x", int(c[0]), int(c[1]), int(c[2]))
	return p
}
