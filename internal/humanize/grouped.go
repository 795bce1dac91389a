package humanize

import "strings"

// Grouped is a sentence with the digits of its larger numbers in groups of
// three, as [Int] writes them. What is part of a name, an address or a fraction
// stays as it is: only digits between spaces, or before a sign of punctuation
// that ends a phrase, are a number.
func Grouped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		n := end - i
		if n >= 4 && n <= 20 && alone(text, i, end) && text[i] != '0' {
			b.WriteString(Group(text[i:end]))
		} else {
			end = max(end, i+1)
			b.WriteString(text[i:end])
		}
		i = end
	}
	return b.String()
}

// alone reports whether text[from:to] stands as a word.
func alone(text string, from, to int) bool {
	if from > 0 && !strings.ContainsRune(" (", rune(text[from-1])) {
		return false
	}
	if to == len(text) {
		return true
	}
	after := strings.TrimLeft(text[to:], ",.;:)")
	return text[to] == ' ' || len(after) < len(text[to:]) && (after == "" || after[0] == ' ')
}
