package mipweb

import (
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
	"proflens/tables"
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
	filterKeys = slices.Concat([]string{"q", "re", "path", "namespace", "executed", "saturated", "quality", "run",
		"only-run", "min-runs"}, mipWords(true))
	functionKeys = slices.Concat(filterKeys, []string{"sort"}, site.ListingKeys)
)

// qualityWords are the values of the parameter quality.
var qualityWords = map[string]mipdb.Quality{"no-name": mipdb.NoName, "blocks-differ": mipdb.BlocksDiffer}

// functionParams is a request for functions of machine IR, of a page and of
// the API.
type functionParams struct {
	Query mipdb.Query // with Offset and Limit as in the listing
	site.Listing
}

// parseMIPFunctions reads such a request, which may have more parameters. Errors are *site.ParamError.
func parseMIPFunctions(q url.Values, more ...string) (functionParams, error) {
	v, err := site.NewValues(q, slices.Concat(functionKeys, more))
	if err != nil {
		return functionParams{}, err
	}
	p := functionParams{Listing: v.Listing()}
	f := &p.Query
	f.Text, f.Regexp, f.Path, f.Scope = textOf(v), v.Pattern("re"), v.One("path"), v.One("namespace")
	f.Executed, f.Saturated = v.Boolean("executed"), v.Boolean("saturated")
	f.Run, f.OnlyRun, f.MinRuns = v.Number("run", 1, maxRuns, 0), v.Number("only-run", 1, maxRuns, 0),
		v.Number("min-runs", 1, 1<<31-1, 0)
	for _, word := range v.List("quality") {
		odd, ok := qualityWords[word]
		if !ok {
			v.Fail("quality", "unknown value %q; use no-name, blocks-differ or both", word)
		}
		f.Odd |= odd
	}
	for _, c := range mipColumns {
		if text := v.One(c.word); c.ranged && text != "" {
			low, high := v.Span(c.word, text)
			f.Ranges = append(f.Ranges, query.Range{Column: c.column, Min: low, Max: high})
		}
	}
	f.Sort = mipSort(v, "sort")
	f.Offset, f.Limit = p.Offset, p.Limit
	return p, v.Err
}

// mipSort reads "-size,name".
func mipSort(v *site.Values, key string) []query.Key {
	var keys []query.Key
	for _, given := range v.List(key) {
		word, desc := strings.CutPrefix(given, "-")
		i := slices.IndexFunc(mipColumns, func(c mipColumn) bool { return c.word == word })
		if i < 0 {
			v.Fail(key, "cannot sort by %q; use %s, with - in front for descending order", given,
				strings.Join(mipWords(false), ", "))
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
		q.Run != 0 || q.OnlyRun != 0 || q.MinRuns != 0 || q.Odd != 0 || len(q.Ranges) > 0
}

// orderKeys are the parameters of a start-up order.
var orderKeys = slices.Concat([]string{"by", "run", "min-runs", "q", "sort"}, site.ListingKeys)

// orderParams is a request for a start-up order.
type orderParams struct {
	Query tables.MIPOrderQuery
	site.Listing
}

// parseMIPOrder reads a request for a start-up order, which may have more parameters.
// Errors are *site.ParamError.
func parseMIPOrder(q url.Values, more ...string) (orderParams, error) {
	v, err := site.NewValues(q, slices.Concat(orderKeys, more))
	if err != nil {
		return orderParams{}, err
	}
	site.Choice(v, "by", "function") // each function once, as with temporal traces
	p := orderParams{Listing: v.Listing()}
	p.Query.StartupQuery = mipdb.StartupQuery{
		Run: v.Number("run", 1, maxRuns, 0), MinRuns: v.Number("min-runs", 1, 1<<31-1, 0),
	}
	p.Query.Text = textOf(v)
	switch word := v.One("sort"); word {
	case "", "place":
	case "-place":
		p.Query.Back = true
	default:
		p.Query.Sort = mipSort(v, "sort")
	}
	return p, v.Err
}

// textOf reads the words that names must have.
func textOf(v *site.Values) string {
	return strings.TrimSpace(v.Words("q"))
}
