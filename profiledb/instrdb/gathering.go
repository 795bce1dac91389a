package instrdb

// gathering fetches records by rank, some ahead of their turn. They lie scattered, and
// memory is slow to answer one question, but answers many at once.
type gathering struct {
	*collection
	ranked []uint32
	from   int // rank of the first that is fetched
	n      int
	ahead  [64]record
	touch  byte // of what records point to; nobody wants to know
}

// record is that of a rank, from 0, valid until the next. Ranks must rise by 1.
func (g *gathering) record(rank int) *record {
	if rank >= g.from+g.n {
		g.fetch(rank)
	}
	return &g.ahead[rank-g.from]
}

func (g *gathering) fetch(rank int) {
	g.from, g.n = rank, min(len(g.ahead), len(g.ranked)-rank)
	for i, index := range g.ranked[rank : rank+g.n] {
		g.ahead[i] = *g.records.at(index)
	}
	for i := range g.ahead[:g.n] {
		r := &g.ahead[i]
		for _, b := range g.nameOf(r)[:min(1, r.name)] {
			g.touch ^= b
		}
	}
}
