package encode

import (
	"fmt"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// Generation is a range of indexed versions in which clang computes the hash of
// a function, and numbers its counters, alike in front-end instrumentation
// (instrprof.md §3.7). clang takes the generation from the version of the file
// it reads, and drops the counts of a function whose hash differs from the one
// in the file. IR profiles have no generation: their hash is that of the
// control flow, whatever the version.
type Generation struct{ First, Last int }

// generations are in ascending order, and have no gap.
var generations = []Generation{{1, 4}, {5, 5}, {6, 6}, {7, 12}, {13, 14}}

// GenerationOf is the generation of an indexed version.
func GenerationOf(version int) Generation { return generations[generationIndex(version)] }

func generationIndex(version int) int {
	for i, g := range generations {
		if version <= g.Last {
			return i
		}
	}
	return len(generations) - 1
}

// From version 13 on clang leaves the upper four bits of a front-end hash
// clear. Before, hashes of up to ten statements fit in 60 bits by themselves,
// and all others use 64. So a hash that has an upper bit is of before 13; and
// where none has one, versions 7 to 14 agree on every function of the profile.
const firstWideHash = 1 << 60

// A front-end hash of up to ten statements is their kinds, of six bits each, the
// first on top; that of more is an MD5 (instrprof.md §3.7). All generations from
// version 6 on agree on the former, but for && and ||.
const lastStatement = 32 // the largest kind; the least is 1

// isLong reports whether a front-end hash is an MD5. One MD5 of 60 bits in some
// thousand looks like kinds of statements.
func isLong(hash uint64) bool {
	if hash >= firstWideHash {
		return true
	}
	for ; hash != 0; hash >>= 6 {
		if kind := hash & 63; kind == 0 || kind > lastStatement {
			return true
		}
	}
	return false
}

// surelyMasked is how many MD5s without an upper bit show that the compiler
// clears these: by chance, one in 65536 profiles has as many.
const surelyMasked = 4

// Producer is what a profile shows of the compiler that numbered its counters.
type Producer struct {
	FrontEnd bool
	// First and Last are the indexed versions that the releases write which
	// can have made the profile, as far as its format and its hashes tell.
	First, Last int
	// WideHashes is how many records have a front-end hash of more than 60 bits.
	WideHashes uint64
	// LongHashes is how many records have a front-end hash that is an MD5, of
	// more than ten statements.
	LongHashes uint64
	// Records is how many records the profile has.
	Records uint64
}

// hashCounts are of the records of a profile; wide and long mean something in
// front-end profiles only.
type hashCounts struct{ records, wide, long uint64 }

func (c *hashCounts) add(hash uint64) {
	c.records++
	if isLong(hash) {
		c.long++
	}
	if hash >= firstWideHash {
		c.wide++
	}
}

func producerOf(info *instrprof.Info, hashes hashCounts) Producer {
	p := Producer{FrontEnd: !info.Variant.Has(instrprof.IRProf), First: 1, Last: MaxVersion, Records: hashes.records}
	if !p.FrontEnd || hashes.records == 0 {
		return p
	}
	p.WideHashes, p.LongHashes = hashes.wide, hashes.long
	switch info.Format {
	case instrprof.FormatRaw:
		p.First, p.Last = writtenBeside(info.Version)
	case instrprof.FormatIndexed:
		p.First, p.Last = int(info.Version), int(info.Version)
	}
	if hashes.wide == 0 && hashes.long >= surelyMasked && p.Last >= 13 {
		p.First = max(p.First, 13)
	}
	if hashes.wide > 0 && p.Last > 12 {
		// An indexed file of version 13 with such hashes was made by a newer
		// llvm-profdata from raw profiles of an older program.
		p.First, p.Last = min(p.First, 7), 12
	}
	return p
}

// writtenBeside is which indexed versions the releases write whose programs
// write a raw version (instrprof.md §8).
func writtenBeside(raw uint64) (first, last int) {
	switch {
	case raw <= 3:
		return 1, 4
	case raw == 4:
		return 4, 5
	case raw == 5:
		return 5, 7
	case raw <= 7:
		return 7, 7
	case raw == 8:
		return 7, 10
	case raw == 9:
		return 11, 11
	case raw == 10:
		return 12, 13
	}
	return 14, 14
}

// Version is the indexed version that keeps the producer's generation: the
// newest of it that can be written and that LLVM 22 reads.
func (p Producer) Version() int {
	if !p.FrontEnd {
		return newestRead
	}
	return min(max(GenerationOf(p.Last).Last, MinVersion), newestRead)
}

// Mismatch says what clang will not match when the profile is written in an
// indexed version: nothing when that is surely of the producer's generation. A
// finding has as Count how many records it concerns, 0 where the profile does
// not show that; it is a note where the profile does not even show whether.
func (p Producer) Mismatch(version int) []model.Finding {
	if !p.FrontEnd || p.Records == 0 {
		return nil
	}
	if p.unknown() {
		return p.mismatchOfUnknown(version)
	}
	from, to, at := generationIndex(p.First), generationIndex(p.Last), generationIndex(version)
	var findings []model.Finding
	for i, what := range boundaries {
		boundary := i + 1
		before, after := from < boundary, to >= boundary // the producer may be
		switch {
		case at >= boundary && !before, at < boundary && !after:
		case boundaryIsOfLong(boundary) && p.LongHashes == 0: // no function differs
		case at >= boundary && boundary == wideBoundary:
			findings = append(findings, p.wideFinding(version)...)
		case before != after:
			findings = append(findings, p.counted(boundary,
				p.finding(model.Warning, version, what.differ+p.many(boundary)+": clang "+what.does)))
		default:
			findings = append(findings, p.counted(boundary,
				p.finding(model.Note, version,
					what.differ+p.many(boundary)+", and the profile does not show which it has: "+
						"if it has the others, clang "+what.does)))
		}
	}
	return findings
}

const drops = "drops the counts of these functions"

// boundaries say in which functions each generation but the first differs from
// the one before it, and what clang does when it reads the other's.
var boundaries = [wideBoundary]struct{ differ, does string }{
	{"functions with a branch or a loop have a different hash before version 5", drops},
	{
		"functions of more than ten branches, loops and comparisons have a different hash in version 5 from that in later " +
			"ones", drops,
	},
	{
		"functions with && or || have more counters from version 7 on",
		"silently assigns the counts of these functions to other branches",
	},
	{"functions of more than ten branches, loops and comparisons have a different hash before version 13", drops},
}

// wideBoundary is the number of the last boundary, that to version 13.
const wideBoundary = 4

// boundaryIsOfLong reports whether the functions that differ at a boundary are
// those with long hashes.
func boundaryIsOfLong(boundary int) bool { return boundary == 2 || boundary == wideBoundary }

// many says how many functions are concerned, where that is known.
func (p Producer) many(boundary int) string {
	if !boundaryIsOfLong(boundary) {
		return ""
	}
	return fmt.Sprintf(" (%d of %d here)", p.LongHashes, p.Records)
}

func (p Producer) counted(boundary int, f model.Finding) model.Finding {
	if boundaryIsOfLong(boundary) {
		f.Count = p.LongHashes
	}
	return f
}

// unknown reports that the profile's format says nothing of its producer.
func (p Producer) unknown() bool { return p.First == 1 && p.Last >= 12 }

func (p Producer) mismatchOfUnknown(version int) []model.Finding {
	if generationIndex(version) == wideBoundary && p.WideHashes > 0 {
		return p.wideFinding(version)
	}
	g := GenerationOf(version)
	return []model.Finding{p.finding(model.Note, version, fmt.Sprintf(
		"the profile does not show which clang built the program: if it hashes functions differently from versions %d to "+
			"%d, clang drops their counts", g.First, g.Last))}
}

// wideFinding is for hashes that no clang computes for a version of 13 or more.
func (p Producer) wideFinding(version int) []model.Finding {
	if p.WideHashes == 0 {
		return nil
	}
	f := p.finding(model.Warning, version, fmt.Sprintf(
		"of %s %s a hash of 64 bits, of which clang keeps 60 from version 13 on: it drops their counts",
		model.Amount(p.Records, "record", "records"), model.Amount(p.WideHashes, "has", "have")))
	f.Count = p.WideHashes
	return []model.Finding{f}
}

func (p Producer) finding(severity model.Severity, version int, message string) model.Finding {
	f := model.Finding{
		Severity: severity, Code: "profdata.hash_generation", Field: "Version", Found: fmt.Sprint(version), Message: message,
		Cause: "clang chooses how to hash front-end functions by the version of the indexed file",
	}
	if v := p.Version(); generationIndex(v) != generationIndex(version) {
		f.Expected = fmt.Sprint(v)
		f.Remedy = fmt.Sprintf("write version %d, whose hashes match the program's", v)
	}
	return f
}
