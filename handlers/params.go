package handlers

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/names"
	"proflens/profiledb/query"
	"proflens/tables"
)

// How many rows a page has.
const (
	defaultLimit = 100
	maxLimit     = 1000
)

var formats = []tables.Format{tables.FormatJSON, tables.FormatCSV, tables.FormatNDJSON, tables.FormatText}

// nameWords are the values of the parameter names, the default first.
var nameWords = []names.Mode{names.Full, names.Short, names.NoTemplates, names.Mangled}

// classWords are the values of the parameter class. "none" selects records
// that have no class.
var classWords = map[string]analyze.Class{
	"hot": analyze.Hot, "warm": analyze.Warm, "cold": analyze.Cold, "never": analyze.Never, "none": analyze.NoClass,
}

// paramError is a wrong query parameter or field of a form: its name and what
// would be right.
type paramError struct {
	Param string // empty when it is not about one
	Msg   string
}

// Error is the sentence for a person.
func (e *paramError) Error() string {
	if e.Param == "" {
		return e.Msg
	}
	return "parameter " + e.Param + ": " + e.Msg
}

// listing is how any table is asked for.
type listing struct {
	Offset int  // position in the order
	Limit  int  // rows of a page
	All    bool // no page was asked for: an export writes every row
	Format tables.Format
	Counts bool     // counts=string: counts are quoted
	Cols   []string // columns in the order asked for; empty is the default
	Names  names.Mode
}

// page is the number of the page, from 1.
func (p *listing) page() int {
	if p.Limit == 0 {
		return 1
	}
	return p.Offset/p.Limit + 1
}

var listingKeys = []string{"page", "cursor", "limit", "cols", "names", "counts", "format"}

// values reads parameters and keeps the first error. Empty values count as
// absent, since a form sends every field it has.
type values struct {
	query url.Values
	err   error
}

// newValues checks that every parameter is one of known.
func newValues(q url.Values, known []string) (*values, error) {
	var unknown []string
	for key := range q {
		if !slices.Contains(known, key) {
			unknown = append(unknown, strconv.Quote(key))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		msg := "unknown parameter " + strings.Join(unknown, ", ")
		if len(known) == 0 {
			return nil, &paramError{Msg: msg + "; there are none here"}
		}
		return nil, &paramError{Msg: msg + "; known are " + strings.Join(known, ", ")}
	}
	return &values{query: q}, nil
}

func (v *values) fail(key, format string, args ...any) {
	if v.err == nil {
		v.err = &paramError{Param: key, Msg: fmt.Sprintf(format, args...)}
	}
}

// one is the value of a parameter that may be given once.
func (v *values) one(key string) string {
	given := slices.DeleteFunc(slices.Clone(v.query[key]), func(s string) bool { return s == "" })
	if len(given) == 0 {
		return ""
	}
	if len(given) > 1 {
		v.fail(key, "given %d times; once is right", len(given))
	}
	return given[0]
}

// list is the values of a parameter that may be repeated or separated by commas.
func (v *values) list(key string) []string {
	var words []string
	for _, text := range v.query[key] {
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word != "" {
				words = append(words, word)
			}
		}
	}
	return words
}

// choice is one of a few words, the first when absent.
func choice[T ~string](v *values, key string, words ...T) T {
	text := v.one(key)
	if text == "" {
		return words[0]
	}
	if !slices.Contains(words, T(text)) {
		v.fail(key, "%q is not known; one of %s is right", text, joinWords(words))
		return words[0]
	}
	return T(text)
}

func joinWords[T ~string](words []T) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return strings.Join(list, ", ")
}

func (v *values) boolean(key string) *bool {
	var b bool
	switch text := v.one(key); text {
	case "":
		return nil
	case "true", "yes", "1":
		b = true
	case "false", "no", "0":
	default:
		v.fail(key, "%q is neither true nor false", text)
		return nil
	}
	return &b
}

// yes is a boolean that is false when absent.
func (v *values) yes(key string) bool {
	b := v.boolean(key)
	return b != nil && *b
}

// number is a whole number within a range, or absent.
func (v *values) number(key string, low, high, absent int) int {
	text := v.one(key)
	if text == "" {
		return absent
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		v.fail(key, "%q is not a whole number from %d to %d", text, low, high)
		return absent
	}
	return n
}

// span reads "7", "7..", "..7" and "7..9", both ends inclusive.
func (v *values) span(key, text string) (low, high uint64) {
	const right = "N, N.., ..N and N..M with whole numbers up to 18446744073709551615 are right"
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	high = 1<<64 - 1
	var err, err2 error
	if from != "" {
		low, err = strconv.ParseUint(from, 10, 64)
	}
	if to != "" {
		high, err2 = strconv.ParseUint(to, 10, 64)
	}
	switch {
	case err != nil || err2 != nil || from == "" && to == "":
		v.fail(key, "%q is not a range; %s", text, right)
	case low > high:
		v.fail(key, "the range %q is empty: it begins after its end", text)
	}
	return low, high
}

// hash reads a FuncHash in hexadecimal.
func (v *values) hash(key, text string) uint64 {
	hash, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	if err != nil {
		v.fail(key, "%q is not a FuncHash; up to 16 hexadecimal digits are", text)
	}
	return hash
}

// sort reads "-total,name".
func (v *values) sort(key string, columns []query.Column) []query.Key {
	var keys []query.Key
	for _, word := range v.list(key) {
		column, desc := strings.CutPrefix(word, "-")
		if !slices.Contains(columns, query.Column(column)) {
			v.fail(key, "%q cannot be sorted by; a list of %s is right, each with - in front to descend",
				word, joinWords(columns))
			continue
		}
		if slices.ContainsFunc(keys, func(k query.Key) bool { return k.Column == query.Column(column) }) {
			continue // only the first mention of a column can order anything
		}
		keys = append(keys, query.Key{Column: query.Column(column), Desc: desc})
	}
	return keys
}

// rewrites reads the rules for paths, each "from=to".
func (v *values) rewrites() []analyze.Rewrite {
	given := slices.DeleteFunc(slices.Clone(v.query["rewrite"]), func(s string) bool { return s == "" })
	rules, err := analyze.ParseRewrites(given)
	if err != nil {
		v.fail("rewrite", "%v", err)
	}
	return rules
}

// listing reads what all tables have in common.
func (v *values) listing() listing {
	l := listing{
		Limit:  v.number("limit", 0, maxLimit, defaultLimit),
		Format: choice(v, "format", append([]tables.Format{""}, formats...)...),
		Counts: choice(v, "counts", "", "string") == "string",
		Cols:   v.list("cols"),
		Names:  choice(v, "names", nameWords...),
	}
	page, cursor := v.one("page"), v.one("cursor")
	if page != "" && cursor != "" {
		v.fail("cursor", "given together with page; both are positions, so one is right")
	}
	// Positions past the end are empty pages; the bound keeps products small.
	const farthest = 1 << 40
	l.Offset = v.number("cursor", 0, farthest, (v.number("page", 1, farthest, 1)-1)*l.Limit)
	l.All = page == "" && cursor == "" && v.one("limit") == ""
	return l
}
