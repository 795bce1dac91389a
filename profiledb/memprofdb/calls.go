package memprofdb

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/names"
	"proflens/profiledb/calltree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Call is a call that leads to allocations, and what it reaches: one address of a
// function, with what was inlined there. A context that goes through it several
// times counts once.
type Call struct {
	ID      uint64    // its address in pages: a hash of where it is, and of the callee
	Caller  *Function // that has the address
	Callee  *Function
	Inlined []*Function // at the address, the innermost first: they call the callee
	// Where the caller has it: the line of the outermost function.
	File                     string
	Line, LineOffset, Column uint32
	// ToLibrary is set of a page whose fold is a library's, where the callee is too.
	ToLibrary bool
	// Sites counts the allocation sites that it reaches, by line; Mixed is 1 where
	// it leads to cold contexts and to others: it needs a clone.
	SiteTotals
}

// Mixes reports whether contexts of several classes go through the call.
func (c *Call) Mixes() bool {
	classes := 0
	for i := range c.Classes {
		if c.Classes[i].Contexts > 0 && analyze.MemProfClasses[i] != analyze.MemProfUnknown {
			classes++
		}
	}
	return classes > 1
}

// Columns of calls beside those of sites.
const (
	ColCaller query.Column = "caller"
	ColCallee query.Column = "callee"
	ColHot    query.Column = "hot_bytes"
)

// CallColumns are all that calls can be sorted by.
var CallColumns = []query.Column{
	ColBytes, ColCount, ColContexts, ColSites, ColCold, ColHot, ColAccesses, ColCaller, ColCallee,
}

// CallQuery selects, orders and pages calls.
type CallQuery struct {
	Thresholds analyze.MemProfThresholds // zero is the compiler's defaults
	Text       string                    // in the caller, the callee, what is inlined, or the file
	Mixes      bool                      // those alone that lead to contexts of several classes
	Clones     bool                      // those alone that need a clone
	// Fold leaves out calls that a library makes; of what is inlined it leaves
	// nothing out.
	Fold   *analyze.Library
	Sort   []query.Key // empty is bytes, descending
	Offset int
	Limit  int
}

// CallPage is one page of calls.
type CallPage struct {
	Rows                  []Call // shared: do not change them
	All, Matching, Folded int    // Folded are calls that a library makes, left out
	Mixes, Clones         int    // of All without Folded
	Totals                analyze.MemProfTotals
}

// Calls returns one page of the calls that lead to allocations. Errors are those of
// Contexts.
func (p *Profile) Calls(ctx context.Context, q CallQuery) (*CallPage, error) {
	f := Filter{Thresholds: q.Thresholds}
	x, selected, err := p.selected(ctx, &f)
	if err != nil {
		return nil, err
	}
	all, err := stored.Cached(ctx, p.Profile, query.CacheKey("memprof calls", f.thresholds()),
		func() ([]Call, int64, error) {
			calls, err := x.callsOf(ctx, selected)
			return calls, int64(len(calls)) * 420, err
		})
	if err != nil {
		return nil, err
	}
	library := func(*Function) bool { return false }
	if q.Fold != nil {
		l, err := p.framesOf(ctx, x, q.Fold)
		if err != nil {
			return nil, err
		}
		functions := map[*Function]bool{}
		for i, frame := range x.function {
			if l.frames.Has(uint32(i)) {
				functions[&x.functions[frame]] = true
			}
		}
		library = func(f *Function) bool { return functions[f] }
	}
	page := &CallPage{Totals: selected.totals}
	matches, err := callMatcher(q.Text)
	if err != nil {
		return nil, err
	}
	var ids []uint32
	for i := range all {
		c := &all[i]
		if library(c.Caller) {
			page.Folded++
			continue
		}
		page.All++
		mixes := c.Mixes()
		if mixes {
			page.Mixes++
		}
		page.Clones += c.Mixed
		if q.Mixes && !mixes || q.Clones && c.Mixed == 0 || !matches(c) {
			continue
		}
		ids = append(ids, uint32(i))
	}
	keys := q.Sort
	if len(keys) == 0 {
		keys = []query.Key{{Column: ColBytes, Desc: true}}
	}
	slices.SortStableFunc(ids, func(a, b uint32) int { return all[a].compare(&all[b]) })
	if err := query.Sort(ctx, ids, keys,
		func(c query.Column) (query.Value, error) { return callValue(all, c) }); err != nil {
		return nil, err
	}
	page.Matching = len(ids)
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		c := all[i]
		c.ToLibrary = library(c.Callee)
		page.Rows = append(page.Rows, c)
	}
	return page, nil
}

func (c *Call) compare(o *Call) int {
	return cmp.Or(c.Caller.compare(o.Caller), cmp.Compare(c.Line, o.Line), cmp.Compare(c.LineOffset, o.LineOffset),
		cmp.Compare(c.Column, o.Column), c.Callee.compare(o.Callee), cmp.Compare(c.ID, o.ID))
}

