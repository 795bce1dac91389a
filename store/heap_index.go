package store

import (
	"context"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/store/btree"
)

// HeapFunction is a function in call stacks, or what stands for one: a name
// alone, or an address.
type HeapFunction struct {
	FID  uint64 // its address in pages: the GUID, or a hash of what there is instead
	GUID uint64 // 0 where it is not known
	Name string // linkage name, demangled in a runtime's report; empty where it is not known
	File string // source file of its first frame; empty where it is not known
	// Module has the address of a frame without a function: an index of
	// HeapModules, or -1.
	Module  int
	Address uint64
}

// HeapFrame is a level of a call stack.
type HeapFrame struct {
	*HeapFunction        // shared: do not change it
	File          string // source file as recorded
	Line          uint32 // 0 where it is not known
	LineOffset    uint32 // lines below the function's first
	Column        uint32
	Discriminator uint32
	Inline        bool // inlined into the caller
}

// heapIndex is a heap profile in memory, which all queries work on: about a
// hundred bytes a context, thirty a frame and eight a node of the tree of calls.
// It is immutable.
type heapIndex struct {
	overview  *HeapOverview
	functions []HeapFunction
	byFID     map[uint64]uint32 // the first of a FID
	files     []string          // by path node, those of frames only

	// by frame
	function                                []uint32
	path                                    []int32
	line, lineOffset, column, discriminator []uint32
	inline                                  bitset
	// by node of the tree of calls
	frame  []uint32
	caller []int32
	depth  []uint32

	contexts heapContexts
}

// heapContexts are the contexts by index, as columns.
type heapContexts struct {
	address []uint64
	id      []uint64
	stack   []int32 // node of the leaf, or -1
	schema  []uint32
	values  [memprof.NumMIBFields + 1][]uint64 // by field; nil where no context has it
}

// heapIndex reads the tables, from the cache when they were read before. The
// error is ErrNotFound for a profile without a heap profile.
func (p *Profile) heapIndex(ctx context.Context) (*heapIndex, error) {
	v, err := p.cached(ctx, "heap", func() (any, int64, error) {
		o, err := p.Overview(ctx)
		if err != nil {
			return nil, 0, err
		}
		if o.MemProf == nil {
			return nil, 0, ErrNotFound
		}
		h := &heapIndex{overview: o.MemProf}
		if h.overview.Contexts > maxRecords || h.overview.Stacks > maxRecords || h.overview.Frames > maxRecords || h.overview.Functions > maxRecords {
			return nil, 0, errOr(nil, "%d contexts of %d stacks", h.overview.Contexts, h.overview.Stacks)
		}
		for _, read := range []func(context.Context, *heapIndex) error{p.readHeapFunctions, p.readHeapFiles, p.readHeapFrames, p.readHeapStacks, p.readHeapContexts} {
			if err := read(ctx, h); err != nil {
				return nil, 0, err
			}
		}
		return h, h.bytes(), nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*heapIndex), nil
}

func (h *heapIndex) bytes() int64 {
	n := int64(len(h.functions))*120 + int64(len(h.files))*40 + int64(len(h.function))*28 + int64(len(h.frame))*12
	for _, column := range h.contexts.values {
		n += int64(len(column)) * 8
	}
	return n + int64(len(h.contexts.stack))*24
}

func (p *Profile) readHeapFunctions(_ context.Context, h *heapIndex) error {
	h.byFID = make(map[uint64]uint32, h.overview.Functions)
	return walk(p.r, "heap_function", func(row *rowReader) {
		f := HeapFunction{FID: row.Uint(1), GUID: row.Uint(2), Name: row.text(3), Module: int(row.Int(4)) - 1, Address: row.Uint(5)}
		if _, ok := h.byFID[f.FID]; !ok {
			h.byFID[f.FID] = uint32(len(h.functions))
		}
		h.functions = append(h.functions, f)
	})
}

// readHeapFiles puts the paths together. Only those of frames are kept, which
// readHeapFrames asks for.
func (p *Profile) readHeapFiles(_ context.Context, h *heapIndex) error {
	texts := map[int64]string{}
	if err := walk(p.r, "string", func(row *rowReader) { texts[row.ID] = row.text(1) }); err != nil {
		return err
	}
	var fault error
	err := walk(p.r, "heap_path_node", func(row *rowReader) {
		text, parent := texts[row.Int(1)], row.Int(2)
		if parent >= int64(len(h.files)) || row.ID != int64(len(h.files)) {
			fault = errOr(nil, "path node %d is below node %d", row.ID, parent)
			return
		}
		if parent >= 0 {
			text = h.files[parent] + "/" + text
		}
		h.files = append(h.files, text)
	})
	if err == nil {
		err = fault
	}
	return err
}

func (p *Profile) readHeapFrames(ctx context.Context, h *heapIndex) error {
	table, err := p.r.Table("frame")
	if err != nil {
		return err
	}
	n := h.overview.Frames
	h.function, h.path, h.inline = make([]uint32, n), make([]int32, n), newBitset(n)
	h.line, h.lineOffset, h.column, h.discriminator = make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)
	inline := make([]bool, n) // words of a bitset would be shared between workers
	err = eachRowOf(ctx, table, 1, n, func(row *btree.Row) error {
		i := row.ID - 1
		function, node := row.Uint(1)-1, int64(memprof.NoStack)
		if !row.IsNull(2) {
			node = row.Int(2)
		}
		if function >= uint64(len(h.functions)) || node >= int64(len(h.files)) {
			return errOr(nil, "frame %d has function %d of %d, and path node %d of %d", row.ID, function+1, len(h.functions), node, len(h.files))
		}
		h.function[i], h.path[i] = uint32(function), int32(node)
		h.line[i], h.lineOffset[i], h.column[i], h.discriminator[i] = uint32(row.Uint(3)), uint32(row.Uint(4)), uint32(row.Uint(5)), uint32(row.Uint(6))
		inline[i] = row.Int(7) != 0
		return nil
	})
	for i := range inline {
		if inline[i] {
			h.inline.set(uint32(i))
		}
		if f := &h.functions[h.function[i]]; f.File == "" && err == nil && h.path[i] >= 0 {
			f.File = h.files[h.path[i]]
		}
	}
	return err
}

