package sampleweb

import (
	"net/url"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/query"
	"proflens/profiledb/sampledb"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// functionList is the list of functions.
var functionList = &lists.List{
	Heads: []site.Column{
		{Key: "rank", Label: "#", Title: "place by total", Number: true},
		{Key: site.NameColumn, Label: "Function", Sort: sampledb.ColName, Ascending: true, How: page.HowNames},
		{Key: "total", Label: "Total", Title: "samples of the function and of what is inlined into it", Number: true, Sort: sampledb.ColTotal, How: sampleview.HowTotal},
		{Key: "share", Label: "Share", Title: "of all totals"},
		{Key: "head", Label: "Head", Title: "head samples: times it was entered by a branch", Number: true, Sort: sampledb.ColHead, How: sampleview.HowHead},
		{Key: "body", Label: "Body", Title: "counts of its own lines, not those inlined into it", Number: true, Sort: sampledb.ColBody, How: sampleview.HowBody},
		{Key: "max", Label: "Maximum", Title: "the largest count in it", Number: true, Sort: sampledb.ColMax},
		{Key: "inlinees", Label: "Inlined", Title: "callees inlined into it, at any depth", Number: true, Sort: sampledb.ColInlinees},
		{Key: "lost", Label: "Lost inside it", Title: "share of its counts that are of stale functions, or of functions that are gone", Sort: sampledb.ColLost, How: sampleview.HowLost},
		{Key: "fit", Label: "Itself", Title: "how the function itself stands in the program"},
	},
	Sorts:  sampledb.Columns,
	Ranges: []query.Column{sampledb.ColTotal, sampledb.ColHead, sampledb.ColBody, sampledb.ColMax, sampledb.ColOwn, sampledb.ColInlined, sampledb.ColInlinees, sampledb.ColCalls, sampledb.ColContexts},
	Usual:  query.Key{Column: sampledb.ColTotal, Desc: true},
	Noun:   [2]string{"function", "functions"},
	Least:  page.RangeField{Name: "total", Label: "Total"},
}

// functionKeys are the parameters of functions besides those of the list.
var functionKeys = []string{"heat", "fit", "among", "unlisted", "unnamed"}

// functionParams is a request for functions, of a page and of the API.
type functionParams struct {
	lists.Params
	Query sampledb.Query
}

// fitWords are the values of fit=.
var fitWords = map[string]sampleprof.Fit{"unknown": sampleprof.FitUnknown, "same": sampleprof.FitSame, "stale": sampleprof.FitStale, "gone": sampleprof.FitGone}

// parseFunctions reads such a request, which may have more parameters. Errors are
// *site.ParamError.
func parseFunctions(q url.Values, more ...string) (functionParams, error) {
	v, err := site.NewValues(q, slices.Concat(functionList.Keys(), functionKeys, more))
	if err != nil {
		return functionParams{}, err
	}
	p := functionParams{Params: functionList.Read(v)}
	p.Query = sampledb.Query{
		RowQuery: p.Params.Query, Among: site.Choice(v, "among", sampledb.Entered, sampledb.Sampled),
		Heat:     site.Choice(v, "heat", "", sampledb.Hot, sampledb.Warm, sampledb.Cold),
		Unlisted: v.Yes("unlisted"), Unnamed: v.Yes("unnamed"),
	}
	for _, word := range v.List("fit") {
		fit, ok := fitWords[word]
		if !ok {
			v.Fail("fit", "unknown value %q; use same, stale, gone, unknown or several of them", word)
		}
		p.Query.Fits = append(p.Query.Fits, fit)
	}
	return p, v.Err
}
