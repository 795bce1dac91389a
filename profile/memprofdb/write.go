package memprofdb

import (
	"context"
	"encoding/binary"
	"slices"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/profile/stored"
)

// Write implements [stored.Prepared].
func (t *tables) Write(_ context.Context, w *stored.Writer) error {
	return w.InTurn(t.writeFigures, t.writeModules, t.writePaths, t.writeFunctions, t.writeFrames,
		t.writeStacks, t.writeMIBs, t.writeCallSites, t.writeDataAccess)
}

// Meta implements [stored.Prepared].
func (t *tables) Meta(*stored.MetaWriter) {}

// Findings implements [stored.Prepared].
func (t *tables) Findings() []model.Finding { return nil }

// Figures implements [stored.Prepared].
func (t *tables) Figures() stored.Counts {
	return stored.Counts{Functions: t.overview.Owners, Total: t.overview.Bytes.String(), Magnitudes: t.magnitudes()}
}

// orNull adds a number, NULL where it is not known.
func orNull(r *stored.Record, v uint64, known bool) {
	if known {
		r.Uint(v)
	} else {
		r.Null()
	}
}

func (t *tables) writeFigures(w *stored.Writer) error {
	err := stored.PutRows(w, "heap", []Overview{t.overview}, (*Overview).columns)
	if s := t.overview.Summary; err == nil && s != nil {
		err = stored.PutRows(w, "heap_summary", []memprof.Summary{*s}, summaryColumns)
	}
	return err
}

func (t *tables) writeModules(w *stored.Writer) error {
	return w.Rows("module", len(t.p.Modules), func(r *stored.Record, i int) {
		m, of := &t.p.Modules[i], &t.modules[i]
		r.Put((&Module{
			Start: m.Start, End: m.End, Offset: m.Offset, BuildID: m.BuildID, Path: m.Path, File: m.File,
			Frames: of.frames, Contexts: of.contexts,
		}).columns()...)
	})
}

func (t *tables) writePaths(w *stored.Writer) error {
	err := w.Table("string", func(r *stored.Record, add func(int64)) {
		for _, s := range t.paths.Strings {
			r.Name([]byte(s.Text))
			add(int64(s.Offset))
		}
	})
	if err != nil {
		return err
	}
	return w.Table("heap_path_node", func(r *stored.Record, add func(int64)) {
		for i, n := range t.paths.Nodes {
			r.Uint(n.String)
			r.Int(int64(n.Parent))
			add(int64(i))
		}
	})
}

func (t *tables) writeFunctions(w *stored.Writer) error {
	return w.Rows("heap_function", len(t.functions), func(r *stored.Record, i int) {
		f := &t.functions[i]
		r.Uint(f.fid)
		orNull(r, f.guid, f.guid != 0)
		r.Name([]byte(f.name))
		orNull(r, uint64(f.module)+1, f.module >= 0)
		orNull(r, f.address, f.guid == 0 && f.name == "")
	})
}

func (t *tables) writeFrames(w *stored.Writer) error {
	return w.Rows("frame", len(t.p.Frames), func(r *stored.Record, i int) {
		f := &t.p.Frames[i]
		r.Uint(uint64(t.functionOf[i]) + 1)
		orNull(r, uint64(t.pathOf[i]), t.pathOf[i] >= 0)
		r.Uints(uint64(f.Line), uint64(f.LineOffset), uint64(f.Column), uint64(f.Discriminator))
		r.Flag(f.Inline)
	})
}

func (t *tables) writeStacks(w *stored.Writer) error {
	return w.Rows("call_stack", len(t.p.Stacks), func(r *stored.Record, i int) {
		s := &t.p.Stacks[i]
		r.Ints(int(s.Frame)+1, int(s.Caller)+1, int(s.Depth))
	})
}

func (t *tables) writeMIBs(w *stored.Writer) error {
	var packed []byte
	return w.Rows("mib", len(t.contexts), func(r *stored.Record, i int) {
		c := &t.contexts[i]
		owner := uint64(0)
		if c.Stack != memprof.NoStack {
			owner = uint64(t.functionOf[t.p.Stacks[c.Stack].Frame]) + 1
		}
		r.Uints(t.contextAddress(c), c.ID, uint64(c.Stack)+1, owner)
		r.Texts(string(t.classes[i]))
		r.Uint(uint64(c.MIB.Schema))
		for field := memprof.AllocCount; field <= memprof.AccessHistogramSize; field++ {
			v, known := c.MIB.Value(field)
			orNull(r, v, known)
		}
		packed = packed[:0]
		for _, n := range c.MIB.Histogram {
			packed = binary.AppendUvarint(packed, n)
		}
		r.BlobOrNull(packed)
		r.Flag(c.Truncated)
	})
}

func (t *tables) writeCallSites(w *stored.Writer) error {
	return w.List("heap_call_site", func(r *stored.Record, add func()) {
		var callees []byte
		for i := range t.p.Records {
			for _, site := range t.p.Records[i].CallSites {
				callees = callees[:0]
				for _, guid := range site.Callees {
					callees = binary.LittleEndian.AppendUint64(callees, guid)
				}
				r.Uints(t.p.Records[i].Function, uint64(site.Stack)+1)
				r.BlobOrNull(callees)
				add()
			}
		}
	})
}

func (t *tables) writeDataAccess(w *stored.Writer) error {
	data := t.p.DataAccess
	if data == nil {
		return nil
	}
	all := slices.Clip(data.Records)
	for _, symbol := range data.ColdSymbols {
		all = append(all, memprof.DataAccessRecord{Symbol: symbol})
	}
	for _, hash := range data.ColdHashes {
		all = append(all, memprof.DataAccessRecord{IsString: true, Hash: hash})
	}
	err := w.Rows("data_access", len(all), func(r *stored.Record, i int) {
		d := &all[i]
		r.Flag(i >= len(data.Records))
		r.Flag(d.IsString)
		r.Name([]byte(d.Symbol))
		orNull(r, d.Hash, d.IsString)
		r.Uint(d.AccessCount)
	})
	if err != nil {
		return err
	}
	return w.List("data_location", func(r *stored.Record, add func()) {
		for i := range data.Records {
			for _, l := range data.Records[i].Locations {
				r.Int(int64(i) + 1)
				r.Name([]byte(l.File))
				r.Uint(uint64(l.Line))
				add()
			}
		}
	})
}
