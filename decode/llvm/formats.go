// Package llvm opens the profiles of LLVM's llvm-profdata: counters of
// instrumentation, heap profiles of MemProf, or both, which can stand in one
// file and be merged into one profile; with the executables that raw files left
// a part of themselves in.
package llvm

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/covmap"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// Suite is what llvm-profdata merges: instrumentation profiles, raw, indexed and
// text, and heap profiles, raw and in text.
var Suite = &format.Suite{
	Formats: []*format.Format{
		rawFormat, indexedFormat, textFormat, memprofRawFormat, memprofYAMLFormat, memprofReportFormat, elfFormat,
		machOFormat, peFormat, coffFormat, wasmFormat, archiveFormat, testingFormat,
	},
	Reads:     "LLVM instrumentation, MemProf",
	Recognise: recognise,
	Guess:     guess,
	Open:      open,
	Merge:     merge,
	Sum:       "profdata",
	SumText:   "proftext",
}

var (
	rawFormat = &format.Format{
		Name: instrprof.FormatRaw, Prefix: "raw", Inspect: inspect, Locate: locateRaw,
		Outline: func(f format.File, rec *wire.Recorder) error { return instrprof.OutlineRaw(f.Data, rec) },
		Advice: map[model.Kind]format.Advice{
			model.KindTruncated: {
				Cause: "the file was cut short: the program was killed while writing its profile, the disk was full, or a copy " +
					"was interrupted", Remedy: "record the profile again and let the program exit normally, or copy the file again",
			},
			model.KindMalformed: {
				Cause: "the file was damaged, several programs wrote to it at once, or a fork of LLVM with its own format " +
					"wrote it",
				Remedy: "use %p or %m in LLVM_PROFILE_FILE so that each process writes its own file, and record again",
			},
			model.KindBadMagic: {
				Cause:  "something other than a raw profile of the same kind was appended",
				Remedy: "give the files separately instead of concatenating them",
			},
			model.KindBadHeader: {
				Cause:  "the file was cut short, usually because the program was killed while writing its profile",
				Remedy: "record the profile again and let the program exit normally, or copy the file again",
			},
		},
	}
	indexedFormat = &format.Format{
		Name: instrprof.FormatIndexed, Prefix: "indexed", Inspect: inspect,
		Locate: func(_ context.Context, files []format.File, at int, wanted model.Wanted) (*model.Location, []model.Match,
			error) {
			return instrprof.LocateIndexed(files[at].Data, wanted)
		},
		Outline: func(f format.File, rec *wire.Recorder) error {
			x, err := instrprof.OpenIndexed(f.Data, rec)
			if err == nil && len(x.Info().MemProf) > 0 {
				_, err = memprof.OpenIndexed(x.Info().MemProf, x.Info().MemProfSection.Offset, rec)
			}
			return err
		},
	}
	textFormat = &format.Format{
		Name: instrprof.FormatText, Prefix: "text", Inspect: inspect,
		Outline: func(f format.File, rec *wire.Recorder) error { _, err := instrprof.OpenText(f.Data, rec); return err },
		Advice: map[model.Kind]format.Advice{
			model.KindMalformed: {
				Cause:  "the text was edited by hand or cut, or it is a text profile of another kind",
				Remedy: "correct the line at this offset, or write the text again with llvm-profdata merge --text",
			},
			model.KindBadHeader: {
				Cause:  "a newer compiler wrote the text, or a line was added by hand",
				Remedy: "remove the line at this offset, or open the file with a newer release of this program",
			},
		},
	}
	memprofRawFormat = &format.Format{
		Name: memprof.FormatRaw, Prefix: "memprof", Inspect: inspectMemProf, Outline: outlineMemProf,
	}
	memprofYAMLFormat = &format.Format{
		Name: memprof.FormatYAML, Prefix: "memprof", Inspect: inspectMemProf, Outline: outlineMemProf,
	}
	memprofReportFormat = &format.Format{
		Name: memprof.FormatReport, Prefix: "memprof", Inspect: inspectMemProf, Outline: outlineMemProf,
	}

	// Executables are no profiles.
	elfFormat   = &format.Format{Name: symbol.FormatELF, Prefix: "elf", Advice: format.ProgramAdvice}
	machOFormat = &format.Format{Name: symbol.FormatMachO, Prefix: "mach-o", Advice: format.ProgramAdvice}
	peFormat    = &format.Format{Name: symbol.FormatPE, Prefix: "pe", Advice: format.ProgramAdvice}
	// These have nothing for profiles but their coverage mapping.
	coffFormat    = &format.Format{Name: covmap.FormatCOFF, Prefix: "coff", Advice: format.ProgramAdvice}
	wasmFormat    = &format.Format{Name: covmap.FormatWasm, Prefix: "wasm", Advice: format.ProgramAdvice}
	archiveFormat = &format.Format{Name: covmap.FormatArchive, Prefix: "archive", Advice: format.ProgramAdvice}
	testingFormat = &format.Format{Name: covmap.FormatTesting, Prefix: "covmapping", Advice: format.ProgramAdvice}
)

