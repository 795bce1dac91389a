package store

import (
	"context"
	"encoding/binary"

	"proflens/decode/memprof"
	"proflens/store/btree"
)

// writeHeap writes the tables of a heap profile; of other families nothing.
func (c *contents) writeHeap(ctx context.Context) error {
	if c.heap == nil {
		return nil
	}
	for _, step := range []func(context.Context) error{
		c.writeHeapFigures, c.writeModules, c.writeHeapPaths, c.writeHeapFunctions, c.writeFrames, c.writeStacks, c.writeMIBs,
		c.writeCallSites, c.writeDataAccess,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *contents) writeHeapFigures(context.Context) error {
	o := &c.heap.overview
	err := c.table("heap", func(r *btree.Record, add func(int64) error) error {
		text(r, string(o.Format))
		r.Uint(o.Version)
		r.Uint(uint64(o.Schema))
		flag(r, o.Symbolized)
		for _, n := range []int{o.Dumps, o.Recorded, o.Sites, o.MixedSites, o.Owners, o.CallSites} {
			r.Int(int64(n))
		}
		r.Uint(uint64(o.Deepest))
		r.Uint(uint64(o.Longest))
		for _, class := range o.Classes {
			r.Uint(class.Contexts)
			sum(r, class.Bytes)
		}
		r.Uint(o.Contexts)
		for _, s := range heapSums(&o.HeapTotals) {
			sum(r, *s)
		}
		for _, n := range []int{o.Functions, o.Frames, o.Stacks, o.Modules} {
			r.Int(int64(n))
		}
		flag(r, o.DataAccess)
		return add(1)
	})
	if err != nil || o.Summary == nil {
		return err
	}
	return c.table("heap_summary", func(r *btree.Record, add func(int64) error) error {
		s := o.Summary
		for _, n := range []uint64{s.NumContexts, s.NumColdContexts, s.NumHotContexts, s.MaxColdTotalSize, s.MaxWarmTotalSize, s.MaxHotTotalSize} {
			r.Uint(n)
		}
		return add(1)
	})
}

func (c *contents) writeModules(context.Context) error {
	return c.table("module", func(r *btree.Record, add func(int64) error) error {
		for i := range c.heap.p.Modules {
			m := &c.heap.p.Modules[i]
			r.Uint(m.Start)
			r.Uint(m.End)
			r.Uint(m.Offset)
			blobOrNull(r, m.BuildID)
			text(r, m.Path, m.File)
			r.Int(int64(c.heap.modules[i].frames))
			r.Int(int64(c.heap.modules[i].contexts))
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeHeapPaths(context.Context) error {
	err := c.table("string", func(r *btree.Record, add func(int64) error) error {
		for _, s := range c.heap.paths.Strings {
			name(r, []byte(s.Text))
			if err := add(int64(s.Offset)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.table("heap_path_node", func(r *btree.Record, add func(int64) error) error {
		for i, n := range c.heap.paths.Nodes {
			r.Uint(n.String)
			r.Int(int64(n.Parent))
			if err := add(int64(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeHeapFunctions(context.Context) error {
	return c.table("heap_function", func(r *btree.Record, add func(int64) error) error {
		for i := range c.heap.functions {
			f := &c.heap.functions[i]
			r.Uint(f.fid)
			if f.guid != 0 {
				r.Uint(f.guid)
			} else {
				r.Null()
			}
			name(r, []byte(f.name))
			if f.module >= 0 {
				r.Int(int64(f.module) + 1)
			} else {
				r.Null()
			}
			if f.guid == 0 && f.name == "" {
				r.Uint(f.address)
			} else {
				r.Null()
			}
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeFrames(ctx context.Context) error {
	return c.table("frame", func(r *btree.Record, add func(int64) error) error {
		for i := range c.heap.p.Frames {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			f := &c.heap.p.Frames[i]
			r.Int(int64(c.heap.functionOf[i]) + 1)
			if node := c.heap.pathOf[i]; node >= 0 {
				r.Int(int64(node))
			} else {
				r.Null()
			}
			for _, n := range []uint32{f.Line, f.LineOffset, f.Column, f.Discriminator} {
				r.Uint(uint64(n))
			}
			flag(r, f.Inline)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeStacks(ctx context.Context) error {
	return c.table("call_stack", func(r *btree.Record, add func(int64) error) error {
		for i, s := range c.heap.p.Stacks {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			r.Uint(uint64(s.Frame) + 1)
			r.Int(int64(s.Caller) + 1)
			r.Uint(uint64(s.Depth))
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeMIBs(ctx context.Context) error {
	return c.table("mib", func(r *btree.Record, add func(int64) error) error {
		var packed []byte
		for i := range c.heap.contexts {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			m := &c.heap.contexts[i]
			r.Uint(c.heap.contextAddress(m))
			r.Uint(m.ID)
			r.Int(int64(m.Stack) + 1)
			if m.Stack == memprof.NoStack {
				r.Int(0)
			} else {
				r.Int(int64(c.heap.functionOf[c.heap.p.Stacks[m.Stack].Frame]) + 1)
			}
			text(r, string(c.heap.classes[i]))
			r.Uint(uint64(m.MIB.Schema))
			for field := memprof.AllocCount; field <= memprof.AccessHistogramSize; field++ {
				if v, known := m.MIB.Value(field); known {
					r.Uint(v)
				} else {
					r.Null()
				}
			}
			packed = packed[:0]
			for _, n := range m.MIB.Histogram {
				packed = binary.AppendUvarint(packed, n)
			}
			blobOrNull(r, packed)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeCallSites(ctx context.Context) error {
	return c.table("heap_call_site", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		var callees []byte
		for i := range c.heap.p.Records {
			record := &c.heap.p.Records[i]
			for _, site := range record.CallSites {
				if id%checkEvery == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				callees = callees[:0]
				for _, guid := range site.Callees {
					callees = binary.LittleEndian.AppendUint64(callees, guid)
				}
				r.Uint(record.Function)
				r.Int(int64(site.Stack) + 1)
				blobOrNull(r, callees)
				id++
				if err := add(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (c *contents) writeDataAccess(context.Context) error {
	data := c.heap.p.DataAccess
	if data == nil {
		return nil
	}
	err := c.table("data_access", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		put := func(d *memprof.DataAccessRecord, cold bool) error {
			flag(r, cold)
			flag(r, d.IsString)
			name(r, []byte(d.Symbol))
			if d.IsString {
				r.Uint(d.Hash)
			} else {
				r.Null()
			}
			r.Uint(d.AccessCount)
			id++
			return add(id)
		}
		for i := range data.Records {
			if err := put(&data.Records[i], false); err != nil {
				return err
			}
		}
		for _, symbol := range data.ColdSymbols {
			if err := put(&memprof.DataAccessRecord{Symbol: symbol}, true); err != nil {
				return err
			}
		}
		for _, hash := range data.ColdHashes {
			if err := put(&memprof.DataAccessRecord{IsString: true, Hash: hash}, true); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.table("data_location", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for i := range data.Records {
			for _, l := range data.Records[i].Locations {
				r.Int(int64(i) + 1)
				name(r, []byte(l.File))
				r.Uint(uint64(l.Line))
				id++
				if err := add(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
