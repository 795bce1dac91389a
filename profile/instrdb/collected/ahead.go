package collected

// Ahead fetches records in an order, some ahead of their turn. They lie scattered, and
// memory is slow to answer one question, but answers many at once.
type Ahead struct {
	c     *Collection
	order []uint32
	from  int // place of the first that is fetched
	n     int
	ahead [64]Record
	touch byte // of what records point to; nobody wants to know
}

// NewAhead fetches records in this order.
func NewAhead(c *Collection, order []uint32) *Ahead { return &Ahead{c: c, order: order} }

// At is the record at a place of the order, from 0, valid until the next. Places must rise
// by 1.
func (a *Ahead) At(place int) *Record {
	if place >= a.from+a.n {
		a.fetch(place)
	}
	return &a.ahead[place-a.from]
}

func (a *Ahead) fetch(place int) {
	a.from, a.n = place, min(len(a.ahead), len(a.order)-place)
	for i, index := range a.order[place : place+a.n] {
		a.ahead[i] = *a.c.records.at(index)
	}
	for i := range a.ahead[:a.n] {
		if name := a.c.NameOf(&a.ahead[i]); len(name) > 0 {
			a.touch ^= name[0] ^ name[len(name)-1] // behind which the rest stands
		}
	}
}
