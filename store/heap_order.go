package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/names"
)

// heapOrdered is the contexts of a filter in an order, and their sums. It is
// immutable.
type heapOrdered struct {
	ids         []uint32 // indices
	totals      analyze.HeapTotals
	classTotals [len(analyze.HeapClasses)]HeapClassTotals
	classes     []uint8 // of all contexts
	mixed       bitset  // of all contexts
}

// heapOrder returns the order that a query asks for, from the cache when it was
// asked for before.
func (p *Profile) heapOrder(ctx context.Context, h *heapIndex, q *HeapQuery) (*heapOrdered, error) {
	v, err := p.cached(ctx, fmt.Sprintf("heap order %s by %v", q.key(), q.Sort), func() (any, int64, error) {
		selected, err := p.heapSelection(ctx, h, &q.HeapFilter)
		if err != nil {
			return nil, 0, err
		}
		o := *selected
		o.ids = slices.Clone(selected.ids)
		return &o, int64(len(o.ids))*4 + 512, h.sort(ctx, o.ids, q.Sort, o.classes)
	})
	if err != nil {
		return nil, err
	}
	return v.(*heapOrdered), nil
}

// heapSelection is the contexts of a filter in the recorded order.
func (p *Profile) heapSelection(ctx context.Context, h *heapIndex, f *HeapFilter) (*heapOrdered, error) {
	v, err := p.cached(ctx, "heap selection "+f.key(), func() (any, int64, error) {
		all := len(h.contexts.stack)
		o := &heapOrdered{ids: make([]uint32, 0, all), classes: h.classes(f.thresholds())}
		o.mixed = h.mixed(o.classes)
		tests, err := p.heapTests(ctx, h, f, o)
		if err != nil {
			return nil, 0, err
		}
	contexts:
		for i := range uint32(all) {
			for _, test := range tests {
				if !test(i) {
					continue contexts
				}
			}
			o.ids = append(o.ids, i)
			h.contexts.addTo(&o.totals, i)
			class := &o.classTotals[o.classes[i]]
			class.Contexts++
			class.Bytes.Add(h.contexts.get(i, memprof.TotalSize))
		}
		return o, int64(len(o.ids))*4 + int64(all) + int64(all)/8 + 512, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*heapOrdered), nil
}

// heapTests makes a test of each filter.
func (p *Profile) heapTests(ctx context.Context, h *heapIndex, f *HeapFilter, o *heapOrdered) ([]func(i uint32) bool, error) {
	var tests []func(i uint32) bool
	for _, pattern := range []struct {
		text, re string
		want     bool
	}{{f.Text, f.Regexp, true}, {"", f.Focus, true}, {"", f.Ignore, false}} {
		if pattern.text == "" && pattern.re == "" {
			continue
		}
		found, err := p.heapMatching(ctx, h, pattern.text, pattern.re)
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool { return found.has(i) == pattern.want })
	}
	if len(f.Classes) > 0 {
		var wanted [len(analyze.HeapClasses)]bool
		for i, class := range analyze.HeapClasses {
			wanted[i] = slices.Contains(f.Classes, class)
		}
		tests = append(tests, func(i uint32) bool { return wanted[o.classes[i]] })
	}
	if f.Mixed != nil {
		tests = append(tests, func(i uint32) bool { return o.mixed.has(i) == *f.Mixed })
	}
	if f.Path != "" {
		tests = append(tests, h.pathTest(f.Path))
	}
	if f.Owner != nil {
		tests = append(tests, func(i uint32) bool {
			leaf, ok := h.leaf(i)
			return ok && h.functions[h.function[leaf]].FID == *f.Owner
		})
	}
	if f.Site != nil {
		tests = append(tests, func(i uint32) bool {
			site, ok := h.site(i)
			return ok && h.siteAddress(site) == *f.Site
		})
	}
	if f.Function != nil {
		found := h.withFrames(func(frame uint32) bool { return h.functions[h.function[frame]].FID == *f.Function })
		tests = append(tests, found.has)
	}
	for _, r := range f.Ranges {
		if !slices.Contains(HeapColumns, r.Column) || !r.Column.HasRange() {
			return nil, &HeapColumnError{r.Column}
		}
		tests = append(tests, func(i uint32) bool {
			v, known := r.Column.of(h.fields(i)).number()
			return known && v >= r.Min && v <= r.Max
		})
	}
	return tests, nil
}

// pathTest tests the source file of the frame that allocates.
func (h *heapIndex) pathTest(prefix string) func(i uint32) bool {
	known := map[int32]bool{}
	return func(i uint32) bool {
		leaf, ok := h.leaf(i)
		if !ok || h.path[leaf] < 0 {
			return prefix == ";" // those without a file
		}
		node := h.path[leaf]
		found, looked := known[node]
		if !looked {
			found = hasHeapPath(h.files[node], prefix)
			known[node] = found
		}
		return found
	}
}

