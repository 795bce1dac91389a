package sums

import (
	"bytes"
	"context"
	"hash/maphash"
	"math/bits"
	"slices"

	"proflens/decode/instrprof"
)

// Lookup finds records of a sum by name and FuncHash, for one goroutine.
type Lookup interface {
	// Find is the record of the same name and FuncHash as another, or nil, and the number of
	// the name; below 0 where no record has it. A Function is valid until the next is asked for.
	Find(like *instrprof.Function) (f *instrprof.Function, name int32)
}

// LookupOf adds a source up to look records up. Those of an indexed file that has none twice
// stay in it: 20 bytes a record are held, and 50 more a name if another order is asked for
// than the file's own. The errors are those of [Merger.Add].
func LookupOf(ctx context.Context, src instrprof.Source) (Lookup, error) {
	if _, file := innermost(src); file != nil {
		if l, err := newFileLookup(ctx, src, file); l != nil || err != nil {
			return l, err
		}
	}
	m := NewMerger()
	if err := m.Add(ctx, "", src, 1); err != nil {
		return nil, err
	}
	return &mergedLookup{m, m.Source().Reader()}, nil
}

type mergedLookup struct {
	*Merger
	read func(number uint32) *instrprof.Function
}

func (l *mergedLookup) Find(like *instrprof.Function) (*instrprof.Function, int32) {
	name := l.names.lookup(like.NameRef, like.Name)
	if name < 0 || int(name) >= len(l.heads) || l.heads[name] < 0 { // a name of a trace or of a value alone
		return nil, -1
	}
	if number := l.find(name, like.FuncHash); number >= 0 {
		return l.read(uint32(number)), name
	}
	return nil, name
}

// fileLookup finds records where they stand in an indexed file. Files of one program mostly
// have their names in the same order, so that the next name is looked at first, and a table
// of names made where that is another.
type fileLookup struct {
	file   *instrprof.Indexed
	places []place
	firsts []uint32 // by name: the number of its first record, and behind the last name that of none
	names  *interner
	last   int32 // the name that was found last
	read   func(number uint32) *instrprof.Function
}

// newFileLookup notes where the records of a file stand. It is nil for a file that must be
// added up, as [newOneFile] has it.
func newFileLookup(ctx context.Context, src instrprof.Source, file *instrprof.Indexed) (Lookup, error) {
	records, seed := src.Info().Records, maphash.MakeSeed()
	l := &fileLookup{file: file, places: make([]place, 0, records), firsts: make([]uint32, 0, records+1), last: -1}
	names := make([]uint64, 0, records) // by name: its hash
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		number := uint32(len(l.places))
		switch {
		case len(f.Name) == 0:
			return nil, nil
		case number == 0 || l.places[number-1].item != f.Item:
			l.firsts, names = append(l.firsts, number), append(names, maphash.Bytes(seed, f.Name))
		case number-l.firsts[len(l.firsts)-1] >= manyHashes || l.within(l.firsts[len(l.firsts)-1], number, f.FuncHash) >= 0:
			return nil, nil
		}
		if l.places = append(l.places, place{f.Item, f.Offset}); number%ctxEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if !distinct(names) {
		return nil, nil
	}
	l.firsts = append(l.firsts, uint32(len(l.places)))
	l.read = (&oneFile{file: file, places: l.places}).Reader()
	return l, ctx.Err()
}

// within is the number of a record with a FuncHash among some, or -1.
func (l *fileLookup) within(from, to uint32, hash uint64) int {
	for number := from; number < to; number++ {
		if l.file.HashAt(l.places[number].record) == hash {
			return int(number)
		}
	}
	return -1
}

func (l *fileLookup) Find(like *instrprof.Function) (*instrprof.Function, int32) {
	name := l.find(like)
	if name < 0 {
		return nil, name
	}
	l.last = name
	if number := l.within(l.firsts[name], l.firsts[name+1], like.FuncHash); number >= 0 {
		return l.read(uint32(number)), name
	}
	return nil, name
}

// find is the number of a name, or -1.
func (l *fileLookup) find(like *instrprof.Function) int32 {
	for _, name := range [...]int32{l.last + 1, l.last} {
		if name >= 0 && int(name) < len(l.firsts)-1 && bytes.Equal(l.name(name), like.Name) {
			return name
		}
	}
	if l.names == nil {
		l.names = &interner{stay: true}
		l.names.reserve(len(l.firsts) - 1)
		for name := range int32(len(l.firsts) - 1) {
			l.names.intern(0, l.name(name))
		}
	}
	return l.names.lookup(0, like.Name)
}

func (l *fileLookup) name(name int32) []byte { return l.file.NameAt(l.places[l.firsts[name]].item) }

// distinct reports whether no hash is there twice: in a table for some at a time, which stays
// in the processor's cache.
func distinct(hashes []uint64) bool {
	const parts = 1 << 8
	var next [parts + 1]int
	for _, h := range hashes {
		next[h>>56+1]++
	}
	most := slices.Max(next[:])
	for p := range parts {
		next[p+1] += next[p]
	}
	sorted, from := make([]uint64, len(hashes)), next
	for _, h := range hashes {
		sorted[next[h>>56]] = max(h, 1)
		next[h>>56]++
	}
	table := make([]uint64, 2<<bits.Len(uint(most)))
	mask := uint64(len(table) - 1)
	for p := range parts {
		clear(table)
		for _, h := range sorted[from[p]:from[p+1]] {
			at := h & mask
			for ; table[at] != 0; at = (at + 1) & mask {
				if table[at] == h {
					return false
				}
			}
			table[at] = h
		}
	}
	return true
}
