package encode

import (
	"math/bits"

	"proflens/decode/instrprof"
)

// Symbols are names by their hashes. It is a table of its own since a Go map of as many names
// takes as long as printing them.
type Symbols struct {
	src   instrprof.Source // whose names are added when one is asked for that is not found otherwise
	slots []uint32         // open addressing; a power of two of them: index in list plus 1, or 0
	list  []symbol
}

type symbol struct {
	ref  uint64
	name []byte
}

// SymbolsOf are all names of a source; they may be the source's own bytes.
func SymbolsOf(src instrprof.Source) *Symbols { return &Symbols{src: src} }

// Add adds a name, unless its hash is there.
func (s *Symbols) Add(ref uint64, name []byte) {
	if 2*len(s.list) >= len(s.slots) {
		s.slots = make([]uint32, 64<<bits.Len(uint(max(len(s.list), cap(s.list))/32)))
		for i, had := range s.list {
			*s.slot(had.ref) = uint32(i + 1)
		}
	}
	if slot := s.slot(ref); *slot == 0 {
		s.list = append(s.list, symbol{ref, name})
		*slot = uint32(len(s.list))
	}
}

// Of is the name with a hash, or nil.
func (s *Symbols) Of(ref uint64) []byte {
	if file, ok := s.src.(*instrprof.Indexed); ok {
		if name := file.NameOf(ref); name != nil || ref == 0 { // 0 is what was called outside the program
			return name
		}
	}
	if s.src != nil {
		s.list = make([]symbol, 0, min(s.src.Info().Records, 1<<20))
		for ref, name := range s.src.Names() {
			s.Add(ref, name)
		}
		s.src = nil
	}
	if name := s.find(ref); name != nil {
		return *name
	}
	return nil
}

// find is where the name of a hash is; nil if there is none.
func (s *Symbols) find(ref uint64) *[]byte {
	if len(s.list) > 0 {
		if slot := *s.slot(ref); slot > 0 {
			return &s.list[slot-1].name
		}
	}
	return nil
}

// slot is where a hash is, or would go.
func (s *Symbols) slot(ref uint64) *uint32 {
	for i := ref * 0x9e3779b97f4a7c15 >> 20; ; i++ {
		if slot := &s.slots[i&uint64(len(s.slots)-1)]; *slot == 0 || s.list[*slot-1].ref == ref {
			return slot
		}
	}
}
