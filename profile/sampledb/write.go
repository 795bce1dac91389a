package sampledb

import (
	"context"
	"strings"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Write implements [stored.Prepared].
func (t *tables) Write(_ context.Context, w *stored.Writer) error {
	return w.InTurn(t.writeFigures, t.writeFits, t.writeSummary, t.writeSections, t.writeNames,
		t.writeFunctions, t.writeSymbols)
}

func (t *tables) writeFigures(w *stored.Writer) error {
	files := strings.Join(t.overview.Program.Files, "\n")
	return stored.PutRows(w, "sample", []Overview{t.overview}, func(o *Overview) []any { return o.columns(&files) })
}

// FitWords are what tables call how a function stands in the programs, by [sampleprof.Fit].
var FitWords = [4]string{"cannot be told", "same", "stale", "gone"}

func (t *tables) writeFits(w *stored.Writer) error {
	return w.Rows("sample_fit", len(FitWords), func(r *btree.Record, i int) {
		f := &t.overview.Program.Fits[i]
		stored.Text(r, FitWords[i])
		r.Uint(f.Samples)
		stored.Ints(r, f.Functions)
	})
}

func (t *tables) writeSummary(w *stored.Writer) error {
	return stored.PutRows(w, "sample_summary", t.summary.Entries, entryColumns)
}

func (t *tables) writeSections(w *stored.Writer) error {
	return w.Rows("sample_section", len(t.p.Sections), func(r *btree.Record, i int) {
		s := &t.p.Sections[i]
		stored.Put(r, (&Section{
			Type: s.Type, Name: s.Name(), Flags: strings.Join(s.Words(), ", "), Offset: s.Offset, Size: s.Size,
		}).columns()...)
	})
}

func (t *tables) writeNames(w *stored.Writer) error {
	return w.Rows("sample_name", len(t.p.Names), func(r *btree.Record, i int) {
		name, n := t.p.Names[i], &t.whole.Names[i]
		r.Uint(name.GUID())
		if _, hashed := name.Hashed(); hashed {
			stored.Name(r, nil)
		} else {
			stored.Name(r, []byte(name.Text))
		}
		stored.Name(r, []byte(t.given[i]))
		stored.Ints(r, n.Entries)
		stored.Uints(r, n.Total, n.Head, n.Entry, n.Body, n.Sum, n.Max)
		stored.Ints(r, n.Places, n.Inlinees)
		stored.Uints(r, n.Lost[sampleprof.FitUnknown], n.Lost[sampleprof.FitStale], n.Lost[sampleprof.FitGone], n.Inlined)
		stored.Ints(r, n.InlinedAt)
		r.Uint(n.Calls)
		stored.Ints(r, n.Callers)
		stored.Uints(r, n.Checksum, uint64(n.Attributes))
		stored.Ints(r, int(n.Fit)+1)
		stored.Flag(r, t.listed != nil && t.listed[i])
		file, line := t.declared(i)
		stored.Name(r, []byte(file))
		r.Uint(uint64(line))
	})
}

// declared is where a function is declared.
func (t *tables) declared(i int) (file string, line uint32) {
	text := t.given[i]
	if text == "" {
		text = t.p.Names[i].Text
	}
	d, _ := t.p.Program.Declaration(text)
	return d.File, d.Line
}

func (t *tables) writeFunctions(w *stored.Writer) error {
	var packed []byte
	return w.Rows("sample_function", len(t.p.Functions), func(r *btree.Record, i int) {
		f := t.p.Functions[i]
		r.Uint(uint64(f.Name) + 1)
		packed = packed[:0]
		if f.Context >= 0 {
			packed = appendContext(packed, t.p.Contexts[f.Context])
		}
		stored.BlobOrNull(r, packed)
		figures := sample.FiguresOf(f)
		stored.Uints(r, f.Total, f.Head, t.p.Entry(f), figures.Sum, figures.Max, f.Checksum, uint64(f.Attributes))
		packed = appendBody(packed[:0], f)
		r.Blob(packed)
	})
}

func (t *tables) writeSymbols(w *stored.Writer) error {
	return w.Rows("sample_symbol", len(t.p.Symbols), func(r *btree.Record, i int) {
		stored.Name(r, []byte(t.p.Symbols[i]))
		if n := t.symbols[i]; n >= 0 {
			stored.Ints(r, int(n)+1)
		} else {
			r.Null()
		}
	})
}