// callMatcher finds words in the names of a call, each in any of them.
func callMatcher(text string) (func(*Call) bool, error) {
	terms, err := names.NewTerms(text, "")
	if err != nil {
		return nil, err
	}
	seen := map[*Function]uint64{}
	in := func(f *Function) uint64 {
		found, known := seen[f]
		if !known {
			found = terms.In([]byte(f.Name))
			seen[f] = found
		}
		return found
	}
	return func(c *Call) bool {
		found := in(c.Caller) | in(c.Callee) | terms.In([]byte(c.File))
		for _, f := range c.Inlined {
			found |= in(f)
		}
		return found == terms.All()
	}, nil
}

func callValue(calls []Call, c query.Column) (query.Value, error) {
	ranked := func(compare func(a, b *Call) int) (query.Value, error) {
		return query.Ranked(len(calls), func(a, b uint32) int { return compare(&calls[a], &calls[b]) }), nil
	}
	switch c {
	case ColCaller:
		return ranked((*Call).compare)
	case ColCallee:
		return ranked(func(a, b *Call) int { return a.Callee.compare(b.Callee) })
	case ColHot:
		return ranked(func(a, b *Call) int { return a.Classes[2].Bytes.Compare(b.Classes[2].Bytes) })
	case ColBytes:
		return ranked(func(a, b *Call) int { return a.Bytes.Compare(b.Bytes) })
	case ColCount:
		return ranked(func(a, b *Call) int { return a.Allocations.Compare(b.Allocations) })
	case ColAccesses:
		return ranked(func(a, b *Call) int { return a.Accesses.Compare(b.Accesses) })
	case ColCold:
		return ranked(func(a, b *Call) int { return a.Classes[0].Bytes.Compare(b.Classes[0].Bytes) })
	case ColContexts:
		return query.Value{At: func(i uint32) uint64 { return calls[i].Contexts }}, nil
	case ColSites:
		return query.Value{At: func(i uint32) uint64 { return uint64(calls[i].Sites) }}, nil
	}
	return query.Value{}, &query.ColumnError{Column: c}
}

// callsOf finds all calls, and adds up what they reach.
func (x *index) callsOf(ctx context.Context, of *selection) ([]Call, error) {
	calls, at := x.findCalls()
	sites := make([]map[place]struct{}, len(calls))
	seen := make([]uint32, len(calls)) // the context that went through it last, from 1
	most := x.keptDepth(math.MaxInt32)
	for n, i := range of.ids {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		where, _ := x.place(i)
		class := of.classes[i]
		for node, left := x.contexts.stack[i], most; node >= 0 && left > 0; node, left = x.caller[node], left-1 {
			id := at[node]
			if id < 0 || seen[id] == i+1 {
				continue
			}
			seen[id] = i + 1
			c := &calls[id]
			x.contexts.addTo(&c.MemProfTotals, i)
			c.Classes[class].Contexts++
			c.Classes[class].Bytes.Add(x.contexts.get(i, memprof.TotalSize))
			if sites[id] == nil {
				sites[id] = map[place]struct{}{}
			}
			sites[id][where] = struct{}{}
		}
	}
	for i := range calls {
		c := &calls[i]
		c.Sites = len(sites[i])
		classes := classSet(0)
		for class := range c.Classes {
			if c.Classes[class].Contexts > 0 {
				classes = classes.with(class)
			}
		}
		if classes.mixed() {
			c.Mixed = 1
		}
	}
	return slices.DeleteFunc(calls, func(c Call) bool { return c.Contexts == 0 }), nil
}

// maxInlined is how many functions of an address a call lists.
const maxInlined = 64

// findCalls numbers the calls of the tree, and gives for each of its nodes the call
// that made it: -1 where the node is inlined, or a root.
func (x *index) findCalls() (calls []Call, at []int32) {
	at = make([]int32, len(x.frame))
	numbers := map[uint64]int32{}
	for i, frame := range x.frame {
		at[i] = -1
		if x.inline.Has(frame) || x.caller[i] < 0 {
			continue
		}
		callee := &x.functions[x.function[frame]]
		id := calltree.Address(0x63616c6c, callee.FID)
		c := Call{Callee: callee}
		for node := x.caller[i]; node >= 0; node = x.caller[node] {
			f := x.frame[node]
			function := &x.functions[x.function[f]]
			id = calltree.Address(calltree.Address(calltree.Address(id, function.FID),
				uint64(x.line[f])<<32|uint64(x.lineOffset[f])), uint64(x.column[f]))
			if x.inline.Has(f) && x.caller[node] >= 0 {
				if len(c.Inlined) < maxInlined {
					c.Inlined = append(c.Inlined, function)
				}
				continue
			}
			c.Caller, c.File, c.Line, c.LineOffset, c.Column = function, x.file(f), x.line[f], x.lineOffset[f], x.column[f]
			break
		}
		n, ok := numbers[id]
		if !ok {
			n = int32(len(calls))
			numbers[id] = n
			c.ID = id
			calls = append(calls, c)
		}
		at[i] = n
	}
	return calls, at
}

// ShortFile is a path cut from the left, to its file.
func ShortFile(file string) string {
	file = analyze.ResolvePath(file)
	return file[strings.LastIndexByte(file, '/')+1:]
}
