package memprofweb

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// contextPage is GET /p/{id}/sites/{context}.
func (s *handler) contextPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), contextKeys)
	t, listed := thresholdsOf(v), v.Listing()
	if v.Err != nil {
		return v.Err
	}
	address, ok := site.ParseFID(chi.URLParam(r, "context"))
	if !ok {
		return fmt.Errorf("%w: it is 16 lower-case hexadecimal digits", errNoContext)
	}
	base := "/p/" + s.Entry(r).ID
	if listed.Format != "" {
		a := site.AddressOf(r.URL)
		a.Path = "/api/v1/profiles" + base[len("/p"):] + "/allocations/" + site.FID(address)
		return site.Forward(w, r, a.String())
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	o := s.heap(r).Overview
	c, err := s.heap(r).Context(ctx, address, t)
	if err != nil {
		return site.OrAbsent(err, errNoContext)
	}
	n, err := s.namesOf(ctx, r, listed.Names)
	if err != nil {
		return err
	}
	columns, err := shownColumns(nil, o.Schema)
	if err != nil {
		return err
	}
	m := contextModel(sitesRequest{base: base, address: site.AddressOf(r.URL), columns: columns}, c, t, n)
	return s.Render(w, r, memprofview.ContextPage(s.ProfileShell(r, site.SitesView, m.Title.Whole()), m))
}

func contextModel(v sitesRequest, c *memprofdb.Context, t analyze.MemProfThresholds, n frameNames) memprofview.Context {
	list := withThresholds(site.NewAddress(v.base+"/sites"), v.address)
	m := memprofview.Context{
		Context: c, Title: memprofview.Allocator(&c.Row, n), Reason: classReason(&c.Row, t),
		Site:  list.With("site", site.FID(c.Site)).String(),
		Tiles: contextTiles(&c.Row), Table: contextTable(v.base, c.Siblings, v.columns, n, v.thresholds()),
		List: func(key string, f *memprofdb.Function) string { return list.With(key, site.FID(f.FID)).String() },
		Pruned: withThresholds(site.NewAddress(v.base+"/cloning/"+site.FID(c.Site)),
			v.address).String(),
		SiteSays: humanize.Plural(c.Contexts, "context") + " in all",
		Crumbs:   []page.Link{{Label: "Allocation sites", URL: list.String()}, {Label: "context " + site.FID(c.Context)}},
	}
	if len(c.Stack) == 0 {
		m.Pruned = ""
	}
	m.Fields, m.Missing = contextFields(&c.MIB)
	m.Strip, m.Accesses = histogram(c.MIB.Histogram)
	return m
}

// plainHeads are column heads that sort nothing.
func plainHeads(columns []contextColumn) []page.Head {
	var list []page.Head
	for _, c := range columns {
		list = append(list, c.Head())
	}
	return list
}

// classReason says by which figures a context is of its class.
func classReason(row *memprofdb.Row, t analyze.MemProfThresholds) string {
	density, ok1 := row.Value(memprofdb.ColAvgLifetimeDensity)
	lifetime, ok2 := row.Value(memprofdb.ColAvgLifetime)
	if !ok1 || !ok2 {
		return "The context lacks the fields that decide the class."
	}
	rate, age := humanize.Rate(density).Text, humanize.Milliseconds(lifetime).Text
	limit := func(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }
	switch row.Class {
	case analyze.MemProfCold:
		return rate + " accesses per byte and second are below " + limit(t.ColdDensity) + ", and a mean lifetime of " + age +
			" is at least " + limit(t.ColdLifetime) + " s."
	case analyze.MemProfHot:
		return rate + " accesses per byte and second are above " + limit(t.HotDensity) +
			". Needs hot hints: by default the compiler treats it as not cold."
	}
	if density < float64(t.ColdDensity) {
		return "Rarely accessed, but the mean lifetime of " + age + " is below " + limit(t.ColdLifetime) + " s."
	}
	return rate + " accesses per byte and second are neither below " + limit(t.ColdDensity) + " nor above " +
		limit(t.HotDensity) + "."
}

// contextTiles are the figures at the top.
func contextTiles(row *memprofdb.Row) []page.Tile {
	var tiles []page.Tile
	for _, c := range []struct {
		id, label string
		column    query.Column
		low, high query.Column // of an object
		how       page.How
	}{
		{"bytes", "Bytes", memprofdb.ColBytes, "", "", ""},
		{"objects", "Objects", memprofdb.ColCount, "", "", ""},
		{
			"size", "Mean size", memprofdb.ColAvgSize, memprofdb.ColMinSize, memprofdb.ColMaxSize,
			page.HowMemProfAverages,
		},
		{
			"accesses", "Accesses", memprofdb.ColAccesses, memprofdb.ColMinAccesses, memprofdb.ColMaxAccesses,
			"",
		},
		{
			"density", "Access density", memprofdb.ColAvgLifetimeDensity, memprofdb.ColMinLifetimeDensity,
			memprofdb.ColMaxLifetimeDensity, page.HowMemProfDensity,
		},
		{
			"lifetime", "Mean lifetime", memprofdb.ColAvgLifetime, memprofdb.ColMinLifetime,
			memprofdb.ColMaxLifetime, page.HowMemProfLifetime,
		},
	} {
		if _, known := row.Value(c.column); !known {
			continue
		}
		tile := page.Tile{ID: c.id, Label: c.label, Value: memprofview.Figure(c.column, row), How: c.how}
		_, ok1 := row.Value(c.low)
		_, ok2 := row.Value(c.high)
		if ok1 && ok2 {
			tile.Note = memprofview.Figure(c.low, row).Text + " … " + memprofview.Figure(c.high, row).Text + " per object"
		}
		if c.id == "density" {
			tile.Note = "accesses per byte and second"
		}
		tiles = append(tiles, tile)
	}
	return tiles
}

