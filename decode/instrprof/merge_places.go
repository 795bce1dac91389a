package instrprof

import (
	"cmp"
	"slices"
	"sort"
)

// place is where a record of a program is: among those of a Merger, and its counts in
// the section of counters. It is the same for all runs.
type place struct {
	number int32 // in the Merger
	index  int32 // in the program
	block  int32 // of its value data, from 1; 0 when it has none
	counts uint32
	at     uint64 // of the first count, in bytes
	extra  bool   // it has more than counts
}

// findPlaces finds the records of new programs, once the Merger has their first run.
func (m *Merger) findPlaces(r *Raw) {
	for _, p := range r.parts {
		if p.runOf != nil && p.runOf.places == nil {
			p.runOf.places = m.placesOf(p)
		}
	}
}

// placesOf are the places of all records, in the order of the Merger. Of one that the
// program has twice, both are in the order of the program.
func (m *Merger) placesOf(p *rawPart) []place {
	places := make([]place, p.numRecords())
	block := int32(0)
	for i := range places {
		record := p.record(i)
		ref := p.nameRef(i, record)
		number := m.find(m.names.intern(ref, p.table.name(ref)), p.field(record, funcHashField))
		whole, _ := p.counterBytes(i, record)
		_, counts := p.timestamp(whole)
		pl := place{number: number, index: int32(i), counts: uint32(uint64(len(counts)) / p.counterSize())}
		pl.at = uint64(p.offset(i, p.field(record, counterPtrField), p.word[countersDelta])) + uint64(len(whole)-len(counts))
		if p.hasValueData(record) {
			block++
			pl.block = block
		}
		pl.extra = pl.block > 0 || p.field(record, recordBitmapBytes) > 0 || p.uniform.size() > 0
		places[i] = pl
	}
	byNumber := func(a, b place) int { return cmp.Compare(a.number, b.number) }
	if !slices.IsSortedFunc(places, byNumber) {
		slices.SortStableFunc(places, byNumber)
	}
	return places
}

// between are the places of the records of a Merger from one number to before another.
func (q *program) between(from, to int32) []place {
	at := func(number int32) int {
		return sort.Search(len(q.places), func(i int) bool { return q.places[i].number >= number })
	}
	return q.places[at(from):at(to)]
}