func (p *Profile) readHeapStacks(ctx context.Context, h *heapIndex) error {
	table, err := p.r.Table("call_stack")
	if err != nil {
		return err
	}
	n := h.overview.Stacks
	h.frame, h.caller, h.depth = make([]uint32, n), make([]int32, n), make([]uint32, n)
	return eachRowOf(ctx, table, 1, n, func(row *btree.Row) error {
		i := row.ID - 1
		frame, caller := row.Uint(1)-1, row.Int(2)-1
		if frame >= uint64(len(h.function)) || caller >= i {
			return errOr(nil, "stack %d has frame %d of %d, and caller %d", row.ID, frame+1, len(h.function), caller+1)
		}
		h.frame[i], h.caller[i], h.depth[i] = uint32(frame), int32(caller), uint32(row.Uint(3))
		return nil
	})
}

// The columns of the mib table before its fields, in the schema's order: field
// n stands in column mibFields + n.
const (
	mibContext = 1 + iota
	mibID
	mibStack
	mibOwner
	mibClass
	mibSchema
	mibFields    = mibSchema
	mibHistogram = mibFields + int(memprof.AccessHistogramSize) + 1
)

func (p *Profile) readHeapContexts(ctx context.Context, h *heapIndex) error {
	table, err := p.r.Table("mib")
	if err != nil {
		return err
	}
	n := int(h.overview.Contexts)
	c := &h.contexts
	c.address, c.id, c.stack, c.schema = make([]uint64, n), make([]uint64, n), make([]int32, n), make([]uint32, n)
	var fields []memprof.MIBField
	for field := range h.overview.Schema.Fields() {
		if field <= memprof.AccessHistogramSize {
			c.values[field] = make([]uint64, n)
			fields = append(fields, field)
		}
	}
	return eachRowOf(ctx, table, 1, n, func(row *btree.Row) error {
		i := row.ID - 1
		stack := row.Int(mibStack) - 1
		if stack >= int64(len(h.frame)) || stack < -1 {
			return errOr(nil, "context %d has stack %d of %d", row.ID, stack+1, len(h.frame))
		}
		c.address[i], c.id[i], c.stack[i], c.schema[i] = row.Uint(mibContext), row.Uint(mibID), int32(stack), uint32(row.Uint(mibSchema))
		for _, field := range fields {
			c.values[field][i] = row.Uint(mibFields + int(field))
		}
		return nil
	})
}

// value is a field of a context, false when it is not known.
func (c *heapContexts) value(i uint32, field memprof.MIBField) (uint64, bool) {
	if !memprof.MIBSchema(c.schema[i]).Has(field) || c.values[field] == nil {
		return 0, false
	}
	return c.values[field][i], true
}

