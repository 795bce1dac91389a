package decode

import (
	"context"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// companion is an executable among the files of a profile.
type companion struct {
	image      *symbol.Image
	correlator *instrprof.Correlator // nil where no profile left its records in a program
	program    *memprof.Program      // nil where no heap profile wants one, and for split debug info
	sections   []model.Section       // with Options.Record
}

// companions opens the executables that stand beside a profile which left its
// records in one, or a raw heap profile, by index of the file. Without such a
// profile there are none: then an executable is a wrong file like any other.
func companions(ctx context.Context, files []File, record bool) (map[int]*companion, error) {
	correlate := slices.ContainsFunc(files, correlated)
	if !correlate && !slices.ContainsFunc(files, recordedHeap) {
		return nil, nil
	}
	found := map[int]*companion{}
	for i, f := range files {
		if !symbol.IsELF(f.Data) {
			if err := unreadProgram(f); err != nil {
				return nil, err
			}
			continue
		}
		var rec *wire.Recorder
		if record {
			rec = &wire.Recorder{}
		}
		image, err := symbol.Open(f.Name, f.Data, rec)
		if err != nil {
			return nil, inFile(f.Name, model.ELF, err)
		}
		found[i] = &companion{image: image}
		if correlate {
			found[i].correlator = instrprof.NewCorrelator(ctx, image)
		}
		if record {
			found[i].sections = rec.Sections()
		}
	}
	return found, nil
}

// used reports whether a profile was recorded with the program. Split debug info
// is part of one.
func (c *companion) used() bool {
	return c.correlator != nil && c.correlator.Used() || c.program != nil && c.program.Used() || c.image.IsSplitDWARF()
}

// correlated reports whether a file is a profile that left its records in its
// executable.
func correlated(f File) bool {
	if !instrprof.IsRaw(f.Data) {
		return false
	}
	peek, _ := instrprof.PeekRaw(f.Data)
	return peek.Correlated
}

// unreadProgram is the error for a program of another format than ELF: a
// Mach-O one, for example. See package symbol for what that would need.
func unreadProgram(f File) error {
	program, ok := findForeign(f.Data)
	if !ok || program.remedy != runIt || instrprof.IsRaw(f.Data) {
		return nil
	}
	return &model.FormatError{
		Kind: model.KindUnsupportedVersion, File: f.Name, Section: "header", Expected: "an ELF program",
		Msg: "this is " + program.what + ", and profiles are correlated with ELF programs only",
		Err: hint("merge with llvm-profdata merge --debug-info=FILE or --binary-file=FILE, and open the .profdata it writes"),
	}
}

// unneeded is the error for an executable whose profile is not among the files.
func unneeded(f File, c *companion, files []File) error {
	return &fileError{model.ELF, strangerTo(f, c.image, files)}
}
