package site

import (
	"slices"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/internal/humanize"
)

// Prose is a sentence of a finding as a page shows it.
func Prose(text string) string { return Sentence(humanize.Grouped(humanize.Printable(text))) }

// Told is the message of a finding as a page shows it, which can begin with the name of its file.
func Told(f *model.Finding) string {
	text := Prose(f.Message)
	if strings.HasPrefix(f.Message, f.File+" ") && 'a' <= f.Message[0] && f.Message[0] <= 'z' {
		return f.Message[:1] + text[1:]
	}
	return text
}

// Sentence begins with a capital, unless with the name of a file or of a tool, and ends
// with a full stop.
func Sentence(s string) string {
	if s == "" {
		return ""
	}
	first, _, _ := strings.Cut(s, " ")
	if 'a' <= s[0] && s[0] <= 'z' && !strings.ContainsAny(strings.TrimRight(first, ".,:"), "._/") && !isTool(first) {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.TrimSuffix(s, ".") + "."
}

// isTool reports whether a word is a command's name, which has no capitals.
func isTool(word string) bool {
	return strings.HasPrefix(word, "llvm-") ||
		slices.Contains([]string{"clang", "cargo", "dcpicat", "gcov", "lld", "perf", "pprof", "proflens", "rustc"}, word)
}

// KeptUntil says how long a profile is kept.
func KeptUntil(e *catalog.Entry) string {
	if e.Expires.IsZero() {
		return "Kept until it is deleted."
	}
	return "Kept until " + humanize.Exactly(e.Expires).Text + "."
}
