package sampledb

import (
	"context"
	"slices"
	"sort"

	"proflens/decode/sampleprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// PlacesOf says what places are.
type PlacesOf uint8

// What places have.
const (
	OfRecords PlacesOf = iota // one for each record
	OfTargets                 // one for each target of a record
)

// Place is a record, or one of its targets, in a row of the profile or in what is inlined
// into it.
type Place struct {
	*sampleprof.Record
	Target   *sampleprof.Target // nil of a record
	Entry    *Entry             // the row of the profile
	Function *sampleprof.Function
	at       int32 // of the function, in inside
	inside   *opened
}

// Inlined are the frames from the row's function down to the one that the record is of: one
// where that is the function itself.
func (p *Place) Inlined() []sampleprof.Frame {
	var frames []sampleprof.Frame
	var below sampleprof.Loc
	for i := p.at; i >= 0; i = p.inside.nodes[i].parent {
		n := &p.inside.nodes[i]
		frames = append(frames, sampleprof.Frame{Name: n.f.Name, Loc: below})
		below = n.at
	}
	slices.Reverse(frames)
	return frames
}

// Depth is how deep the record's function is inlined; 0 is not at all.
func (p *Place) Depth() (depth int) {
	for i := p.at; i > 0; i = p.inside.nodes[i].parent {
		depth++
	}
	return depth
}

// opened is a row of the profile with its nodes side by side.
type opened struct {
	entry Entry
	nodes []openedNode
}

type openedNode struct {
	parent int32
	at     sampleprof.Loc
	f      *sampleprof.Function
	end    int // places in it and in the nodes before
}

// Places are the records or the targets of a profile, or of one function of it, in the
// order of the rows, from any of them on. It is for one goroutine.
type Places struct {
	Len int

	p    *Profile
	x    *index
	of   PlacesOf
	leaf uint64   // GUID of the only function that places are in; 0 for all
	rows []uint32 // of sample_function, from 0; nil for all
	ends []int    // places up to the end of each
	last *opened
	at   int // in rows, of last
}

// Places opens them: all or, with the GUID of a function, those in its rows and in what is
// inlined there. Of a function that is only inlined they are where it is. The error is the
// context's, or about the file.
func (p *Profile) Places(ctx context.Context, of PlacesOf, function uint64) (*Places, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	l := &Places{p: p, x: x, of: of, at: -1}
	if function != 0 {
		l.rows = x.rowsOf(function)
		if len(l.rows) == 0 {
			l.rows, l.leaf = nil, function
		}
	}
	if l.leaf != 0 {
		l.ends, err = l.count(ctx)
	} else {
		l.ends, err = stored.Cached(ctx, p.Profile, query.CacheKey("sample places", of), func() ([]int, int64, error) {
			counts, err := l.count(ctx)
			return counts, int64(p.n) * 8, err
		})
	}
	if err != nil {
		return nil, err
	}
	if l.rows != nil {
		all, sum := l.ends, 0
		l.ends = nil
		for _, row := range l.rows {
			sum += all[row]
			if row > 0 {
				sum -= all[row-1]
			}
			l.ends = append(l.ends, sum)
		}
	}
	if len(l.ends) > 0 {
		l.Len = l.ends[len(l.ends)-1]
	}
	return l, nil
}

// rowsOf are the rows of sample_function that a function has.
func (x *index) rowsOf(guid uint64) (rows []uint32) {
	for i := range x.names {
		if x.names[i].GUID == guid {
			rows = append(rows, x.of(i+1)...)
		}
	}
	slices.Sort(rows)
	return rows
}

// count is how many places there are up to the end of each row of the profile.
func (l *Places) count(ctx context.Context) ([]int, error) {
	counts := make([]int, 0, l.p.n)
	sum := 0
	err := l.p.Each(ctx, func(e *Entry) error {
		err := eachNode(e.Function, func(n *node) error { sum += l.in(n.f); return nil })
		counts = append(counts, sum)
		return err
	})
	return counts, err
}

// in is how many places there are in a function's own body.
func (l *Places) in(f *sampleprof.Function) int {
	switch {
	case l.leaf != 0 && l.x.names[f.Name].GUID != l.leaf:
		return 0
	case l.of == OfRecords:
		return len(f.Body)
	}
	n := 0
	for i := range f.Body {
		n += len(f.Body[i].Targets)
	}
	return n
}

// Read gives the places from a position on, at most limit. They are valid until the next
// call. The error is the context's, or about the file.
func (l *Places) Read(ctx context.Context, offset, limit int) ([]Place, error) {
	var list []Place
	for row := sort.SearchInts(l.ends, offset+1); row < len(l.ends) && len(list) < limit; row++ {
		before := 0
		if row > 0 {
			before = l.ends[row-1]
		}
		if l.ends[row] == before {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := l.open(row); err != nil {
			return nil, err
		}
		list = l.add(list, offset-before, limit)
		offset = l.ends[row]
	}
	return list, nil
}

// open reads a row, unless it is the one that was read last.
func (l *Places) open(row int) error {
	if row == l.at {
		return nil
	}
	id := row
	if l.rows != nil {
		id = int(l.rows[row])
	}
	found, err := stored.Find(l.p.functions.Cursor(), id+1)
	if err != nil {
		return err
	}
	o := &opened{}
	if o.entry, err = l.x.entry(found, true); err != nil {
		return err
	}
	end := 0
	err = eachNode(o.entry.Function, func(n *node) error {
		end += l.in(n.f)
		o.nodes = append(o.nodes, openedNode{int32(n.parent), n.at, n.f, end})
		return nil
	})
	l.last, l.at = o, row
	return err
}

// add adds the places of the open row from one on.
func (l *Places) add(list []Place, from, limit int) []Place {
	o := l.last
	first := sort.Search(len(o.nodes), func(i int) bool { return o.nodes[i].end > from })
	for i := first; i < len(o.nodes) && len(list) < limit; i++ {
		n := &o.nodes[i]
		if l.in(n.f) == 0 {
			continue
		}
		list = l.own(list, Place{Entry: &o.entry, Function: n.f, at: int32(i), inside: o}, from-(n.end-l.in(n.f)), limit)
		from = n.end
	}
	return list
}

// own adds the places of one function's own body from one on.
func (l *Places) own(list []Place, p Place, from, limit int) []Place {
	body := p.Function.Body
	if l.of == OfRecords {
		for b := from; b < len(body) && len(list) < limit; b++ {
			p.Record = &body[b]
			list = append(list, p)
		}
		return list
	}
	for b := range body {
		p.Record = &body[b]
		for t := range body[b].Targets {
			if from--; from < 0 && len(list) < limit {
				p.Target = &body[b].Targets[t]
				list = append(list, p)
			}
		}
	}
	return list
}