// families are those of a file of counters.
var families = []model.Family{instrprof.Family}

// recognise tells files by their magic, most specific first (instrprof.md §1).
// Text is told by its first record.
func recognise(name string, data []byte) (format.Recognised, bool) {
	switch {
	case len(data) == 0:
		return format.Recognised{Format: rawFormat, Families: families, Describe: "empty file", Empty: true}, true
	case instrprof.IsRaw(data):
		return recogniseRaw(data, uint64(len(data))), true
	case instrprof.IsIndexed(data):
		info, err := instrprof.PeekIndexed(data)
		return claimsPrograms(format.Recognised{Format: indexedFormat, Families: familiesOf(&info),
			Describe: describeIndexed(&info, data, err), Fault: err}, &info), true
	case symbol.IsELF(data):
		return recogniseProgram(name, data, elfFormat, "an ELF executable or object file"), true
	case symbol.IsMachO(data):
		return recogniseProgram(name, data, machOFormat, machOWords(data)), true
	case symbol.IsPE(data):
		return recogniseProgram(name, data, peFormat, "a Windows executable"), true
	}
	if r, ok := recogniseMemProf(data); ok {
		return r, true
	}
	if is, ok := covmap.FormatOf(data); ok {
		return recogniseMapped(name, is), true
	}
	if instrprof.IsText(data) && plausibleText(data) {
		return recogniseText(data), true
	}
	return format.Recognised{}, false
}

// guess takes text that could be a damaged text profile, or is called one: it will
// fail, and the text reader knows where.
func guess(name string, data []byte) (format.Recognised, bool) {
	if !instrprof.IsText(data) || isProse(data) && !strings.HasSuffix(name, ".proftext") {
		return format.Recognised{}, false
	}
	return recogniseText(data), true
}

// familiesOf are those of an indexed file.
func familiesOf(info *instrprof.Info) []model.Family {
	all := append([]model.Family{}, info.Families...)
	if info.MemProfSection.Size > 0 {
		all = append(all, memprof.Family)
	}
	return all
}

// recogniseRaw tells what a raw profile of size bytes is by its header; data may be no
// more of it than the beginning.
func recogniseRaw(data []byte, size uint64) format.Recognised {
	peek, err := instrprof.PeekRaw(data, size)
	r := format.Recognised{
		Format: rawFormat, Families: families, Fault: err,
		Describe: describe(peek.Info.Describe, "LLVM raw", peek.Info.Version, data, err), Key: peek.ProgramKey,
	}
	if peek.Correlated {
		r.Sole = true
		r.Fault = &model.FormatError{Kind: model.KindMissingCorrelation, Section: "header", Msg: instrprof.Uncorrelated}
		r.Claim = func(c *format.Recognised) format.Claim {
			exe, ok := c.Companion.(*program)
			switch {
			case ok && exe.ahead:
				return exe.named(peek.Info.BinaryIDs)
			case !ok || !slices.ContainsFunc(exe.counters, peek.Program.Fits):
				return format.NoClaim
			case slices.ContainsFunc(exe.counters, peek.Program.Same):
				return format.Owns
			}
			return format.Fits
		}
	} else {
		r = claimsPrograms(r, &peek.Info)
	}
	return r
}

// RecogniseRun recognises a raw profile by its magic alone, which is enough where it need
// not be told what profiles it forms with others, and an indexed one.
func RecogniseRun(data []byte) (format.Recognised, bool) {
	if instrprof.IsIndexed(data) {
		return recognise("", data)
	}
	return format.Recognised{Format: rawFormat, Families: families, Describe: "LLVM raw"}, instrprof.IsRaw(data)
}

func recogniseText(data []byte) format.Recognised {
	info := instrprof.Info{Info: model.Info{Format: instrprof.FormatText, Families: families}}
	info.Name()
	if t, err := instrprof.OpenText(data, nil); err == nil || model.KindOf(err) == model.KindEOF {
		info = *t.Info()
	}
	return claimsPrograms(format.Recognised{Format: textFormat, Families: families, Describe: info.Describe}, &info)
}

// recogniseMemProf tells heap profiles, raw and in text. Raw ones want the
// executables that they name by build ID.
func recogniseMemProf(data []byte) (format.Recognised, bool) {
	r := format.Recognised{Families: []model.Family{memprof.Family}}
	switch {
	case memprof.IsRaw(data):
		peek, err := memprof.PeekRaw(data)
		r.Format, r.Key = memprofRawFormat, peek.ProgramKey
		r.Describe = describe(memprof.Describe(memprof.FormatRaw, peek.Version), "MemProf raw", versionWord(data), data, err)
		r.Fault = err
		r.Claim = claimOfMemProf(&peek)
	case memprof.IsYAML(data):
		r.Format, r.Describe = memprofYAMLFormat, memprof.Describe(memprof.FormatYAML, 0)
		r = claimsPrograms(r, &instrprof.Info{})
	case memprof.IsReport(data):
		r.Format, r.Describe = memprofReportFormat, memprof.Describe(memprof.FormatReport, 0)
	default:
		return r, false
	}
	return r, true
}

