package memprofweb

import (
	"net/url"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/handlers/flameweb"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
)

// classWords are the values of the parameter class of allocation contexts:
// LLVM's own words.
var classWords = map[string]analyze.MemProfClass{
	"cold": analyze.MemProfCold, "notcold": analyze.MemProfNotCold, "hot": analyze.MemProfHot,
	"unknown": analyze.MemProfUnknown,
}

// filterKeys are the parameters that select allocation contexts.
var filterKeys = slices.Concat(strings.Fields(`
	q re focus ignore path class owner function site blame type library mixed truncated changed`),
	rangeWords, thresholdKeys)

// contextList has the columns of contexts that can be filtered by a range, which rangeWords are.
var (
	contextList = lists.ListOf(memprofdb.Allocations)
	rangeWords  = site.Words(contextList.Ranges)
)

func init() { site.OrderKeys(addressKeys()) }

// addressKeys are the parameters of heap profiles that no other kind has, in
// the order of addresses.
func addressKeys() []string {
	keys := strings.Fields("focus ignore owner function site blame type mixed clone truncated changed")
	for _, word := range rangeWords {
		if word != string(memprofdb.ColIndex) {
			keys = append(keys, word)
		}
	}
	return slices.Concat(keys, thresholdKeys, strings.Fields("lib rec library node open layout around z c view"))
}

// filterOf reads what selects allocation contexts; own is the server's library.
func filterOf(v *site.Values, own *analyze.Library) memprofdb.Filter {
	f := memprofdb.Filter{
		Text: v.Words("q"), Regexp: v.Pattern("re"), Focus: v.Pattern("focus"), Ignore: v.Pattern("ignore"),
		Path:  v.One("path"),
		Owner: v.FID("owner"), Function: v.FID("function"), Site: v.FID("site"), Blame: v.FID("blame"),
		Library: libraryOf(v, own), Mixed: v.Boolean("mixed"), Truncated: v.Boolean("truncated"),
		Changed: v.Boolean("changed"),
	}
	if text := v.One("type"); text != "" {
		f.Type = new(strings.TrimPrefix(text, unknownType))
	}
	for _, word := range v.List("class") {
		class, ok := classWords[word]
		if !ok {
			v.Fail("class", "unknown class %q; use one or more of cold, notcold, hot, unknown", word)
		}
		if !slices.Contains(f.Classes, class) {
			f.Classes = append(f.Classes, class)
		}
	}
	for _, word := range rangeWords {
		if text := v.One(word); text != "" {
			low, high := v.RealSpan(word, text)
			f.Ranges = append(f.Ranges, query.RealRange{Column: query.Column(word), Min: low, Max: high})
		}
	}
	f.Thresholds = thresholdsOf(v)
	return f
}

// flameParams is a request for a flame graph, of the page and of the API.
type flameParams struct {
	Query         memprofdb.FlameQuery
	flameweb.Look // pages only
}

var (
	flameAPIKeys  = slices.Concat(flameweb.Keys, foldKeys, filterKeys)
	flamePageKeys = slices.Concat(flameweb.PageKeys, foldKeys, filterKeys)
)

// flameQuery reads what the picture is of; folded is as in foldOf.
func flameQuery(v *site.Values, own *analyze.Library, folded bool) memprofdb.FlameQuery {
	return memprofdb.FlameQuery{
		Filter: filterOf(v, own), Fold: foldOf(v, own, folded), Weight: site.Choice(v, "w", memprofdb.Weights...),
		Query: flameweb.Read(v),
	}
}

// parseFlamePage reads a request for the page of a flame graph; more may be asked for. folded is
// as in foldOf. Errors are *site.ParamError.
func parseFlamePage(q url.Values, own *analyze.Library, folded bool, more ...string) (flameParams, error) {
	v := site.NewValues(q, slices.Concat(flamePageKeys, more))
	p := flameParams{Query: flameQuery(v, own, folded)}
	p.Look = flameweb.ReadLook(v, &p.Query.Query, "module", "density", "lifetime")
	p.Query.Text = "" // q is the search in the picture, which selects nothing
	return p, v.Err
}
