package instrweb

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// functionPage is GET /p/{id}/functions/{fid}.
func (s *handler) functionPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseFunction(r.URL.Query(), pageColumns, "count")
	if err != nil {
		return err
	}
	ref, err := refOf(r)
	if err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	records, all, err := readFunction(ctx, s.records(r), ref, p.Hash)
	if err != nil {
		return err
	}
	shown, ok := recordShown(records, p.Hash)
	if !ok {
		return fmt.Errorf("%w: it has no record with the FuncHash %s", site.ErrNoFunction, humanize.Hex64(*p.Hash))
	}
	near, err := readAround(ctx, s.records(r), &records[shown])
	if err != nil {
		return err
	}
	v := site.FunctionRequest{RecordParams: p.RecordParams, Base: "/p/" + s.Entry(r).ID, Address: site.AddressOf(r.URL)}
	model := functionModel(v, &p, s.records(r).Overview, records, all, shown, near,
		s.Symbols(p.Names))
	one := counterRequest{functionParams: p, address: v.Address, o: s.records(r).Overview, r: &records[shown]}
	if tile, err := s.placeTile(ctx, s.records(r), v.Base, ref); err != nil {
		return err
	} else if tile != nil {
		model.Record.Figures = append(model.Record.Figures, *tile)
	}
	if !noCounters(&model.Record, one.r) {
		one.fill(&model.Record)
	}
	if slices.ContainsFunc(s.Profile(r).Overview.Inputs, hasRecords) {
		model.Record.RawURL = v.Base + "/raw?" +
			url.Values{"function": {site.FID(ref)}, "hash": {model.Record.Hash}}.Encode() + "#function"
	}
	model.First, model.Added, err = s.Added(s.Profile(r), func(f *site.Family) (page.Part, error) {
		if f.OnFunction == nil {
			return nil, nil
		}
		return f.OnFunction(ctx, s.Entry(r), s.Profile(r), []byte(records[shown].PGO))
	})
	if err != nil {
		return err
	}
	shell, beside, seen, err := s.AroundFunction(w, r, model.Title, []byte(one.r.PGO), &one.r.FuncHash)
	if err != nil {
		return err
	}
	e := s.Entry(r)
	model.Elsewhere = beside
	elsewhere(model.Elsewhere, seen, humanize.Printable(e.Name), e.ID, one.o, one.r, model.Linkage)
	shell.Keys = slices.Concat(counterKeyLines, shell.Keys)
	return s.Render(w, r, instrview.FunctionPage(shell, model))
}

func readFunction(ctx context.Context, p *instrdb.Profile, ref uint64, hash *uint64) ([]instrdb.Record, int, error) {
	records, all, err := p.Function(ctx, ref, hash)
	return records, all, site.OrAbsent(err, site.ErrNoFunction)
}

func readAround(ctx context.Context, p *instrdb.Profile, r *instrdb.Record) (around, error) {
	var near around
	var err error
	if near.targets, err = p.NamesOf(ctx, siteRefs(r)); err != nil {
		return near, err
	}
	near.prev, near.next, err = p.Neighbours(ctx, r.Rank)
	return near, err
}

// around is everything about a function that is not in its records.
type around struct {
	targets    map[uint64]instrdb.NameInfo
	prev, next *instrdb.Row
}

// recordShown is the index of the record that hash= names, or of the one with
// the best rank; false when there is no such record.
func recordShown(records []instrdb.Record, hash *uint64) (int, bool) {
	best := 0
	for i := range records {
		if records[i].Rank < records[best].Rank {
			best = i
		}
	}
	if hash == nil {
		return best, true
	}
	for i := range records {
		if records[i].FuncHash == *hash {
			return i, true
		}
	}
	return best, false
}

// functionModel makes the page of a function, showing one of its records in full.
func functionModel(v site.FunctionRequest, p *functionParams, o *instrdb.Overview, records []instrdb.Record, all,
	shown int, near around, s site.Symbols) instrview.Function {
	r := &records[shown]
	path, linkage := names.Split([]byte(r.PGO))
	full := site.Symbols{Cache: s.Cache, Mode: names.Full, Long: true}
	f := instrview.Function{FunctionName: page.FunctionName{
		Name: full.Name([]byte(r.PGO), r.Ref), FID: site.FID(r.Ref), NameRef: humanize.Hex64(r.Ref),
		Linkage: humanize.Long(linkage), Path: humanize.Long(path),
	}}
	f.Title = site.ShortName(f.Name)
	if r.PGO == "" {
		f.Missing = "The file holds no name for this function, only its MD5. The executable has the names."
	} else {
		if r.PGO != string(linkage) {
			f.PGOName = humanize.Long(r.PGO)
		}
	}
	if humanize.IsCut(r.PGO) {
		f.Whole = site.APIOf(v.Base[len("/p/"):]) + "/functions/" + f.FID
	}
	f.Place = placeOf(v.Base, &r.Row)
	if path != "" {
		f.PathURL = v.Base + "/functions?path=" + url.QueryEscape(path)
	}
	if len(records) > 1 {
		for i := range records {
			f.Records = append(f.Records, recordRow(v, o, &records[i]))
		}
		f.Records[shown].Current = true
		f.RecordNotes = recordNotes(o, records)
		if all > len(records) {
			f.RecordNotes = append(f.RecordNotes,
				humanize.Say("The name has {record}; these have the largest totals. The list of functions shows them all.", all))
		}
		if f.Contexts = contexts(v, p, o, records, shown); f.Contexts == nil || len(records) > 2 {
			f.Beside = min(longest(records[:min(len(records), instrview.RecordsBeside)]), sideCounters)
		}
	}
	f.Record = record(v, o, r, near.targets, s)
	f.Prev, f.Next = neighbour(v, o, near.prev, s), neighbour(v, o, near.next, s)
	return f
}

