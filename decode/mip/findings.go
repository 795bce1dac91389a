package mip

import (
	"fmt"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// warnings is what a finding says of each warning of a Machine IR Profile.
var warnings = map[Warning]struct {
	severity               model.Severity
	message, cause, remedy string
}{
	WidthFromContent: {
		model.Note, "the map is marked 32-bit, but its records have 64-bit offsets",
		"the map follows the document, not the compiler", "",
	},
	NoWidthBit: {
		model.Note, "the map does not give the width of its records; it was inferred from them",
		"it follows the document, not the compiler", "",
	},
	BlocksUnprofiled: {
		model.Note, "the map lists blocks that were not instrumented: none of them is covered", "", "",
	},
	OddByte: {
		model.Warning, "a coverage byte is neither of its two values",
		"the file was damaged, or comes from another build than the map", "record again with the map's own program",
	},
	PositionalNames: {
		model.Warning, "no function's signature is the hash of a name: names are assigned by position",
		"another tool wrote the profile", "check some names against the program",
	},
	UnnamedFunctions: {
		model.Warning, "unnamed functions are shown by their signature",
		"their names were left out of the profile", "give the map along with the profile",
	},
	BlocksDiffer: {
		model.Warning, "functions have different blocks in different files; their block coverage was dropped",
		"the profiles come from two builds of the program", "open them as separate profiles",
	},
	Saturated: {model.Warning, "counts were capped at the largest 64-bit number", "", ""},
	CoverageAlone: {model.Note, "the header declares timestamps or call counts beside function coverage; a coverage " +
		"record has no room for them, so there are none",
		"no compiler writes such a header; the reference reader also reads it as coverage", ""},
	EntriesByMap: {model.Note, "the runs' records are smaller than the reference reader expects; their layout was " +
		"inferred from the map",
		"no layout was published for this profile type", "check some counts against what the program does"},
	BlocksAlone: {model.Note, "the header declares block coverage without function coverage: without an entry count, a " +
		"function ran if one of its blocks did; for functions with no other block this is unknown",
		"no compiler writes such a header", ""},
	ReturnAddresses: {model.Note, "the program was instrumented for return addresses; its call samples (.mipret) " +
		"cannot be read",
		"their layout was never published", ""},
	MapMissing: {
		model.Warning, "without the map only the headers can be read: only the map says which counters belong to which " +
			"function",
		"the .mipmap, or the program, was not given",
		"give the program that ran, or its map: llvm-objcopy --dump-section=__llvm_mipmap=x.mipmap PROGRAM",
	},
	SeveralPrograms: {
		model.Warning, "the program has maps for several matching architectures; the first was used",
		"it is a fat binary", "give the program of one architecture: lipo -thin ARCH",
	},
}

// A run of which more than one coverage byte in manyOdd is odd is probably of
// another build.
const manyOdd = 20

// findingsOf are the warnings of a profile. differing is how many functions
// have blocks that differ between files.
func findingsOf(m *Profile, differing int) []model.Finding {
	var list []model.Finding
	for _, w := range m.Warnings {
		a := warnings[w]
		f := model.Finding{
			Severity: a.severity, Code: "mip." + string(w), File: m.MapFile, Message: a.message, Cause: a.cause,
			Remedy: a.remedy,
		}
		switch w {
		case OddByte:
			if odd := oddRuns(m, f); len(odd) > 0 {
				list = append(list, odd...)
				continue
			}
		case UnnamedFunctions:
			for i := range m.Functions {
				if m.Functions[i].NameSource == NameNone {
					f.Count++
				}
			}
		case BlocksDiffer:
			f.Count = uint64(differing)
		case MapMissing:
			f.File = m.Runs[0].File
		}
		list = append(list, f)
	}
	return list
}

// oddRuns is a finding for each run with odd coverage bytes.
func oddRuns(m *Profile, of model.Finding) []model.Finding {
	var list []model.Finding
	for i := range m.Runs {
		run := &m.Runs[i]
		if run.OddBytes == 0 {
			continue
		}
		f := of
		f.Code, f.File, f.Count = "mipraw."+string(OddByte), run.File, run.OddBytes
		f.Message = fmt.Sprintf("%d coverage bytes are neither 0 nor 255, and count as not covered", run.OddBytes)
		if run.OddBytes == 1 {
			f.Message = "a coverage byte is neither 0 nor 255, and counts as not covered"
		}
		if run.OddBytes > 1 && run.OddBytes > run.DataBytes/manyOdd {
			f.Message += "; so many suggest that the run comes from another build than " + m.MapFile
		}
		list = append(list, f)
	}
	return list
}

// inspect reads a file of the family to its end for its anatomy; of a program the
// first map.
func inspect(a *model.Anatomy, f format.File, rec *wire.Recorder) error {
	var m *Profile
	var err error
	switch {
	case f.Is.Is(FormatMap):
		m, err = OpenMap(f.Data, 0, rec)
	case f.Is.Is(FormatRaw):
		m, err = OpenRaw(f.Data, rec)
	case f.Is.Is(FormatProfile):
		m, err = OpenProfile(f.Data, rec)
	default:
		p := &program{rec: rec}
		if _, err = p.open(f); err == nil {
			m = p.maps[0]
		}
	}
	if err == nil && m != nil && KindOfName(f.Name) != 0 {
		_, _, err = Peek(f.Name, f.Data) // of another kind than its name says
	}
	if err != nil {
		return err
	}
	a.Findings = append(a.Findings, findingsOf(m, 0)...)
	return nil
}
