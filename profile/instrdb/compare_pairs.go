package instrdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/internal/recovery"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// joined are the columns that only pairing needs, and compared those that comparing asks
// for again and again.
var (
	joined   = []columnID{nameRefColumn, hashColumn}
	compared = []columnID{traitsColumn, totalColumn, totalHighColumn}
)

// sameRef splits what belongs to the first NameRef from the rest.
func sameRef(items []query.Keyed) (ranks, rest []query.Keyed) {
	n := 1
	for n < len(items) && items[n].Key == items[0].Key {
		n++
	}
	return items[:n], items[n:]
}

// byNameRef are the ranks of all records in the order of their NameRefs.
func byNameRef(refs *column) []query.Keyed {
	items := make([]query.Keyed, len(refs.wide))
	for i, ref := range refs.wide {
		items[i] = query.Keyed{Key: ref, ID: uint32(i) + 1}
	}
	return query.SortKeyed(items)
}

// pairsOf joins two profiles by NameRef and FuncHash, as pair says: by rank in the base
// profile, then in the test profile. Records that are the only ones of their name are
// taken for matched: whether their hashes are the same shows where they are read. The error is
// the context's.
func pairsOf(ctx context.Context, base, test *held) ([]pair, error) {
	j := joiner{base: base.columns, test: test.columns, pairs: make([]pair, base.p.rows)}
	stored.Report(ctx, "Pairing functions", 0, 0)
	var b, t []query.Keyed
	both, _ := recovery.WithContext(ctx)
	both.Go(func() error { b = byNameRef(j.base[nameRefColumn]); return nil })
	both.Go(func() error { t = byNameRef(j.test[nameRefColumn]); return nil })
	if err := both.Wait(); err != nil {
		return nil, err
	}
	for n := 0; len(b) > 0 || len(t) > 0; n++ {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var inBase, inTest []query.Keyed
		if len(t) == 0 || len(b) > 0 && b[0].Key <= t[0].Key {
			inBase, b = sameRef(b)
		}
		if len(inBase) == 0 || len(t) > 0 && t[0].Key == inBase[0].Key {
			inTest, t = sameRef(t)
		}
		j.join(inBase, inTest)
	}
	if err := j.pairRenamed(ctx, base.p, test.p); err != nil {
		return nil, err
	}
	slices.SortFunc(j.without, func(a, b pair) int { return cmp.Compare(a.test, b.test) })
	return append(j.pairs, j.without...), nil
}

type joiner struct {
	base, test map[columnID]*column
	pairs      []pair         // by rank in the base profile
	without    []pair         // a record of it
	left       [2][2][]uint32 // records without a partner: of base and test, plain and context-sensitive
}

func (j *joiner) add(p pair) {
	if p.base == 0 {
		j.without = append(j.without, p)
		return
	}
	j.pairs[p.base-1] = p
}

// join pairs the records of one name.
func (j *joiner) join(base, test []query.Keyed) {
	switch {
	case len(test) == 0:
		for _, r := range base {
			j.add(pair{base: r.ID, state: table.OnlyBase})
		}
		return
	case len(base) == 0:
		for _, r := range test {
			j.add(pair{test: r.ID, state: table.OnlyTest})
		}
		return
	case len(base) == 1 && len(test) == 1:
		j.add(pair{base: base[0].ID, test: test[0].ID, state: table.Matched}) // as nearly all are
		return
	}
	byHash(j.base[hashColumn], base)
	byHash(j.test[hashColumn], test)
	for len(base) > 0 && len(test) > 0 {
		switch c := cmp.Compare(base[0].Key, test[0].Key); {
		case c < 0:
			base = j.leave(0, j.base, base)
		case c > 0:
			test = j.leave(1, j.test, test)
		default:
			j.add(pair{base: base[0].ID, test: test[0].ID, state: table.Matched})
			base, test = base[1:], test[1:]
		}
	}
	for len(base) > 0 {
		base = j.leave(0, j.base, base)
	}
	for len(test) > 0 {
		test = j.leave(1, j.test, test)
	}
	for cs := range j.left[0] {
		j.joinLeft(j.left[0][cs], j.left[1][cs])
		j.left[0][cs], j.left[1][cs] = j.left[0][cs][:0], j.left[1][cs][:0]
	}
}

// byHash takes the records of one name by FuncHash, then rank.
func byHash(hashes *column, records []query.Keyed) {
	for i := range records {
		records[i].Key = hashes.at(records[i].ID - 1)
	}
	slices.SortFunc(records, func(a, b query.Keyed) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	})
}

// joinLeft pairs what has no partner of its hash, by rank.
func (j *joiner) joinLeft(base, test []uint32) {
	slices.Sort(base)
	slices.Sort(test)
	for i := range max(len(base), len(test)) {
		p := pair{state: table.Changed}
		if i < len(base) {
			p.base = base[i]
		}
		if i < len(test) {
			p.test = test[i]
		}
		j.add(p)
	}
}

// leave sets the first record apart, and returns the others.
func (j *joiner) leave(side int, of map[columnID]*column, records []query.Keyed) []query.Keyed {
	rank := records[0].ID
	cs := sortOf(of[traitsColumn].at(rank-1)&traitCS != 0)
	j.left[side][cs] = append(j.left[side][cs], rank)
	return records[1:]
}
