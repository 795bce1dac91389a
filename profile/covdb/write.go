package covdb

import (
	"context"
	"encoding/binary"

	"proflens/analyze/coverage"
	"proflens/decode/instrprof"
	"proflens/profile/stored"
)

// Write implements [stored.Prepared].
func (t *tables) Write(_ context.Context, w *stored.Writer) error {
	return w.InTurn(t.writeWhole, t.writeFiles, t.writeFunctions, t.writeBodies, t.writeDecisions, t.writeMisfits)
}

// Meta implements [stored.Prepared].
func (t *tables) Meta(*stored.MetaWriter) {}

// Size implements [stored.Sized].
func (t *tables) Size() uint64 {
	size := t.bodies.size + 300*len(t.files)
	for i := range t.functions {
		size += 100 + len(t.functions[i].Linkage)
	}
	return uint64(size)
}

// Figures implements [stored.Prepared].
func (t *tables) Figures() stored.Counts {
	var o Overview
	for i := range t.sums {
		o.Totals.Add(&t.sums[i])
	}
	c := stored.Counts{Functions: o.Totals.Functions.Total, Total: "0"}
	c.HeadPart, c.HeadWhole = Figures.HeadOf(&o)
	return c
}

func metrics(r *stored.Record, list []*coverage.Metric) {
	for _, m := range list {
		r.Ints(m.Total, m.Covered)
	}
}

func (t *tables) writeWhole(w *stored.Writer) error {
	whole := Overview{SingleByte: t.single, Foreign: t.foreign, Records: t.records, Joined: t.joined, Prefix: t.prefix}
	if err := stored.PutRows(w, "coverage", []Overview{whole}, (*Overview).columns); err != nil {
		return err
	}
	return stored.PutRows(w, "coverage_object", t.objects, (*Object).columns)
}

func (t *tables) writeFiles(w *stored.Writer) error {
	return w.Rows("coverage_file", len(t.files), func(r *stored.Record, i int) {
		r.Name([]byte(t.files[i]))
		metrics(r, t.sums[i].metrics())
		r.Ints(t.sums[i].Partly, t.unions[i].Conditions)
		r.BlobOrNull(t.mentions[i])
	})
}

func (t *tables) writeFunctions(w *stored.Writer) error {
	err := w.Rows("coverage_function", len(t.functions), func(r *stored.Record, i int) {
		f, at := &t.functions[i], &t.starts[i]
		r.Name([]byte(f.Linkage))
		r.Ints(len(f.Linkage) - len(f.Name))
		r.Uints(instrprof.NameRef([]byte(f.Linkage)), f.Hash)
		file := 0
		if f.Main >= 0 {
			file = int(f.Files[0]) + 1
		}
		r.Ints(f.Object+1, file, int(at.start.Line), int(at.start.Column), int(at.end), int(t.first[i])+1)
		r.Uint(f.Count())
		r.Flag(f.Profiled)
		r.Flag(f.Dummy)
		metrics(r, sumsOf(&t.summaries[i]))
	})
	if err != nil {
		return err
	}
	for i := range t.byName {
		t.byName[i]++
	}
	return w.Permutation("coverage_by_name", t.byName)
}

func (t *tables) writeBodies(w *stored.Writer) error {
	return w.Rows("coverage_body", len(t.functions), func(r *stored.Record, i int) { r.Blob(t.bodies.at[i]) })
}

func (t *tables) writeDecisions(w *stored.Writer) error {
	return w.Rows("coverage_decision", len(t.decisions), func(r *stored.Record, i int) {
		d := &t.decisions[i]
		r.Ints(int(d.function)+1, int(d.number), int(d.file)+1, int(d.start.Line), int(d.start.Column),
			d.Total, d.Covered)
	})
}

func (t *tables) writeMisfits(w *stored.Writer) error {
	var found []byte
	return w.Rows("coverage_misfit", len(t.misfits), func(r *stored.Record, i int) {
		m := &t.misfits[i]
		r.Texts(string(m.Kind))
		r.Name([]byte(m.Name.PGO))
		r.Ints(m.Object + 1)
		r.Uint(m.Hash)
		found = found[:0]
		for _, hash := range m.Found {
			found = binary.LittleEndian.AppendUint64(found, hash)
		}
		r.BlobOrNull(found)
		r.Flag(m.Ran)
	})
}
