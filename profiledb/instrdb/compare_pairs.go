package instrdb

import (
	"cmp"
	"context"
	"math"
	"slices"

	"proflens/profiledb/btree"
	"proflens/profiledb/stored"
)

// nameWalk goes through the name table of a profile, by NameRef, over the
// names that have records.
type nameWalk struct {
	c     *btree.Cursor
	ref   int64 // NameRef, ordered as SQLite orders it
	ranks []uint32
	more  bool
	vec   []uint64
}

func (p *Profile) walkNames() (*nameWalk, error) {
	w := &nameWalk{c: p.name.Cursor()}
	w.more = w.c.Find(math.MinInt64)
	return w, w.settle(p.rows)
}

func (w *nameWalk) next(rows int) error {
	w.more = w.c.Next()
	return w.settle(rows)
}

// settle passes over names without a record.
func (w *nameWalk) settle(rows int) error {
	for ; w.more; w.more = w.c.Next() {
		row, err := w.c.Row()
		if err != nil {
			return err
		}
		if row.IsNull(1) {
			continue
		}
		others, err := row.Bytes(2)
		if err != nil {
			return err
		}
		w.ref = row.ID
		if w.vec, err = stored.ReadVector(append(w.vec[:0], row.Uint(1)), others); err != nil {
			return err
		}
		w.ranks = w.ranks[:0]
		for _, rank := range w.vec {
			if rank == 0 || rank > uint64(rows) {
				return stored.Damaged("a record of rank %d among %d", rank, rows)
			}
			w.ranks = append(w.ranks, uint32(rank))
		}
		return nil
	}
	return w.c.Err()
}

// pairsOf joins two profiles by NameRef and FuncHash, as pair says.
func pairsOf(ctx context.Context, base, test *Profile) ([]pair, error) {
	j := joiner{pairs: make([]pair, 0, max(base.rows, test.rows))}
	var err error
	if j.base, err = base.columns(ctx, hashColumn, traitsColumn); err != nil {
		return nil, err
	}
	if j.test, err = test.columns(ctx, hashColumn, traitsColumn); err != nil {
		return nil, err
	}
	b, err := base.walkNames()
	if err != nil {
		return nil, err
	}
	t, err := test.walkNames()
	for n := 0; err == nil && (b.more || t.more); n++ {
		if n%stored.CheckEvery == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			stored.Report(ctx, "Pairing functions", len(j.pairs), max(base.rows, test.rows, len(j.pairs)))
		}
		switch {
		case !t.more || b.more && b.ref < t.ref:
			for _, rank := range b.ranks {
				j.pairs = append(j.pairs, pair{base: rank, state: onlyBase})
			}
			err = b.next(base.rows)
		case !b.more || t.ref < b.ref:
			for _, rank := range t.ranks {
				j.pairs = append(j.pairs, pair{test: rank, state: onlyTest})
			}
			err = t.next(test.rows)
		default:
			j.join(b.ranks, t.ranks)
			if err = b.next(base.rows); err == nil {
				err = t.next(test.rows)
			}
		}
	}
	return j.pairs, err
}

type joiner struct {
	base, test map[columnID]*column
	pairs      []pair
	left       [2][2][]uint32 // records without a partner: of base and test, plain and context-sensitive
}

// join pairs the records of one name.
func (j *joiner) join(base, test []uint32) {
	if len(base) == 1 && len(test) == 1 && j.hash(j.base, base[0]) == j.hash(j.test, test[0]) {
		j.pairs = append(j.pairs, pair{base[0], test[0], matched}) // as nearly all are
		return
	}
	for side := range j.left {
		j.left[side][0], j.left[side][1] = j.left[side][0][:0], j.left[side][1][:0]
	}
	j.byHash(j.base, base)
	j.byHash(j.test, test)
	b, t := 0, 0
	for b < len(base) && t < len(test) {
		switch c := cmp.Compare(j.hash(j.base, base[b]), j.hash(j.test, test[t])); {
		case c < 0:
			j.leave(0, j.base, base[b])
			b++
		case c > 0:
			j.leave(1, j.test, test[t])
			t++
		default:
			j.pairs = append(j.pairs, pair{base[b], test[t], matched})
			b++
			t++
		}
	}
	for ; b < len(base); b++ {
		j.leave(0, j.base, base[b])
	}
	for ; t < len(test); t++ {
		j.leave(1, j.test, test[t])
	}
	for cs := range j.left[0] {
		j.joinLeft(j.left[0][cs], j.left[1][cs])
	}
}

// joinLeft pairs what has no partner of its hash, by rank.
func (j *joiner) joinLeft(base, test []uint32) {
	slices.Sort(base)
	slices.Sort(test)
	for i := range max(len(base), len(test)) {
		p := pair{state: changed}
		if i < len(base) {
			p.base = base[i]
		}
		if i < len(test) {
			p.test = test[i]
		}
		j.pairs = append(j.pairs, p)
	}
}

func (j *joiner) leave(side int, of map[columnID]*column, rank uint32) {
	cs := sortOf(of[traitsColumn].at(rank-1)&traitCS != 0)
	j.left[side][cs] = append(j.left[side][cs], rank)
}

func (j *joiner) hash(of map[columnID]*column, rank uint32) uint64 {
	return of[hashColumn].at(rank - 1)
}

func (j *joiner) byHash(of map[columnID]*column, ranks []uint32) {
	slices.SortFunc(ranks, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(j.hash(of, a), j.hash(of, b)), cmp.Compare(a, b))
	})
}
