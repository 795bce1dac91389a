package instrweb

import (
	"proflens/decode/instrprof"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
)

// sideCounters is how many counters of the records of one name stand side by side.
const sideCounters = 100

// recordNotes say what the hash is of, and why a name has several.
func recordNotes(o *instrdb.Overview, records []instrdb.Record) []string {
	hash := "The FuncHash is a checksum of the structure of the function's source"
	if o.Info.Variant.Has(instrprof.IRProf) {
		hash = "The FuncHash is a checksum of the function's control flow and of its value sites"
	}
	notes := []string{
		hash + ". The compiler recomputes it and uses the matching record; if none matches, it warns “function control " +
			"flow change detected (hash mismatch)” and uses no counts.",
	}
	var sorts [2]int // plain, context-sensitive
	repeats := uint64(0)
	for i := range records {
		if records[i].CS {
			sorts[1]++
		} else {
			sorts[0]++
		}
		repeats += records[i].Repeats
	}
	if max(sorts[0], sorts[1]) > 1 {
		notes = append(notes, "A name has several hashes if builds with different source or flags were merged, if files "+
			"compiled an inline function differently, or if static functions share a name without a path to distinguish them.")
	}
	if sorts[0] > 0 && sorts[1] > 0 {
		notes = append(notes, "The context-sensitive record was counted after inlining, so its control flow and hash "+
			"differ; bit 60 of the hash marks it.")
	}
	if repeats > 0 {
		notes = append(notes, humanize.Say("The file has {more record} with one of these hashes; they are added up here.",
			repeats))
	}
	return notes
}

// longest is how many counters the record with the most has.
func longest(records []instrdb.Record) (n int) {
	for i := range records {
		n = max(n, len(records[i].Counters))
	}
	return n
}

// bitmapLayouts say what the bits of a bitmap stand for, and what is not known.
var bitmapLayouts = map[instrprof.BitmapLayout]string{
	instrprof.TestVectors: "Bit i stands for one test vector of a decision; the bits of all decisions follow one " +
		"another. " + mappingSays,
	instrprof.ConditionMasks: "A decision of n conditions has 2ⁿ bits, starting at a new byte; a bit's index there is " +
		"the sum of 2^i over all conditions i that are true. " + mappingSays,
	instrprof.UnknownLayout: "LLVM 18 and LLVM 19 number a decision's bits differently, and the file does not say " +
		"which wrote it. " + mappingSays,
}

const mappingSays = "The program's coverage mapping says which decision and conditions these are, and which bits " +
	"are in use; the profile does not."
