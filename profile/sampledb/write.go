package sampledb

import (
	"context"
	"strings"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
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
	return w.Rows("sample_fit", len(FitWords), func(r *stored.Record, i int) {
		f := &t.overview.Program.Fits[i]
		r.Texts(FitWords[i])
		r.Uint(f.Samples)
		r.Ints(f.Functions)
	})
}

func (t *tables) writeSummary(w *stored.Writer) error {
	return stored.PutRows(w, "sample_summary", t.summary.Entries, entryColumns)
}

func (t *tables) writeSections(w *stored.Writer) error {
	return w.Rows("sample_section", len(t.p.Sections), func(r *stored.Record, i int) {
		s := &t.p.Sections[i]
		r.Put((&Section{
			Type: s.Type, Name: s.Name(), Flags: strings.Join(s.Words(), ", "), Offset: s.Offset, Size: s.Size,
		}).columns()...)
	})
}

func (t *tables) writeNames(w *stored.Writer) error {
	return w.Rows("sample_name", len(t.p.Names), func(r *stored.Record, i int) {
		name, n := t.p.Names[i], &t.whole.Names[i]
		r.Uint(name.GUID())
		if _, hashed := name.Hashed(); hashed {
			r.Name(nil)
		} else {
			r.Name([]byte(name.Text))
		}
		r.Name([]byte(t.given[i]))
		r.Ints(n.Entries)
		r.Uints(n.Total, n.Head, n.Entry, n.Body, n.Sum, n.Max)
		r.Ints(n.Places, n.Inlinees)
		r.Uints(n.Lost[sampleprof.FitUnknown], n.Lost[sampleprof.FitStale], n.Lost[sampleprof.FitGone], n.Inlined)
		r.Ints(n.InlinedAt)
		r.Uint(n.Calls)
		r.Ints(n.Callers)
		r.Uints(n.Checksum, uint64(n.Attributes))
		r.Ints(int(n.Fit) + 1)
		r.Flag(t.listed[i])
		file, line := t.declared(i)
		r.Name([]byte(file))
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
	return w.Rows("sample_function", len(t.p.Functions), func(r *stored.Record, i int) {
		f := t.p.Functions[i]
		r.Uint(uint64(f.Name) + 1)
		packed = packed[:0]
		if f.Context >= 0 {
			packed = appendContext(packed, t.p.Contexts[f.Context])
		}
		r.BlobOrNull(packed)
		figures := sample.FiguresOf(f)
		r.Uints(f.Total, f.Head, t.p.Entry(f), figures.Sum, figures.Max, f.Checksum, uint64(f.Attributes))
		packed = appendBody(packed[:0], f)
		r.Blob(packed)
	})
}

func (t *tables) writeSymbols(w *stored.Writer) error {
	return w.Rows("sample_symbol", len(t.symbols), func(r *stored.Record, i int) {
		r.Name([]byte(t.symbols[i]))
		if n := t.named[i]; n >= 0 {
			r.Ints(int(n) + 1)
		} else {
			r.Null()
		}
	})
}
