package handlers

import (
	"net/url"
	"slices"
	"strings"

	"proflens/names"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
)

// mipColumn is a column of the functions of machine IR that can be sorted by and,
// where it is ranged, filtered by a range.
type mipColumn struct {
	word   string // as in the API's objects
	column query.Column
	ranged bool
}

var mipColumns = []mipColumn{
	{"size", mipdb.ColSize, true},
	{"covered_bytes", mipdb.ColCovered, true},
	{"missed_bytes", mipdb.ColMissed, true},
	{"blocks", mipdb.ColBlocks, true},
	{"merge_count", mipdb.ColRuns, true},
	{"call_count", mipdb.ColCalls, true},
	{"weight", mipdb.ColWeight, true},
	{"avg_timestamp", mipdb.ColFirst, true},
	{"name", mipdb.ColName, false},
	{"address", mipdb.ColAddress, false},
	{"index", mipdb.ColIndex, true},
}

func mipWords(ranged bool) []string {
	var words []string
	for _, c := range mipColumns {
		if c.ranged || !ranged {
			words = append(words, c.word)
		}
	}
	return words
}

// maxRuns is more raw files than a profile may have.
const maxRuns = 10_000

// The parameters that select functions of machine IR, and those of their table.
var (
	mipFilterKeys   = slices.Concat([]string{"q", "re", "path", "namespace", "executed", "saturated", "run", "only-run", "min-runs"}, mipWords(true))
	mipFunctionKeys = slices.Concat(mipFilterKeys, []string{"sort"}, listingKeys)
)

// mipFunctionParams is a request for functions of machine IR, of a page and of
// the API.
type mipFunctionParams struct {
	Query mipdb.Query // with Offset and Limit as in the listing
	listing
}

// parseMIPFunctions reads such a request. Errors are *paramError.
func parseMIPFunctions(q url.Values) (mipFunctionParams, error) {
	v, err := newValues(q, mipFunctionKeys)
	if err != nil {
		return mipFunctionParams{}, err
	}
	p := mipFunctionParams{listing: v.listing()}
	f := &p.Query
	f.Text, f.Regexp, f.Path, f.Scope = v.one("q"), v.one("re"), v.one("path"), v.one("namespace")
	if _, err := names.NewMatcher(f.Text, ""); err != nil {
		v.fail("q", "%v", err)
	}
	if _, err := names.NewMatcher("", f.Regexp); err != nil {
		v.fail("re", "%v; a regular expression in RE2's syntax is right", err)
	}
	f.Executed, f.Saturated = v.boolean("executed"), v.boolean("saturated")
	f.Run, f.OnlyRun, f.MinRuns = v.number("run", 1, maxRuns, 0), v.number("only-run", 1, maxRuns, 0), v.number("min-runs", 1, 1<<31-1, 0)
	for _, c := range mipColumns {
		if text := v.one(c.word); c.ranged && text != "" {
			low, high := v.span(c.word, text)
			f.Ranges = append(f.Ranges, query.Range{Column: c.column, Min: low, Max: high})
		}
	}
	f.Sort = mipSort(v, "sort")
	f.Offset, f.Limit = p.Offset, p.Limit
	return p, v.err
}

// mipSort reads "-size,name".
func mipSort(v *values, key string) []query.Key {
	var keys []query.Key
	for _, given := range v.list(key) {
		word, desc := strings.CutPrefix(given, "-")
		i := slices.IndexFunc(mipColumns, func(c mipColumn) bool { return c.word == word })
		if i < 0 {
			v.fail(key, "%q cannot be sorted by; a list of %s is right, each with - in front to descend", given, strings.Join(mipWords(false), ", "))
			continue
		}
		column := mipColumns[i].column
		if slices.ContainsFunc(keys, func(k query.Key) bool { return k.Column == column }) {
			continue // only the first mention of a column can order anything
		}
		keys = append(keys, query.Key{Column: column, Desc: desc})
	}
	return keys
}

// mipFiltered reports whether a query leaves functions out.
func mipFiltered(q *mipdb.Query) bool {
	return q.Text != "" || q.Regexp != "" || q.Path != "" || q.Scope != "" || q.Executed != nil || q.Saturated != nil ||
		q.Run != 0 || q.OnlyRun != 0 || q.MinRuns != 0 || len(q.Ranges) > 0
}

// mipOrderKeys are the parameters of a start-up order.
var mipOrderKeys = slices.Concat([]string{"by", "run", "min-runs"}, listingKeys)

// mipOrderParams is a request for a start-up order.
type mipOrderParams struct {
	Query mipdb.StartupQuery
	listing
}

// parseMIPOrder reads a request for a start-up order. Errors are *paramError.
func parseMIPOrder(q url.Values) (mipOrderParams, error) {
	v, err := newValues(q, mipOrderKeys)
	if err != nil {
		return mipOrderParams{}, err
	}
	choice(v, "by", "function") // each function once, as with temporal traces
	p := mipOrderParams{listing: v.listing()}
	p.Query = mipdb.StartupQuery{Run: v.number("run", 1, maxRuns, 0), MinRuns: v.number("min-runs", 1, 1<<31-1, 0)}
	return p, v.err
}
