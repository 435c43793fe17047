package main

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestDraw: every word of the screen is in the picture, in its column and its colour.
func TestDraw(t *testing.T) {
	t.Parallel()
	screen := "above\n\x1b[1;38;5;10m●\x1b[0m \x1b[1mstart\x1b[22m <b>\nhidden\n\x1b[38;2;170;11;12;48;2;10;0;0m🔄 two\x1b[39;49m words\nend\nbelow\n"
	lines := elide(crop(parse(screen), "start", "end"), "start", "two")
	var got []string
	for _, l := range lines {
		got = append(got, l.text())
	}
	if want := []string{"● start <b>", "     …", "", "🔄 two words", "end"}; !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	picture := string(draw(lines, "A & B"))
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
	}
	for _, want := range []string{
		"<title>A &amp; B</title>", `<text class="c0 b" x="16.0"`, `x="32.8" y="30.1">start</text>`, "&lt;b&gt;</text>",
		`<rect class="c1" x="16.0"`, `<text class="c2" x="41.2"`, ".c1 { fill: #fff5f5 }", ".c2 { fill: #aa0b0c }", ".c2 { fill: #d3494a }", "words</text>",
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("no %s in\n%s", want, picture)
		}
	}
	if strings.Contains(picture, "above") || strings.Contains(picture, "below") || strings.Contains(picture, "hidden") {
		t.Error("the picture shows what was cut")
	}
}

// TestCropNeedsBothEnds: if the screen lacks the start or the end of the loop, there is no picture.
func TestCropNeedsBothEnds(t *testing.T) {
	t.Parallel()
	lines := parse("one\ntwo\n")
	if crop(lines, "one", "three") != nil || crop(lines, "three", "two") != nil || elide(lines, "two", "one") != nil {
		t.Error("a part is missing, and nobody noticed")
	}
}
