package covweb

import (
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/covdb"
	"proflens/profiledb/query"
	"proflens/sources"
	"proflens/views/page"
)

// How instantiations of a template are counted: as the largest, or together.
const (
	instBest  = "best"
	instUnion = "union"
)

const (
	usualGoal = 80   // percent of the lines
	autoOpen  = 300  // files of a directory that opens by itself
	manyFiles = 5000 // with more nothing opens by itself
	mapFiles  = 400  // files that the map draws
	longestN  = 4    // functions that never ran, beside the tree
	closed    = "-"  // of open: nothing
)

var filesKeys = slices.Concat([]string{"path", "q", "sort", "goal", "inst", "open"}, site.ListingKeys)

// filesRequest is a request for the tree of files.
type filesRequest struct {
	path       string
	text       string // what is typed: words, and thresholds such as lines<80
	words      string
	thresholds []covdb.Threshold
	union      bool
	goal       int
	sort       []query.Key
	open       []string // directories; nil: what opens by itself
	site.Listing
	base    string
	links   *sources.Links
	address site.Address
}

// parseFiles reads a request for the tree of files. Errors are *site.ParamError.
func parseFiles(u *url.URL, base string) (*filesRequest, error) {
	v, err := site.NewValues(u.Query(), filesKeys)
	if err != nil {
		return nil, err
	}
	q := &filesRequest{
		path: strings.Trim(v.One("path"), "/"), text: v.Words("q"),
		union: site.Choice(v, "inst", instBest, instUnion) == instUnion,
		goal:  v.Number("goal", 0, 100, usualGoal), sort: v.Sort("sort", covdb.FileColumns), open: v.List("open"),
		Listing: v.Listing(),
		base:    base, address: site.AddressOf(u),
	}
	if len(q.open) > 0 {
		q.address = q.address.With("open", strings.Join(q.open, ","))
	}
	q.words, q.thresholds = filterOf(v, q.text)
	return q, v.Err
}

// filterOf takes words and thresholds apart.
func filterOf(v *site.Values, text string) (words string, thresholds []covdb.Threshold) {
	var plain []string
	for _, word := range strings.Fields(text) {
		if !strings.ContainsAny(word, "<>") {
			plain = append(plain, word)
			continue
		}
		t, err := covdb.ParseThreshold(word)
		if err != nil {
			v.Fail("q", "%v", err)
			continue
		}
		thresholds = append(thresholds, t)
	}
	return strings.Join(plain, " "), thresholds
}

// filters reports whether files are listed rather than directories.
func (q *filesRequest) filters() bool { return q.words != "" || len(q.thresholds) > 0 }

// chips are the filters in force.
func (q *filesRequest) chips() (chips []page.Chip, clear string) {
	if q.text == "" {
		return nil, ""
	}
	for _, word := range strings.Fields(q.text) {
		rest := slices.DeleteFunc(strings.Fields(q.text), func(w string) bool { return w == word })
		chips = append(chips, page.Chip{
			Text: word, Remove: q.address.Without("page", "cursor").With("q", strings.Join(rest, " ")).String(),
		})
	}
	return chips, q.address.Without("page", "cursor", "q").String()
}

// order is how the tree is sorted: by missing lines where nothing else is asked for.
func (q *filesRequest) order() site.Order {
	return site.OrderOf(q.sort, query.Key{Column: covdb.ColMissing, Desc: true}, q.address, "-missing")
}

var fileColumns = []site.Column{
	{Key: "path", Label: "Path", Sort: covdb.ColName, Ascending: true},
	{Key: "bar", Label: "Lines"},
	{Key: "percent", Label: "Covered", Title: "lines that ran", Sort: covdb.ColLines, Ascending: true, Number: true},
	{Key: "missing", Label: "Missing", Title: "lines that did not run", Sort: covdb.ColMissing, Number: true},
	{Key: "total", Label: "of lines", Title: "lines with code", Sort: covdb.ColTotal, Number: true},
	{Key: "regions", Label: "Regions", Sort: covdb.ColRegions, Ascending: true, Number: true},
	{
		Key: "branches", Label: "Branches", Title: "sides of conditions", Sort: covdb.ColBranches, Ascending: true,
		Number: true,
	},
	{Key: "functions", Label: "Functions", Sort: covdb.ColFunctions, Ascending: true, Number: true},
	{
		Key: "mcdc", Label: "MC/DC", Title: "conditions with a pair of vectors that shows that they matter",
		Sort: covdb.ColMCDC, Ascending: true, Number: true,
	},
}
