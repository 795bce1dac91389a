package covweb

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/handlers/site"
)

// sourceRows is how many rows a page of a file has at most.
const sourceRows = 1000

// What a file's page shows.
const (
	showAll  = "all"
	showGaps = "gaps"
)

// openAll is the value of open that unfolds everything.
const openAll = "all"

// maxLine is the last line that can be asked for.
const maxLine = 1<<32 - 1

var sourceKeys = slices.Concat(strings.Fields("file show open sel from goal"), site.ListingKeys)

// span is lines from one to another, both inclusive.
type span struct{ first, last uint32 }

// sourceRequest is a request for the page of a file.
type sourceRequest struct {
	show  string
	open  []span // lines, and folds, that are unfolded
	all   bool   // everything is
	sel   uint32 // 0: none
	from  uint32 // the first line of the page; 0: that with sel, or the first
	words []string
	site.Listing
	base   string  // "/p/{id}"
	report *Report // that the page is of; nil of a server's page
	origin string  // of the server, as its client knows it
	// unsettled says that the page will have more when it is asked for again.
	unsettled func()
	address   site.Address
}

// parseSource reads a request for the page of a file. Errors are *site.ParamError.
func parseSource(u *url.URL, base string) (*sourceRequest, error) {
	v := site.NewValues(u.Query(), sourceKeys)
	q := &sourceRequest{
		show: site.Choice(v, "show", showAll, showGaps), sel: uint32(v.Number("sel", 1, maxLine, 0)),
		from:  uint32(v.Number("from", 1, maxLine, 0)),
		words: v.List("open"), Listing: v.Listing(), base: base, address: site.AddressOf(u),
	}
	q.address.Query["open"] = nil
	if len(q.words) > 0 {
		q.address = q.address.With("open", strings.Join(q.words, ","))
		if q.all = slices.Equal(q.words, []string{openAll}); q.all {
			q.words = nil // so that folding one folds all: a link does not name a thousand lines
		}
	} else {
		q.address = q.address.Without("open")
	}
	for _, word := range q.words {
		low, high := v.Span("open", word)
		if low > maxLine || high > maxLine {
			v.Fail("open", "there is no line %q", word)
			break
		}
		q.open = append(q.open, span{uint32(low), uint32(high)})
	}
	return q, v.Err
}

// opens reports whether what is folded at some lines is unfolded.
func (q *sourceRequest) opens(s span) bool {
	return q.report != nil || q.all || slices.Contains(q.open, s)
}

// toggled is the address with something unfolded, or folded again.
func (q *sourceRequest) toggled(s span, open bool) site.Address {
	word := s.String()
	words := slices.DeleteFunc(slices.Clone(q.words), func(w string) bool { return w == word })
	if open {
		words = append(words, word)
	}
	return q.address.With("open", strings.Join(words, ","))
}

// String is the lines as the parameter open has them.
func (s span) String() string {
	if s.first == s.last {
		return strconv.Itoa(int(s.first))
	}
	return strconv.Itoa(int(s.first)) + ".." + strconv.Itoa(int(s.last))
}

func byFirst(a, b span) int { return cmp.Compare(a.first, b.first) }

func (s span) holds(line uint32) bool { return s.first <= line && line <= s.last }

// anchor is a link to a line of a page.
func anchor(a site.Address, line uint32) string {
	return a.String() + "#L" + strconv.Itoa(int(line))
}

// wanted are the lines that must be in sight: the selected one, and those with
// something unfolded.
func (q *sourceRequest) wanted() []uint32 {
	var list []uint32
	if q.sel > 0 {
		list = append(list, q.sel)
	}
	for _, s := range q.open {
		if s.first == s.last && s.first > 0 {
			list = append(list, s.first)
		}
	}
	return list
}

// selected is the page with a line in the inspector.
func (q *sourceRequest) selected(line uint32) site.Address {
	return q.address.With("sel", strconv.Itoa(int(line)))
}

// line leads to a line, which it selects.
func (q *sourceRequest) line(number uint32) string {
	if q.report != nil {
		return "#" + q.report.id(number)
	}
	return anchor(q.selected(number).Without("from"), number)
}

// selects is the same for every line of a page, as it is from the page itself: what
// stands before the number and what after it.
func (q *sourceRequest) selects() (before, after string) {
	const mark = "sel=0"
	a := q.address.With("sel", "0")
	before, after, _ = strings.Cut(site.Address{Query: a.Query}.String(), mark)
	return before + "sel=", after
}
