package memprofdb

import (
	"context"

	"proflens/decode/memprof"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

func (x *index) readFunctions(ctx context.Context, p *stored.Profile) error {
	modules, err := (&Profile{Profile: p}).Modules(ctx)
	if err != nil {
		return err
	}
	x.byFID = make(map[uint64]uint32, x.overview.Functions)
	err = p.Walk("heap_function", func(row *stored.Row) {
		f := Function{
			FID: row.Uint(1), GUID: row.Uint(2), Name: row.String(3), Module: int(row.Int(4)) - 1, Address: row.Uint(5),
		}
		if f.Module >= 0 && f.Module < len(modules) {
			f.In = &modules[f.Module]
		}
		if _, ok := x.byFID[f.FID]; !ok {
			x.byFID[f.FID] = uint32(len(x.functions))
		}
		x.functions = append(x.functions, f)
	})
	for n, f := range x.functions { // a GUID that is no FID is that of several
		if _, ok := x.byFID[f.GUID]; !ok && f.GUID != 0 {
			x.byFID[f.GUID] = uint32(n)
		}
	}
	return err
}

// readFiles puts the paths together.
func (x *index) readFiles(_ context.Context, p *stored.Profile) error {
	texts := map[int64]string{}
	if err := p.Walk("string", func(row *stored.Row) { texts[row.ID] = row.String(1) }); err != nil {
		return err
	}
	return p.Walk("heap_path_node", func(row *stored.Row) {
		text, parent := texts[row.Int(1)], row.Int(2)
		if parent >= int64(len(x.files)) || row.ID != int64(len(x.files)) {
			row.Fail(stored.Damaged("path node %d is below node %d", row.ID, parent))
			return
		}
		if parent >= 0 {
			text = x.files[parent] + "/" + text
		}
		x.files = append(x.files, text)
	})
}

func (x *index) readFrames(ctx context.Context, p *stored.Profile) error {
	table, err := p.Table("frame")
	if err != nil {
		return err
	}
	n := x.overview.Frames
	x.function, x.path, x.inline = make([]uint32, n), make([]int32, n), query.NewBitset(n)
	x.line, x.lineOffset, x.column, x.discriminator = make([]uint32, n), make([]uint32, n), make([]uint32, n),
		make([]uint32, n)
	inline := make([]bool, n) // words of a bitset would be shared between workers
	err = stored.EachRowOf(ctx, table, "frames", 1, n, func(row *btree.Row) error {
		i := row.ID - 1
		function, node := row.Uint(1)-1, int64(-1)
		if !row.IsNull(2) {
			node = row.Int(2)
		}
		if function >= uint64(len(x.functions)) || node >= int64(len(x.files)) {
			return stored.Damaged("frame %d has function %d of %d, and path node %d of %d", row.ID, function+1,
				len(x.functions), node, len(x.files))
		}
		x.function[i], x.path[i] = uint32(function), int32(node)
		x.line[i], x.lineOffset[i], x.column[i], x.discriminator[i] = uint32(row.Uint(3)), uint32(row.Uint(4)),
			uint32(row.Uint(5)), uint32(row.Uint(6))
		inline[i] = row.Int(7) != 0
		return nil
	})
	if err != nil {
		return err
	}
	for i := range uint32(n) {
		if inline[i] {
			x.inline.Set(i)
		}
		if f := &x.functions[x.function[i]]; f.File == "" {
			f.File = x.file(i)
		}
	}
	return nil
}

func (x *index) readStacks(ctx context.Context, p *stored.Profile) error {
	table, err := p.Table("call_stack")
	if err != nil {
		return err
	}
	n := x.overview.Stacks
	x.frame, x.caller, x.depth = make([]uint32, n), make([]int32, n), make([]uint32, n)
	return stored.EachRowOf(ctx, table, "call stacks", 1, n, func(row *btree.Row) error {
		i := row.ID - 1
		frame, caller := row.Uint(1)-1, row.Int(2)-1
		if frame >= uint64(len(x.function)) || caller >= i {
			return stored.Damaged("stack %d has frame %d of %d, and caller %d", row.ID, frame+1, len(x.function), caller+1)
		}
		x.frame[i], x.caller[i], x.depth[i] = uint32(frame), int32(caller), uint32(row.Uint(3))
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
	mibTruncated = mibHistogram + 1
)

func (x *index) readContexts(ctx context.Context, p *stored.Profile) error {
	table, err := p.Table("mib")
	if err != nil {
		return err
	}
	n := int(x.overview.Contexts)
	c := &x.contexts
	c.truncated = query.NewBitset(n)
	c.address, c.id, c.stack, c.schema = make([]uint64, n), make([]uint64, n), make([]int32, n), make([]uint32, n)
	var fields []memprof.MIBField
	for field := range x.overview.Schema.Fields() {
		if field <= memprof.AccessHistogramSize {
			c.values[field] = make([]uint64, n)
			fields = append(fields, field)
		}
	}
	return stored.EachRowOf(ctx, table, "contexts", 1, n, func(row *btree.Row) error {
		i := row.ID - 1
		stack := row.Int(mibStack) - 1
		if stack >= int64(len(x.frame)) || stack < -1 {
			return stored.Damaged("context %d has stack %d of %d", row.ID, stack+1, len(x.frame))
		}
		c.address[i], c.id[i], c.stack[i], c.schema[i] = row.Uint(mibContext), row.Uint(mibID), int32(stack),
			uint32(row.Uint(mibSchema))
		if row.Int(mibTruncated) != 0 {
			c.truncated.Set(uint32(i))
		}
		for _, field := range fields {
			c.values[field][i] = row.Uint(mibFields + int(field))
		}
		return nil
	})
}