// heapMatching finds the contexts with a frame whose function or source file
// matches, from the cache when it was asked for before.
func (p *Profile) heapMatching(ctx context.Context, h *heapIndex, text, re string) (bitset, error) {
	v, err := p.cached(ctx, fmt.Sprintf("heap matching %q %q", text, re), func() (any, int64, error) {
		m, err := names.NewMatcher(text, re)
		if err != nil {
			return nil, 0, err
		}
		functions := make([]bool, len(h.functions))
		for i := range h.functions {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			functions[i] = m.Match([]byte(h.functions[i].Name))
		}
		files := make(map[int32]bool)
		found := h.withFrames(func(frame uint32) bool {
			if functions[h.function[frame]] {
				return true
			}
			node := h.path[frame]
			if node < 0 {
				return false
			}
			matches, looked := files[node]
			if !looked {
				matches = m.Match([]byte(h.files[node]))
				files[node] = matches
			}
			return matches
		})
		return found, int64(len(found)) * 8, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(bitset), nil
}

// withFrames is the set of contexts with a frame that passes. Callers stand
// before what they call, so one look at each stack is enough.
func (h *heapIndex) withFrames(passes func(frame uint32) bool) bitset {
	hits := make([]bool, len(h.frame))
	const looked, hit = 1, 2
	frames := make([]uint8, len(h.function))
	for i, frame := range h.frame {
		if frames[frame] == 0 {
			frames[frame] = looked
			if passes(frame) {
				frames[frame] = hit
			}
		}
		hits[i] = frames[frame] == hit || h.caller[i] >= 0 && hits[h.caller[i]]
	}
	found := newBitset(len(h.contexts.stack))
	for i, stack := range h.contexts.stack {
		if stack >= 0 && hits[stack] {
			found.set(uint32(i))
		}
	}
	return found
}

// fields is a context as columns read it.
func (h *heapIndex) fields(i uint32) heapFields {
	f := heapFields{get: func(field memprof.MIBField) (uint64, bool) { return h.contexts.value(i, field) }, index: uint64(i)}
	if stack := h.contexts.stack[i]; stack >= 0 {
		f.depth = uint64(h.depth[stack])
	}
	return f
}

// sort brings indices, which are in the recorded order, into another. What is
// not known comes last.
func (h *heapIndex) sort(ctx context.Context, ids []uint32, keys []HeapSortKey, classes []uint8) error {
	if len(keys) == 0 {
		keys = []HeapSortKey{{HeapBytes, true}}
	}
	for n := len(keys) - 1; n >= 0; n-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		value, err := h.sortValue(keys[n].Column, classes)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			continue
		}
		flip := uint64(0)
		if keys[n].Desc {
			flip = 1<<64 - 1
		}
		unknown := 0
		sortBy(ids, func(id uint32) uint64 {
			key, known := value(id)
			if !known {
				unknown++
				return 1<<64 - 1
			}
			return key ^ flip
		})
		if unknown > 0 {
			lastUnknown(ids, value)
		}
	}
	return nil
}

// lastUnknown puts what has no value behind the rest, keeping both orders.
func lastUnknown(ids []uint32, value func(id uint32) (uint64, bool)) {
	var unknown []uint32
	known := ids[:0]
	for _, id := range ids {
		if _, ok := value(id); ok {
			known = append(known, id)
		} else {
			unknown = append(unknown, id)
		}
	}
	copy(ids[len(known):], unknown)
}

// sortValue gives a number for each context that orders as the column does.
func (h *heapIndex) sortValue(column HeapColumn, classes []uint8) (func(id uint32) (uint64, bool), error) {
	switch {
	case column == HeapClassColumn:
		return func(id uint32) (uint64, bool) { return uint64(classes[id]), true }, nil
	case column == HeapFunctionName:
		ranks := h.nameRanks()
		return func(id uint32) (uint64, bool) {
			leaf, ok := h.leaf(id)
			if !ok {
				return 0, false
			}
			return uint64(ranks[h.function[leaf]]), true
		}, nil
	case !slices.Contains(HeapColumns, column):
		return nil, &HeapColumnError{column}
	}
	return func(id uint32) (uint64, bool) {
		v := column.of(h.fields(id))
		return v.key(), v.is != unknownValue
	}, nil
}

// nameRanks gives each function its place in the order by name; functions
// without a name come last, by address.
func (h *heapIndex) nameRanks() []uint32 {
	order := make([]uint32, len(h.functions))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return compareHeapFunctions(&h.functions[a], &h.functions[b]) })
	ranks := make([]uint32, len(order))
	for rank, i := range order {
		ranks[i] = uint32(rank)
	}
	return ranks
}

// compareHeapFunctions orders functions by name, those without one last, by
// what else tells them apart.
func compareHeapFunctions(a, b *HeapFunction) int {
	switch {
	case (a.Name == "") != (b.Name == ""):
		if a.Name == "" {
			return 1
		}
		return -1
	case a.Name != b.Name:
		return strings.Compare(a.Name, b.Name)
	case a.Module != b.Module:
		return a.Module - b.Module
	case a.Address != b.Address:
		if a.Address < b.Address {
			return -1
		}
		return 1
	case a.FID < b.FID:
		return -1
	case a.FID > b.FID:
		return 1
	}
	return 0
}
