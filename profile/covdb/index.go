package covdb

import (
	"context"

	"proflens/analyze/coverage"
	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// brief is what queries need of a function in memory.
type brief struct {
	file    int32 // -1: it stands nowhere
	line    uint32
	count   uint64
	regions pair
	lines   pair
	sides   pair
	mcdc    pair
	// Of functions that begin at one place.
	instances, ran int32
	profiled       bool // of one function: the profile has a record of it
}

// pair is a metric in memory.
type pair struct{ total, covered uint32 }

func (a pair) metric() coverage.Metric {
	return coverage.Metric{Total: int(a.total), Covered: int(a.covered)}
}

func (a *pair) most(b pair) { a.total, a.covered = max(a.total, b.total), max(a.covered, b.covered) }

// index is all functions in memory, one by one and by place.
type index struct {
	functions []brief
	groupOf   []int32  // by function
	groups    []brief  // in the order of their first functions
	first     []uint32 // by group: a function, from 0
	named     map[uint64][]uint32
}

const briefBytes = 200

func (p *Profile) index(ctx context.Context) (*index, error) {
	return stored.Cached(ctx, p.Profile, "coverage functions", func() (*index, int64, error) {
		x, err := p.readIndex(ctx)
		return x, int64(p.Overview.Instances) * briefBytes, err
	})
}

func (p *Profile) readIndex(ctx context.Context) (*index, error) {
	n := p.Overview.Instances
	x := &index{functions: make([]brief, n), groupOf: make([]int32, n), named: make(map[uint64][]uint32, n)}
	firsts, refs := make([]uint32, n), make([]uint64, n)
	table, err := p.Table("coverage_function")
	if err != nil {
		return nil, err
	}
	err = stored.EachRowOf(ctx, table, "functions", 1, n, func(row *btree.Row) error {
		i := row.ID - 1
		f, first := &x.functions[i], row.Int(functionFirst)-1
		f.file, f.line, f.count = int32(row.Int(functionFile))-1, uint32(row.Uint(functionLine)), row.Uint(functionCount)
		f.profiled = row.Int(functionProfiled) != 0
		for at, m := range []*pair{&f.regions, &f.lines, &f.sides, &f.mcdc} {
			m.total, m.covered = uint32(row.Uint(functionSums+2*at)), uint32(row.Uint(functionSums+2*at+1))
		}
		if first < 0 || first > i || int(f.file) >= len(p.files) {
			return stored.Damaged("function %d is in file %d, first %d", row.ID, f.file+1, first+1)
		}
		firsts[i], refs[i] = uint32(first), row.Uint(functionNameRef)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range x.functions {
		x.named[refs[i]] = append(x.named[refs[i]], uint32(i))
		if int(firsts[i]) == i {
			x.groupOf[i] = int32(len(x.groups))
			x.first = append(x.first, uint32(i))
			g := x.functions[i]
			g.count = 0
			x.groups = append(x.groups, g)
		} else {
			x.groupOf[i] = x.groupOf[firsts[i]]
		}
		x.groups[x.groupOf[i]].add(&x.functions[i])
	}
	return x, nil
}

// byGroup are the groups of some functions.
func (x *index) byGroup(functions query.Bitset) query.Bitset {
	groups := query.NewBitset(len(x.groups))
	for i, g := range x.groupOf {
		if functions.Has(uint32(i)) {
			groups.Set(uint32(g))
		}
	}
	return groups
}

// add adds one of a group's functions.
func (g *brief) add(f *brief) {
	g.count += f.count
	g.instances++
	if f.count > 0 {
		g.ran++
	}
	g.regions.most(f.regions)
	g.lines.most(f.lines)
	g.sides.most(f.sides)
	g.mcdc.most(f.mcdc)
}

// metric is the one that a column is the share of; false for other columns.
func (f *brief) metric(c query.Column) (coverage.Metric, bool) {
	switch c {
	case "lines":
		return f.lines.metric(), true
	case "regions":
		return f.regions.metric(), true
	case "branches":
		return f.sides.metric(), true
	case "mcdc":
		return f.mcdc.metric(), true
	}
	return coverage.Metric{}, false
}

func (f *brief) summary() coverage.Summary {
	return coverage.Summary{
		Regions: f.regions.metric(), Lines: f.lines.metric(), Branches: f.sides.metric(), MCDC: f.mcdc.metric(),
	}
}

// state is that of a function.
func (f *brief) state() State {
	switch {
	case f.ran == 0 && f.count == 0:
		return Never
	case f.lines.covered < f.lines.total || f.regions.covered < f.regions.total || f.sides.covered < f.sides.total:
		return Partly
	}
	return Whole
}