// hasRecords reports whether the records of a file have places in it.
func hasRecords(in stored.Input) bool {
	return in.Format == instrprof.FormatRaw || in.Format == instrprof.FormatIndexed
}

func recordRow(v site.FunctionRequest, o *instrdb.Overview, r *instrdb.Record) instrview.RecordRow {
	to := v.Address.FirstPage("counters").With("hash", humanize.Hex64(r.FuncHash))
	return instrview.RecordRow{Record: r, URL: to.String(), Class: classOf(o, &r.Row)}
}

func record(v site.FunctionRequest, o *instrdb.Overview, r *instrdb.Record, known map[uint64]instrdb.NameInfo,
	s site.Symbols) instrview.Record {
	rec := instrview.Record{
		Hash: humanize.Hex64(r.FuncHash), Rank: humanize.Int(r.Rank), Of: humanize.Int(o.Functions),
		Class: classOf(o, &r.Row), CS: r.CS, Legend: legendOf(o),
		Figures: figures(o, r), Sites: sites(v.Base, r, known, s), Bitmap: chart.NewBitmap(r.Bitmap),
		BitmapLayout: bitmapLayouts[o.Info.BitmapLayout()],
	}
	return rec
}

// counterKeyLines work on the page of a function with counters.
var counterKeyLines = page.Keys(
	"m: the largest counter", "o: counters by count, or in order",
	"← →: the part before or after the zoomed one",
	"Esc: the whole function",
)

// window bounds the counters that are listed: what was asked for, a thousand
// at most, within the record.
func window(v site.RecordParams, n int) (from, to int) {
	last := uint64(max(n, 1) - 1)
	first := min(v.From, last)
	return int(first), int(min(max(v.To, first), first+site.CountersPerPage-1, last))
}

// figures are the numbers of one record.
func figures(o *instrdb.Overview, r *instrdb.Record) []page.Tile {
	if r.Pseudo {
		return []page.Tile{{ID: "counters", Label: "Counters", Value: humanize.Whole(r.NumCounters)}}
	}
	list := []page.Tile{
		{
			ID: "total", Label: "Total", How: page.HowTotal, Value: humanize.SumCount(r.Total),
			Note: humanize.Say("{%2} of the profile, rank {}", r.Share, r.Rank),
		},
	}
	if analyze.HasEntry(o.Info.Variant) {
		list = append(list, page.Tile{
			ID: "entry", Label: "Entry count", Value: humanize.Count(r.Entry), Note: "counter 0", How: page.HowEntry,
		})
	}
	list = append(list, page.Tile{
		ID: "max", Label: "Maximum", Value: humanize.Count(r.Max),
		Note: humanize.Say("counter {}, {%} of the function", r.MaxIndex,
			humanize.Part(float64(r.Max), r.Total.Float64())), How: page.HowMax,
	})
	if r.Max == 0 {
		list[len(list)-1].Note = "never executed"
	}
	zero := page.Tile{
		ID: "counters", Label: "Counters", How: page.HowCounters,
		Value: humanize.Whole(r.NumCounters), Note: counterNote(r),
	}
	return append(list, zero, page.Tile{
		ID: "sites", Label: "Value sites", How: page.HowSites,
		Value: humanize.Whole(r.NumSites[0] + r.NumSites[1] + r.NumSites[2]),
		Note:  recordSites(r),
	})
}

// zeroCounters says how many of the counters are 0.
func zeroCounters(zero, all uint32) string {
	switch zero {
	case 0:
		return "none is zero"
	case 1:
		return "1 is zero"
	case all:
		return "all are zero"
	}
	return humanize.Int(zero) + " are zero"
}

func recordSites(r *instrdb.Record) string {
	var parts []string
	for k, words := range [][2]string{
		{"indirect call", "indirect calls"}, {"memory op", "memory ops"}, {"vtable", "vtables"},
	} {
		if r.NumSites[k] > 0 {
			parts = append(parts, humanize.Plural(r.NumSites[k], words[0], words[1]))
		}
	}
	if len(parts) == 0 {
		return "none recorded"
	}
	return strings.Join(parts, ", ")
}

func neighbour(v site.FunctionRequest, o *instrdb.Overview, r *instrdb.Row, s site.Symbols) *page.Neighbour {
	if r == nil {
		return nil
	}
	return &page.Neighbour{Rank: humanize.Int(r.Rank), Name: s.Name([]byte(r.PGO), r.Ref), URL: functionURL(v.Base, o, r)}
}
