package instrprof

import (
	"bytes"
	"fmt"

	"proflens/decode/model"
)

// Bounds of what a location lists.
const (
	valuesListed  = 32
	matchesListed = 20
)

// finder picks the record that was wanted while all go by.
type finder struct {
	wanted  model.Wanted
	words   []byte
	found   *located
	inPart  []model.Match // records whose name has the words
	same    []model.Match
	records uint64
}

// located is a record that was picked.
type located struct {
	number        uint64
	ref, funcHash uint64
	name          []byte
}

func newFinder(wanted model.Wanted) *finder {
	f := &finder{wanted: wanted, words: []byte(wanted.Name)}
	if wanted.Record == nil && wanted.Ref == nil && wanted.Name != "" {
		ref := NameRef(f.words)
		f.wanted.Ref = &ref
	}
	return f
}

// look is shown a record and reports whether it is the one.
func (f *finder) look(ref, funcHash uint64, name func() []byte) bool {
	at := located{number: f.records, ref: ref, funcHash: funcHash}
	f.records++
	match := func() model.Match {
		return model.Match{Function: string(name()), FuncHash: fmt.Sprintf("%016x", funcHash), Record: at.number}
	}
	hash := f.wanted.Hash == nil || *f.wanted.Hash == funcHash
	exact := f.wanted.Record == nil && f.wanted.Ref != nil && *f.wanted.Ref == ref && (hash || f.found != nil) ||
		f.wanted.Record != nil && *f.wanted.Record == at.number
	switch {
	case exact && f.found == nil:
		at.name = name()
		f.found = &at
		return true
	case exact && len(f.same) < matchesListed:
		f.same = append(f.same, match())
	case len(f.words) > 0 && len(f.inPart) < matchesListed && bytes.Contains(name(), f.words):
		f.inPart = append(f.inPart, match())
	}
	return false
}

// location begins that of the record that was found; nil without one.
func (f *finder) location(sums []model.Sum) *model.Location {
	if f.found == nil {
		return nil
	}
	return &model.Location{
		Function: string(f.found.name), NameRef: fmt.Sprintf("%016x", f.found.ref),
		FuncHash: fmt.Sprintf("%016x", f.found.funcHash),
		Record:   f.found.number, Records: f.records, Same: f.same, Sums: sums,
	}
}

// list is the first of some values, and how many follow them.
func list[T any](s *model.Sum, values []T, text func(T) string) {
	n := min(len(values), valuesListed)
	for _, v := range values[:n] {
		s.Values = append(s.Values, text(v))
	}
	s.More = uint64(len(values) - n)
}

func hexText(v uint64) string { return fmt.Sprintf("0x%x", v) }