// program is what this package knows of an executable, for claims.
type program struct {
	counters []instrprof.Program // one for each architecture
	heap     memprof.Executable  // nothing but for ELF
	ids      [][]byte            // build ids
	mapped   bool                // it has a coverage mapping, or may have
	debug    bool                // it has debug info
	ahead    bool                // no more is known than what it is called and its build id
}

func recogniseProgram(name string, data []byte, is *format.Format, what string) format.Recognised {
	r := format.Recognised{
		Format: is, Describe: what, Companion: struct{}{},
		Err: format.Foreign(name, what, format.RunIt, model.KindUnrecognizedFormat),
	}
	images, err := symbol.OpenProgram(name, data, nil)
	if err != nil {
		return r
	}
	p, lacking := &program{}, false
	for _, image := range images {
		counters, ok := instrprof.ProgramOf(image)
		p.counters = append(p.counters, counters)
		p.ids, p.mapped = append(p.ids, image.BuildID()), p.mapped || covmap.In(image)
		p.debug = p.debug || image.HasDebugInfo()
		lacking = lacking || ok && !counters.Complete
	}
	if is == elfFormat {
		p.heap = memprof.ExecutableOf(images[0])
	}
	fault, _ := model.FaultIn(r.Err)
	if id := images[0].BuildID(); len(id) > 0 {
		fault.Found = fmt.Sprintf("build ID %x", id)
	}
	r.Companion, r.Late, r.Claim = p, p.heap.Split || lacking, p.claim
	return r
}

// RecogniseHead says of a file of size bytes, of which data is the beginning and is
// recognised as r, what that does not tell: whether all of a raw profile is there, and that
// nobody knows what is in a program. Only Mach-O has its table of sections in front.
func RecogniseHead(r format.Recognised, name string, data []byte, size uint64) format.Recognised {
	switch {
	case r.Is(instrprof.FormatRaw):
		return recogniseRaw(data, size)
	case r.Is(symbol.FormatELF, symbol.FormatMachO, symbol.FormatPE):
		r, _ = recognise(name, data)
		if id, linked := symbol.HeadID(data); linked {
			r.Companion = &program{ids: [][]byte{id}, mapped: true, debug: true, ahead: true}
		}
		r.Ahead = true
	}
	return r
}

// named is how much a profile wants a program of which no more is known than its build
// ID, if that: the profile names these.
func (p *program) named(ids [][]byte) format.Claim {
	switch own := p.ids[0]; {
	case len(own) == 0 || len(ids) == 0:
		return format.Fits
	case slices.ContainsFunc(ids, func(id []byte) bool { return bytes.Equal(id, own) }):
		return format.Owns
	}
	return format.NoClaim
}

// machOWords is what a Mach-O file is.
func machOWords(data []byte) string {
	if symbol.IsDSYM(data) {
		return "the debug info of a Mach-O program (dSYM)"
	}
	return "a Mach-O executable or object file"
}

// claim is that of an executable: the debug info that was split off it, and the
// other part of a program of which one was stripped and one has the debug info.
// Such join after what is whole.
func (p *program) claim(c *format.Recognised) format.Claim {
	other, ok := c.Companion.(*program)
	switch {
	case !ok || other == p:
	case other.heap.Split && !p.heap.Split && p.heap.LeftOut(&other.heap),
		slices.ContainsFunc(p.counters, other.completes):
		return format.Owns
	}
	return format.NoClaim
}

// completes reports whether an executable and another are of the same build, and
// one of them has what the other lacks.
func (p *program) completes(of instrprof.Program) bool {
	return slices.ContainsFunc(p.counters, func(own instrprof.Program) bool {
		return own.Same(of) && own.Complete != of.Complete
	})
}

// buildIDs are those of what was loaded.
func buildIDs(peek *memprof.Peek) (ids [][]byte) {
	for _, m := range peek.Modules {
		if len(m.BuildID) > 0 {
			ids = append(ids, m.BuildID)
		}
	}
	return ids
}

// claimOfMemProf is that of a raw heap profile: the program and libraries that it
// names by build ID or, before there were such, that fit, and split debug info.
func claimOfMemProf(peek *memprof.Peek) func(*format.Recognised) format.Claim {
	return func(c *format.Recognised) format.Claim {
		exe, ok := c.Companion.(*program)
		switch {
		case ok && exe.ahead && c.Is(symbol.FormatELF):
			return exe.named(buildIDs(peek))
		case !ok || !exe.heap.Split && !peek.Fits(&exe.heap):
			return format.NoClaim
		case !exe.heap.Split && peek.Version >= 3:
			return format.Owns
		}
		return format.Fits
	}
}
