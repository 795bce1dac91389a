package memprofdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// CallSite is a call on the way to an allocation, as an indexed profile has it of
// a function (memprof.md §3.8).
type CallSite struct {
	Index    int       // from 0, in the file's order
	Function *Function // that has it
	Stack    []Frame   // frames that one address was inlined from, leaf first, at most MaxRowFrames
	Callees  []*Function
}

// What call sites can be sorted and filtered by, beside ColIndex and ColDepth.
const (
	ColFunction query.Column = "function"
	ColCallees  query.Column = "callees" // how many
)

// CallSiteColumns are all of them.
var CallSiteColumns = []query.Column{ColIndex, ColFunction, ColDepth, ColCallees}

// CallSitePage is one page of call sites.
type CallSitePage struct {
	Rows          []CallSite
	All, Matching int
}

// CallSites returns one page of call sites, in the file's order unless the query says
// otherwise. Its words are those of all functions and files of a site together. Errors
// are a *query.ColumnError, that of names.NewMatcher for a pattern, the context's, or
// about the file.
func (p *Profile) CallSites(ctx context.Context, q query.RowQuery) (*CallSitePage, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	page := &CallSitePage{All: p.Overview.CallSites, Matching: p.Overview.CallSites}
	at := func(i int) int { return i }
	if !q.Plain() {
		ids, err := stored.Cached(ctx, p.Profile, "memprof call sites "+q.Key(), func() ([]uint32, int64, error) {
			ids, err := p.pickCallSites(ctx, x, &q)
			return ids, int64(len(ids)) * 4, err
		})
		if err != nil {
			return nil, err
		}
		page.Matching, at = len(ids), func(i int) int { return int(ids[i]) }
	}
	from, to := query.Clamp(q.Offset, q.Limit, page.Matching)
	err = p.eachCallSite(ctx, x, from, to, at, func(site *callSite) error {
		row := CallSite{Index: site.index, Function: x.byGUID(site.function), Stack: x.frames(site.stack, MaxRowFrames)}
		for callee := range site.callees() {
			row.Callees = append(row.Callees, x.byGUID(callee))
		}
		page.Rows = append(page.Rows, row)
		return nil
	})
	return page, err
}

// callSite is a row of the table.
type callSite struct {
	index    int
	function uint64 // GUID
	stack    int32  // -1 without frames
	packed   []byte // GUIDs of callees
}

func (s *callSite) callees() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for b := s.packed; len(b) >= 8; b = b[8:] {
			if !yield(binary.LittleEndian.Uint64(b)) {
				return
			}
		}
	}
}

// eachCallSite reads the rows at some places of an order.
func (p *Profile) eachCallSite(ctx context.Context, x *index, from, to int, at func(int) int,
	visit func(*callSite) error) error {
	table, err := p.Table("heap_call_site")
	if err != nil {
		return err
	}
	c := table.Cursor()
	for n := from; n < to; n++ {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := stored.Find(c, at(n)+1)
		if err != nil {
			return err
		}
		stack := row.Int(2) - 1
		if stack >= int64(len(x.frame)) || stack < -1 {
			return stored.Damaged("call site %d has stack %d of %d", row.ID, stack+1, len(x.frame))
		}
		site := callSite{index: at(n), function: row.Uint(1), stack: int32(stack)}
		if site.packed, err = row.Bytes(3); err != nil {
			return err
		}
		if err := visit(&site); err != nil {
			return err
		}
	}
	return nil
}

// pickCallSites selects and sorts call sites.
func (p *Profile) pickCallSites(ctx context.Context, x *index, q *query.RowQuery) ([]uint32, error) {
	list := make([]callSite, 0, p.Overview.CallSites)
	err := p.eachCallSite(ctx, x, 0, p.Overview.CallSites, func(i int) int { return i }, func(site *callSite) error {
		site.packed = slices.Clone(site.packed)
		list = append(list, *site)
		return nil
	})
	if err != nil {
		return nil, err
	}
	of := func(number func(s *callSite) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(&list[i]) }}, nil
	}
	return q.Pick(ctx, query.Rows{
		Len: len(list),
		Names: func(i uint32, show func([]byte)) {
			s := &list[i]
			show(x.byGUID(s.function).wordsOf())
			for n, stack := 0, s.stack; stack >= 0 && n < MaxRowFrames; n, stack = n+1, x.caller[stack] {
				f := x.frame[stack]
				show(x.functions[x.function[f]].wordsOf())
				show([]byte(x.file(f)))
			}
			for callee := range s.callees() {
				show(x.byGUID(callee).wordsOf())
			}
		},
		Value: func(c query.Column) (query.Value, error) {
			switch c {
			case ColIndex:
				return of(func(s *callSite) uint64 { return uint64(s.index) })
			case ColDepth:
				return of(func(s *callSite) (n uint64) {
					for stack := s.stack; stack >= 0 && n < MaxRowFrames; stack = x.caller[stack] {
						n++
					}
					return n
				})
			case ColCallees:
				return of(func(s *callSite) uint64 { return uint64(len(s.packed) / 8) })
			case ColFunction:
				return query.Ranked(len(list), func(a, b uint32) int {
					return bytes.Compare(x.byGUID(list[a].function).wordsOf(), x.byGUID(list[b].function).wordsOf())
				}), nil
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: CallSiteColumns}
		},
	})
}

// wordsOf is what words are sought in: a function's name, or the number that stands
// for it.
func (f *Function) wordsOf() []byte {
	if f.Name != "" {
		return []byte(f.Name)
	}
	return fmt.Appendf(nil, "0x%016x", max(f.GUID, f.Address))
}

// byGUID is the function with a GUID, which need not be in any stack.
func (x *index) byGUID(guid uint64) *Function {
	if n, ok := x.byFID[guid]; ok {
		return &x.functions[n]
	}
	return &Function{FID: guid, GUID: guid, Module: -1}
}
