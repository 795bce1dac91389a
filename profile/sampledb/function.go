package sampledb

import (
	"cmp"
	"context"

	"proflens/decode/sampleprof"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Entry is a row of the profile: a function, or one calling context of it. What it refers
// to by sampleprof.NameID is Profile.Names.
type Entry struct {
	ID      int // from 1
	Context []sampleprof.Frame
	Sum     uint64 // all counts, of inlined code too
	Max     uint64 // the largest of them
	Entered uint64 // entries, estimated
	*sampleprof.Function
}

// entry reads a row; whole, with its body.
func (x *index) entry(row *btree.Row, whole bool) (Entry, error) {
	e := Entry{ID: int(row.ID), Entered: row.Uint(5), Sum: row.Uint(6), Max: row.Uint(7),
		Function: &sampleprof.Function{Context: -1, Total: row.Uint(3), Head: row.Uint(4), Checksum: row.Uint(8),
			Attributes: uint32(row.Uint(9))}}
	name := row.Uint(1)
	if name == 0 || name > uint64(len(x.names)) {
		return e, stored.Damaged("sample_function %d has name %d of %d", row.ID, name, len(x.names))
	}
	e.Name = sampleprof.NameID(name - 1)
	frames := x.unpack(row.Bytes(2))
	e.Context = frames.context()
	row.Fail(frames.Err())
	if whole {
		body := x.unpack(row.Bytes(10))
		body.body(e.Function, 0)
		row.Fail(body.Err())
	}
	return e, row.Err()
}

// Entries are the functions of a name, those with the most samples first, at most limit;
// each whole. The error is the context's, or about the file.
func (p *Profile) Entries(ctx context.Context, n *Name, limit int) ([]Entry, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	ids := x.of(n.ID)
	list := make([]Entry, min(len(ids), limit))
	return list, stored.Pick(ctx, p.functions, len(list), func(i int) int { return int(ids[i]) + 1 },
		func(i int, row *btree.Row) (err error) {
			list[i], err = x.entry(row, true)
			return cmp.Or(err, ctx.Err()) // rows are long
		})
}

// Function is a function with all its contexts added up; nil where the profile has none of
// the name, which then is only inlined or called. The error is the context's, or about the
// file.
func (p *Profile) Function(ctx context.Context, n *Name) (*sampleprof.Function, error) {
	entries, err := p.Entries(ctx, n, n.Entries)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	sum := entries[0].Function
	for _, e := range entries[1:] {
		sampleprof.Accumulate(sum, e.Function)
	}
	if len(entries) == 1 {
		return sum, nil
	}
	return sum, p.settle(ctx, sum)
}

// text is a name as decoders have it.
func (n *Name) text() sampleprof.Name {
	if len(n.Linkage) == 0 || n.Given {
		return sampleprof.Name{MD5: n.GUID}
	}
	return sampleprof.Name{Text: string(n.Linkage)}
}

// Each visits all rows of the profile in order, each whole: what it gives is valid until
// the next. The error is that of visit, the context's, or about the file.
func (p *Profile) Each(ctx context.Context, visit func(e *Entry) error) error {
	x, err := p.index(ctx)
	if err != nil {
		return err
	}
	return p.EachRow(ctx, "sample_function", func(row *btree.Row) error {
		e, err := x.entry(row, true)
		if err != nil {
			return err
		}
		return visit(&e)
	})
}
