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
		{
			Key: "total", Label: "Total", Title: "samples of the function and of what is inlined into it", Number: true,
			Sort: sampledb.ColTotal, How: sampleview.HowTotal,
		},
		{Key: "share", Label: "Share", Title: "of all totals"},
		{
			Key: "head", Label: "Head", Title: "head samples: times it was entered by a branch", Number: true,
			Sort: sampledb.ColHead, How: sampleview.HowHead,
		},
		{
			Key: "body", Label: "Body", Title: "counts of its own lines, not those inlined into it", Number: true,
			Sort: sampledb.ColBody, How: sampleview.HowBody,
		},
		{Key: "max", Label: "Maximum", Title: "the largest count in it", Number: true, Sort: sampledb.ColMax},
		{
			Key: "inlinees", Label: "Inlined", Title: "callees inlined into it, at any depth", Number: true,
			Sort: sampledb.ColInlinees,
		},
		{
			Key: "lost", Label: "Lost inside it",
			Title: "share of its counts that are of stale functions, or of functions that are gone", Sort: sampledb.ColLost,
			How: sampleview.HowLost,
		},
		{Key: "fit", Label: "Itself", Title: "how the function itself stands in the program"},
	},
	Sorts: sampledb.Columns,
	Ranges: []query.Column{
		sampledb.ColTotal, sampledb.ColHead, sampledb.ColBody, sampledb.ColMax, sampledb.ColOwn, sampledb.ColInlined,
		sampledb.ColInlinees, sampledb.ColCalls, sampledb.ColContexts,
	},
	Usual: query.Key{Column: sampledb.ColTotal, Desc: true},
	Noun:  [2]string{"function", "functions"},
	Least: page.RangeField{Name: "total", Label: "Total"},
}

// functionKeys are the parameters of functions besides those of the list.
var functionKeys = []string{"heat", "fit", "among", "unlisted", "unnamed"}

// functionParams is a request for functions, of a page and of the API.
type functionParams struct {
	lists.Params
	Query sampledb.Query
}

// fitWords are the values of fit=.
var fitWords = map[string]sampleprof.Fit{
	"unknown": sampleprof.FitUnknown, "same": sampleprof.FitSame, "stale": sampleprof.FitStale, "gone": sampleprof.FitGone,
}

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

// edgeList is the list of calls.
var edgeList = &lists.List{
	Heads: []site.Column{
		{Key: "caller", Label: "Caller", Sort: sampledb.ColCaller, Ascending: true, How: page.HowNames},
		{Key: "callee", Label: "Callee", Sort: sampledb.ColCallee, Ascending: true},
		{
			Key: "calls", Label: "Calls", Title: "sampled calls that were not inlined", Number: true, Sort: sampledb.ColCalls,
			How: sampleview.HowCalls,
		},
		{
			Key: "places", Label: "Places", Title: "places of the caller with such calls", Number: true,
			Sort: sampledb.ColPlaces,
		},
		{
			Key: "inlined", Label: "Inlined",
			Title: "counts of the callee, and of what is in it, where it is inlined into the caller", Number: true,
			Sort: sampledb.ColInlined,
		},
		{
			Key: "inlined_at", Label: "Inlined at", Title: "places where it is inlined", Number: true,
			Sort: sampledb.ColInlinedAt,
		},
	},
	Sorts:  sampledb.EdgeColumns,
	Ranges: []query.Column{sampledb.ColCalls, sampledb.ColInlined, sampledb.ColPlaces, sampledb.ColInlinedAt},
	Usual:  query.Key{Column: sampledb.ColWeight, Desc: true},
	Noun:   [2]string{"call", "calls"}, Words: "caller or callee",
	Least: page.RangeField{Name: "calls", Label: "Calls"},
}

// edgeParams is a request for calls, of a page and of the API.
type edgeParams struct {
	lists.Params
	Query sampledb.EdgeQuery
}

// parseEdges reads such a request, which may have more parameters. Errors are
// *site.ParamError.
func parseEdges(q url.Values, more ...string) (edgeParams, error) {
	v, err := site.NewValues(q, slices.Concat(edgeList.Keys(), []string{"caller", "callee"}, more))
	if err != nil {
		return edgeParams{}, err
	}
	p := edgeParams{Params: edgeList.Read(v)}
	p.Query = sampledb.EdgeQuery{RowQuery: p.Params.Query, Caller: function(v, "caller"), Callee: function(v, "callee")}
	return p, v.Err
}

// function reads which function is meant; 0 is any.
func function(v *site.Values, key string) uint64 {
	if id := v.FID(key); id != nil {
		return *id
	}
	return 0
}

// symbolList is the list of symbols.
var symbolList = &lists.List{
	Heads: []site.Column{
		{Key: site.NameColumn, Label: "Symbol", Sort: sampledb.ColSymbol, Ascending: true, How: page.HowNames},
		{
			Key: "own", Label: "Own samples", Title: "counts of the function itself, wherever its code is", Number: true,
			Sort: sampledb.ColOwn, How: sampleview.HowSymbols,
		},
		{Key: "share", Label: "Share", Title: "of all counts", Number: true},
	},
	Sorts:  sampledb.SymbolColumns,
	Ranges: []query.Column{sampledb.ColOwn},
	Usual:  query.Key{Column: sampledb.ColSymbol},
	Noun:   [2]string{"symbol", "symbols"},
	Least:  page.RangeField{Name: "own", Label: "Own samples"},
}

// symbolParams is a request for symbols, of a page and of the API.
type symbolParams struct {
	lists.Params
	Query sampledb.SymbolQuery
}

// parseSymbols reads such a request, which may have more parameters. Errors are
// *site.ParamError.
func parseSymbols(q url.Values, more ...string) (symbolParams, error) {
	v, err := site.NewValues(q, slices.Concat(symbolList.Keys(), []string{"never"}, more))
	if err != nil {
		return symbolParams{}, err
	}
	p := symbolParams{Params: symbolList.Read(v)}
	p.Query = sampledb.SymbolQuery{RowQuery: p.Params.Query, Never: v.Yes("never")}
	return p, v.Err
}
