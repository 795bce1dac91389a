package store

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"proflens/analyze"
	"proflens/names"
	"proflens/store/btree"
)

// mipOrdered is the functions of a filter in an order, and their sums. It is
// immutable.
type mipOrdered struct {
	ids    []uint32 // indices
	totals analyze.MIPTotals
}

// key tells queries apart in the cache, but for their page.
func (q *MIPQuery) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mip order %s scope %q run %d only %d min %d", q.namesKey(), q.Scope, q.Run, q.OnlyRun, q.MinRuns)
	for _, wanted := range []*bool{q.Executed, q.Saturated} {
		if wanted == nil {
			b.WriteString(" any")
		} else {
			fmt.Fprint(&b, " ", *wanted)
		}
	}
	fmt.Fprintf(&b, " %v %v", q.Ranges, q.Sort)
	return b.String()
}

func (q *MIPQuery) namesKey() string {
	return fmt.Sprintf("mip names %q %q %q", q.Text, q.Regexp, q.Path)
}

func (q *MIPQuery) hasPatterns() bool { return q.Text != "" || q.Regexp != "" || q.Path != "" }

// mipOrder returns the order that a query asks for, from the cache when it was
// asked for before. That of a part, while a text filter goes on, is not kept.
func (p *Profile) mipOrder(ctx context.Context, q *MIPQuery, page *MIPPage) (*mipOrdered, error) {
	key := cacheKey{p.id, q.key()}
	if v, ok := p.cache.peek(key); ok {
		return v.(*mipOrdered), nil
	}
	var named bitset
	if q.hasPatterns() {
		var err error
		if named, page.Scanned, err = p.matchMIPNames(ctx, q); err != nil {
			return nil, err
		}
		if page.Scanned < page.All {
			page.Complete = false
			return p.newMIPOrder(ctx, q, named)
		}
	}
	v, err := p.cache.get(ctx, key, func() (any, int64, error) {
		o, err := p.newMIPOrder(ctx, q, named)
		if err != nil {
			return nil, 0, err
		}
		return o, int64(len(o.ids)) * 4, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*mipOrdered), nil
}

// matchMIPNames goes on with a filter by name.
func (p *Profile) matchMIPNames(ctx context.Context, q *MIPQuery) (matching bitset, scanned int, err error) {
	table, o, err := p.mipTable(ctx)
	if err != nil {
		return nil, 0, err
	}
	n := int(o.Functions)
	v, err := p.cached(ctx, q.namesKey(), func() (any, int64, error) {
		f := &nameFilter{path: newPathPrefix(q.Path, nil), turn: make(chan struct{}, 1), matching: newBitset(n)}
		if q.Text != "" || q.Regexp != "" {
			var err error
			if f.matcher, err = names.NewMatcher(q.Text, q.Regexp); err != nil {
				return nil, 0, err
			}
		}
		f.turn <- struct{}{}
		return f, int64(len(f.matching))*8 + 1024, nil
	})
	if err != nil {
		return nil, 0, err
	}
	f := v.(*nameFilter)
	return p.goOn(ctx, f, n, func(from, to int, found bitset) error {
		hits := make([]bool, to-from)
		err := eachRowOf(context.Background(), table, from+1, to, func(row *btree.Row) error {
			name, err := row.Bytes(mfName)
			// With its underscore a name is as the linker knows it, without as it demangles.
			hits[int(row.ID)-1-from] = err == nil && (f.match(name) || o.Underscore && f.match(linkageOfMIP(name, true)))
			return err
		})
		for i, hit := range hits {
			if hit {
				found.set(uint32(i))
			}
		}
		return err
	})
}

// newMIPOrder finds the functions that match, named among them unless it is
// nil, sorts them and adds them up.
func (p *Profile) newMIPOrder(ctx context.Context, q *MIPQuery, named bitset) (*mipOrdered, error) {
	c, err := p.mipColumns(ctx)
	if err != nil {
		return nil, err
	}
	tests, err := p.mipTests(ctx, q, c)
	if err != nil {
		return nil, err
	}
	_, overview, err := p.mipTable(ctx)
	if err != nil {
		return nil, err
	}
	o := &mipOrdered{ids: []uint32{}}
functions:
	for i := range uint32(len(c.size)) {
		if named != nil && !named.has(i) {
			continue
		}
		for _, test := range tests {
			if !test(i) {
				continue functions
			}
		}
		o.ids = append(o.ids, i)
		one := c.totals(i, overview.HasTimestamps())
		o.totals.Add(&one)
	}
	return o, p.sortMIP(ctx, o.ids, q.Sort, c)
}

// totals are those of one function.
func (c *mipColumns) totals(i uint32, counted bool) analyze.MIPTotals {
	t := analyze.MIPTotals{
		Functions: 1, Bytes: uint64(c.size[i]), CoveredBytes: uint64(c.coveredBytes[i]), Blocks: uint64(c.blocks[i]), CoveredBlocks: uint64(c.covered[i]),
	}
	if c.executed.has(i) {
		t.Executed, t.ExecutedBytes = 1, t.Bytes
	}
	if counted {
		t.Calls.Add(c.calls[i])
	}
	return t
}

// mipTests makes a test of each filter but those by the bytes of names.
func (p *Profile) mipTests(ctx context.Context, q *MIPQuery, c *mipColumns) ([]func(i uint32) bool, error) {
	var tests []func(i uint32) bool
	if q.Executed != nil {
		tests = append(tests, func(i uint32) bool { return c.executed.has(i) == *q.Executed })
	}
	if q.Saturated != nil {
		tests = append(tests, func(i uint32) bool { return c.saturated.has(i) == *q.Saturated })
	}
	if q.MinRuns > 0 {
		tests = append(tests, func(i uint32) bool { return c.merges[i] >= uint64(q.MinRuns) })
	}
	for _, run := range []int{q.Run, q.OnlyRun} {
		if run == 0 {
			continue
		}
		sets, err := p.mipRunSets(ctx)
		if err != nil {
			return nil, err
		}
		if run < 0 || run > len(sets.executed) {
			return nil, ErrNotFound
		}
		tests = append(tests, sets.executed[run-1].has)
	}
	if q.OnlyRun > 0 {
		sets, err := p.mipRunSets(ctx)
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool { return !sets.several.has(i) })
	}
	if q.Scope != "" {
		test, err := p.mipScopeTest(ctx, q.Scope, c)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	for _, r := range q.Ranges {
		value, err := p.mipValue(ctx, r.Column, c)
		if err != nil {
			return nil, err
		}
		switch r.Column {
		case MIPColName:
			return nil, &MIPColumnError{r.Column}
		case MIPColFirst: // by the average itself, and not by its rank
			value = func(i uint32) uint64 {
				if c.merges[i] == 0 {
					return math.MaxUint64
				}
				return c.timestamps[i] / c.merges[i]
			}
		}
		tests = append(tests, func(i uint32) bool { v := value(i); return v >= r.Min && v <= r.Max })
	}
	return tests, nil
}

// mipScopeTest tests for a namespace and all below, or with "::" behind it for
// it alone.
func (p *Profile) mipScopeTest(ctx context.Context, scope string, c *mipColumns) (func(i uint32) bool, error) {
	tree, err := p.MIPTree(ctx, ByNamespace)
	if err != nil {
		return nil, err
	}
	node, _, ok := tree.tree.Find(scope)
	if !ok {
		return func(uint32) bool { return false }, nil
	}
	first, last := uint32(node.at), uint32(tree.tree.nodes[node.at].Last)
	if strings.HasSuffix(scope, scopeSeparator) {
		last = first
	}
	return func(i uint32) bool { return c.scope[i] >= first && c.scope[i] <= last }, nil
}

// mipValue gives a number for each function that orders as the column does.
func (p *Profile) mipValue(ctx context.Context, column MIPColumn, c *mipColumns) (func(i uint32) uint64, error) {
	narrow := func(values []uint32) (func(i uint32) uint64, error) {
		return func(i uint32) uint64 { return uint64(values[i]) }, nil
	}
	switch column {
	case MIPColIndex:
		return func(i uint32) uint64 { return uint64(i) }, nil
	case MIPColSize:
		return narrow(c.size)
	case MIPColBlocks:
		return narrow(c.blocks)
	case MIPColCovered:
		return narrow(c.coveredBytes)
	case MIPColMissed:
		return func(i uint32) uint64 { return uint64(c.size[i] - min(c.coveredBytes[i], c.size[i])) }, nil
	case MIPColCalls:
		return func(i uint32) uint64 { return c.calls[i] }, nil
	case MIPColRuns:
		return func(i uint32) uint64 { return c.merges[i] }, nil
	case MIPColWeight:
		return func(i uint32) uint64 {
			high, low := bits.Mul64(c.calls[i], uint64(c.size[i]))
			if high > 0 {
				return math.MaxUint64
			}
			return low
		}, nil
	case MIPColAddress:
		lowest := int64(math.MaxInt64)
		for _, v := range c.offset {
			lowest = min(lowest, v)
		}
		return func(i uint32) uint64 { return uint64(c.offset[i]) - uint64(lowest) }, nil
	case MIPColName:
		ranks, err := p.mipNameRanks(ctx)
		if err != nil {
			return nil, err
		}
		return narrow(ranks)
	case MIPColFirst:
		ranks, err := p.mipFirstRanks(ctx)
		if err != nil {
			return nil, err
		}
		return narrow(ranks)
	}
	return nil, &MIPColumnError{column}
}

// sortMIP brings indices, which are in link order, into another.
func (p *Profile) sortMIP(ctx context.Context, ids []uint32, keys []MIPSortKey, c *mipColumns) error {
	if len(keys) == 0 {
		keys = []MIPSortKey{{MIPColSize, true}}
	}
	for i := len(keys) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		key, err := p.mipValue(ctx, keys[i].Column, c)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			continue
		}
		never := func(id uint32, v uint64) uint64 {
			if keys[i].Column == MIPColFirst && c.merges[id] == 0 {
				return math.MaxUint64
			}
			return v
		}
		if keys[i].Desc {
			sortBy(ids, func(id uint32) uint64 { return never(id, ^key(id)) })
		} else {
			sortBy(ids, func(id uint32) uint64 { return never(id, key(id)) })
		}
	}
	return nil
}
