package instrweb

import (
	"context"
	"strings"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// How much the inspector shows of a record.
const (
	inspectorCounters = 12
	inspectorTargets  = 5
)

// selection is the record in the inspector, with the names of its targets.
type selection struct {
	record  *instrdb.Record
	records int // of the same name
	targets map[uint64]instrdb.NameInfo
}

// selected reads the record that sel= names, and the names that the inspector
// needs. It is nil when nothing is selected, or nothing that is there.
func (s *handler) selected(ctx context.Context, p *instrdb.Profile, sel string) (*selection, error) {
	id, hash, _ := strings.Cut(sel, ":")
	ref, ok := site.ParseFID(id)
	if !ok {
		return nil, nil
	}
	var only *uint64
	if h, ok := site.ParseFID(hash); ok {
		only = &h
	}
	records, _, err := p.Function(ctx, ref, only)
	if err != nil {
		return nil, site.OrAbsent(err, nil)
	}
	found := selectRecord(records, sel)
	if found != nil {
		found.targets, err = p.NamesOf(ctx, found.inspectorRefs())
	}
	return found, err
}

// selectRecord finds the record that sel= names: a function, or one FuncHash
// of it. It returns nil when there is none.
func selectRecord(records []instrdb.Record, sel string) *selection {
	_, hash, exact := strings.Cut(sel, ":")
	for i := range records {
		if !exact || site.FID(records[i].FuncHash) == hash {
			return &selection{record: &records[i], records: len(records)}
		}
	}
	return nil
}

// inspectorRefs are the NameRefs of the targets that the inspector shows.
func (s *selection) inspectorRefs() []uint64 {
	var refs []uint64
	if _, values := hottestSite(s.record.Sites[instrprof.IndirectCallTarget]); values != nil {
		for _, v := range values[:min(len(values), inspectorTargets)] {
			refs = append(refs, v.Value)
		}
	}
	return refs
}

func inspector(v functionsRequest, o *instrdb.Overview, sel *selection, s site.Symbols) *instrview.Inspector {
	r := sel.record
	in := &instrview.Inspector{
		Close: v.address.Without("sel").String(), URL: functionURL(v.base, o, &r.Row),
		Class: classOf(o, &r.Row), Rank: humanize.Say("rank {} of {}", r.Rank, o.Functions),
		Name: s.Name([]byte(r.PGO), r.Ref),
	}
	path, linkage := names.Split([]byte(r.PGO))
	in.Path, in.Place = humanize.Printable(path), placeOf(v.base, &r.Row)
	if linkage = humanize.Printable(linkage); linkage != in.Name.Namespace+in.Name.Base+in.Name.Args {
		in.Linkage = linkage
	}
	in.Facts = page.Facts{{Term: "Total", Value: humanize.Group(r.Total.String())}}
	if r.Entered {
		in.Facts.Add("Entry", humanize.Int(r.Entry))
	}
	in.Facts.Add("Maximum", humanize.Int(r.Max), "no. "+humanize.Int(r.MaxIndex))
	in.Facts.Add("FuncHash", humanize.Hex64(r.FuncHash))
	in.Facts.Add("Name MD5", humanize.Hex64(r.Ref))
	if sel.records > 1 {
		in.Records = humanize.Int(sel.records) + ", with different hashes"
	}
	n := min(len(r.Counters), inspectorCounters)
	in.Counters = counterBars(o, r, 0, n)
	if r.Pseudo {
		in.Counters = nil
	}
	in.Shown = humanize.Say("{} of {}, log scale", n, len(r.Counters))
	if i, values := hottestSite(r.Sites[instrprof.IndirectCallTarget]); values != nil {
		in.Site = "site " + humanize.Int(i)
		in.Targets = targets(v.base, instrprof.IndirectCallTarget, values, inspectorTargets, sel.targets, s)
	}
	return in
}

// counterBars are the counters from..end of a record, on the log scale of the
// whole record.
func counterBars(o *instrdb.Overview, r *instrdb.Record, from, end int) []instrview.CounterBar {
	heat := heatOf(o, r.CS)
	entry := analyze.HasEntry(o.Info.Variant)
	bars := make([]instrview.CounterBar, 0, end-from)
	for i := from; i < end; i++ {
		c := r.Counters[i]
		b := instrview.CounterBar{Index: humanize.Int(i), Bar: chart.LogBar(c, r.Max, heat), Value: humanize.Count(c)}
		if i == 0 && entry {
			b.Marks = append(b.Marks, "entry")
		}
		if i == int(r.MaxIndex) && r.Max > 0 {
			b.Marks = append(b.Marks, "maximum")
		}
		bars = append(bars, b)
	}
	return bars
}
