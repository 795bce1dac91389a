package instrdb

import (
	"context"
	"encoding/binary"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/internal/recovery"
	"proflens/profile/stored"
)

// Write implements [stored.Prepared]. What is small comes first, and the functions, which
// are most of all, beside the rest.
func (t *tables) Write(ctx context.Context, w *stored.Writer) error {
	if err := w.InTurn(t.writeSummaries, t.writeDistributions, t.writeVTables, t.writePathNodes,
		t.writeFiles); err != nil {
		return err
	}
	g, _ := recovery.WithContext(ctx)
	g.Go(func() error { return t.writeFunctions(w) })
	g.Go(func() error {
		return w.InTurn(t.writeRunningTotals, t.writeSites, t.writeNames, t.writeOrder, t.writeTraces)
	})
	return g.Wait()
}

// rowBytes is about what the tables have of a record beside its name, counters,
// bitmap and sites.
const rowBytes = 64

// Size implements [stored.Sized].
func (t *tables) Size() uint64 {
	return uint64(t.Len())*rowBytes + t.Packed()
}

// Meta implements [stored.Prepared].
func (t *tables) Meta(m *stored.MetaWriter) {
	o := t.overview
	m.Number("rows", uint64(len(t.ranked)))
	m.Number("variant", uint64(o.Info.Variant))
	m.Yes("has_entry", analyze.HasEntry(o.Info.Variant))
	m.Yes("placed_beside", o.Beside)
	m.Yes("explicit_fe", o.Info.ExplicitFE)
	m.Word("memprof_section", o.Info.MemProfSection.Name)
	m.Word("total", o.Total.String())
	m.Number("max_at", uint64(t.rankOfMax()))
	for _, n := range o.numbers() {
		m.Number(n.key, *n.value)
	}
	for _, n := range o.counts() {
		m.Number(n.key, uint64(*n.value))
	}
	for _, class := range classes {
		m.Number("class_"+string(class), uint64(o.Classes[class]))
	}
}

// rankOfMax is the rank of the record with the largest counter, 0 when there
// is none or a preview does not hold it.
func (t *tables) rankOfMax() int {
	return slices.IndexFunc(t.ranked, func(i uint32) bool { return int(i) == t.Sums.MaxAt }) + 1
}

func (t *tables) writeSummaries(w *stored.Writer) error {
	type origin struct {
		name string
		cs   bool
		*instrprof.Summary
	}
	all := slices.DeleteFunc([]origin{
		{"records", false, &t.overview.Summary},
		{"records", true, t.overview.CSSummary},
		{"file", false, t.overview.Info.Summary},
		{"file", true, t.overview.Info.CSSummary},
	}, func(s origin) bool { return s.Summary == nil })
	err := w.Rows("summary", len(all), func(r *stored.Record, i int) {
		s := &all[i]
		r.Put(summaryColumns(&s.name, &s.cs, s.Summary)...)
	})
	if err != nil {
		return err
	}
	return w.List("summary_entry", func(r *stored.Record, add func()) {
		for i, s := range all {
			for _, e := range s.Detailed {
				r.Uints(uint64(i)+1, e.Cutoff, e.MinCount, e.NumCounts)
				add()
			}
		}
	})
}

func (t *tables) writeDistributions(w *stored.Writer) error {
	err := w.Table("histogram", func(r *stored.Record, add func(int64)) {
		for i, n := range t.overview.Histogram {
			r.Uint(n)
			add(int64(i))
		}
	})
	if err != nil {
		return err
	}
	return w.Table("curve", func(r *stored.Record, add func(int64)) {
		for _, p := range t.overview.Curve {
			r.Real(p.Share)
			add(int64(p.N))
		}
	})
}

func (t *tables) writeVTables(w *stored.Writer) error {
	info := &t.overview.Info
	err := w.Rows("vtable", len(info.VTableNames), func(r *stored.Record, i int) {
		r.Uint(instrprof.NameRef(info.VTableNames[i]))
		r.Name(info.VTableNames[i])
	})
	if err != nil {
		return err
	}
	return stored.PutRows(w, "vtable_range", info.VTables, rangeColumns)
}

func (t *tables) writePathNodes(w *stored.Writer) error {
	return w.Table("path_node", func(r *stored.Record, add func(int64)) {
		for i := range t.nodes {
			n := &t.nodes[i]
			r.Ints(n.Parent, n.Last, n.Depth)
			r.Name([]byte(n.Name))
			r.Flag(n.NoPath)
			r.Uints(n.Functions, n.Executed, n.Counters, n.Zero)
			r.Sum(n.Total)
			add(int64(n.ID))
		}
	})
}

// writeOrder writes the order by name; a preview has none.
func (t *tables) writeOrder(w *stored.Writer) error {
	return w.Permutation("permutation", t.permutation(t.Len()))
}

func (t *tables) writeTraces(w *stored.Writer) error {
	var refs []byte
	return w.Rows("trace", len(t.Traces), func(r *stored.Record, i int) {
		refs = refs[:0]
		for _, ref := range t.Traces[i].NameRefs {
			refs = binary.LittleEndian.AppendUint64(refs, ref)
		}
		r.Uints(t.Traces[i].Weight, uint64(len(t.Traces[i].NameRefs)))
		r.Blob(refs)
	})
}
