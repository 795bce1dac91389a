package instrprof

import (
	"iter"

	"proflens/decode/model"
)

// The iterators of a [Source].
type (
	// Functions yields function records.
	Functions = iter.Seq2[*Function, error]
	// Names yields each NameRef with its name.
	Names = iter.Seq2[uint64, []byte]
	// Traces yields temporal traces.
	Traces = iter.Seq2[Trace, error]
)

// Source is a decoded file, or several merged: facts first, then one iterator
// per kind of record. Iterators may be opened again and each starts afresh.
// What an iterator yields is valid until its next step. An error ends an
// iteration; it is a *FormatError, or the context's error.
type Source interface {
	// Info is never nil.
	Info() *Info
	// Functions yields the records in file order; once merged, in the order in
	// which each (name, FuncHash) was first seen.
	Functions() Functions
	// Names yields NameRef and name of every name the file has: of functions
	// and of vtables, with a record or without, some perhaps more than once.
	Names() Names
	// Traces yields the temporal traces.
	Traces() Traces
	// Findings grow while records are read; complete once Functions has ended.
	Findings() []model.Finding
}

// Drainer is a Source that holds its records and can give them away: each is
// forgotten once it was yielded, so that whoever keeps them elsewhere does not hold
// them twice. Its Functions then yields none.
type Drainer interface {
	Drain() Functions
}

// Empty is a Source without records, for embedding.
type Empty struct{}

// Functions yields nothing.
func (Empty) Functions() Functions { return func(func(*Function, error) bool) {} }

// Names yields nothing.
func (Empty) Names() Names { return func(func(uint64, []byte) bool) {} }

// Traces yields nothing.
func (Empty) Traces() Traces { return func(func(Trace, error) bool) {} }

// Findings is empty.
func (Empty) Findings() []model.Finding { return nil }

// NoRecords is a Source of a file that has none.
func NoRecords(info *Info) Source { return noRecords{info: info} }

type noRecords struct {
	Empty
	info *Info
}

// Info implements [Source].
func (n noRecords) Info() *Info { return n.info }
