package handlers

import (
	"net/url"
	"slices"

	"proflens/names"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
)

// qualityWords are the values of the parameter quality of functions.
var qualityWords = []instrdb.Quality{
	instrdb.QualitySaturated, instrdb.QualityAllOnes, instrdb.QualityEntryZero, instrdb.QualityHashes, instrdb.QualityNoName,
}

// sortColumns can be sorted by.
var sortColumns = []query.Column{
	instrdb.ColTotal, instrdb.ColMax, instrdb.ColEntry, instrdb.ColCounters, instrdb.ColZero, instrdb.ColSites,
	instrdb.ColName, instrdb.ColHash, instrdb.ColOrdinal, instrdb.ColRank,
}

// rangeColumns can be filtered by a range of numbers.
var rangeColumns = []query.Column{
	instrdb.ColTotal, instrdb.ColMax, instrdb.ColEntry, instrdb.ColCounters, instrdb.ColZero, instrdb.ColSites,
	instrdb.ColOrdinal, instrdb.ColRank,
}

// functionParams is a request for the function table, of a page and of the API.
type functionParams struct {
	Query instrdb.Query // with Offset and Limit as in the listing
	listing
	Sel string // the selected row's fid and hash, as the page wrote it; pages only
}

// functionKeys are the parameters of the function table.
var functionKeys = slices.Concat([]string{"q", "re", "path", "class", "executed", "cs", "quality"},
	columnWords(rangeColumns), []string{"hash", "rewrite", "namespace", "named", "merge", "sort"}, listingKeys, []string{"sel"})

func columnWords(columns []query.Column) []string {
	words := make([]string, len(columns))
	for i, c := range columns {
		words[i] = string(c)
	}
	return words
}

// parseFunctions reads a request for the function table. Errors are *paramError.
func parseFunctions(q url.Values) (functionParams, error) {
	v, err := newValues(q, functionKeys)
	if err != nil {
		return functionParams{}, err
	}
	p := functionParams{Sel: v.one("sel")}
	f := &p.Query
	f.Text, f.Regexp, f.Path = v.one("q"), v.one("re"), v.one("path")
	f.Scope, f.Rewrite = v.one("namespace"), v.rewrites()
	if _, err := names.NewMatcher(f.Text, ""); err != nil {
		v.fail("q", "%v", err)
	}
	if _, err := names.NewMatcher("", f.Regexp); err != nil {
		v.fail("re", "%v; a regular expression in RE2's syntax is right", err)
	}
	for _, word := range v.list("class") {
		class, ok := classWords[word]
		if !ok {
			v.fail("class", "%q is not a class; a list of hot, warm, cold, never, none is", word)
		}
		if !slices.Contains(f.Classes, class) {
			f.Classes = append(f.Classes, class)
		}
	}
	f.Executed, f.CS = v.boolean("executed"), v.boolean("cs")
	for _, word := range v.list("quality") {
		quality := instrdb.Quality(word)
		if !slices.Contains(qualityWords, quality) {
			v.fail("quality", "%q is not known; a list of %s is right", word, joinWords(qualityWords))
		}
		if !slices.Contains(f.Quality, quality) {
			f.Quality = append(f.Quality, quality)
		}
	}
	for _, column := range rangeColumns {
		if text := v.one(string(column)); text != "" {
			low, high := v.span(string(column), text)
			f.Ranges = append(f.Ranges, query.Range{Column: column, Min: low, Max: high})
		}
	}
	if text := v.one("hash"); text != "" {
		hash := v.hash("hash", text)
		f.Ranges = append(f.Ranges, query.Range{Column: instrdb.ColHash, Min: hash, Max: hash})
	}
	f.Sort = v.sort("sort", sortColumns)
	p.listing = v.listing()
	f.Offset, f.Limit = p.Offset, p.Limit
	f.Named, f.Merge = v.one("named"), choice(v, "merge", "", "names") == "names"
	if f.Named != "" || f.Merge {
		f.Mode = p.Names
	}
	return p, v.err
}
