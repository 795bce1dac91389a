package instrweb

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

const (
	// topCounters are listed by count before a reader asks for more.
	topCounters = 20
	// aroundMaximum is how many counters on each side are shown with the largest.
	aroundMaximum = 50
	// leastFold is how many zeros in a row become one line.
	leastFold = 3
	// zeroRanges are named in the line of zeros.
	zeroRanges = 40
)

// The orders of counters.
const (
	byIndex  query.Column = "index"
	byCounts query.Column = "count"
	byPlain  query.Column = "plain" // beside a context-sensitive record: by its counters, or
	byCS     query.Column = "cs"    // by the other's
)

// What counters can be sorted by, in the API and on pages.
var (
	counterColumns = []query.Column{byCounts, byIndex}
	pageColumns    = append(slices.Clone(counterColumns), byPlain, byCS)
)

// functionParams is a request for the page of a function, or for its counters.
type functionParams struct {
	site.RecordParams
	Brush *[2]uint64 // range=from..to, both inclusive
	Sort  []query.Key
	Count *[2]uint64 // of a counter, beside a context-sensitive record
}

// parseFunction reads a request for one function, by the columns that its counters can
// be sorted by; with more parameters on pages. Errors are *site.ParamError.
var (
	ownRecordKeys = []string{"range", "sort"}
	recordKeys    = slices.Concat(ownRecordKeys, site.RecordKeys)
)

func parseFunction(q url.Values, columns []query.Column, more ...string) (functionParams, error) {
	record, err := site.ParseRecord(q, slices.Concat(more, ownRecordKeys)...)
	if err != nil {
		return functionParams{}, err
	}
	p, v := functionParams{RecordParams: record}, &site.Values{Query: q}
	if text := v.One("range"); text != "" {
		from, to := v.Span("range", text)
		p.Brush = &[2]uint64{from, to}
	}
	if text := v.One("count"); text != "" {
		from, to := v.Span("count", text)
		p.Count = &[2]uint64{from, to}
	}
	p.Sort = v.Sort("sort", columns)
	return p, v.Err
}

// byCount reports whether counters are listed by their counts: where that was asked
// for, and otherwise where there are so many that a strip shows their order, unless a
// part of them was asked for.
func (p *functionParams) byCount(strip bool) bool {
	if len(p.Sort) > 0 && p.Sort[0].Column != byPlain && p.Sort[0].Column != byCS {
		return p.Sort[0].Column == byCounts
	}
	return strip && p.Whole
}

// descending reports whether the first key of the order descends.
func (p *functionParams) descending() bool { return len(p.Sort) == 0 || p.Sort[0].Desc }

// counterRequest is a record with what of it is to be shown.
type counterRequest struct {
	functionParams
	address site.Address
	o       *instrdb.Overview
	r       *instrdb.Record
}

func (c *counterRequest) rangeURL(from, to int) string {
	return c.address.FirstPage("counters").With("range", strconv.Itoa(from)+".."+strconv.Itoa(to)).String()
}

// brushed is the enlarged part: what was asked for, within the record.
func (c *counterRequest) brushed() (from, to int, ok bool) {
	last := uint64(len(c.r.Counters) - 1)
	if c.Brush == nil || c.Brush[0] > last {
		return 0, int(last), false
	}
	return int(c.Brush[0]), int(min(c.Brush[1], last)), true
}

