package instrdb

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"proflens/internal/recovery"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// pairsOf joins two profiles by NameRef and FuncHash, as pair says: by rank in the base
// profile, then in the test profile. Records that are the only ones of their name are
// taken for matched: whether their hashes are the same shows where they are read. The error is
// the context's, or about the files.
func pairsOf(ctx context.Context, both bothHeld) ([]pair, error) {
	stored.Report(ctx, "Pairing functions", 0, 0)
	j := joiner{bothHeld: both, pairs: make([]pair, both.base.p.rows)}
	inBase, inTest, err := j.link(ctx)
	if err != nil {
		return nil, err
	}
	for b := 1; b <= len(j.pairs); b++ {
		if b%checkedPairs == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := &j.pairs[b-1]
		switch {
		case p.base != 0: // paired with the first of its name
			continue
		case inBase.after(uint32(b)) == 0 && inTest.after(p.test) == 0: // as nearly all are
			p.base, p.state = uint32(b), table.Matched
			if p.test == 0 {
				p.state = table.OnlyBase
			}
			continue
		}
		if err := j.join(inBase.from(uint32(b)), inTest.from(p.test)); err != nil {
			return nil, err
		}
	}
	if err := j.pairRenamed(ctx, both.base.p, both.test.p); err != nil {
		return nil, err
	}
	slices.SortFunc(j.without, func(a, b pair) int { return cmp.Compare(a.test, b.test) })
	return append(j.pairs, j.without...), nil
}

type joiner struct {
	bothHeld
	pairs   []pair           // by rank in the base profile
	without []pair           // a record of it
	left    [2][2][]namesake // records without a partner: of base and test, plain and context-sensitive
}

// links lead from a record to the next of its name, by rank; nil while no name has two.
type links []uint32

func (l *links) add(rank, next uint32, rows int) {
	if *l == nil {
		*l = make(links, rows)
	}
	(*l)[rank-1] = next
}

// after is the rank behind another; 0 for the last and for 0.
func (l links) after(rank uint32) uint32 {
	if l == nil || rank == 0 {
		return 0
	}
	return l[rank-1]
}

// from are the ranks of a name, rising.
func (l links) from(first uint32) (ranks []namesake) {
	for ; first > 0; first = l.after(first) {
		ranks = append(ranks, namesake{rank: first})
	}
	return ranks
}

// link finds the records of each name. Each pair of the first record of a name in the base profile
// has the first of the test profile; a pair has a base record where that is not the first of its
// name. Names are taken part by part, so that a part's hash table stays near, on every core. The error
// is the context's.
func (j *joiner) link(ctx context.Context) (inBase, inTest links, err error) {
	seed := rand.Uint64() | 1 // a file may say what it likes of its NameRefs
	var base, test parted
	g, _ := recovery.WithContext(ctx)
	for to, h := range map[*parted]*held{&base: j.base, &test: j.test} {
		g.Go(func() error { *to = inParts(h.columns[nameRefColumn].wide, seed); return nil })
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	var shared sync.Mutex // of what parts have in common
	g, ctx = recovery.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			var slots []uint32   // places in part, from 1
			var partner []uint32 // of each place, in the test profile
			for n := w * nameParts / workers; n < (w+1)*nameParts/workers && ctx.Err() == nil; n++ {
				part := base.of(n)
				size := bits.Len(uint(len(part))) + 1
				slots = slices.Grow(slots[:0], 1<<size)[:1<<size]
				clear(slots)
				partner = slices.Grow(partner[:0], len(part))[:len(part)]
				clear(partner)
				find := func(ref uint64) *uint32 {
					for at := ref * seed << partBits >> (64 - size); ; at = (at + 1) & (1<<size - 1) {
						if slots[at] == 0 || part[slots[at]-1].Key == ref {
							return &slots[at]
						}
					}
				}
				for i, record := range slices.Backward(part) {
					slot := find(record.Key)
					if *slot != 0 {
						first := part[*slot-1].ID
						shared.Lock()
						inBase.add(record.ID, first, len(base.items))
						shared.Unlock()
						j.pairs[first-1].base = first
					}
					*slot = uint32(i) + 1
				}
				var without []pair
				for _, record := range slices.Backward(test.of(n)) {
					slot := *find(record.Key)
					if slot == 0 {
						without = append(without, pair{test: record.ID, state: table.OnlyTest})
						continue
					}
					p := &partner[slot-1]
					if *p != 0 {
						shared.Lock()
						inTest.add(record.ID, *p, len(test.items))
						shared.Unlock()
					}
					*p = record.ID
				}
				for i, rank := range partner { // all at once: one by one each would wait for its pair
					j.pairs[part[i].ID-1].test = rank
				}
				shared.Lock()
				j.without = append(j.without, without...)
				shared.Unlock()
			}
			return ctx.Err()
		})
	}
	err = g.Wait()
	return inBase, inTest, err
}

