package instrdb

import (
	"cmp"
	"context"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/btree"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// vtableIndex is every vtable with the sites that saw it. It is immutable.
type vtableIndex struct {
	list   []VTable // by name bytes, those without one last, then NameRef
	places map[uint64]int
	hits   [][]vtableHit // by place in list: the sites, most frequent first
	total  analyze.Sum
	seen   int // vtables with a hit
	none   int // place of the row of NameRef 0; -1 for none
	noneAt int // addresses in no vtable, site by site
}

// vtableHit is a vtable at a value site.
type vtableHit struct {
	site      uint32 // value_site.id
	function  uint32 // rank - 1
	addresses uint32 // values of the site that are in the vtable: it can have several address points
	count     uint64 // how often the site saw it; the largest 64-bit number where the sum passes that
	all       uint64 // how often it saw any vtable, likewise
}

// vtableIndex scans the value sites, once.
func (p *Profile) vtableIndex(ctx context.Context) (*vtableIndex, error) {
	return stored.Cached(ctx, p.Profile, "vtables", func() (*vtableIndex, int64, error) {
		x := &vtableIndex{places: map[uint64]int{}, none: -1}
		if err := p.scanVTables(ctx, x); err != nil {
			return nil, 0, err
		}
		if err := p.nameVTables(ctx, x); err != nil {
			return nil, 0, err
		}
		x.settle()
		size := int64(len(x.list)) * 200
		for i := range x.list {
			size += int64(len(x.list[i].Name.PGO) + 24*len(x.list[i].Ranges) + 32*len(x.hits[i]))
		}
		return x, size, nil
	})
}

// at is the vtable of a NameRef, made where it is new.
func (x *vtableIndex) at(ref uint64) int {
	i, ok := x.places[ref]
	if !ok {
		i = len(x.list)
		x.places[ref] = i
		x.list, x.hits = append(x.list, VTable{Name: table.Name{Ref: ref}}), append(x.hits, nil)
	}
	return i
}

// scanVTables takes in what the tables say of vtables.
func (p *Profile) scanVTables(ctx context.Context, x *vtableIndex) error {
	for _, name := range p.Overview.Info.VTableNames {
		x.list[x.at(instrprof.NameRef(name))].Name.PGO = string(name)
	}
	for _, r := range p.Overview.Info.VTables {
		v := &x.list[x.at(r.NameRef)]
		v.Ranges = append(v.Ranges, r)
	}
	var last []int64 // by vtable: the function of its last site
	return p.eachSite(ctx, func(row *btree.Row, numbers []uint64) error {
		if row.Uint(vsKind) != uint64(instrprof.VTableTarget) {
			return nil
		}
		function := uint32(row.Uint(vsFunction) - 1)
		if row.ID < 0 || row.ID > math.MaxUint32 || row.Uint(vsFunction)-1 >= uint64(p.rows) {
			return stored.Damaged("value site %d of function %d of %d", row.ID, row.Int(vsFunction), p.rows)
		}
		var all uint64
		for i := 1; i < len(numbers); i += 2 {
			all = addUp(all, numbers[i])
		}
		for i := 0; i+1 < len(numbers); i += 2 {
			at := x.at(numbers[i])
			x.hit(at, vtableHit{site: uint32(row.ID), function: function, addresses: 1, count: numbers[i+1], all: all})
			for len(last) < len(x.list) {
				last = append(last, 0)
			}
			if rank := row.Int(vsFunction); last[at] != rank {
				last[at] = rank
				x.list[at].Functions++
			}
		}
		return nil
	})
}

// hit notes that a site saw a vtable, perhaps not for the first time.
func (x *vtableIndex) hit(at int, h vtableHit) {
	x.list[at].Count.Add(h.count)
	x.total.Add(h.count)
	hits := x.hits[at]
	if n := len(hits); n > 0 && hits[n-1].site == h.site {
		hits[n-1].addresses++
		hits[n-1].count = addUp(hits[n-1].count, h.count)
		return
	}
	x.hits[at] = append(hits, h)
}

// addUp stops at the largest 64-bit number.
func addUp(a, b uint64) uint64 {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}

// nameVTables looks up the names of what the table of vtables has none of.
func (p *Profile) nameVTables(ctx context.Context, x *vtableIndex) error {
	var refs []uint64
	for i := range x.list {
		if v := &x.list[i]; v.Name.PGO == "" && v.Name.Ref != 0 {
			refs = append(refs, v.Name.Ref)
		}
	}
	known, err := p.NamesOf(ctx, refs)
	for ref, info := range known {
		x.list[x.places[ref]].Name.PGO = string(info.Name)
	}
	return err
}

// settle brings the vtables into the order of names, and works out what needs all
// of them.
func (x *vtableIndex) settle() {
	order := make([]int, len(x.list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		m, n := &x.list[a].Name, &x.list[b].Name
		if m.Missing() != n.Missing() { // those are last
			return cmp.Compare(n.PGO, m.PGO)
		}
		return cmp.Or(cmp.Compare(m.PGO, n.PGO), cmp.Compare(m.Ref, n.Ref))
	})
	list, hits, total := make([]VTable, len(order)), make([][]vtableHit, len(order)), x.total.Float64()
	for at, i := range order {
		v := x.list[i]
		v.Sites, v.Seen = len(x.hits[i]), len(x.hits[i]) > 0
		if total > 0 {
			v.Share = v.Count.Float64() / total
		}
		slices.SortFunc(v.Ranges, func(a, b instrprof.VTable) int {
			return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Size, b.Size))
		})
		if len(v.Ranges) > 0 {
			v.Address, v.Size = &v.Ranges[0].Address, &v.Ranges[0].Size
		}
		slices.SortStableFunc(x.hits[i], func(a, b vtableHit) int { return cmp.Compare(b.count, a.count) })
		list[at], hits[at] = v, x.hits[i]
		x.places[v.Name.Ref] = at
		switch {
		case v.Name.Ref == 0:
			x.none = at
			for _, h := range hits[at] {
				x.noneAt += int(h.addresses)
			}
		case v.Sites > 0:
			x.seen++
		}
	}
	x.list, x.hits = list, hits
}