// fill adds the counters of a record to its page.
func (c *counterRequest) fill(rec *instrview.Record) {
	r := c.r
	n := len(r.Counters)
	heat := heatOf(c.o, r.CS)
	from, to, brushed := c.brushed()
	rec.Strip = chart.NewStrip(r.Counters, from, to, heat, c.rangeURL)
	rec.Range = humanize.Plural(n, "counter")
	byCount := c.byCount(rec.Strip != nil)
	if rec.Strip != nil {
		at := int(r.MaxIndex)
		if brushed {
			rec.Zoom = chart.NewZoom(r.Counters, from, to, at, heat)
			rec.Brushed = humanize.Say("{}–{}", from, to)
			rec.Clear = c.address.Without("range").String()
			size := to - from + 1
			if from > 0 {
				rec.Before = c.rangeURL(max(from-size, 0), from-1)
			}
			if to < n-1 {
				rec.After = c.rangeURL(to+1, min(to+size, n-1))
			}
		}
		if r.Max > 0 {
			rec.Maximum = c.rangeURL(max(at-aroundMaximum, 0), min(at+aroundMaximum, n-1))
		}
		rec.Brush = c.address.FirstPage("counters", "range").String()
		rec.NumCounters = strconv.Itoa(n)
	}
	plain := c.address.FirstPage("counters", "limit")
	rec.Orders = []page.Segment{
		{Label: "By count", URL: plain.With("sort", "-count").String(), Current: byCount},
		{Label: "In order", URL: plain.With("sort", "index").String(), Current: !byCount},
	}
	rec.CSV = site.NewAddress(site.APIOf(strings.TrimPrefix(c.address.Path[:strings.Index(c.address.Path,
		"/functions/")], "/p/"))+c.address.Path[strings.Index(c.address.Path, "/functions/"):]).
		With("hash", humanize.Hex64(r.FuncHash)).With("format", "csv").With("sort",
		map[bool]string{true: "-count", false: ""}[byCount]).String()
	if byCount {
		c.listByCount(rec)
	} else {
		c.listInOrder(rec, from, to, brushed)
	}
}

// listByCount lists the counters above 0, the largest first, and the zeros in one line.
func (c *counterRequest) listByCount(rec *instrview.Record) {
	r := c.r
	order := instrdb.CountersByCount(r.Counters, c.descending())
	above := order
	if c.descending() {
		above = order[:len(order)-int(r.NumZero)]
	} else {
		above = order[r.NumZero:]
	}
	from, limit := min(c.Offset, len(above)), topCounters
	if !c.All {
		limit = c.Limit
	}
	shown := above[from:min(len(above), from+limit)]
	total, sum := r.Total.Float64(), 0.0
	for _, i := range above[:from] {
		sum += float64(r.Counters[i])
	}
	for _, i := range shown {
		b := counterBars(c.o, r, i, i+1)[0]
		v := float64(r.Counters[i])
		sum += v
		b.Bar = chart.ShareBar(v, float64(r.Max))
		b.Bar.Step = heatOf(c.o, r.CS).Step(r.Counters[i])
		b.Share, b.Sum = humanize.PartPercent(v, total, 1), humanize.PartPercent(sum, total, 1)
		b.URL = c.rangeURL(max(i-aroundMaximum, 0), min(i+aroundMaximum, len(r.Counters)-1))
		rec.Counters = append(rec.Counters, b)
	}
	rec.ByCount, rec.Scale = true, "bars of the largest"
	rec.Zeros, rec.ZeroRanges = zeros(r.Counters, int(r.NumZero))
	if left := len(above) - from - len(shown); c.All && left > 0 {
		rec.More, rec.MoreURL = humanize.Int(left)+" more above 0",
			c.address.With("sort", "-count").With("limit", strconv.Itoa(min(len(above), site.MaxLimit))).String()
	} else if !c.All {
		rec.Pager = site.ListPager(c.address, &c.Listing, len(above))
	}
}

// listInOrder lists a part of the counters in order, zeros in a row as one line.
func (c *counterRequest) listInOrder(rec *instrview.Record, from, to int, brushed bool) {
	n := len(c.r.Counters)
	if !brushed || !c.Whole {
		from, to = window(c.RecordParams, n)
	} else {
		to = min(to, from+site.CountersPerPage-1)
	}
	link := func(from, to int) string {
		a := c.address.Without("counters", "range")
		if from > 0 {
			a = a.With("counters", strconv.Itoa(from)+".."+strconv.Itoa(to))
		}
		return a.With("sort", "index").String()
	}
	bars := counterBars(c.o, c.r, from, to+1)
	rec.Scale = "bars on a log scale"
	for i := from; i <= to; {
		end := i
		for end <= to && c.r.Counters[end] == 0 {
			end++
		}
		if end-i >= leastFold {
			rec.Counters = append(rec.Counters, instrview.CounterBar{
				Index: humanize.Say("{}–{}", i, end-1), Folded: humanize.Int(end-i) + " counters are 0",
			})
			i = end
			continue
		}
		end = max(end, i+1)
		rec.Counters = append(rec.Counters, bars[i-from:end-from]...)
		i = end
	}
	if from > 0 || to < n-1 {
		rec.Range = humanize.Say("{}–{} of {}", from, to, rec.Range)
		rec.Pager = site.CounterPager(n, from, to, link)
	}
}

