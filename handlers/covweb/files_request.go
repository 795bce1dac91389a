package covweb

import (
	"net/url"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/covdb"
	"proflens/profile/query"
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

var filesKeys = slices.Concat(strings.Fields("path without exclude q sort goal inst open"),
	rangeWords, site.ListingKeys)

// fileList has the ranges of files, which rangeWords are.
var (
	fileList   = lists.ListOf(covdb.Files)
	rangeWords = site.Words(fileList.Ranges)
)

// filesRequest is a request for the tree of files.
type filesRequest struct {
	path       string
	text       string // what is typed: words, and thresholds such as lines<80
	words      string
	thresholds []covdb.Threshold
	ranges     []query.Range
	union      bool
	goal       int
	sort       []query.Key
	without    []sources.Kind
	exclude    []string // of coverage.Excludable: what no number has
	open       []string // directories; nil: what opens by itself
	site.Listing
	base    string
	links   *sources.Links
	address site.Address
}

// someOf are the words of a parameter; "-" is none.
func someOf[T ~string](v *site.Values, key string, known []T) (list []T) {
	for _, word := range v.List(key) {
		switch {
		case word == closed:
		case !slices.Contains(known, T(word)):
			v.Fail(key, "unknown value %q; use some of %s", word, site.JoinWords(known))
		default:
			list = append(list, T(word))
		}
	}
	return list
}

// withoutOf are the kinds of files that are left out.
func withoutOf(v *site.Values) []sources.Kind { return someOf(v, "without", sources.Others) }

// parseFiles reads a request for the tree of files, without what the labels of a profile say.
// Errors are *site.ParamError.
func parseFiles(u *url.URL, base string, labels map[string]string) (*filesRequest, error) {
	v := site.NewValues(u.Query(), filesKeys)
	q := &filesRequest{
		path: strings.Trim(v.One("path"), "/"), text: v.Words("q"),
		union: site.Choice(v, "inst", instBest, instUnion) == instUnion,
		goal:  v.Number("goal", 0, 100, usualGoal), sort: v.Sort("sort", covdb.Files.Sorts()), open: v.List("open"),
		Listing: v.Listing(),
		base:    base, address: site.AddressOf(u),
	}
	if len(q.open) > 0 {
		q.address = q.address.With("open", strings.Join(q.open, ","))
	}
	q.words, q.thresholds = covdb.WordsOf(q.text), thresholdsOf(v)
	q.ranges = lists.RangesOf(v, fileList.Of, fileList.Ranges)
	q.without = orLabel(v, "without", sources.Others, labels[coverage.WithoutLabel])
	q.exclude = orLabel(v, "exclude", coverage.Excludable, labels[coverage.ExcludeLabel])
	return q, v.Err
}

// orLabel are the words of a parameter or, where it is not given, those of a label, of which unknown
// ones are passed over.
func orLabel[T ~string](v *site.Values, key string, known []T, label string) []T {
	if v.One(key) == "" {
		v = &site.Values{Query: url.Values{key: {label}}}
	}
	return someOf(v, key, known)
}

// ownFirst is an order of pages: one's own code first, where nothing else is asked for.
func ownFirst(sort []query.Key) []query.Key {
	if len(sort) == 0 {
		return []query.Key{{Column: "kind"}, covdb.Files.Key()}
	}
	return sort
}

// thresholdsOf are the thresholds among the words that are sought.
func thresholdsOf(v *site.Values) (list []covdb.Threshold) {
	for _, word := range strings.Fields(v.Words("q")) {
		if !covdb.IsThreshold(word) {
			continue
		}
		t, err := covdb.ParseThreshold(word)
		if err != nil {
			v.Fail("q", "%v", err)
			continue
		}
		list = append(list, t)
	}
	return list
}

// filters reports whether files are listed rather than directories.
func (q *filesRequest) filters() bool { return q.words != "" || len(q.thresholds)+len(q.ranges) > 0 }

// chips are the filters in force.
func (q *filesRequest) chips() (chips []page.Chip, clear string) {
	chips = q.address.Chips(rangeWords, site.ChipText)
	if q.text == "" && chips == nil {
		return nil, ""
	}
	for _, word := range strings.Fields(q.text) {
		rest := slices.DeleteFunc(strings.Fields(q.text), func(w string) bool { return w == word })
		chips = append(chips, page.Chip{
			Text: word, Remove: q.address.FirstPage().With("q", strings.Join(rest, " ")).String(),
		})
	}
	return chips, q.address.FirstPage(rangeWords...).Without("q").String()
}

// order is the column that the tree is sorted by: missing lines where nothing else is asked for.
func (q *filesRequest) order() site.Order {
	sort := q.sort
	if len(sort) > 1 && sort[0].Column == "kind" { // which has no head
		sort = sort[1:]
	}
	return site.OrderOf(sort, covdb.Files.Key(), q.address, "-missing")
}

// fileColumns are the heads of the tree: those of the table, with a bar of the lines.
func fileColumns() []site.Column {
	list := slices.Insert(lists.Heads(covdb.Files), 1, site.Column{Key: "bar", Label: "Lines"})
	list[0].Key, list[2].Key = "path", "percent" // as styles have them
	return list
}

// tree asks for what is in a directory.
func (q *filesRequest) tree(offset, limit int) covdb.TreeQuery {
	return covdb.TreeQuery{Union: q.union, Sort: ownFirst(q.sort), Without: q.without, Offset: offset, Limit: limit}
}

// query asks for the files in a directory that pass the filters.
func (q *filesRequest) query(dir string, sort []query.Key, offset, limit int) covdb.FileQuery {
	return covdb.FileQuery{
		RowQuery: query.RowQuery{Text: q.words, Ranges: q.ranges, Sort: sort, Offset: offset, Limit: limit}, Dir: dir,
		Thresholds: q.thresholds, Union: q.union, Without: q.without,
	}
}
