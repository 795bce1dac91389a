package memprofdb

import (
	"context"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/budget"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// index is a heap profile in memory, which all queries work on: about a hundred
// bytes a context, thirty a frame and eight a node of the tree of calls. It is
// immutable.
type index struct {
	overview  *Overview
	pair      string // of an index of two profiles: tells what is computed of it from what is of one
	functions []Function
	byFID     map[uint64]uint32 // the first of a FID, or of a GUID that is none
	files     []string          // by path node

	// by frame
	function                                []uint32
	path                                    []int32
	line, lineOffset, column, discriminator []uint32
	inline                                  query.Bitset
	// by node of the tree of calls
	frame  []uint32
	caller []int32
	depth  []uint32

	contexts contexts
}

// contexts are the allocation contexts by index, as columns.
type contexts struct {
	address   []uint64
	id        []uint64
	stack     []int32 // node of the leaf, or -1
	schema    []uint32
	truncated query.Bitset                       // stacks that are probably cut off at the root
	values    [memprof.NumMIBFields + 1][]uint64 // by field; nil where no context has it
}

// index reads the tables, from the cache when they were read before.
func (p *Profile) index(ctx context.Context) (*index, error) {
	return stored.Cached(ctx, p.Profile, "memprof", func() (*index, int64, error) {
		x := &index{overview: p.Overview}
		if err := budget.Take(ctx, indexBytes(p.Overview)); err != nil {
			return nil, 0, err
		}
		for _, read := range []func(context.Context, *stored.Profile) error{
			x.readFunctions, x.readFiles, x.readFrames, x.readStacks, x.readContexts,
		} {
			if err := read(ctx, p.Profile); err != nil {
				return nil, 0, err
			}
		}
		return x, x.bytes(), nil
	})
}

// indexBytes is what an index takes, about, but for the text of its names.
func indexBytes(o *Overview) int64 {
	return int64(o.Functions)*160 + int64(o.Frames)*32 + int64(o.Stacks)*12 +
		int64(o.Contexts)*(24+8*int64(o.Schema.Len()))
}

// bytes is the memory it takes, about.
func (x *index) bytes() int64 {
	n := int64(len(x.functions))*120 + int64(len(x.files))*40 + int64(len(x.function))*28 + int64(len(x.frame))*12
	for _, column := range x.contexts.values {
		n += int64(len(column)) * 8
	}
	return n + int64(len(x.contexts.stack))*24
}

// value is a field of a context, false when it is not known.
func (c *contexts) value(i uint32, field memprof.MIBField) (uint64, bool) {
	if !memprof.MIBSchema(c.schema[i]).Has(field) || c.values[field] == nil {
		return 0, false
	}
	return c.values[field][i], true
}

func (c *contexts) get(i uint32, field memprof.MIBField) uint64 {
	v, _ := c.value(i, field)
	return v
}

// mib is a context's block, without its histogram.
func (c *contexts) mib(i uint32) memprof.MIB {
	m := memprof.MIB{Schema: memprof.MIBSchema(c.schema[i]) &^ (1 << memprof.AccessHistogram)}
	for field := range m.Schema.Fields() {
		m.Values = append(m.Values, c.get(i, field))
	}
	return m
}

// addTo adds a context to totals.
func (c *contexts) addTo(t *analyze.MemProfTotals, i uint32) {
	size, count, lifetime := c.get(i, memprof.TotalSize), c.get(i, memprof.AllocCount), c.get(i, memprof.TotalLifetime)
	t.Contexts++
	t.Bytes.Add(size)
	t.Allocations.Add(count)
	t.Accesses.Add(c.get(i, memprof.TotalAccessCount))
	t.Lifetime.Add(lifetime)
	t.ByteMS.Add(analyze.ByteMilliseconds(size, lifetime, count))
	t.Density.Add(c.get(i, memprof.TotalLifetimeAccessDensity))
}

// classes are the indices of the contexts' classes in analyze.MemProfClasses.
func (c *contexts) classes(t analyze.MemProfThresholds) []uint8 {
	list := make([]uint8, len(c.stack))
	const needs = memprof.MIBSchema(
		1<<memprof.AllocCount | 1<<memprof.TotalLifetime | 1<<memprof.TotalLifetimeAccessDensity)
	for i := range uint32(len(list)) {
		class := analyze.MemProfUnknown
		if memprof.MIBSchema(c.schema[i])&needs == needs {
			class = t.ClassOf(c.get(i, memprof.AllocCount), c.get(i, memprof.TotalLifetime),
				c.get(i, memprof.TotalLifetimeAccessDensity))
		}
		list[i] = uint8(classIndex(class))
	}
	return list
}

// mixed tells of each context whether its site needs cloning; see classSet.
func (x *index) mixed(classes []uint8) query.Bitset {
	sets := map[place]classSet{}
	for i, class := range classes {
		if at, ok := x.place(uint32(i)); ok {
			sets[at] = sets[at].with(int(class))
		}
	}
	mixed := query.NewBitset(len(classes))
	for i := range uint32(len(classes)) {
		if at, ok := x.place(i); ok && sets[at].mixed() {
			mixed.Set(i)
		}
	}
	return mixed
}