// zeros says how many counters are 0, and which.
func zeros(counters []uint64, n int) (says, ranges string) {
	switch {
	case n == 0:
		return "", ""
	case n == 1:
		says = "1 counter is 0"
	case n == len(counters):
		return "All " + humanize.Int(n) + " counters are 0", ""
	default:
		says = humanize.Int(n) + " counters are 0"
	}
	var words []string
	for i := 0; i < len(counters); i++ {
		first := i
		for i < len(counters) && counters[i] == 0 {
			i++
		}
		switch {
		case i == first:
			continue
		case len(words) == zeroRanges:
			return says, strings.Join(words, ", ") + " …"
		case i-first == 1:
			words = append(words, humanize.Int(first))
		default:
			words = append(words, humanize.Say("{}–{}", first, i-1))
		}
	}
	return says, strings.Join(words, ", ")
}

// noCounters says why a record has none to list.
func noCounters(rec *instrview.Record, r *instrdb.Record) bool {
	switch {
	case r.Pseudo:
		rec.Pseudo = "Profile supplementation wrote a pseudo count here in place of counters: the compiler treats the " +
			"function as hot or warm, but nothing was measured."
	case len(r.Counters) == 0:
		rec.NoCounters = "This record has no counters."
	default:
		return false
	}
	return true
}

// elsewhere is what other profiles of the program have of a function, runs of the same
// code drawn below one another.
func elsewhere(m *page.Elsewhere, list []site.FoundFunction, own string, id string, o *instrdb.Overview,
	r *instrdb.Record,
	linkage string) {
	if m == nil {
		return
	}
	heat := heatOf(o, r.CS)
	for i, seen := range list {
		records, ok := seen.Own.([]instrdb.Record)
		if !ok {
			continue
		}
		m.Rows[i].Compare = site.NewAddress("/compare/"+id+"..."+seen.ID).With("q", linkage).String()
		same := slices.IndexFunc(records, func(other instrdb.Record) bool {
			return other.FuncHash == r.FuncHash && other.CS == r.CS && len(other.Counters) == len(r.Counters)
		})
		if same < 0 || len(r.Counters) < 2 || len(m.Strips) == maxBarcodes {
			continue
		}
		if m.Strips == nil {
			m.Strips = []page.ElsewhereStrip{barcode(own+", this",
				humanize.Plural(executed(r.Counters), "counter")+" above 0", r.Counters, heat)}
			m.Says = "Counters 0 to " + humanize.Int(len(r.Counters)-1) + " in order, coloured by this profile’s scale"
		}
		fewer, more := 0, 0
		for at, c := range records[same].Counters {
			switch {
			case c == 0 && r.Counters[at] > 0:
				fewer++
			case c > 0 && r.Counters[at] == 0:
				more++
			}
		}
		note := humanize.Say("{} fewer, {} more", fewer, more)
		if fewer+more == 0 {
			note = "the same ran"
		}
		m.Strips = append(m.Strips, barcode(humanize.Printable(seen.Occurrence.Name), note, records[same].Counters, heat))
	}
}

// maxBarcodes bounds the runs drawn below one another.
const maxBarcodes = 6

func barcode(name, note string, counters []uint64, heat chart.Heat) page.ElsewhereStrip {
	return page.ElsewhereStrip{
		Name: name, Note: note, Paths: chart.NewBarcode(counters, heat), Label: "counters of " + name + " in order",
	}
}

func executed(counters []uint64) (n int) {
	for _, c := range counters {
		if c > 0 {
			n++
		}
	}
	return n
}

// counterNote says how many counters of a record are 0, and how few hold nearly all.
func counterNote(r *instrdb.Record) string {
	note := zeroCounters(r.NumZero, r.NumCounters)
	if r.NumCounters-r.NumZero < 3 {
		return note
	}
	order := instrdb.CountersByCount(r.Counters, true)
	var sum analyze.Sum
	for n, i := range order {
		sum.AddSum(analyze.Sum{Lo: r.Counters[i]})
		if sum.Float64() >= 0.9*r.Total.Float64() {
			return note + "; " + humanize.Plural(n+1, "holds", "hold") + " 90" + humanize.NumberSpace + "%"
		}
	}
	return note
}
