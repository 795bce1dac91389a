package site

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/table"
)

// How many rows a page has.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

var formats = []table.Format{table.FormatJSON, table.FormatCSV, table.FormatNDJSON, table.FormatText}

// NameWords are the values of the parameter names, the default first.
var NameWords = []names.Mode{names.Full, names.Short, names.NoTemplates, names.Mangled}

// ClassWords are the values of the parameter class. "none" selects records
// that have no class.
var ClassWords = map[string]analyze.Class{
	"hot": analyze.Hot, "warm": analyze.Warm, "cold": analyze.Cold, "never": analyze.Never, "none": analyze.NoClass,
}

// ParamError is a wrong query parameter or field of a form: its name and what
// would be right.
type ParamError struct {
	Param string // empty when it is not about one
	Msg   string
	alone bool // Msg names it
}

// Error is the sentence for a person.
func (e *ParamError) Error() string {
	if e.Param == "" || e.alone {
		return e.Msg
	}
	return "parameter " + e.Param + ": " + e.Msg
}

// Listing is how any table is asked for.
type Listing struct {
	Offset int  // position in the order
	Limit  int  // rows of a page
	All    bool // no page was asked for: an export writes every row
	Format table.Format
	Counts bool     // counts=string: counts are quoted
	Guard  bool     // guard=true: no text of a CSV is taken for a formula
	Cols   []string // columns in the order asked for; empty is the default
	Names  names.Mode
}

// Common is what a request that has more besides shares with all others.
func (p Listing) Common() Listing { return p }

// Page is the number of the page, from 1.
func (p *Listing) Page() int {
	if p.Limit == 0 {
		return 1
	}
	return p.Offset/p.Limit + 1
}

var ListingKeys = strings.Fields("page cursor limit cols names counts guard format")

// Values reads parameters and keeps the first error. Empty values count as
// absent, since a form sends every field it has.
type Values struct {
	Query url.Values
	Err   error
}

// NoParams is a handler of requests without parameters.
func NoParams(answer Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := NewValues(r.URL.Query(), nil).Err; err != nil {
			return err
		}
		return answer(w, r)
	}
}

// ReadForm reads what a form sends, of at most so many bytes.
func ReadForm(w http.ResponseWriter, r *http.Request, most int64) error {
	r.Body = http.MaxBytesReader(w, r.Body, most)
	if r.ParseForm() != nil {
		return &ParamError{Msg: "the form is malformed"}
	}
	return nil
}

// NewValues checks that every parameter is one of known; another is the first error.
func NewValues(q url.Values, known []string) *Values {
	v := &Values{Query: q}
	var unknown []string
	for key := range q {
		if !slices.Contains(known, key) {
			unknown = append(unknown, strconv.Quote(key))
		}
	}
	if len(unknown) == 0 {
		return v
	}
	slices.Sort(unknown)
	first, _ := strconv.Unquote(unknown[0])
	others := "known parameters: " + strings.Join(known, ", ")
	if len(known) == 0 {
		others = "this address takes none"
	}
	v.Err = &ParamError{Param: first, Msg: "unknown parameter " + strings.Join(unknown, ", ") + "; " + others, alone: true}
	return v
}

func (v *Values) Fail(key, format string, args ...any) {
	if v.Err == nil {
		v.Err = &ParamError{Param: key, Msg: fmt.Sprintf(format, args...)}
	}
}

// One is the value of a parameter that may be given once.
func (v *Values) One(key string) string {
	given := slices.DeleteFunc(slices.Clone(v.Query[key]), func(s string) bool { return s == "" })
	if len(given) == 0 {
		return ""
	}
	if len(given) > 1 {
		v.Fail(key, "given %d times; give it once", len(given))
	}
	return given[0]
}

// Words are those of a search, over names and whatever stands with them.
func (v *Values) Words(key string) string {
	text := v.One(key)
	if _, err := names.NewMatcher(text, ""); err != nil {
		v.Fail(key, "%v", err)
	}
	return text
}

// Pattern is a regular expression over names.
func (v *Values) Pattern(key string) string {
	text := v.One(key)
	if _, err := names.NewMatcher("", text); err != nil {
		v.Fail(key, "%v; use RE2 syntax", err)
	}
	return text
}

// List is the values of a parameter that may be repeated or separated by commas.
func (v *Values) List(key string) []string {
	var words []string
	for _, text := range v.Query[key] {
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word != "" {
				words = append(words, word)
			}
		}
	}
	return words
}

// Choice is one of a few words, the first when absent.
func Choice[T ~string](v *Values, key string, words ...T) T {
	text := v.One(key)
	if text == "" {
		return words[0]
	}
	if !slices.Contains(words, T(text)) {
		known := slices.DeleteFunc(slices.Clone(words), func(word T) bool { return word == "" })
		v.Fail(key, "unknown value %q; use %s%s", text, map[bool]string{true: "one of "}[len(known) > 1], JoinWords(known))
		return words[0]
	}
	return T(text)
}

// FID reads an address of 16 hexadecimal digits; nil when absent.
func (v *Values) FID(key string) *uint64 {
	text := v.One(key)
	if text == "" {
		return nil
	}
	id, ok := ParseFID(text)
	if !ok {
		v.Fail(key, "%q is not an address; use 16 lower-case hexadecimal digits", text)
	}
	return &id
}

