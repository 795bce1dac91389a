package instrweb

import (
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/query"
)

// qualityWords are the values of the parameter quality of functions.
var qualityWords = []instrdb.Quality{
	instrdb.QualitySaturated, instrdb.QualityAllOnes, instrdb.QualityEntryZero, instrdb.QualityHashes,
	instrdb.QualityNoName, instrdb.QualityPseudo,
}

// sortColumns can be sorted by.
var sortColumns = []query.Column{
	instrdb.ColTotal, instrdb.ColMax, instrdb.ColEntry, instrdb.ColCounters, instrdb.ColZero, instrdb.ColSites,
	instrdb.ColName, instrdb.ColHash, instrdb.ColOrdinal, instrdb.ColFile, instrdb.ColRank,
}

// rangeColumns can be filtered by a range of numbers.
var rangeColumns = []query.Column{
	instrdb.ColTotal, instrdb.ColMax, instrdb.ColEntry, instrdb.ColCounters, instrdb.ColZero, instrdb.ColSites,
	instrdb.ColOrdinal, instrdb.ColRank,
}

// FunctionParams is a request for the function table, of a page and of the API.
type FunctionParams struct {
	Query instrdb.Query // with Offset and Limit as in the listing
	site.Listing
	Sel string // the selected row's fid and hash, as the page wrote it; pages only
}

// functionKeys are the parameters of the function table.
var functionKeys = slices.Concat(strings.Fields("q re path class executed cs quality"),
	site.Words(rangeColumns), strings.Fields("hash rewrite namespace named merge sort"), site.ListingKeys,
	[]string{"sel"})

// ParseFunctions reads a request for the function table. Errors are *site.ParamError.
func ParseFunctions(q url.Values) (FunctionParams, error) {
	v := site.NewValues(q, functionKeys)
	p := FunctionParams{Sel: v.One("sel")}
	f := &p.Query
	f.Text, f.Regexp, f.Path = v.Words("q"), v.Pattern("re"), v.One("path")
	f.Scope, f.Rewrite = v.One("namespace"), v.Rewrites()
	for _, word := range v.List("class") {
		class, ok := site.ClassWords[word]
		if !ok {
			v.Fail("class", "unknown class %q; use one or more of hot, warm, cold, never, none", word)
		}
		if !slices.Contains(f.Classes, class) {
			f.Classes = append(f.Classes, class)
		}
	}
	f.Executed, f.CS = v.Boolean("executed"), v.Boolean("cs")
	for _, word := range v.List("quality") {
		quality := instrdb.Quality(word)
		if !slices.Contains(qualityWords, quality) {
			v.Fail("quality", "unknown value %q; use one or more of %s", word, site.JoinWords(qualityWords))
		}
		if !slices.Contains(f.Quality, quality) {
			f.Quality = append(f.Quality, quality)
		}
	}
	f.Ranges = lists.RangesOf(v, functionList.Of, rangeColumns)
	if text := v.One("hash"); text != "" {
		hash := v.Hash("hash", text)
		f.Ranges = append(f.Ranges, query.Range{Column: instrdb.ColHash, Min: hash, Max: hash})
	}
	f.Sort = v.Sort("sort", sortColumns)
	p.Listing = v.Listing()
	f.Offset, f.Limit = p.Offset, p.Limit
	f.Named, f.Merge = v.One("named"), site.Choice(v, "merge", "", "names") == "names"
	if f.Named != "" || f.Merge {
		f.Mode = p.Names
	}
	return p, v.Err
}
