package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"proflens/internal/humanize"
)

// Tone is what a badge says of its value.
type Tone string

// The tones.
const (
	Good    Tone = "#256f3a"
	Bad     Tone = "#b3261e"
	Neutral Tone = "#3d5a80"
)

// Badge is a small picture of two cells, such as "libsass master" and "76.2 % lines".
type Badge struct {
	Label, Value string
	Tone         Tone
}

// BadgeOf is the badge of a report: "gate passes", "1 of 6 fails".
func BadgeOf(label string, r *Report) Badge {
	failed := len(r.Failed())
	switch {
	case len(r.Results) == 0:
		return Badge{label, "no rules", Neutral}
	case failed == 0:
		return Badge{label, "gate passes", Good}
	case failed == 1:
		return Badge{label, "1 of " + humanize.Int(len(r.Results)) + " fails", Bad}
	}
	return Badge{label, humanize.Say("{} of {} fail", failed, len(r.Results)), Bad}
}

// maxBadge is how many characters a cell has at most.
const maxBadge = 60

// WriteSVG writes a badge. It needs no font of its own: whatever the reader has is put
// into the width that is reckoned for it.
func (b Badge) WriteSVG(w io.Writer) error {
	label, value := cell(b.Label), cell(b.Value)
	left, right := textWidth(label)+12, textWidth(value)+12
	title := escape(label + ": " + value)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" viewBox="0 0 %[1]d 20" role="img" aria-label="%[2]s"><title>%[2]s</title>`+
		`<clipPath id="r"><rect width="%[1]d" height="20" rx="3"/></clipPath>`+
		`<g clip-path="url(#r)"><rect width="%[3]d" height="20" fill="#444"/><rect x="%[3]d" width="%[4]d" height="20" fill="%[5]s"/></g>`+
		`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">`+
		`<text x="%[6]d" y="14" textLength="%[7]d">%[8]s</text><text x="%[9]d" y="14" textLength="%[10]d">%[11]s</text></g></svg>`+"\n",
		left+right, title, left, right, b.Tone, left/2, left-12, escape(label), left+right/2, right-12, escape(value))
	return err
}

// cell is text in a badge.
func cell(text string) string {
	text = line(text)
	if utf8.RuneCountInString(text) > maxBadge {
		text = string([]rune(text)[:maxBadge-1]) + "…"
	}
	return text
}

// textWidth is about how many pixels text takes in 11 pixels of Verdana.
func textWidth(text string) int {
	width := 0.0
	for _, c := range text {
		switch {
		case strings.ContainsRune("il.,:;'|!jI", c):
			width += 4
		case strings.ContainsRune(" ftr()[]/-", c):
			width += 4.8
		case strings.ContainsRune("mwMW%@", c):
			width += 10.6
		case c >= 'A' && c <= 'Z':
			width += 7.8
		case c < 0x250:
			width += 6.8
		default:
			width += 11
		}
	}
	return int(width + 0.5)
}

func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