// Words are words of a type of their own as plain ones.
func Words[T ~string](words []T) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return list
}

func JoinWords[T ~string](words []T) string { return strings.Join(Words(words), ", ") }

func (v *Values) Boolean(key string) *bool {
	var b bool
	switch text := v.One(key); text {
	case "":
		return nil
	case "true", "yes", "1":
		b = true
	case "false", "no", "0":
	default:
		v.Fail(key, "%q is neither true nor false", text)
		return nil
	}
	return &b
}

// Yes is a boolean that is false when absent.
func (v *Values) Yes(key string) bool {
	b := v.Boolean(key)
	return b != nil && *b
}

// Number is a whole number within a range, or absent.
func (v *Values) Number(key string, low, high, absent int) int {
	text := v.One(key)
	if text == "" {
		return absent
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		v.Fail(key, "%q is not a whole number from %d to %d", text, low, high)
		return absent
	}
	return n
}

// Span reads "7", "7..", "..7" and "7..9", both ends inclusive.
func (v *Values) Span(key, text string) (low, high uint64) {
	return spanOf(v, key, text, ", with whole numbers up to 18446744073709551615", math.MaxUint64,
		func(end string) (uint64, error) { return strconv.ParseUint(end, 10, 64) })
}

// RealSpan reads the same of numbers with fractions, such as "0.5..2".
func (v *Values) RealSpan(key, text string) (low, high float64) {
	return spanOf(v, key, text, "", math.MaxFloat64, realOf)
}

// ShareSpan reads the same of shares, which are from 0 to 1, in per cent.
func (v *Values) ShareSpan(key, text string) (low, high float64) {
	return spanOf(v, key, text, ", in per cent", math.MaxFloat64, func(end string) (float64, error) {
		return realOf(end + "e-2") // divided by 100 it could be next to the share
	})
}

func realOf(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(n) {
		err = strconv.ErrSyntax
	}
	return n, err
}

// spanOf reads both ends of a range, the last of which is the most there can be where it is open.
func spanOf[N cmp.Ordered](v *Values, key, text, of string, most N, read func(string) (N, error)) (low, high N) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	high = most
	var err, err2 error
	if from != "" {
		low, err = read(from)
	}
	if to != "" {
		high, err2 = read(to)
	}
	switch {
	case err != nil || err2 != nil || from == "" && to == "":
		v.Fail(key, "%q is not a range; use N, N.., ..N or N..M%s", text, of)
	case low > high:
		v.Fail(key, "the range %q is empty: it begins after its end", text)
	}
	return low, high
}

// Hash reads a FuncHash in hexadecimal.
func (v *Values) Hash(key, text string) uint64 {
	hash, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	if err != nil {
		v.Fail(key, "%q is not a FuncHash; use up to 16 hexadecimal digits", text)
	}
	return hash
}

// Sort reads "-size,name": columns among these.
func (v *Values) Sort(key string, columns []query.Column) []query.Key {
	keys := v.Order(key)
	v.Sorted(key, keys, columns)
	return keys
}

// Order reads "-size,name", of columns that are known later only.
func (v *Values) Order(key string) []query.Key {
	var keys []query.Key
	for _, word := range v.List(key) {
		column, desc := strings.CutPrefix(word, "-")
		// only its first mention orders anything
		if !slices.ContainsFunc(keys, func(k query.Key) bool { return k.Column == query.Column(column) }) {
			keys = append(keys, query.Key{Column: query.Column(column), Desc: desc})
		}
	}
	return keys
}

// Sorted checks that an order is by columns among these.
func (v *Values) Sorted(key string, keys []query.Key, columns []query.Column) {
	for _, k := range keys {
		if !slices.Contains(columns, k.Column) {
			word := string(k.Column)
			if k.Desc {
				word = "-" + word
			}
			v.Fail(key, "cannot sort by %q; use %s, with - in front for descending order", word, JoinWords(columns))
		}
	}
}

// Rewrites reads the rules for paths, each "from=to".
func (v *Values) Rewrites() []analyze.Rewrite {
	given := slices.DeleteFunc(slices.Clone(v.Query["rewrite"]), func(s string) bool { return s == "" })
	rules, err := analyze.ParseRewrites(given)
	if err != nil {
		v.Fail("rewrite", "%v", err)
	}
	return rules
}

// Listing reads what all tables have in common.
func (v *Values) Listing() Listing {
	l := Listing{
		Limit:  v.Number("limit", 0, MaxLimit, DefaultLimit),
		Format: Choice(v, "format", append([]table.Format{""}, formats...)...),
		Counts: Choice(v, "counts", "", "string") == "string",
		Guard:  v.Yes("guard"),
		Cols:   v.List("cols"),
		Names:  Choice(v, "names", NameWords...),
	}
	page, cursor := v.One("page"), v.One("cursor")
	if page != "" && cursor != "" {
		v.Fail("cursor", "cannot be combined with page; give one or the other")
	}
	// Positions past the end are empty pages; the bound keeps products small.
	const farthest = 1 << 40
	l.Offset = v.Number("cursor", 0, farthest, (v.Number("page", 1, farthest, 1)-1)*l.Limit)
	l.All = page == "" && cursor == "" && v.One("limit") == ""
	return l
}
