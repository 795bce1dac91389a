package instrweb

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"proflens/handlers/site"
	"proflens/internal/humanize"
)

// The field for a part of a name takes a filter too, as a field, a sign and a value: "entry >= 1 000".

var (
	typedForm   = regexp.MustCompile(`(?i)^\s*([a-z]+)\s*(>=|<=|!=|≥|≤|=|>|<|~|:)\s*(.*?)\s*$`)
	typedNumber = regexp.MustCompile(`^(\d+)(?:\.(\d+))?([kMGTPE]?)$`)
)

// noFilters are columns that cannot be filtered by, and those to use in their place.
var noFilters = map[string]string{"share": "total", "sum": "total", "cum": "total", "maximum": "max"}

// asFilter is the address with what was typed as a parameter of its own, and whether it was one;
// wrong says why it cannot be.
func asFilter(a site.Address) (to site.Address, wrong string, ok bool) {
	m := typedForm.FindStringSubmatch(a.Query.Get("q"))
	if m == nil || m[3] == "" || m[2] == ":" && m[3][0] == ':' { // a::b is a name
		return a, "", false
	}
	key, value, wrong := readTyped(strings.ToLower(m[1]), m[2], m[3], a.Query.Get)
	if key == "" || wrong != "" {
		return a, wrong, false
	}
	return a.FirstPage("q", "sel").With(key, value), "", true
}

// readTyped is the parameter of what was typed, given those in force; none for a part of a name.
func readTyped(field, sign, text string, current func(key string) string) (key, value, wrong string) {
	lower, equal := strings.ToLower(text), sign == "=" || sign == ":"
	_, notNumber := typedAmount(strings.TrimSuffix(text, "%"))
	switch {
	case field == "ordinal" || field == "rank" || isCount(field):
		value, wrong = typedRange(field, sign, text, current(field))
		return field, value, wrong
	case noFilters[field] != "" && notNumber == nil:
		return "", "", "There is no filter for " + field + "; use " + noFilters[field] + "."
	case field == "name" && sign == "~":
		return "re", text, ""
	case !equal:
		return "", "", ""
	case field == "name":
		return "q", text, ""
	case field == "re" || field == "path" || field == "hash":
		return field, text, ""
	case field == "executed":
		value, ok := map[string]string{
			"yes": "true", "true": "true", "no": "false", "false": "false", "never": "false",
		}[lower]
		if !ok {
			wrong = "Executed is yes or no."
		}
		return field, value, wrong
	case field == "class":
		words := strings.FieldsFunc(lower, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		for _, word := range words {
			if !slices.Contains([]string{"hot", "warm", "cold", "never", "none"}, word) {
				wrong = "A class is one of hot, warm, cold, never, none."
			}
		}
		return field, strings.Join(words, ","), wrong
	}
	return "", "", ""
}

// isCount reports whether a field is a column of counts.
func isCount(field string) bool {
	return slices.ContainsFunc(rangeFilters, func(r rangeFilter) bool { return r.key == field })
}

// typedRange is "min..max" of a sign and a number, or of two with dots between them. A second end
// joins the first, which current has.
func typedRange(field, sign, text, current string) (span, wrong string) {
	equal := sign == "=" || sign == ":"
	if strings.Contains(text, "..") && equal {
		from, to, ok := ends(text)
		if !ok || from > to {
			return "", "“" + humanize.Printable(text) + "” is not a range."
		}
		return spanOf(from, to), ""
	}
	n, err := typedAmount(text)
	switch {
	case sign == "~" || sign == "!=":
		return "", field + " takes =, >=, <=, > and <."
	case errors.Is(err, strconv.ErrRange) || sign == ">" && n == math.MaxUint64 || sign == "<" && err == nil && n == 0:
		return "", field + " is out of range."
	case err != nil:
		return "", "“" + humanize.Printable(text) + "” is not a number."
	case equal:
		return spanOf(n, n), ""
	}
	from, to, ok := ends(current)
	if !ok {
		from, to = 0, math.MaxUint64
	}
	switch sign {
	case ">":
		n++
	case "<":
		n--
	}
	if sign[0] == '>' || sign == "≥" {
		if from = n; to < n {
			to = math.MaxUint64
		}
	} else if to = n; from > n {
		from = 0
	}
	return spanOf(from, to), ""
}

// ends are those of "min..max", of which either may be missing.
func ends(span string) (from, to uint64, ok bool) {
	low, high, ok := strings.Cut(span, "..")
	from, wrong := typedAmount(cmp.Or(low, "0"))
	to, alsoWrong := typedAmount(cmp.Or(high, strconv.FormatUint(math.MaxUint64, 10)))
	return from, to, ok && wrong == nil && alsoWrong == nil
}

// spanOf is the parameter of a range, without the ends that leave nothing out.
func spanOf(from, to uint64) string {
	low, high := strconv.FormatUint(from, 10), strconv.FormatUint(to, 10)
	switch {
	case from == to:
		return low
	case to == math.MaxUint64:
		return low + ".."
	case from == 0:
		return ".." + high
	}
	return low + ".." + high
}

// typedAmount is a number as people write it: 1000, 1 000, 4_120, 2.5M. The error is of package
// strconv.
func typedAmount(text string) (uint64, error) {
	m := typedNumber.FindStringSubmatch(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' {
			return -1
		}
		return r
	}, text))
	if m == nil {
		return 0, strconv.ErrSyntax
	}
	zeros := 3*strings.Index(" kMGTPE", cmp.Or(m[3], " ")) - len(m[2])
	if zeros < 0 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseUint(m[1]+m[2]+strings.Repeat("0", zeros), 10, 64)
}