const (
	partBits  = 8
	nameParts = 1 << partBits
)

// parted are the ranks of records, in the order of a part of the hash of their NameRefs.
type parted struct {
	items  []query.Keyed
	begins [nameParts + 1]int
}

func (p *parted) of(part int) []query.Keyed { return p.items[p.begins[part]:p.begins[part+1]] }

func inParts(refs []uint64, seed uint64) (p parted) {
	for _, ref := range refs {
		p.begins[ref*seed>>(64-partBits)+1]++
	}
	for n := range nameParts {
		p.begins[n+1] += p.begins[n]
	}
	p.items = make([]query.Keyed, len(refs))
	at := p.begins
	for i, ref := range refs {
		n := ref * seed >> (64 - partBits)
		p.items[at[n]] = query.Keyed{Key: ref, ID: uint32(i) + 1}
		at[n]++
	}
	return p
}

// namesake is a record of a name that several records have.
type namesake struct {
	rank uint32
	hash uint64
	cs   bool
}

func (j *joiner) add(p pair) {
	if p.base == 0 {
		j.without = append(j.without, p)
		return
	}
	j.pairs[p.base-1] = p
}

// join pairs the records of one name, some of the base profile's.
func (j *joiner) join(base, test []namesake) error {
	if len(test) == 0 {
		for _, r := range base {
			j.add(pair{base: r.rank, state: table.OnlyBase})
		}
		return nil
	}
	if err := errors.Join(j.base.byHash(base), j.test.byHash(test)); err != nil {
		return err
	}
	for len(base)+len(test) > 0 {
		switch c := firstOf(base, test); {
		case c < 0:
			base = j.leave(0, base)
		case c > 0:
			test = j.leave(1, test)
		default:
			j.add(pair{base: base[0].rank, test: test[0].rank, state: table.Matched})
			base, test = base[1:], test[1:]
		}
	}
	for cs := range j.left[0] {
		j.joinLeft(j.left[0][cs], j.left[1][cs])
		j.left[0][cs], j.left[1][cs] = j.left[0][cs][:0], j.left[1][cs][:0]
	}
	return nil
}

// firstOf says whose first hash is less, as cmp.Compare does; what has no more is not less.
func firstOf(base, test []namesake) int {
	switch {
	case len(test) == 0:
		return -1
	case len(base) == 0:
		return 1
	}
	return cmp.Compare(base[0].hash, test[0].hash)
}

// byHash takes the records of one name by FuncHash, then rank.
func (h *held) byHash(list []namesake) error {
	records := h.records()
	for i := range list {
		f, err := records.at(int(list[i].rank))
		if err != nil {
			return err
		}
		list[i].hash, list[i].cs = f.FuncHash, records.cs
	}
	slices.SortFunc(list, func(a, b namesake) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.rank, b.rank))
	})
	return nil
}

// joinLeft pairs what has no partner of its hash, by rank.
func (j *joiner) joinLeft(base, test []namesake) {
	byRank := func(a, b namesake) int { return cmp.Compare(a.rank, b.rank) }
	slices.SortFunc(base, byRank)
	slices.SortFunc(test, byRank)
	for i := range max(len(base), len(test)) {
		p := pair{state: table.Changed}
		if i < len(base) {
			p.base = base[i].rank
		}
		if i < len(test) {
			p.test = test[i].rank
		}
		j.add(p)
	}
}

// leave sets the first record apart, and returns the others.
func (j *joiner) leave(side int, records []namesake) []namesake {
	left := &j.left[side][sortOf(records[0].cs)]
	*left = append(*left, records[0])
	return records[1:]
}
