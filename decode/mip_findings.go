package decode

import (
	"fmt"

	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// mipAdvice is what a finding says of each warning of a Machine IR Profile.
var mipAdvice = map[model.MIPWarning]struct {
	severity model.Severity
	message  string
	advice
}{
	model.MIPWidthFromContent: {model.Note, "the map says 32-bit, and its records have offsets of 64 bits", advice{"the map was written by the document and not by the compiler", ""}},
	model.MIPNoWidthBit:       {model.Note, "the map does not say how wide its records are; that was found out by reading it", advice{"it was written by the document and not by the compiler", ""}},
	model.MIPBlocksUnprofiled: {model.Note, "the map lists blocks that were not instrumented: none of them is covered", advice{}},
	model.MIPOddByte:          {model.Warning, "a coverage byte is neither of its two values", advice{"the file was damaged, or is of another build than the map", "record again with the program that the map is of"}},
	model.MIPPositionalNames:  {model.Warning, "no function's signature is the hash of any name: names were given by position", advice{"another tool wrote the profile", "check some names against the program"}},
	model.MIPUnnamedFunctions: {model.Warning, "functions without a name are shown by their signature", advice{"their names were left out of the profile", "give the map along with the profile"}},
	model.MIPBlocksDiffer:     {model.Warning, "functions have other blocks in one file than in another; their block coverage was dropped", advice{"the profiles are of two builds of the program", "open them as separate profiles"}},
	model.MIPSaturated:        {model.Warning, "counts were cut at the largest that 64 bits hold", advice{}},
	model.MIPMapMissing:       {model.Warning, "without the map nothing can be told but the headers: which counters are whose stands in the map alone", advice{"the .mipmap, or the program, was not given", "give the program that was run, or its map: llvm-objcopy --dump-section=__llvm_mipmap=x.mipmap PROGRAM"}},
	model.MIPSeveralPrograms:  {model.Warning, "the program has maps for several architectures that fit; the first was taken", advice{"it is a fat file", "give the program of one architecture: lipo -thin ARCH"}},
}

// A run of which more than one coverage byte in manyOdd is odd is probably of
// another build.
const manyOdd = 20

// mipFindings are the warnings of a profile. differing is how many functions
// have blocks that differ between files.
func mipFindings(m *model.MIP, differing int) []model.Finding {
	var list []model.Finding
	for _, w := range m.Warnings {
		a := mipAdvice[w]
		f := model.Finding{Severity: a.severity, Code: "mip." + string(w), File: m.MapFile, Message: a.message, Cause: a.cause, Remedy: a.remedy}
		switch w {
		case model.MIPOddByte:
			if odd := oddRuns(m, f); len(odd) > 0 {
				list = append(list, odd...)
				continue
			}
		case model.MIPUnnamedFunctions:
			for i := range m.Functions {
				if m.Functions[i].NameSource == model.MIPNameNone {
					f.Count++
				}
			}
		case model.MIPBlocksDiffer:
			f.Count = uint64(differing)
		case model.MIPMapMissing:
			f.File = m.Runs[0].File
		}
		list = append(list, f)
	}
	return list
}

// oddRuns is a finding for each run with odd coverage bytes.
func oddRuns(m *model.MIP, of model.Finding) []model.Finding {
	var list []model.Finding
	for i := range m.Runs {
		run := &m.Runs[i]
		if run.OddBytes == 0 {
			continue
		}
		f := of
		f.Code, f.File, f.Count = "mipraw."+string(model.MIPOddByte), run.File, run.OddBytes
		f.Message = fmt.Sprintf("%d coverage bytes are neither 0 nor 255, and were taken for not covered", run.OddBytes)
		if run.OddBytes == 1 {
			f.Message = "a coverage byte is neither 0 nor 255, and was taken for not covered"
		}
		if run.OddBytes > 1 && run.OddBytes > run.DataBytes/manyOdd {
			f.Message += "; so many say that the run is probably of another build than " + m.MapFile
		}
		list = append(list, f)
	}
	return list
}

// inspectMIP reads a file of the family to its end for its anatomy.
func inspectMIP(a *model.Anatomy, format model.Format, f File, rec *wire.Recorder) error {
	var m *model.MIP
	var err error
	switch format {
	case model.MIPMap:
		m, err = mip.OpenMap(f.Data, 0, rec)
	case model.MIPRaw:
		m, err = mip.OpenRaw(f.Data, rec)
	case model.ELF, model.MachO:
		m, err = inspectMIPProgram(f, rec)
	default:
		m, err = mip.OpenProfile(f.Data, rec)
	}
	if err != nil {
		return err
	}
	if !isProgram(format) {
		if _, err := mip.Peek(f.Name, f.Data); err != nil { // of another kind than its name says
			return err
		}
	}
	a.Findings = append(a.Findings, mipFindings(m, 0)...)
	return nil
}

// inspectMIPProgram is the first map of a program.
func inspectMIPProgram(f File, rec *wire.Recorder) (*model.MIP, error) {
	p := &mipProgram{rec: rec}
	if _, err := p.open(f); err != nil {
		return nil, err
	}
	return p.maps[0], nil
}
