package store

import (
	"context"
	"encoding/binary"
	"slices"

	"proflens/decode/mip"
	"proflens/store/btree"
)

// writeMIP writes the tables of a Machine IR Profile; of other families nothing.
func (c *contents) writeMIP(ctx context.Context) error {
	if c.mip == nil {
		return nil
	}
	for _, step := range []func(context.Context) error{
		c.writeMIPModule, c.writeMIPNodes, c.writeMIPRuns, c.writeMIPFunctions, c.writeMIPSignatures, c.writeMIPNames, c.writeMIPFunctionRuns,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *contents) writeMIPModule(context.Context) error {
	return c.table("mip_module", func(r *btree.Record, add func(int64) error) error {
		o := &c.mip.overview
		r.Uint(uint64(o.Header.FileType))
		r.Uint(uint64(o.Header.ProfileType))
		r.Uint(uint64(o.Header.ModuleHash))
		text(r, string(o.Layout))
		if o.RawAddress != nil {
			r.Uint(*o.RawAddress)
		} else {
			r.Null()
		}
		flag(r, o.Underscore)
		text(r, o.MapFile)
		for _, v := range []uint64{o.Functions, o.Executed, o.Bytes, o.ExecutedBytes, o.CoveredBytes, o.Blocks, o.CoveredBlocks, o.RemovedBlocks} {
			r.Uint(v)
		}
		sum(r, o.Calls)
		r.Int(int64(o.Saturated))
		r.Int(int64(o.Unnamed))
		r.Int(int64(o.Runs))
		r.Uint(o.RunsAtLeast)
		return add(1)
	})
}

func (c *contents) writeMIPNodes(context.Context) error {
	return c.table("mip_node", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for t, by := range mipTrees {
			tree := &c.mip.trees[t]
			for i := range tree.nodes {
				n, totals := &tree.nodes[i], &tree.totals[i]
				text(r, string(by))
				r.Int(int64(n.ID))
				r.Int(int64(n.Parent))
				r.Int(int64(n.Last))
				r.Int(int64(n.Depth))
				name(r, []byte(n.Name))
				flag(r, n.NoPath)
				for _, v := range []uint64{
					totals.Functions, totals.Executed, totals.Bytes, totals.ExecutedBytes, totals.CoveredBytes, totals.Blocks, totals.CoveredBlocks,
				} {
					r.Uint(v)
				}
				sum(r, totals.Calls)
				id++
				if err := add(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (c *contents) writeMIPRuns(context.Context) error {
	return c.table("mip_run", func(r *btree.Record, add func(int64) error) error {
		var executed []byte
		for i := range c.mip.m.Runs {
			run, f := &c.mip.m.Runs[i], &c.mip.runs[i]
			text(r, run.File)
			for _, v := range []uint64{
				run.DataBytes, f.Functions, f.Bytes, f.Blocks, f.OnlyFunctions, f.OnlyBytes, f.SumFunctions, f.SumBytes, f.SumBlocks,
			} {
				r.Uint(v)
			}
			executed = executed[:0]
			for _, word := range run.Executed {
				executed = binary.LittleEndian.AppendUint64(executed, word)
			}
			r.Blob(executed)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeMIPFunctions(ctx context.Context) error {
	return c.table("mip_function", func(r *btree.Record, add func(int64) error) error {
		var packed []byte
		m := c.mip.m
		for i := range m.Functions {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			f, b := &m.Functions[i], &c.mip.blocks[i]
			r.Uint(f.Signature)
			r.Uint(f.RawOffset)
			r.Int(f.Offset)
			for _, v := range []uint64{uint64(f.Size), uint64(f.CFGSignature), f.MergeCount, f.CallCount, f.TimestampSum} {
				r.Uint(v)
			}
			flag(r, saturated(m, f))
			r.Int(int64(b.Blocks))
			r.Int(int64(b.Covered))
			r.Int(int64(b.Removed))
			r.Uint(b.CoveredBytes)
			flag(r, c.mip.twins.Has(i))
			for t := range mipTrees {
				r.Uint(uint64(c.mip.trees[t].at[i]))
			}
			text(r, string(f.NameSource))
			name(r, f.Name)
			packed = packed[:0]
			for _, block := range f.Blocks {
				packed = binary.AppendUvarint(packed, packBlock(block))
			}
			r.Blob(packed)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func packBlock(b mip.Block) uint64 {
	v := uint64(b.Offset) << 1
	if b.Covered {
		v |= 1
	}
	return v
}

func (c *contents) writeMIPSignatures(ctx context.Context) error {
	return c.table("mip_signature", func(r *btree.Record, add func(int64) error) error {
		var others []byte
		items := c.mip.bySign
		for n := 0; len(items) > 0; n++ {
			if n%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			first := items[0]
			others = others[:0]
			for items = items[1:]; len(items) > 0 && items[0].key == first.key; items = items[1:] {
				others = binary.AppendUvarint(others, uint64(items[0].id)+1)
			}
			r.Int(int64(first.id) + 1)
			blobOrNull(r, others)
			if err := add(int64(first.key ^ 1<<63)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeMIPNames(context.Context) error {
	return c.table("mip_by_name", func(r *btree.Record, add func(int64) error) error {
		var b []byte
		at := int64(0)
		for part := range slices.Chunk(c.mip.byName, permutationRow) {
			b = b[:0]
			for _, id := range part {
				b = binary.LittleEndian.AppendUint32(b, id+1)
			}
			r.Blob(b)
			if err := add(at); err != nil {
				return err
			}
			at += int64(len(part))
		}
		return nil
	})
}

func (c *contents) writeMIPFunctionRuns(ctx context.Context) error {
	return c.table("mip_function_run", func(r *btree.Record, add func(int64) error) error {
		m := c.mip.m
		var packed []byte
		for i := range m.Functions {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			packed = packed[:0]
			for n := range m.Runs {
				run := &m.Runs[n]
				if len(run.Executed) == 0 || !run.Executed.Has(i) {
					continue
				}
				packed = binary.AppendUvarint(packed, uint64(n)+1)
				var calls, first uint32
				if run.Calls != nil {
					calls, first = run.Calls[i], run.First[i]
				}
				packed = binary.AppendUvarint(packed, uint64(calls))
				packed = binary.AppendUvarint(packed, uint64(first))
			}
			if len(packed) == 0 {
				continue
			}
			r.Blob(packed)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}
