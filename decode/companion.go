package decode

import (
	"context"
	"fmt"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// companion is an executable among the files of a profile.
type companion struct {
	correlator *instrprof.Correlator
	sections   []model.Section // with Options.Record
}

// companions opens the executables that stand beside a profile which left its
// records in one, by index of the file. Without such a profile there are none:
// then an executable is a wrong file like any other.
func companions(ctx context.Context, files []File, record bool) (map[int]*companion, error) {
	if !slices.ContainsFunc(files, correlated) {
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
		found[i] = &companion{correlator: instrprof.NewCorrelator(ctx, image)}
		if record {
			found[i].sections = rec.Sections()
		}
	}
	return found, nil
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
func unneeded(f File) error {
	err := &model.FormatError{
		Kind: model.KindIncompatible, File: f.Name, Section: "header",
		Msg: fmt.Sprintf("%s is the program of none of the profiles that it came with", f.Name),
	}
	return &fileError{model.ELF, err}
}
