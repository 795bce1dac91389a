package memprofdb

import (
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/calltree"
)

// place is a call that allocates, whatever it was inlined into.
type place struct{ function, line, lineOffset, column uint32 }

func placeOf(function uint32, f *memprof.Frame) place {
	return place{function, f.Line, f.LineOffset, f.Column}
}

// address of the place in pages, by that of its function.
func (s place) address(fid uint64) uint64 {
	return calltree.Address(calltree.Address(fid, uint64(s.line)<<32|uint64(s.lineOffset)), uint64(s.column))
}

// classSet is the classes that contexts of a place have: a bit for each index of
// analyze.MemProfClasses.
type classSet uint8

func (s classSet) with(class int) classSet { return s | 1<<class }

// mixed reports whether the compiler would need to clone: some contexts are
// cold, others are known not to be. Hot ones are not cold by its defaults.
func (s classSet) mixed() bool { return s&1 != 0 && s&6 != 0 }

// classIndex is the place of a class in analyze.MemProfClasses.
func classIndex(c analyze.MemProfClass) int {
	if i := slices.Index(analyze.MemProfClasses[:], c); i >= 0 {
		return i
	}
	return len(analyze.MemProfClasses) - 1
}

// ClassWord is a class as scripts write it: the compiler's own words.
func ClassWord(c analyze.MemProfClass) string {
	if c == analyze.MemProfNotCold {
		return "notcold"
	}
	return string(c)
}
