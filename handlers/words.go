package handlers

import (
	"strings"

	"proflens/catalog"
	"proflens/views/page"
)

// prose is a sentence of a finding as a page shows it.
func prose(text string) string { return sentence(page.Grouped(page.Printable(text))) }

// sentence begins with a capital, unless with the name of a file, and ends with
// a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	first, _, _ := strings.Cut(s, " ")
	if 'a' <= s[0] && s[0] <= 'z' && !strings.ContainsAny(strings.TrimRight(first, ".,:"), "._/") {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.TrimSuffix(s, ".") + "."
}

// keptUntil says how long a profile is kept.
func keptUntil(e *catalog.Entry) string {
	if e.Expires.IsZero() {
		return "Kept until it is deleted."
	}
	return "Kept until " + page.Exactly(e.Expires).Text + "."
}
