package sampleview

import "proflens/internal/humanize"

// inlinedHere is how many functions are inlined at a line.
func inlinedHere(list []Inlinee) string {
	if len(list) == 1 {
		return "inlined " + list[0].Name.Base
	}
	return humanize.Int(len(list)) + " functions inlined"
}

// inlinedInto is how many functions are inlined into one.
func inlinedInto(i Inlinee) string {
	text := humanize.Int(len(i.Below)) + " inlined into it"
	if i.Hidden != "" {
		text += ", " + i.Hidden
	}
	return text
}