// fieldWord says of a field what it is: its unit, what it means, its name in the RFC, and whether a share of
// it by object says anything.
type fieldWord struct {
	unit, means, rfc string
	each             bool
}

// fieldWords say it of each field.
var fieldWords = func() map[memprof.MIBField]fieldWord {
	words := map[memprof.MIBField]fieldWord{}
	for line := range strings.Lines(fieldLines) {
		cells := append(strings.Split(strings.TrimSpace(line), "|"), "")
		name, each := strings.CutSuffix(cells[0], "*")
		field, _ := memprof.MIBFieldOf(name)
		words[field] = fieldWord{cells[1], cells[2], cells[3], each}
	}
	return words
}()

// fieldLines are those words: behind the name a star where a share says something, and the RFC's name last.
const fieldLines = `AllocCount|objects|allocations by this call stack|AllocCount
	TotalAccessCount*|accesses|loads and stores of all objects|AveAccessCount
	MinAccessCount|accesses|of the object with the fewest|MinAccessCount
	MaxAccessCount|accesses|of the object with the most|MaxAccessCount
	TotalSize*|bytes|requested, of all objects|AveSize
	MinSize|bytes|of the smallest object|MinSize
	MaxSize|bytes|of the largest object|MaxSize
	AllocTimestamp|ms|when the last object was allocated, since the program began
	DeallocTimestamp|ms|when the last object was freed, since the program began
	TotalLifetime*|ms|lifetimes of all objects added up|AveLifetime
	MinLifetime|ms|of the object that lived shortest|MinLifetime
	MaxLifetime|ms|of the object that lived longest|MaxLifetime
	AllocCpuId|CPU|that allocated the last object
	DeallocCpuId|CPU|that freed the last object
	NumMigratedCpu|objects|freed on a different CPU from the one that allocated them|NumMigration
	NumLifetimeOverlaps|objects|allocated before the one before them was freed|NumLifetimeOverlaps
	NumSameAllocCpu|objects|allocated on the CPU of the one before|NumSameAllocCPU
	NumSameDeallocCpu|objects|freed on the CPU of the one before|NumSameDeallocCPU
	DataTypeId||not filled by the runtime
	TotalAccessDensity*|accesses per byte, × 100|added up over all objects
	MinAccessDensity|accesses per byte, × 100|of the object with the lowest
	MaxAccessDensity|accesses per byte, × 100|of the object with the highest
	TotalLifetimeAccessDensity*|accesses per byte and second, × 100|added up over all objects; the mean decides the class
	MinLifetimeAccessDensity|accesses per byte and second, × 100|of the object with the lowest
	MaxLifetimeAccessDensity|accesses per byte and second, × 100|of the object with the highest
	AccessHistogramSize|pieces|eight-byte slots with a count each
	AccessHistogram|address|of the histogram, in the recorded process`

// unknownCPU is what the runtime writes where it cannot tell a CPU.
const unknownCPU = math.MaxUint32

// contextFields are the fields of a block, and which of them it lacks.
func contextFields(m *memprof.MIB) (fields []memprofview.Field, missing string) {
	objects := m.Get(memprof.AllocCount)
	for f := range m.Schema.Fields() {
		words, value := fieldWords[f], m.Get(f)
		field := memprofview.Field{
			Name: f.String(), RFC: words.rfc, Unit: words.unit, Means: words.means,
			Value: humanize.Whole(value),
		}
		if words.rfc == field.Name {
			field.RFC = ""
		}
		if words.each && objects > 0 {
			field.Each = humanize.Rate(float64(value) / float64(objects))
		}
		if (f == memprof.AllocCPUID || f == memprof.DeallocCPUID) && value == unknownCPU {
			field.Value = humanize.Number{Text: "not known", Exact: humanize.Int(value)}
		}
		fields = append(fields, field)
	}
	lacks := memprof.NumMIBFields - m.Schema.Len()
	if m.Schema.Len() == memprof.NumMIBFields || m.Schema == memprof.CompleteSchema&^(1<<memprof.AccessHistogram) {
		return fields, "every field"
	}
	return fields, humanize.Say("{field}; the file lacks {other}", m.Schema.Len(), lacks)
}

// histogram draws the accesses within the objects, and adds them up.
func histogram(pieces []uint64) (strip *chart.Strip, sum float64) {
	if len(pieces) == 0 {
		return nil, 0
	}
	for _, n := range pieces {
		sum += float64(n)
	}
	strip = chart.NewTraceStrip(pieces, len(pieces), chart.NewHeat(0, 0, slices.Max(pieces)))
	if strip != nil {
		strip.Label = "accesses to each eight bytes of the objects, log scale"
	}
	return strip, sum
}