func (c *heapContexts) get(i uint32, field memprof.MIBField) uint64 {
	v, _ := c.value(i, field)
	return v
}

// mib is a context's block, without its histogram.
func (c *heapContexts) mib(i uint32) memprof.MIB {
	m := memprof.MIB{Schema: memprof.MIBSchema(c.schema[i]) &^ (1 << memprof.AccessHistogram)}
	for field := range m.Schema.Fields() {
		m.Values = append(m.Values, c.get(i, field))
	}
	return m
}

// totals adds a context.
func (c *heapContexts) addTo(t *analyze.HeapTotals, i uint32) {
	size, count, lifetime := c.get(i, memprof.TotalSize), c.get(i, memprof.AllocCount), c.get(i, memprof.TotalLifetime)
	t.Contexts++
	t.Bytes.Add(size)
	t.Allocations.Add(count)
	t.Accesses.Add(c.get(i, memprof.TotalAccessCount))
	t.Lifetime.Add(lifetime)
	t.ByteMS.Add(analyze.ByteMilliseconds(size, lifetime, count))
	t.Density.Add(c.get(i, memprof.TotalLifetimeAccessDensity))
}

// leaf is the frame that allocates, false for a stack without frames.
func (h *heapIndex) leaf(i uint32) (uint32, bool) {
	stack := h.contexts.stack[i]
	if stack < 0 {
		return 0, false
	}
	return h.frame[stack], true
}

// file is the source file of a frame, empty where it is not known.
func (h *heapIndex) file(frame uint32) string {
	if node := h.path[frame]; node >= 0 {
		return h.files[node]
	}
	return ""
}

func (h *heapIndex) heapFrame(i uint32) HeapFrame {
	return HeapFrame{
		HeapFunction: &h.functions[h.function[i]], File: h.file(i),
		Line: h.line[i], LineOffset: h.lineOffset[i], Column: h.column[i], Discriminator: h.discriminator[i], Inline: h.inline.has(i),
	}
}

// frames are those of a stack, leaf first, at most limit.
func (h *heapIndex) frames(stack int32, limit int) []HeapFrame {
	var list []HeapFrame
	for ; stack >= 0 && len(list) < limit; stack = h.caller[stack] {
		list = append(list, h.heapFrame(h.frame[stack]))
	}
	return list
}

// site is where a context allocates, false for a stack without frames.
func (h *heapIndex) site(i uint32) (heapSite, bool) {
	f, ok := h.leaf(i)
	if !ok {
		return heapSite{}, false
	}
	return heapSite{h.function[f], h.line[f], h.lineOffset[f], h.column[f]}, true
}

func (h *heapIndex) siteAddress(s heapSite) uint64 { return s.address(h.functions[s.function].FID) }

// classes are the indices of the contexts' classes in analyze.HeapClasses.
func (h *heapIndex) classes(t analyze.HeapThresholds) []uint8 {
	list := make([]uint8, len(h.contexts.stack))
	const needs = memprof.MIBSchema(1<<memprof.AllocCount | 1<<memprof.TotalLifetime | 1<<memprof.TotalLifetimeAccessDensity)
	for i := range uint32(len(list)) {
		class := analyze.HeapUnknown
		if memprof.MIBSchema(h.contexts.schema[i])&needs == needs {
			class = t.ClassOf(h.contexts.get(i, memprof.AllocCount), h.contexts.get(i, memprof.TotalLifetime), h.contexts.get(i, memprof.TotalLifetimeAccessDensity))
		}
		list[i] = uint8(heapClassIndex(class))
	}
	return list
}

// mixed tells of each context whether its site needs cloning; see siteClasses.
func (h *heapIndex) mixed(classes []uint8) bitset {
	sites := map[heapSite]siteClasses{}
	for i, class := range classes {
		if site, ok := h.site(uint32(i)); ok {
			sites[site] = sites[site].with(int(class))
		}
	}
	mixed := newBitset(len(classes))
	for i := range uint32(len(classes)) {
		if site, ok := h.site(i); ok && sites[site].mixed() {
			mixed.set(i)
		}
	}
	return mixed
}

// hasPath reports whether a source file begins with a path, as pathPrefix has it.
func hasHeapPath(file, prefix string) bool {
	if whole, ok := strings.CutSuffix(prefix, ";"); ok {
		return file == whole || analyze.CleanPath(file) == whole
	}
	return strings.HasPrefix(file, prefix) || strings.HasPrefix(analyze.CleanPath(file), prefix)
}
