package sums

import (
	"cmp"
	"context"
	"iter"
	"runtime"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/internal/bytesort"
)

// Records is a sum whose records can be had in any order, by numbers that count from 0 in
// the order of Functions.
type Records interface {
	instrprof.Source
	// Reader reads records for one goroutine. A Function is valid until the next is read.
	Reader() func(number uint32) *instrprof.Function
	// Each yields the records of these numbers, for one goroutine. A Function is valid until
	// the next.
	Each(numbers []uint32) iter.Seq[*instrprof.Function]
	// BySymbol returns the numbers of all records by name, in byte order, then FuncHash.
	BySymbol() []uint32
	// ByName is BySymbol, but those of one name stay in their order.
	ByName() []uint32
	// SameName reports whether two records are of one name, or both of none.
	SameName(a, b uint32) bool
}

// Of is the sum of one source: itself if it is one; the records of an indexed file where
// they stand, if it has none twice; and otherwise a [Merged], in memory. The errors are
// those of [Merger.Add].
func Of(ctx context.Context, src instrprof.Source) (Records, error) {
	records, file := innermost(src)
	if records != nil {
		return records, nil
	}
	if file != nil {
		if one, err := newOneFile(ctx, src, file); one != nil || err != nil {
			return one, err
		}
	}
	m := NewMerger()
	if err := m.Add(ctx, "", src, 1); err != nil {
		return nil, err
	}
	return m.Source(), nil
}

// innermost is the sum or the indexed file that a source is, perhaps with others around it.
func innermost(src instrprof.Source) (Records, *instrprof.Indexed) {
	for {
		switch s := src.(type) {
		case Records:
			return s, nil
		case *instrprof.Indexed:
			return nil, s
		case interface{ Unwrap() instrprof.Source }:
			src = s.Unwrap()
		default:
			return nil, nil
		}
	}
}

// oneFile is an indexed file as its own sum. It takes 16 bytes a record, and four for an
// order.
type oneFile struct {
	src    instrprof.Source // which says where the file's faults are
	file   *instrprof.Indexed
	beside *Merged // everything but the records
	places []place
	order  []uint32 // by name, then number
}

// place is the offsets of a record and of the item that it is in.
type place struct{ item, record uint64 }

// newOneFile reads a file once. It is nil for a file that must be added up: one that has a
// name in two items, or records without a name.
func newOneFile(ctx context.Context, src instrprof.Source, file *instrprof.Indexed) (*oneFile, error) {
	m := NewMerger()
	info := src.Info()
	if err := m.admit("", info); err != nil {
		return nil, err
	}
	s := &oneFile{src: src, file: file, places: make([]place, 0, info.Records)}
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		if len(f.Name) == 0 {
			return nil, nil
		}
		if s.places = append(s.places, place{f.Item, f.Offset}); len(s.places)%ctxEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if !s.sort() {
		return nil, nil
	}
	if info.Variant.Has(instrprof.TemporalProf) {
		if err := m.addTraces(src, 1); err != nil {
			return nil, err
		}
	}
	m.mergeInfo("", info)
	m.addFindings("", src.Findings(), m.tally)
	s.beside = m.Source()
	s.beside.info.Records = uint64(len(s.places))
	return s, ctx.Err()
}

// sort orders the records by name, and reports whether no name is in two items and no
// record there twice.
func (s *oneFile) sort() bool {
	s.order = make([]uint32, len(s.places))
	for i := range s.order {
		s.order[i] = uint32(i)
	}
	same := bytesort.Sort(s.order, func(i uint32) []byte { return s.file.NameAt(s.places[i].item) }, cmp.Compare)
	for i := 1; i < len(same); i++ {
		if same[i] && !s.SameName(s.order[i-1], s.order[i]) {
			return false
		}
	}
	hashes := map[uint64]bool{}
	read := s.Reader()
	return s.eachItem(s.order, func(records []uint32) bool {
		clear(hashes)
		for _, r := range records {
			hashes[read(r).FuncHash] = true
		}
		return len(hashes) == len(records)
	})
}

// eachItem visits the items that have several records, until visit reports false.
func (s *oneFile) eachItem(order []uint32, visit func(records []uint32) bool) bool {
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && s.places[order[to]].item == s.places[order[from]].item {
			to++
		}
		if to-from > 1 && !visit(order[from:to]) {
			return false
		}
		from = to
	}
	return true
}

// Reader implements [Records].
func (s *oneFile) Reader() func(number uint32) *instrprof.Function {
	read := s.file.Reader()
	return func(number uint32) *instrprof.Function {
		f := read(s.places[number].item, s.places[number].record)
		for _, sites := range f.Sites {
			for i, site := range sites {
				sites[i] = sortByCount(site)
			}
		}
		return f
	}
}

// fetched is how many records are fetched ahead of their turn: they lie scattered, and
// memory is slow to answer one question, but answers many at once.
const fetched = 32

// Each implements [Records].
func (s *oneFile) Each(numbers []uint32) iter.Seq[*instrprof.Function] {
	return func(yield func(*instrprof.Function) bool) {
		read, touch := s.Reader(), byte(0)
		for some := range slices.Chunk(numbers, fetched) {
			for _, n := range some {
				touch ^= s.file.Touch(s.places[n].item) ^ s.file.Touch(s.places[n].record)
			}
			for _, n := range some {
				if !yield(read(n)) {
					return
				}
			}
		}
		runtime.KeepAlive(touch) // so that it is fetched: nobody wants to know
	}
}

// BySymbol implements [Records].
func (s *oneFile) BySymbol() []uint32 {
	order, read := s.ByName(), s.Reader()
	s.eachItem(order, func(records []uint32) bool {
		hashes := make(map[uint32]uint64, len(records))
		for _, r := range records {
			hashes[r] = read(r).FuncHash
		}
		slices.SortFunc(records, func(a, b uint32) int { return cmp.Compare(hashes[a], hashes[b]) })
		return true
	})
	return order
}

// ByName implements [Records].
func (s *oneFile) ByName() []uint32 { return slices.Clone(s.order) }

// SameName implements [Records].
func (s *oneFile) SameName(a, b uint32) bool { return s.places[a].item == s.places[b].item }

// Functions implements [instrprof.Source].
func (s *oneFile) Functions() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		read := s.Reader()
		for i := range s.places {
			if !yield(read(uint32(i)), nil) {
				return
			}
		}
	}
}

// Names implements [instrprof.Source].
func (s *oneFile) Names() instrprof.Names { return s.file.Names() }

// Info implements [instrprof.Source].
func (s *oneFile) Info() *instrprof.Info { return s.beside.Info() }

// Traces implements [instrprof.Source].
func (s *oneFile) Traces() instrprof.Traces { return s.beside.Traces() }

// Findings implements [instrprof.Source].
func (s *oneFile) Findings() []model.Finding { return s.beside.Findings() }
