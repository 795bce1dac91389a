package site

import (
	"strings"

	"proflens/internal/humanize"
	"proflens/views/page"
)

// Chips are those of the keys that an address has, as says words them, each with the address without
// it, from the first row. One that is worded as nothing is left out.
func (a Address) Chips(keys []string, says func(key, value string) string) (list []page.Chip) {
	for _, key := range keys {
		value := humanize.Printable(strings.Join(a.Query[key], ", "))
		if value == "" {
			continue
		}
		if text := says(key, value); text != "" {
			list = append(list, page.Chip{Text: text, Remove: a.Without(key, "page", "cursor").String()})
		}
	}
	return list
}

// ChipText writes a filter as field, operator, value.
func ChipText(key, value string) string {
	switch key {
	case "q":
		return "name contains " + value
	case "re":
		return "name ~ " + value
	case "path":
		if value == ";" {
			return "no path"
		}
		return "path = " + value
	case "rewrite":
		return "paths rewritten: " + value
	case "namespace":
		switch inner, direct := strings.CutSuffix(value, "::"); {
		case inner == "":
			return "global namespace"
		case direct:
			return "namespace = " + inner + " (own)"
		}
		return "namespace = " + value
	case "named":
		return "named " + value
	case "class":
		return "class = " + strings.ReplaceAll(value, ",", ", ")
	case "executed":
		if value == "true" {
			return "executed"
		}
		return "never executed"
	case "cs":
		if value == "true" {
			return "context-sensitive"
		}
		return "plain records"
	}
	if key == "hash" {
		return "hash = " + value
	}
	return key + " " + RangeText(value)
}

// RangeText writes "1000.." as "≥ 1 000".
func RangeText(value string) string {
	low, high, isRange := strings.Cut(value, "..")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	switch {
	case !isRange || low == high:
		return "= " + groupDigits(low)
	case high == "":
		return "≥ " + groupDigits(low)
	case low == "":
		return "≤ " + groupDigits(high)
	}
	return groupDigits(low) + " … " + groupDigits(high)
}

// groupDigits groups a number and leaves everything else alone.
func groupDigits(s string) string {
	if strings.Trim(s, "0123456789") != "" {
		return s
	}
	return humanize.Group(s)
}

// Options lists values and labels in turn.
func Options(current string, pairs ...string) []page.Option {
	var list []page.Option
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, page.Option{Value: pairs[i], Label: pairs[i+1], Selected: pairs[i] == current})
	}
	return list
}
