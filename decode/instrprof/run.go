package instrprof

import (
	"cmp"
	"slices"
	"sort"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Run is a profile of a raw file that is a run of a known program: what of it can fail
// was read before.
type Run struct{ p *rawPart }

// Place is where a record of a program is: among those of a sum, and its counts in the
// section of counters. It is the same for all runs.
type Place struct {
	Number int32 // in the sum
	index  int32 // in the program
	block  int32 // of its value data, from 1; 0 when it has none
	counts uint32
	at     uint64 // of the first count, in bytes
	extra  bool   // it has more than counts
}

// RawOf is the raw file that a source is, or wraps, or else nil.
func RawOf(src Source) *Raw {
	for {
		switch s := src.(type) {
		case *Raw:
			return s
		case interface{ Unwrap() Source }:
			src = s.Unwrap()
		default:
			return nil
		}
	}
}

// Checked reports whether every record of a source was looked at when it was opened, so
// that no fault can show when it is read.
func Checked(src Source) bool {
	r := RawOf(src)
	if r == nil || r.fault != nil {
		return false
	}
	for _, p := range r.parts {
		if len(p.data.bytes) > 0 && !p.isRun() {
			return false
		}
	}
	return true
}

// Runs are the profiles of a file that have records, if all of them are runs of programs
// whose records have places.
func (r *Raw) Runs() (runs []Run, ok bool) {
	if !Checked(r) {
		return nil, false
	}
	for _, p := range r.parts {
		if len(p.data.bytes) == 0 {
			continue
		}
		if p.runOf.places == nil {
			return nil, false
		}
		runs = append(runs, Run{p})
	}
	return runs, true
}

// Settle gives the records of programs that have no places yet theirs: number says which
// record of a sum is of a name and hash.
func (r *Raw) Settle(number func(nameRef uint64, name []byte, hash uint64) int32) {
	for _, p := range r.parts {
		if p.runOf != nil && p.runOf.places == nil {
			p.runOf.places = p.settle(number)
		}
	}
}

// settle finds the places of all records, in the order of their numbers. Of one that the
// program has twice, both are in the order of the program.
func (p *rawPart) settle(number func(nameRef uint64, name []byte, hash uint64) int32) []Place {
	places := make([]Place, p.numRecords())
	block := int32(0)
	for i := range places {
		record := p.record(i)
		ref := p.nameRef(i, record)
		whole, _ := p.counterBytes(i, record)
		_, counts := p.timestamp(whole)
		pl := Place{
			Number: number(ref, p.table.name(ref), p.field(record, funcHashField)), index: int32(i),
			counts: uint32(uint64(len(counts)) / p.counterSize()),
		}
		pl.at = uint64(p.offset(i, p.field(record, counterPtrField), p.word[countersDelta])) + uint64(len(whole)-len(counts))
		if p.hasValueData(record) {
			block++
			pl.block = block
		}
		pl.extra = pl.block > 0 || p.field(record, recordBitmapBytes) > 0 || p.uniform.size() > 0
		places[i] = pl
	}
	byNumber := func(a, b Place) int { return cmp.Compare(a.Number, b.Number) }
	if !slices.IsSortedFunc(places, byNumber) {
		slices.SortStableFunc(places, byNumber)
	}
	return places
}

// Places are those of all records, by number.
func (r Run) Places() []Place { return r.p.runOf.places }

// Between are the places from one number to before another.
func (r Run) Between(from, to int32) []Place {
	all := r.Places()
	at := func(number int32) int {
		return sort.Search(len(all), func(i int) bool { return all[i].Number >= number })
	}
	return all[at(from):at(to)]
}

// Words are the counts of a record as they stand in the file, eight bytes each and
// little-endian; false where they stand otherwise, or the record has more than counts.
func (r Run) Words(pl *Place) ([]byte, bool) {
	if pl.extra || r.p.bigEndian || r.p.counterSize() != 8 {
		return nil, false
	}
	return r.p.counters.bytes[pl.at : pl.at+8*uint64(pl.counts)], true
}

// AppendCounts appends the counts of a record.
func (r Run) AppendCounts(counts []uint64, pl *Place) []uint64 {
	b := r.p.counters.bytes[pl.at : pl.at+uint64(pl.counts)*r.p.counterSize()]
	if r.p.counterSize() == 1 {
		return appendCoverage(counts, b)
	}
	return appendWords(counts, b, r.p.bigEndian)
}

// RunReader reads whole records of runs, reusing its memory: what it read last is valid
// until it reads again.
type RunReader struct {
	function Function
	values   valueReader
}

// Read is the record of a place.
func (a *RunReader) Read(r Run, pl *Place) *Function {
	f, p := &a.function, r.p
	p.read(int(pl.index), p.record(int(pl.index)), f, new(int))
	f.Sites = [NumValueKinds][]ValueSite{}
	if pl.block > 0 && len(p.blocks) > 0 {
		c := wire.New("value data", p.values.bytes[p.blocks[pl.block-1]:], 0)
		c.SetOrder(p.bigEndian)
		_ = a.values.read(c, &f.Sites) // it was read before
		p.remap(&f.Sites)
	}
	return f
}

// Implausible reports whether a count is higher than any program counts; llvm-profdata
// suspects a fault.
func Implausible(count uint64) bool { return count > maxPlausibleCount }

// FindingsOfRuns are the findings of a file that was read as runs, in which so many
// records have an implausible count.
func (r *Raw) FindingsOfRuns(implausible uint64) []model.Finding {
	odd := oddRecords{large: implausible}
	for _, p := range r.parts {
		if p.runOf != nil {
			odd.unnamed += p.runOf.unnamed
			odd.untimed += p.runOf.untimed
		}
	}
	return r.collectFindings(odd)
}
