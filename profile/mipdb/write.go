package mipdb

import (
	"context"
	"encoding/binary"
	"path"
	"strconv"
	"strings"

	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/profile/stored"
)

// Write implements [stored.Prepared].
func (t *tables) Write(_ context.Context, w *stored.Writer) error {
	return w.InTurn(t.writeModule, t.writeNodes, t.writeRuns, t.writeFunctions, t.writeSignatures,
		t.writeNames, t.writeFunctionRuns)
}

// Meta implements [stored.Prepared].
func (t *tables) Meta(*stored.MetaWriter) {}

// Findings implements [stored.Prepared].
func (t *tables) Findings() []model.Finding { return nil }

// Figures implements [stored.Prepared].
func (t *tables) Figures() stored.Counts {
	c := stored.Counts{Functions: int(t.overview.Functions), Total: t.overview.Calls.String(), Title: t.title()}
	c.HeadPart, c.HeadWhole = Figures.HeadOf(t.overview)
	return c
}

// title names a profile by its map, which the program has its name from, and by how
// many runs there are.
func (t *tables) title() string {
	o := &t.overview
	name := path.Base(strings.ReplaceAll(o.MapFile, "\\", "/"))
	if name = strings.TrimSuffix(name, ".mipmap"); o.MapFile == "" || name == "" {
		return ""
	}
	switch o.Runs {
	case 0:
		return name
	case 1:
		return name + ", 1 run"
	}
	return name + ", " + strconv.Itoa(o.Runs) + " runs"
}

func (t *tables) writeModule(w *stored.Writer) error {
	return stored.PutRows(w, "mip_module", []Overview{t.overview}, (*Overview).columns)
}

func (t *tables) writeNodes(w *stored.Writer) error {
	return w.List("mip_node", func(r *stored.Record, add func()) {
		for i, by := range treesBy {
			tree := &t.trees[i]
			for i := range tree.nodes {
				n, totals := &tree.nodes[i], &tree.totals[i]
				r.Texts(string(by))
				r.Ints(n.ID, n.Parent, n.Last, n.Depth)
				r.Name([]byte(n.Name))
				r.Flag(n.NoPath)
				r.Uints(totals.Functions, totals.Executed, totals.Bytes, totals.ExecutedBytes, totals.CoveredBytes,
					totals.Blocks, totals.CoveredBlocks)
				r.Sum(totals.Calls)
				add()
			}
		}
	})
}

func (t *tables) writeRuns(w *stored.Writer) error {
	var executed []byte
	return w.Rows("mip_run", len(t.m.Runs), func(r *stored.Record, i int) {
		run := &t.m.Runs[i]
		r.Put((&Run{File: run.File, DataBytes: run.DataBytes, MIPRunFigures: t.runs[i]}).columns()...)
		executed = executed[:0]
		for _, word := range run.Executed {
			executed = binary.LittleEndian.AppendUint64(executed, word)
		}
		r.Blob(executed)
	})
}

func (t *tables) writeFunctions(w *stored.Writer) error {
	var packed []byte
	return w.Rows("mip_function", len(t.m.Functions), func(r *stored.Record, i int) {
		f, b := &t.m.Functions[i], &t.blocks[i]
		r.Uints(f.Signature, f.RawOffset)
		r.Int(f.Offset)
		r.Uints(uint64(f.Size), uint64(f.CFGSignature), f.MergeCount, f.CallCount, f.TimestampSum)
		r.Flag(saturated(t.m, f))
		r.Ints(int(b.Blocks), int(b.Covered), int(b.Removed))
		r.Uint(b.CoveredBytes)
		r.Flag(t.twins.Has(i))
		for n := range treesBy {
			r.Uint(uint64(t.trees[n].at[i]))
		}
		r.Texts(string(f.NameSource))
		r.Name(f.Name)
		packed = packed[:0]
		for _, block := range f.Blocks {
			packed = binary.AppendUvarint(packed, packBlock(block))
		}
		r.Blob(packed)
		r.Flag(f.BlocksDiffer)
	})
}

func packBlock(b mip.Block) uint64 {
	v := uint64(b.Offset) << 1
	if b.Covered {
		v |= 1
	}
	return v
}

func (t *tables) writeSignatures(w *stored.Writer) error {
	return w.Table("mip_signature", func(r *stored.Record, add func(int64)) {
		var others []byte
		for items := t.bySign; len(items) > 0; {
			first := items[0]
			others = others[:0]
			for items = items[1:]; len(items) > 0 && items[0].Key == first.Key; items = items[1:] {
				others = binary.AppendUvarint(others, uint64(items[0].ID)+1)
			}
			r.Int(int64(first.ID) + 1)
			r.BlobOrNull(others)
			add(int64(first.Key ^ 1<<63))
		}
	})
}

func (t *tables) writeNames(w *stored.Writer) error {
	ids := make([]uint32, len(t.byName))
	for at, i := range t.byName {
		ids[at] = i + 1
	}
	return w.Permutation("mip_by_name", ids)
}

func (t *tables) writeFunctionRuns(w *stored.Writer) error {
	return w.Table("mip_function_run", func(r *stored.Record, add func(int64)) {
		var packed []byte
		for i := range t.m.Functions {
			packed = packed[:0]
			for n := range t.m.Runs {
				run := &t.m.Runs[n]
				if len(run.Executed) == 0 || !run.Executed.Has(i) {
					continue
				}
				packed = binary.AppendUvarint(packed, uint64(n)+1)
				var calls, first uint32
				if run.Calls != nil {
					calls = run.Calls[i]
				}
				if run.First != nil {
					first = run.First[i]
				}
				packed = binary.AppendUvarint(binary.AppendUvarint(packed, uint64(calls)), uint64(first))
			}
			if len(packed) == 0 {
				continue
			}
			r.Blob(packed)
			add(int64(i) + 1)
		}
	})
}
